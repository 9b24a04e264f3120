"""Two boxes from their axes alone: 15 projections, then the overlap of two faces or edges.

In the axes of a let T = R_aᵀ(p_b - p_a) and C = R_aᵀ R_b. Along unit axis L the boxes are apart by
|T·L| - Σ aᵢ|L·eᵢ| - Σ bⱼ|L·Ceⱼ|, which for face axes and products eᵢ × Ceⱼ needs entries of C only.
Face 2i is -axis i, face 2i+1 is +axis i; edge 4i + k runs along axis i (`topology.py`).
"""

import math

from physics.collision.clip import cut
from physics.collision.closest import segment_segment
from physics.collision.manifold import add_candidate, mix
from physics.collision.sat import EDGES, FACE_A, FACE_B, NONE
from physics.collision.tolerances import PARALLEL_EDGES
from physics.collision.vec import (
    add,
    along,
    column,
    cross,
    dot,
    load,
    scale,
    store,
    sub,
    to_local,
    to_world,
    vector,
)
from physics.jit import kernel


@kernel
def _larger(best, axis, separation, i):
    """The larger of the best so far and this one, with its number."""
    return (separation, i) if separation > best else (best, axis)


@kernel
def _face_axis(t, e, f, r0, r1, r2):
    """(largest separation along three axes, which): half sizes e, the other's f, rows of |C|."""
    best, axis = abs(t[0]) - e[0] - dot(f, r0), 0
    best, axis = _larger(best, axis, abs(t[1]) - e[1] - dot(f, r1), 1)
    return _larger(best, axis, abs(t[2]) - e[2] - dot(f, r2), 2)


@kernel
def _edge_separation(t1, t2, up, down, reach):
    """Along eᵢ × Ceⱼ, which has the components (0, -C[i2,j], C[i1,j]) at (i, i1, i2)."""
    size = math.sqrt(up * up + down * down)
    if size < PARALLEL_EDGES:
        return -math.inf
    return (abs(t2 * up - t1 * down) - reach) / size


@kernel
def _edges_of(t1, t2, up, down, a1, a2, across, f):
    """(largest separation along eᵢ × Ceⱼ over j, j): rows i1, i2 of C, row i of |C|."""
    reach = a1 * abs(down[0]) + a2 * abs(up[0]) + f[1] * across[2] + f[2] * across[1]
    best, edge = _edge_separation(t1, t2, up[0], down[0], reach), 0
    reach = a1 * abs(down[1]) + a2 * abs(up[1]) + f[2] * across[0] + f[0] * across[2]
    best, edge = _larger(best, edge, _edge_separation(t1, t2, up[1], down[1], reach), 1)
    reach = a1 * abs(down[2]) + a2 * abs(up[2]) + f[0] * across[1] + f[1] * across[0]
    return _larger(best, edge, _edge_separation(t1, t2, up[2], down[2], reach), 2)


@kernel
def _edge_axis(t, e, f, c0, c1, c2, r0, r1, r2):
    """(largest separation along eᵢ × Ceⱼ, i, j)."""
    best, j0 = _edges_of(t[1], t[2], c1, c2, e[1], e[2], r0, f)
    i, j = 0, j0
    by, j1 = _edges_of(t[2], t[0], c2, c0, e[2], e[0], r1, f)
    if by > best:
        best, i, j = by, 1, j1
    by, j2 = _edges_of(t[0], t[1], c0, c1, e[0], e[1], r2, f)
    if by > best:
        best, i, j = by, 2, j2
    return best, i, j


@kernel
def _sizes(v):
    return (abs(v[0]), abs(v[1]), abs(v[2]))


@kernel
def _supporting_edge(s, axis, direction):
    """The edge along `axis` that lies farthest in the direction."""
    first = dot(column(s.matrix, (axis + 1) % 3), direction) > 0.0
    second = dot(column(s.matrix, (axis + 2) % 3), direction) > 0.0
    return 4 * axis + (1 if first else 0) + (2 if second else 0)


@kernel
def separate_boxes(a, b, shift, margin, slack):
    """As sat.separate, for two boxes, a displaced by shift."""
    nothing = (NONE, 0, 0, (0.0, 0.0, 0.0))
    apart = sub(vector(b.position), add(vector(a.position), shift))
    t, e, f = to_local(a.matrix, apart), vector(a.extent), vector(b.extent)
    b0, b1, b2 = column(b.matrix, 0), column(b.matrix, 1), column(b.matrix, 2)
    a0, a1, a2 = column(a.matrix, 0), column(a.matrix, 1), column(a.matrix, 2)
    c0 = (dot(a0, b0), dot(a0, b1), dot(a0, b2))
    c1 = (dot(a1, b0), dot(a1, b1), dot(a1, b2))
    c2 = (dot(a2, b0), dot(a2, b1), dot(a2, b2))
    r0, r1, r2 = _sizes(c0), _sizes(c1), _sizes(c2)
    by_a, i = _face_axis(t, e, f, r0, r1, r2)
    if by_a > margin:
        return nothing
    t_b = (dot(b0, apart), dot(b1, apart), dot(b2, apart))
    s0, s1, s2 = (r0[0], r1[0], r2[0]), (r0[1], r1[1], r2[1]), (r0[2], r1[2], r2[2])
    by_b, j = _face_axis(t_b, f, e, s0, s1, s2)
    if by_b > margin:
        return nothing
    by_edges, edge_i, edge_j = _edge_axis(t, e, f, c0, c1, c2, r0, r1, r2)
    if by_edges > margin:
        return nothing
    if by_edges > max(by_a, by_b) + slack:
        n = cross(column(a.matrix, edge_i), column(b.matrix, edge_j))
        n = scale(n, (-1.0 if dot(n, apart) > 0.0 else 1.0) / math.sqrt(dot(n, n)))
        edge_a = _supporting_edge(a, edge_i, scale(n, -1.0))
        return EDGES, edge_a, _supporting_edge(b, edge_j, n), n
    if by_a >= by_b - slack:
        outward = 1.0 if t[i] > 0.0 else -1.0
        face = 2 * i + (1 if t[i] > 0.0 else 0)
        return FACE_A, face, 0, scale(column(a.matrix, i), -outward)
    outward = 1.0 if t_b[j] < 0.0 else -1.0
    face = 2 * j + (1 if t_b[j] < 0.0 else 0)
    return FACE_B, 0, face, scale(column(b.matrix, j), outward)


