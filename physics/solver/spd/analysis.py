"""Symbolic analysis: everything about the factorisation that depends on the topology only.

The factorisation is multifrontal [Duff & Reid 1983]: supernode s owns a dense *panel* (its pivot
columns, all its rows, column-major) and leaves a dense *update matrix* over the rows below, which
its parent adds into its own front. Where every number goes is computed here, once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.jit import kernel
from physics.jit.threads import WORKERS
from physics.solver.spd import elimination_tree
from physics.solver.spd.dense import BLOCK, STRIP
from physics.solver.spd.nested_dissection import nested_dissection
from physics.solver.spd.simd import LANES
from physics.solver.spd.subtrees import divide

Ints = NDArray[np.int64]


class Symbolic(NamedTuple):
    """Index maps of one topology. Supernodes are in postorder; "row" means a node."""

    order: Ints  # (n,) node eliminated k-th
    rank: Ints  # (n,) inverse of order
    first: Ints  # (S + 1,) first pivot (in elimination order) of each supernode
    row_start: Ints  # (S + 1,) into rows
    rows: Ints  # elimination index of the rows below the pivots, ascending
    local: Ints  # same length: position of that row in the parent's front
    run: Ints  # same length: end of the run of consecutive positions it belongs to
    child: Ints  # (S,) first child, -1
    sibling: Ints  # (S,) next sibling, -1
    panel: Ints  # (S + 1,) offset of the panel in the factor
    stride: Ints  # (S,) leading dimension of the panel
    update: Ints  # (S,) offset of the update matrix in the workspace
    update_stride: Ints  # (S,) its leading dimension
    entry_start: Ints  # (S + 1,) into the entries
    entry_source: Ints  # edge number, or -1 - node for a diagonal block
    entry_target: Ints  # offset in the factor
    entry_transposed: Ints  # 1 where the stored edge block has to be transposed
    part_start: Ints  # (parts + 2,) into the sequence; the last part is the top
    sequence: Ints  # (S,) supernodes part by part
    workspace: Ints  # (4,) doubles in all; packing buffer's share; where packing, pivots begin

    @property
    def parts(self) -> int:
        """Subtrees that can be eliminated at the same time."""
        return len(self.part_start) - 2

    @property
    def vector_size(self) -> int:
        """Doubles that `solve_one` needs: a vector, one for each part, a front per worker."""
        n = len(self.order)
        return 3 * n * (1 + self.parts) + WORKERS * (3 * n + 2 * LANES)


@kernel
def _renumber(supernode, up, into, order):
    """Postorder of the merged supernode tree: (order, first, parent) with contiguous pivots."""
    total = up.size
    number, alive = np.full(total, -1), 0
    for s in range(total):
        if into[s] == s:
            number[s], alive = alive, alive + 1
    parent = np.full(alive, -1)
    size = np.zeros(alive, np.int64)
    for s in range(total):
        if into[s] == s and up[s] >= 0:
            parent[number[s]] = number[into[up[s]]]
    for k in range(order.size):
        size[number[supernode[k]]] += 1
    post = elimination_tree.postorder(parent)
    place = elimination_tree.inverse(post)
    first = np.zeros(alive + 1, np.int64)
    for s in range(alive):
        first[s + 1] = first[s] + size[post[s]]
    fill, new_order = first[:-1].copy(), np.empty_like(order)
    for k in range(order.size):
        s = place[number[supernode[k]]]
        new_order[fill[s]] = order[k]
        fill[s] += 1
    new_parent = np.full(alive, -1)
    for s in range(alive):
        old = parent[post[s]]
        new_parent[s] = place[old] if old >= 0 else -1
    return new_order, first, new_parent


@kernel
def _structure(start, adjacency, order, rank, first, child, sibling):
    """Rows below the pivots of every supernode: (row_start, rows)."""
    n, total = order.size, child.size
    mark = np.full(n, -1)
    row_start = np.zeros(total + 1, np.int64)
    rows = np.empty(8 * n + 64, np.int64)
    for s in range(total):
        begin = end = row_start[s]
        if rows.size < end + n:
            grown = np.empty(2 * rows.size + n, np.int64)
            grown[:end] = rows[:end]
            rows = grown
        last = first[s + 1]
        for k in range(first[s], last):
            node = order[k]
            for at in range(start[node], start[node + 1]):
                i = rank[adjacency[at]]
                if i >= last and mark[i] != s:
                    mark[i] = s
                    rows[end], end = i, end + 1
        c = child[s]
        while c != -1:
            for at in range(row_start[c], row_start[c + 1]):
                i = rows[at]
                if i >= last and mark[i] != s:
                    mark[i] = s
                    rows[end], end = i, end + 1
            c = sibling[c]
        rows[begin:end] = np.sort(rows[begin:end])
        row_start[s + 1] = end
    return row_start, rows[: row_start[total]].copy()


@kernel
def _local_positions(first, row_start, rows, parent):
    """Where each row of a supernode sits in its parent's front."""
    local = np.zeros(rows.size, np.int64)
    for s in range(parent.size):
        p = parent[s]
        if p < 0:
            continue
        at_parent = row_start[p]
        for at in range(row_start[s], row_start[s + 1]):
            i = rows[at]
            if i < first[p + 1]:
                local[at] = i - first[p]
            else:
                while rows[at_parent] != i:
                    at_parent += 1
                local[at] = first[p + 1] - first[p] + at_parent - row_start[p]
    return local


