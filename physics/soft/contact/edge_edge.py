"""Edges of a surface against edges of the same surface: ridges that cross between their nodes.

Where two surfaces meet along ridges or borders, no node need be near a triangle. Of the edges in
reach of an edge the nearest counts, if it is met strictly between the ends of both and nearer than
any node of the two is to a triangle: elsewhere the contacts of nodes
(physics/soft/contact/node_triangle.py) say it all, and flat layers need no rows for their edges.
Every edge looks for its own, so a ribbon that lies across another is held at both sides. The row is
the same kind on four nodes, (1-s) x_a + s x_b - (1-t) x_c - t x_d.
"""

import math

from physics.collision.closest import segment_segment
from physics.collision.vec import along, dot, length, load, scale, store, sub
from physics.jit import kernel
from physics.params import NO_DIRECTION
from physics.soft.contact.node_triangle import LAYERS, SELF, cell_of
from physics.soft.contact.soft_rows import OPEN, PRESSED

EDGES = 1 << 29  # in the lower half of a contact's key: after those of the nodes
END = 0.02  # of an edge: what is nearer to its ends is left to the nodes
COVERED = 0.1  # of the thickness by which a node must be farther off than the edges are


@kernel
def _nearest(i, found, best):
    """How far node i is from the triangle it is nearest to, as far as any is in reach."""
    least = math.inf
    for k in range(LAYERS):
        if found[i, k] >= 0:
            least = min(least, best[i, k])
    return least


@kernel
def _apart(x, v, a, b, c, d):
    """(s, t, distance, normal, speed along it) of edge ab from edge cd."""
    xa, xb, xc, xd = load(x, a), load(x, b), load(x, c), load(x, d)
    s, t = segment_segment(xa, xb, xc, xd)
    away = sub(along(xa, sub(xb, xa), s), along(xc, sub(xd, xc), t))
    distance = length(away)
    n = scale(away, 1.0 / distance) if distance > NO_DIRECTION else (0.0, 0.0, 0.0)
    va, vb, vc, vd = load(v, a), load(v, b), load(v, c), load(v, d)
    speed = sub(along(va, sub(vb, va), s), along(vc, sub(vd, vc), t))
    return s, t, distance, n, dot(n, speed)


@kernel
def near_edges(
    x, v, rest, edges, edge_start, near, longest, thickness, margin, reach, h, low, size, cells,
    start, sorted_nodes, found, best, other, gap,
):  # fmt: skip
    """The edge that each edge may touch in the step.

    edges (m, 2) ascending, edge_start[i] the first that begins at node i; `longest` is the longest
    of them, m; the grid of nodes, `found` and `best` are those of `near_pairs`. Written: other (m,)
    with -1 for none, gap.
    """
    for e in range(edges.shape[0]):
        a, b = edges[e, 0], edges[e, 1]
        other[e] = -1
        near_a, near_b = _nearest(a, found, best), _nearest(b, found, best)
        if max(near_a, near_b) <= (1.0 + COVERED) * thickness:
            continue  # lies on something with both ends
        least = min(reach, min(near_a, near_b) - COVERED * thickness)
        if least <= 0.0:
            continue
        first0 = min(x[a, 0], x[b, 0]) - least - longest
        first1 = min(x[a, 1], x[b, 1]) - least - longest
        first2 = min(x[a, 2], x[b, 2]) - least - longest
        last0 = max(x[a, 0], x[b, 0]) + least + longest
        last1 = max(x[a, 1], x[b, 1]) + least + longest
        last2 = max(x[a, 2], x[b, 2]) + least + longest
        i0, j0, k0 = cell_of((first0, first1, first2), low, size, cells)
        i1, j1, k1 = cell_of((last0, last1, last2), low, size, cells)
        for i in range(i0, i1 + 1):
            for j in range(j0, j1 + 1):
                row = (i * cells[1] + j) * cells[2]
                for at in range(start[row + k0], start[row + k1 + 1]):
                    c = sorted_nodes[at]
                    if edge_start[c] == edge_start[c + 1]:
                        continue
                    r0, r1, r2 = (
                        rest[a, 0] - rest[c, 0], rest[a, 1] - rest[c, 1], rest[a, 2] - rest[c, 2]
                    )  # fmt: skip
                    if r0 * r0 + r1 * r1 + r2 * r2 < near * near:
                        continue
                    for f in range(edge_start[c], edge_start[c + 1]):
                        d = edges[f, 1]
                        if f == e or c == a or c == b or d == a or d == b:
                            continue
                        away = 0.0  # between the middles, times two
                        for k in range(3):
                            away += (x[a, k] + x[b, k] - x[c, k] - x[d, k]) ** 2
                        if away > 4.0 * (least + longest) ** 2:
                            continue
                        s, t, distance, _, speed = _apart(x, v, a, b, c, d)
                        if min(s, t) < END or max(s, t) > 1.0 - END or distance < NO_DIRECTION:
                            continue
                        room = distance - thickness
                        if distance >= least or room > margin + max(0.0, -h * speed):
                            continue
                        covered = min(_nearest(c, found, best), _nearest(d, found, best))
                        if covered > distance + COVERED * thickness:
                            other[e], gap[e], least = f, room, distance


@kernel
def add_edge_rows(x, v, edges, pinned, friction, other, gap, rows):
    """Contacts found by `near_edges`, after all others; returns the rows there should be.

    Slots of the pairs of nodes are left to the caller. Written: rows.
    """
    at = rows.count[0]
    for e in range(edges.shape[0]):
        f = other[e]
        if f < 0 or (f < e and other[f] == e):  # nothing, or two that found each other
            continue
        a, b, c, d = edges[e, 0], edges[e, 1], edges[f, 0], edges[f, 1]
        if pinned[a] and pinned[b] and pinned[c] and pinned[d]:
            continue
        if at < rows.gap.size:
            s, t, _, n, _ = _apart(x, v, a, b, c, d)
            rows.kind[at], rows.state[at], rows.body[at] = PRESSED, OPEN, 0
            rows.key[at] = (SELF << 32) | EDGES | e
            rows.gap[at], rows.friction[at] = gap[e], friction
            store(n, rows.normal, at)
            store((0.0, 0.0, 0.0), rows.arm, at)
            rows.node[at, 0], rows.node[at, 1], rows.node[at, 2], rows.node[at, 3] = a, b, c, d
            rows.weight[at, 0], rows.weight[at, 1] = 1.0 - s, s
            rows.weight[at, 2], rows.weight[at, 3] = t - 1.0, -t
        at += 1
    rows.count[0] = min(at, rows.gap.size)
    return at
