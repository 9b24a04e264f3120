"""Separating axes of two boxes from their axes alone: 15 projections, no corners.

In the axes of a let T = R_aᵀ(p_b - p_a) and C = R_aᵀ R_b. Along unit axis L the boxes are apart by
|T·L| - Σ aᵢ|L·eᵢ| - Σ bⱼ|L·Ceⱼ|, which for face axes and products eᵢ × Ceⱼ needs entries of C only.
Face 2i is -axis i, face 2i+1 is +axis i; edge 4i + k runs along axis i (`topology.py`).
"""

import math

from physics.collision.sat import EDGES, FACE_A, FACE_B, NONE
from physics.collision.tolerances import PARALLEL_EDGES
from physics.collision.vec import add, column, cross, dot, scale, sub, to_local, vector
from physics.compiled import kernel


@kernel
def _entry(a, i, b, j):
    """C_ij, the cosine between axis i of a and axis j of b."""
    p, q = a.matrix, b.matrix
    return p[0, i] * q[0, j] + p[1, i] * q[1, j] + p[2, i] * q[2, j]


@kernel
def _face_axis(a, b, t):
    """(largest separation along the axes of a, that axis), t = T in the axes of a."""
    best, axis = -math.inf, 0
    for i in range(3):
        reach = a.extent[i]
        for j in range(3):
            reach += b.extent[j] * abs(_entry(a, i, b, j))
        if abs(t[i]) - reach > best:
            best, axis = abs(t[i]) - reach, i
    return best, axis


@kernel
def _edge_axis(a, b, t):
    """(largest separation along eᵢ × Ceⱼ, i, j)."""
    best, edge_i, edge_j = -math.inf, 0, 0
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            # L = eᵢ × Ceⱼ has the components (0, -C[i2,j], C[i1,j]) at (i, i1, i2).
            up, down = _entry(a, i1, b, j), _entry(a, i2, b, j)
            size = math.sqrt(up * up + down * down)
            if size < PARALLEL_EDGES:
                continue
            j1, j2 = (j + 1) % 3, (j + 2) % 3
            reach = a.extent[i1] * abs(down) + a.extent[i2] * abs(up)
            reach += b.extent[j1] * abs(_entry(a, i, b, j2))
            reach += b.extent[j2] * abs(_entry(a, i, b, j1))
            separation = (abs(t[i2] * up - t[i1] * down) - reach) / size
            if separation > best:
                best, edge_i, edge_j = separation, i, j
    return best, edge_i, edge_j


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
    t = to_local(a.matrix, apart)
    by_a, i = _face_axis(a, b, t)
    if by_a > margin:
        return nothing
    t_b = to_local(b.matrix, apart)
    by_b, j = _face_axis(b, a, t_b)
    if by_b > margin:
        return nothing
    by_edges, edge_i, edge_j = _edge_axis(a, b, t)
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