@kernel
def box_contacts(a, b, axis, shift, margin, slack, work):
    """Adds the contact points for the axis that `separate_boxes` found."""
    kind, in_a, in_b, n = axis
    at_a = add(vector(a.position), shift)
    if kind == EDGES:
        _edge_contact(a, at_a, in_a, b, in_b, n, work)
    elif kind == FACE_A:
        _face_contacts(a, at_a, in_a, b, vector(b.position), False, margin, slack, work)
    else:
        _face_contacts(b, vector(b.position), in_b, a, at_a, True, margin, slack, work)


@kernel
def _edge_ends(s, at, edge):
    """The two ends of an edge of a box that is at `at`."""
    axis = edge // 4
    i, j = (axis + 1) % 3, (axis + 2) % 3
    first = s.extent[i] if edge & 1 else -s.extent[i]
    second = s.extent[j] if edge & 2 else -s.extent[j]
    middle = along(along(at, column(s.matrix, i), first), column(s.matrix, j), second)
    half = scale(column(s.matrix, axis), s.extent[axis])
    return sub(middle, half), add(middle, half)


@kernel
def _edge_contact(a, at_a, i, b, j, n, work):
    """Adds the closest points of edge i of a and edge j of b."""
    a0, a1 = _edge_ends(a, at_a, i)
    b0, b1 = _edge_ends(b, vector(b.position), j)
    s, t = segment_segment(a0, a1, b0, b1)
    on_a, on_b = along(a0, sub(a1, a0), s), along(b0, sub(b1, b0), t)
    add_candidate(on_a, on_b, n, dot(n, sub(on_a, on_b)), mix(mix(i + 1, j + 1), 7), work)


@kernel
def _axis(i, sign):
    """Unit vector along axis i, or against it."""
    return (sign if i == 0 else 0.0, sign if i == 1 else 0.0, sign if i == 2 else 0.0)


@kernel
def _sticks_out(count, axis, side, extent, slack, points):
    """Whether `cut` would take anything away: mostly not, where boxes stand on each other."""
    out = False
    for k in range(count):
        out = out or -side * (points[k, axis] - side * extent) + slack < 0.0
    return out


@kernel
def _start_polygon(p, at_p, n, q, at_q, work):
    """The face of q that looks most against n, in the axes of p; writes clip, returns the face."""
    along_n = to_local(q.matrix, n)
    j = 0
    if abs(along_n[1]) > abs(along_n[j]):
        j = 1
    if abs(along_n[2]) > abs(along_n[j]):
        j = 2
    outward = -1.0 if along_n[j] > 0.0 else 1.0
    j1, j2 = (j + 1) % 3, (j + 2) % 3
    middle = along(sub(at_q, at_p), column(q.matrix, j), outward * q.extent[j])
    middle = to_local(p.matrix, middle)
    u = to_local(p.matrix, scale(column(q.matrix, j1), q.extent[j1]))
    v = to_local(p.matrix, scale(column(q.matrix, j2), q.extent[j2]))
    plus, minus = add(middle, u), sub(middle, u)
    store(add(plus, v), work.clip[0], 0)
    store(add(minus, v), work.clip[0], 1)
    store(sub(minus, v), work.clip[0], 2)
    store(sub(plus, v), work.clip[0], 3)
    # a corner's number tells on which side of the middle it is along each axis
    low = 1 + (0 if outward < 0.0 else 1 << j)
    work.clip_id[0, 0] = low + (1 << j1) + (1 << j2)
    work.clip_id[0, 1] = low + (1 << j2)
    work.clip_id[0, 2] = low
    work.clip_id[0, 3] = low + (1 << j1)
    return 2 * j + (1 if outward > 0.0 else 0)


@kernel
def _face_contacts(p, at_p, face, q, at_q, p_is_b, margin, slack, work):
    """Adds the corners of q's incident face, clipped to a face of p, all in the axes of p."""
    i = face // 2
    outward = 1.0 if face & 1 else -1.0
    n = scale(column(p.matrix, i), outward)
    incident = _start_polygon(p, at_p, n, q, at_q, work)
    count, row = 4, 0
    for k in range(4):
        axis = (i + 1 + k // 2) % 3
        side = 1.0 if k & 1 else -1.0
        if not _sticks_out(count, axis, side, p.extent[axis], slack, work.clip[row]):
            continue
        origin = _axis(axis, side * p.extent[axis])
        count = cut(count, True, _axis(axis, -side), origin, slack, k, row, work)
        row = 1 - row
        if count == 0:
            return
    tag = mix(2 * face + (1 if p_is_b else 0), incident + 2)
    for k in range(count):
        x = load(work.clip[row], k)
        gap = outward * x[i] - p.extent[i]
        if gap <= margin:
            at = add(at_p, to_world(p.matrix, x))
            on_p = along(at, n, -gap)
            feature = mix(tag, work.clip_id[row, k])
            if p_is_b:
                add_candidate(at, on_p, n, gap, feature, work)
            else:
                add_candidate(on_p, at, scale(n, -1.0), gap, feature, work)
