"""Elimination order of the sparse system: minimum degree on the quotient graph.

The graph has a vertex for every unknown node and every bilateral element. Eliminating a vertex
joins its neighbours into a clique, which is kept as a list (an *element* of the quotient graph)
rather than as edges, so that memory never exceeds the factor's own. That list is at once the
pattern of the vertex's column, so ordering and symbolic factorisation are one pass.

A constraint may only be eliminated when its pivot is regular, that is when it and the constraints
eliminated before it are independent on the nodes eliminated so far. Each has *supports*, nodes
whose motion alone spans its rows (the linear or the angular node of either body); if every
eliminated constraint can be given an eliminated support of its own, they are independent. With
supports as vertices and constraints as edges between them that is so exactly when no connected
part has more edges than vertices, which union-find counts. What exceeds that (closed loops) waits
until all nodes are gone. Ties go to the lowest index: the order is a function of the input alone.
"""

import numpy as np

from physics.jit import kernel
from physics.solver.graph import root

_FAR = np.int64(1) << 60


@kernel
def minimum_degree(start, neighbours, is_row, supports):
    """Order, column starts and column patterns of the factor.

    `neighbours[start[i]:start[i+1]]` lists the neighbours of vertex i without duplicates;
    `supports[k]` is 1 where neighbour k supports the row vertex i. Returns (order, column_start,
    pattern): `pattern[column_start[k]:column_start[k+1]]` are the vertices eliminated after the
    k-th that share its column, unsorted.
    """
    n = len(start) - 1
    adjacency = neighbours.copy()  # per vertex: remaining neighbours, then clique numbers
    plain = np.empty(n, np.int64)  # how many of them are vertices
    cliques = np.zeros(n, np.int64)  # how many are cliques, stored after the vertices
    degree = np.empty(n, np.int64)
    gone = np.zeros(n, np.uint8)
    parent = np.arange(n)  # parts of the support graph
    surplus = np.zeros(n, np.int64)  # vertices minus edges of each part, at its root
    nodes_left = 0
    for i in range(n):
        plain[i] = start[i + 1] - start[i]
        degree[i] = plain[i]
        nodes_left += 1 - is_row[i]
    order = np.empty(n, np.int64)
    column_start = np.zeros(n + 1, np.int64)
    pattern = np.empty(max(4 * len(neighbours), 16), np.int64)
    absorbed = np.zeros(n, np.uint8)
    mark = np.full(n, -1, np.int64)
    for step in range(n):
        v = _cheapest(
            degree, gone, nodes_left, is_row, start, neighbours, supports, parent, surplus
        )
        order[step] = v
        gone[v] = 1
        nodes_left -= 1 - is_row[v]
        if is_row[v]:
            _add_edge(v, gone, start, neighbours, supports, parent, surplus)
        else:
            _add_vertex(v, gone, is_row, start, neighbours, supports, parent, surplus)
        size = column_start[step]
        mark[v] = step
        for k in range(start[v], start[v] + plain[v]):
            size, pattern = _append(adjacency[k], mark, gone, step, size, pattern)
        for k in range(start[v] + plain[v], start[v] + plain[v] + cliques[v]):
            c = adjacency[k]
            for q in range(column_start[c], column_start[c + 1]):
                size, pattern = _append(pattern[q], mark, gone, step, size, pattern)
            absorbed[c] = 1
        column_start[step + 1] = size
        for k in range(column_start[step], size):
            _update(pattern[k], step, start, mark, absorbed, adjacency, plain, cliques)
        for k in range(column_start[step], size):
            degree[pattern[k]] = _degree_bound(
                pattern[k], start, adjacency, plain, cliques, column_start, n - step
            )
    return order, column_start, pattern[: column_start[n]].copy()


@kernel
def _cheapest(degree, gone, nodes_left, is_row, start, neighbours, supports, parent, surplus):
    """The eligible vertex of least degree."""
    best = -1
    least = _FAR
    for i in range(len(degree)):
        if gone[i] == 1 or degree[i] >= least:
            continue
        early = is_row[i] == 1 and nodes_left > 0
        if early and not _is_independent(i, gone, start, neighbours, supports, parent, surplus):
            continue
        least = degree[i]
        best = i
    return best


@kernel
def _eliminated_supports(row, gone, start, neighbours, supports, parent):
    """Roots of the parts that the row's eliminated supports belong to (at most two), or -1."""
    first = -1
    second = -1
    for k in range(start[row], start[row + 1]):
        if supports[k] and gone[neighbours[k]]:
            part = root(parent, neighbours[k])
            if first < 0:
                first = part
            elif part != first:
                second = part
    return first, second


@kernel
def _is_independent(row, gone, start, neighbours, supports, parent, surplus):
    first, second = _eliminated_supports(row, gone, start, neighbours, supports, parent)
    if first < 0:
        return False
    spare = surplus[first]
    if second >= 0:
        spare += surplus[second]
    return spare > 0


@kernel
def _add_edge(row, gone, start, neighbours, supports, parent, surplus):
    """Counts an eliminated row in the part it belongs to; writes parent and surplus."""
    first, second = _eliminated_supports(row, gone, start, neighbours, supports, parent)
    if first < 0:
        return
    if second >= 0:
        parent[second] = first
        surplus[first] += surplus[second]
    surplus[first] -= 1


@kernel
def _add_vertex(node, gone, is_row, start, neighbours, supports, parent, surplus):
    """A new support, joined to the parts of the eliminated rows it supports."""
    surplus[node] = 1
    for k in range(start[node], start[node + 1]):
        row = neighbours[k]
        if is_row[row] and gone[row] and _supports(row, node, start, neighbours, supports):
            first, second = _eliminated_supports(row, gone, start, neighbours, supports, parent)
            if second >= 0:
                parent[second] = first
                surplus[first] += surplus[second]


@kernel
def _append(w, mark, gone, step, size, pattern):
    if mark[w] == step or gone[w] == 1:
        return size, pattern
    mark[w] = step
    if size == len(pattern):
        larger = np.empty(2 * size, np.int64)
        larger[:size] = pattern
        pattern = larger
    pattern[size] = w
    return size + 1, pattern


@kernel
def _supports(row, node, start, neighbours, supports):
    for k in range(start[row], start[row + 1]):
        if neighbours[k] == node:
            return supports[k] == 1
    return False


@kernel
def _update(i, step, start, mark, absorbed, adjacency, plain, cliques):
    """Drops from vertex i what the new clique `step` covers, and adds the clique."""
    first = start[i]
    kept = first
    for k in range(first, first + plain[i]):
        if mark[adjacency[k]] != step:
            adjacency[kept] = adjacency[k]
            kept += 1
    vertices = kept - first
    for k in range(first + plain[i], first + plain[i] + cliques[i]):
        if absorbed[adjacency[k]] == 0:
            adjacency[kept] = adjacency[k]
            kept += 1
    # room is certain: i lost at least the eliminated vertex or one clique it belonged to
    adjacency[kept] = step
    plain[i] = vertices
    cliques[i] = kept - first - vertices + 1


@kernel
def _degree_bound(i, start, adjacency, plain, cliques, column_start, most):
    first = start[i] + plain[i]
    total = plain[i]
    for k in range(first, first + cliques[i]):
        c = adjacency[k]
        total += column_start[c + 1] - column_start[c] - 1
    return min(total, most)
