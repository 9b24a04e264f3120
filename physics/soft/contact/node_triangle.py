"""Contacts of a cloth with itself: every node against the triangles of the same surface.

Nodes are sorted by the cell of a grid they lie in, so that a triangle looks only into the cells
around it: the work grows with the number of nodes. What is near in the rest shape never touches.
Of the triangles in reach of a node the nearest counts, and others only from other directions (the
layers above and below it): three at most.

A contact is a row on four nodes, x_i - Σ w_a x_a with the weights of the nearest point, and enters
the same solve as all others. It keeps `thickness` between the two; the side is the one on which
the node is when the two come in reach of each other, which is before they touch.
"""

import numpy as np

from physics.collision.closest import blend, on_triangle
from physics.collision.vec import dot, length, load, scale, store, sub
from physics.jit import kernel
from physics.params import NO_DIRECTION
from physics.soft.contact.soft_rows import OPEN, PRESSED

SELF = 1 << 30  # takes the place of the shape's number in the key of a contact
LAYERS = 3  # contacts of one node at most
SAME = 0.5  # cosine between directions beyond which the nearer of two contacts says it all


@kernel
def cell_of(p, low, size, cells):
    """Number of the grid cell around p."""
    i = min(max(int((p[0] - low[0]) / size), 0), cells[0] - 1)
    j = min(max(int((p[1] - low[1]) / size), 0), cells[1] - 1)
    k = min(max(int((p[2] - low[2]) / size), 0), cells[2] - 1)
    return i, j, k


@kernel
def _sort_nodes(x, nodes, size, low, cells, start, sorted_nodes, cell):
    """Counting sort of the nodes by cell. Written: the last three."""
    for c in range(start.size):
        start[c] = 0
    for i in range(nodes):
        a, b, c = cell_of(load(x, i), low, size, cells)
        cell[i] = (a * cells[1] + b) * cells[2] + c
        start[cell[i] + 1] += 1
    for c in range(1, start.size):
        start[c] += start[c - 1]
    for i in range(nodes):
        sorted_nodes[start[cell[i]]] = i
        start[cell[i]] += 1
    for c in range(start.size - 1, 0, -1):
        start[c] = start[c - 1]
    start[0] = 0


@kernel
def _keep(i, t, n, distance, found, best, normal):
    """Enter triangle t among the contacts of node i. Written: found, best, normal."""
    for k in range(LAYERS):
        if found[i, k] < 0:
            break
        alike = n[0] * normal[i, k, 0] + n[1] * normal[i, k, 1] + n[2] * normal[i, k, 2] > SAME
        if alike:
            if distance < best[i, k]:
                found[i, k], best[i, k] = t, distance
                normal[i, k, 0], normal[i, k, 1], normal[i, k, 2] = n
            return
    farthest = 0
    for k in range(LAYERS):
        if found[i, k] < 0:
            farthest = k
            break
        if best[i, k] > best[i, farthest]:
            farthest = k
    if found[i, farthest] < 0 or distance < best[i, farthest]:
        found[i, farthest], best[i, farthest] = t, distance
        normal[i, farthest, 0], normal[i, farthest, 1], normal[i, farthest, 2] = n


@kernel
def _meet(x, v, rest, triangles, t, i, near, thickness, margin, h, found, best, normal):
    """Whether node i and triangle t may touch in the step. Written: found, best, normal."""
    a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
    for corner in (a, b, c):
        apart = sub(load(rest, i), load(rest, corner))
        if dot(apart, apart) < near * near:
            return
    p, xa, xb, xc = load(x, i), load(x, a), load(x, b), load(x, c)
    w = on_triangle(p, xa, xb, xc)
    away = sub(p, blend(w, xa, xb, xc))
    distance = length(away)
    if distance < NO_DIRECTION:
        return  # no side to be on
    n = scale(away, 1.0 / distance)
    speed = sub(load(v, i), blend(w, load(v, a), load(v, b), load(v, c)))
    if distance - thickness <= margin + max(0.0, -h * dot(n, speed)):
        _keep(i, t, n, distance, found, best, normal)


@kernel
def near_pairs(
    x, v, rest, triangles, nodes, near, thickness, margin, reach, h, low, size, cells,
    start, sorted_nodes, cell, found, best, normal,
):  # fmt: skip
    """Which triangles the nodes may touch in the step.

    Written: found (n, LAYERS) with -1 for none, best, normal; workspaces start, sorted_nodes, cell.
    """
    _sort_nodes(x, nodes, size, low, cells, start, sorted_nodes, cell)
    for i in range(nodes):
        for k in range(LAYERS):
            found[i, k] = -1
    first, last = np.empty(3), np.empty(3)
    for t in range(triangles.shape[0]):
        for d in range(3):
            p, q, r = x[triangles[t, 0], d], x[triangles[t, 1], d], x[triangles[t, 2], d]
            first[d], last[d] = min(p, q, r) - reach, max(p, q, r) + reach
        i0, j0, k0 = cell_of((first[0], first[1], first[2]), low, size, cells)
        i1, j1, k1 = cell_of((last[0], last[1], last[2]), low, size, cells)
        for i in range(i0, i1 + 1):
            for j in range(j0, j1 + 1):
                row = (i * cells[1] + j) * cells[2]
                for at in range(start[row + k0], start[row + k1 + 1]):
                    m = sorted_nodes[at]
                    inside = True
                    for d in range(3):
                        if x[m, d] < first[d] or x[m, d] > last[d]:
                            inside = False
                    if inside:
                        _meet(
                            x, v, rest, triangles, t, m, near, thickness, margin, h,
                            found, best, normal,
                        )  # fmt: skip


@kernel
def add_self_rows(x, triangles, nodes, pinned, thickness, friction, found, best, normal, rows):
    """Contacts found by `near_pairs`, after those with shapes; returns the rows there should be.

    Slots of the pairs of nodes are left to the caller. Written: rows.
    """
    at = rows.count[0]
    for i in range(nodes):
        for k in range(LAYERS):
            t = found[i, k]
            if t < 0:
                continue
            a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
            if pinned[i] and pinned[a] and pinned[b] and pinned[c]:
                continue
            if at < rows.gap.size:
                w = on_triangle(load(x, i), load(x, a), load(x, b), load(x, c))
                rows.kind[at], rows.state[at], rows.body[at] = PRESSED, OPEN, 0
                rows.key[at] = (SELF << 32) | (LAYERS * i + k)
                rows.gap[at], rows.friction[at] = best[i, k] - thickness, friction
                store((normal[i, k, 0], normal[i, k, 1], normal[i, k, 2]), rows.normal, at)
                store((0.0, 0.0, 0.0), rows.arm, at)
                rows.node[at, 0], rows.weight[at, 0] = i, 1.0
                for d in range(3):
                    rows.node[at, 1 + d], rows.weight[at, 1 + d] = triangles[t, d], -w[d]
            at += 1
    rows.count[0] = min(at, rows.gap.size)
    return at