@kernel
def _runs(first, row_start, parent, local):
    """End (within its supernode) of the run of consecutive local positions of each row.

    Runs end where the parent's pivots end: the two parts live in different arrays.
    """
    run = np.zeros(local.size, np.int64)
    for s in range(parent.size):
        begin, end, p = row_start[s], row_start[s + 1], parent[s]
        pivots = first[p + 1] - first[p] if p >= 0 else 0
        for at in range(end - 1, begin - 1, -1):
            joined = at + 1 < end and local[at + 1] == local[at] + 1 and local[at + 1] != pivots
            run[at] = run[at + 1] if joined else at + 1 - begin
    return run


@kernel
def _padded(rows, lanes):
    """Leading dimension for so many scalar rows: room for one vector beyond the end.

    Large powers of two are avoided, their columns would share cache sets.
    """
    stride = (rows + 2 * lanes - 2) // lanes * lanes
    return stride + lanes if stride % 128 == 0 else stride


@kernel
def _layout(first, row_start, lanes):
    """Panels one after the other: (offset, leading dimension, update's leading dimension)."""
    total = first.size - 1
    panel = np.zeros(total + 1, np.int64)
    stride, update_stride = np.empty(total, np.int64), np.empty(total, np.int64)
    for s in range(total):
        pivots, below = first[s + 1] - first[s], row_start[s + 1] - row_start[s]
        stride[s] = _padded(3 * (pivots + below), lanes)
        update_stride[s] = _padded(3 * below, lanes)
        panel[s + 1] = panel[s] + 3 * pivots * stride[s]
    return panel, stride, update_stride


@kernel
def _first_fit(place, size, live, waiting, base, s):
    """A place for the update of s beside those that wait (ascending). Written: place, live."""
    offset, slot = base, 0
    while slot < waiting and offset + size[s] > place[live[slot]]:
        offset = place[live[slot]] + size[live[slot]]
        slot += 1
    for at in range(waiting, slot, -1):
        live[at] = live[at - 1]
    live[slot] = s
    place[s] = offset
    return offset + size[s]


@kernel
def _place_updates(row_start, update_stride, child, sibling, part_start, sequence):
    """First-fit places for update matrices that live from their supernode to its parent.

    Each part has a region of its own, the top uses all of them. Returns (places, doubles needed).
    """
    total = child.size
    place, size = np.zeros(total, np.int64), np.zeros(total, np.int64)
    live = np.empty(total + 1, np.int64)  # supernodes whose update is waiting, by offset
    needed, parts = 0, part_start.size - 2
    for part in range(parts + 1):
        base, waiting = needed, 0
        if part == parts:
            base = 0
            for k in range(parts):  # the roots of the parts wait for the top
                live[waiting], waiting = sequence[part_start[k + 1] - 1], waiting + 1
        for k in range(part_start[part], part_start[part + 1]):
            s = sequence[k]
            size[s] = 3 * (row_start[s + 1] - row_start[s]) * update_stride[s]
            needed = max(needed, _first_fit(place, size, live, waiting, base, s))
            waiting += 1
            c = child[s]
            while c != -1:  # the children's updates have been added in by now
                kept = 0
                for at in range(waiting):
                    if live[at] != c:
                        live[kept], kept = live[at], kept + 1
                waiting = kept
                c = sibling[c]
    return place, needed


@kernel
def _front_position(i, first, s, row_start, rows):
    """Position of elimination index i in the front of supernode s."""
    if i < first[s + 1]:
        return i - first[s]
    low, high = row_start[s], row_start[s + 1]
    while high - low > 1:
        middle = (low + high) // 2
        if rows[middle] <= i:
            low = middle
        else:
            high = middle
    return first[s + 1] - first[s] + low - row_start[s]


