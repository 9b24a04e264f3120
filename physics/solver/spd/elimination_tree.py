"""Elimination tree and supernodes of a permuted node graph.

The parent of a column is the row of its first entry below the diagonal in the factor [Liu 1990];
columns with the same structure below form a *supernode* and are factorised as one dense panel.
Supernodes are merged further while the model in `front_time` says that the dense work on a few
explicit zeros is cheaper than another small front.

Everything here works on nodes (3x3 blocks) and runs once per topology.
"""

import numpy as np

from physics.jit import kernel


@kernel
def compressed_rows(n, edges):
    """Neighbour lists of the undirected graph: (start, adjacency)."""
    start = np.zeros(n + 1, np.int64)
    for e in range(edges.shape[0]):
        start[edges[e, 0] + 1] += 1
        start[edges[e, 1] + 1] += 1
    for i in range(n):
        start[i + 1] += start[i]
    fill = start[:-1].copy()
    adjacency = np.empty(2 * edges.shape[0], np.int64)
    for e in range(edges.shape[0]):
        i, j = edges[e, 0], edges[e, 1]
        adjacency[fill[i]], adjacency[fill[j]] = j, i
        fill[i] += 1
        fill[j] += 1
    return start, adjacency


@kernel
def inverse(order):
    """rank with rank[order[k]] = k."""
    rank = np.empty_like(order)
    for k in range(order.size):
        rank[order[k]] = k
    return rank


@kernel
def elimination_tree(start, adjacency, order, rank):
    """parent[k] of every column in elimination order, -1 for roots (path compression)."""
    n = order.size
    parent, ancestor = np.full(n, -1), np.full(n, -1)
    for k in range(n):
        node = order[k]
        for at in range(start[node], start[node + 1]):
            i = rank[adjacency[at]]
            while i != -1 and i < k:
                above = ancestor[i]
                ancestor[i] = k
                if above == -1:
                    parent[i] = k
                i = above
    return parent


@kernel
def child_lists(parent):
    """First child and next sibling, siblings ascending."""
    n = parent.size
    first, following = np.full(n, -1), np.full(n, -1)
    for k in range(n - 1, -1, -1):
        if parent[k] >= 0:
            following[k] = first[parent[k]]
            first[parent[k]] = k
    return first, following


@kernel
def postorder(parent):
    """Children before parents, every subtree contiguous: post[k] is the old index of the k-th."""
    n = parent.size
    child, following = child_lists(parent)
    post, stack = np.empty(n, np.int64), np.empty(n, np.int64)
    used = 0
    for root in range(n):
        if parent[root] != -1:
            continue
        stack[0], depth = root, 1
        while depth > 0:
            k = stack[depth - 1]
            if child[k] != -1:
                stack[depth], depth = child[k], depth + 1
                child[k] = following[child[k]]
            else:
                post[used], used, depth = k, used + 1, depth - 1
    return post


@kernel
def column_counts(start, adjacency, order, rank, parent):
    """Entries below the diagonal of every column of the factor, by walking the row subtrees."""
    n = order.size
    count, mark = np.zeros(n, np.int64), np.full(n, -1)
    for k in range(n):
        mark[k] = k
        node = order[k]
        for at in range(start[node], start[node + 1]):
            i = rank[adjacency[at]]
            while i < k and mark[i] != k:
                mark[i] = k
                count[i] += 1
                i = parent[i]
    return count


@kernel
def fundamental_supernodes(parent, count):
    """Number of the supernode of each (postordered) column."""
    n = parent.size
    supernode = np.zeros(n, np.int64)
    for k in range(1, n):
        same = parent[k - 1] == k and count[k] == count[k - 1] - 1
        supernode[k] = supernode[k - 1] + (0 if same else 1)
    return supernode


@kernel
def front_time(pivots, below):
    """Modelled time (ns) of a front of so many pivot and update nodes.

    Fitted to the kernels: a fixed cost, the memory traffic of assembly, and multiply-adds at
    about 15 per ns with a start-up cost of some 12 columns for every tile.
    """
    K, u = 3.0 * pivots, 3.0 * below
    updates = 0.5 * u * u * (K + 12.0)
    panel = K * (0.5 * K + u) * (0.5 * K + 12.0)
    return 400.0 + 0.25 * (K + u) * (K + u) + (updates + panel) / 15.0


@kernel
def merge_supernodes(supernode, parent, count):
    """Merge children into parents while that saves time: (supernode of each column, its parent).

    The rows of a child below itself lie within its parent's pivots and rows, so the merged front
    has the parent's rows and the sum of the pivots.
    """
    total = supernode[-1] + 1
    pivots, below = np.zeros(total, np.int64), np.zeros(total, np.int64)
    up = np.full(total, -1)
    for k in range(supernode.size):
        s = supernode[k]
        pivots[s] += 1
        below[s] = count[k]
        up[s] = supernode[parent[k]] if parent[k] >= 0 else -1
    into = np.arange(total)
    child, following = child_lists(up)
    for s in range(total):
        c, last = child[s], -1
        while c != -1:
            together = front_time(pivots[s] + pivots[c], below[s])
            apart = front_time(pivots[s], below[s]) + front_time(pivots[c], below[c])
            after = following[c]
            if together <= apart:
                into[c] = s
                pivots[s] += pivots[c]
                grandchild = child[c]  # these become children of s, looked at next
                if grandchild != -1:
                    tail = grandchild
                    while following[tail] != -1:
                        tail = following[tail]
                    following[tail] = after
                    after = grandchild
                if last == -1:
                    child[s] = after
                else:
                    following[last] = after
            else:
                last = c
            c = after
    for s in range(total - 1, -1, -1):
        into[s] = into[into[s]]
    return into[supernode], up, into