@kernel
def _entries(edges, rank, first, row_start, rows, panel, stride):
    """Where each block of the matrix goes: (entry_start, source, target, transposed)."""
    n, total, count = rank.size, first.size - 1, edges.shape[0] + rank.size
    owner = np.empty(n, np.int64)
    for s in range(total):
        owner[first[s] : first[s + 1]] = s
    low, high = np.empty(count, np.int64), np.empty(count, np.int64)
    entry_start = np.zeros(total + 1, np.int64)
    for e in range(count):
        i, j = (e, e) if e < n else (edges[e - n, 0], edges[e - n, 1])
        low[e], high[e] = min(rank[i], rank[j]), max(rank[i], rank[j])
        entry_start[owner[low[e]] + 1] += 1
    for s in range(total):
        entry_start[s + 1] += entry_start[s]
    fill = entry_start[:-1].copy()
    source, target = np.empty(count, np.int64), np.empty(count, np.int64)
    transposed = np.zeros(count, np.int64)
    for e in range(count):
        s = owner[low[e]]
        at = fill[s]
        fill[s] += 1
        row = _front_position(high[e], first, s, row_start, rows)
        target[at] = panel[s] + 3 * (low[e] - first[s]) * stride[s] + 3 * row
        source[at] = -1 - e if e < n else e - n
        # An edge block is A[edge 0, edge 1]; the factor wants the later node as its row.
        transposed[at] = 1 if e >= n and rank[edges[e - n, 0]] == low[e] else 0
    return entry_start, source, target, transposed


@kernel
def analyse_order(n, edges, order, lanes):
    """Index maps for a given elimination order, as the fields of `Symbolic`."""
    start, adjacency = elimination_tree.compressed_rows(n, edges)
    rank = elimination_tree.inverse(order)
    parent = elimination_tree.elimination_tree(start, adjacency, order, rank)
    order = order[elimination_tree.postorder(parent)]
    rank = elimination_tree.inverse(order)
    parent = elimination_tree.elimination_tree(start, adjacency, order, rank)
    count = elimination_tree.column_counts(start, adjacency, order, rank, parent)
    supernode, up, into = elimination_tree.merge_supernodes(
        elimination_tree.fundamental_supernodes(parent, count), parent, count
    )
    order, first, above = _renumber(supernode, up, into, order)
    rank = elimination_tree.inverse(order)
    child, sibling = elimination_tree.child_lists(above)
    row_start, rows = _structure(start, adjacency, order, rank, first, child, sibling)
    local = _local_positions(first, row_start, rows, above)
    run = _runs(first, row_start, above, local)
    panel, stride, update_stride = _layout(first, row_start, lanes)
    time = np.empty(first.size - 1)
    for s in range(time.size):
        time[s] = elimination_tree.front_time(
            first[s + 1] - first[s], row_start[s + 1] - row_start[s]
        )
    part_start, sequence = divide(time, child, sibling)
    update, needed = _place_updates(row_start, update_stride, child, sibling, part_start, sequence)
    packing = BLOCK * (stride.max() + 2 * lanes + STRIP)
    entries = _entries(edges, rank, first, row_start, rows, panel, stride)
    pivots = needed + 2 * lanes + WORKERS * packing
    sizes = np.array([pivots + part_start.size, packing, needed + 2 * lanes, pivots])
    return (
        order, rank, first, row_start, rows, local, run, child, sibling,
        panel, stride, update, update_stride, *entries, part_start, sequence, sizes,
    )  # fmt: skip


@kernel
def modelled_time(first, row_start):
    """Σ front_time over the supernodes (ns): compares orderings without factorising."""
    time = 0.0
    for s in range(first.size - 1):
        time += elimination_tree.front_time(
            first[s + 1] - first[s], row_start[s + 1] - row_start[s]
        )
    return time


def analyse(
    n: int, edges: Ints, position: NDArray[np.float64] | None = None, leaf: int = 12
) -> Symbolic:
    edges = np.ascontiguousarray(edges, dtype=np.int64).reshape(-1, 2)
    start, adjacency = elimination_tree.compressed_rows(n, edges)
    where = np.zeros((n, 0)) if position is None else np.ascontiguousarray(position)
    order = nested_dissection(start, adjacency, where, leaf)
    return Symbolic(*analyse_order(n, edges, order, LANES))
