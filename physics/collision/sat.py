"""Separating axes of two polytopes: the axis along which they overlap least, or are apart most.

The boundary of the Minkowski difference of two convex polytopes consists of faces of the one
against corners of the other and of parallelograms spanned by one edge of each. So the candidates
are the face normals of a, those of b, and cross products of edges. For two solids only those edge
pairs span such a parallelogram whose arcs on the Gauss sphere cross (each edge is the arc between
its two face normals, b mirrored); segments and triangles have no such arcs and are projected.

Normals in the result point from b to a. Faces are preferred to edges and a to b by a small slack,
so that the choice does not flicker and feature ids live long.
"""

import math

from physics.collision.tolerances import PARALLEL_EDGES
from physics.collision.vec import cross, dot, length, load, scale, sub
from physics.jit import kernel

NONE, FACE_A, FACE_B, EDGES = 0, 1, 2, 3
_SUPPORT = 1e-9  # [m] how far an edge may be from the extreme of its shape
_FRONT = -0.01  # cosine: an axis may lean this far behind a one-sided triangle


@kernel
def lowest(points, n):
    """Smallest n·p over the points."""
    low = math.inf
    for k in range(len(points)):
        low = min(low, n[0] * points[k, 0] + n[1] * points[k, 1] + n[2] * points[k, 2])
    return low


@kernel
def face_separation(p, q, front):
    """(largest separation along any face of p, along an allowed one, that face).

    The separation of face n is how far q lies outside it. Allowed are faces with n·front ≥ 0; a
    zero front allows all.
    """
    largest, allowed, face = -math.inf, -math.inf, -1
    for f in range(len(p.normals)):
        n = load(p.normals, f)
        corner = load(p.points, p.loop[p.faces[f, 0]])
        separation = lowest(q.points, n) - dot(n, corner)
        largest = max(largest, separation)
        if separation > allowed and dot(n, front) >= _FRONT:
            allowed, face = separation, f
    return largest, allowed, face


@kernel
def mean_point(points):
    x, y, z = 0.0, 0.0, 0.0
    for k in range(len(points)):
        x += points[k, 0]
        y += points[k, 1]
        z += points[k, 2]
    return scale((x, y, z), 1.0 / len(points))


@kernel
def _arcs_cross(a1, a2, a_cross, b1, b2, b_cross):
    """Whether the arcs a1 a2 and b1 b2 cross on the unit sphere."""
    b1_side, b2_side = dot(b1, a_cross), dot(b2, a_cross)
    a1_side, a2_side = dot(a1, b_cross), dot(a2, b_cross)
    return b1_side * b2_side < 0.0 and a1_side * a2_side < 0.0 and b1_side * a2_side > 0.0


@kernel
def _edge_axis(p, i, q, j):
    """Unit normal to edge i of p and edge j of q, or zero if they are parallel."""
    u = sub(load(p.points, p.edges[i, 1]), load(p.points, p.edges[i, 0]))
    v = sub(load(q.points, q.edges[j, 1]), load(q.points, q.edges[j, 0]))
    n = cross(u, v)
    size = length(n)
    if size < PARALLEL_EDGES * length(u) * length(v):
        return (0.0, 0.0, 0.0)
    return scale(n, 1.0 / size)


@kernel
def solid_edges(p, q):
    """(separation, edge of p, edge of q, normal from q to p) over Gauss-map crossings."""
    best, edge_p, edge_q, normal = -math.inf, -1, -1, (0.0, 0.0, 0.0)
    center = mean_point(p.points)
    for i in range(len(p.edges)):
        a1, a2 = load(p.normals, p.edges[i, 2]), load(p.normals, p.edges[i, 3])
        a_cross = cross(a2, a1)
        on_p = load(p.points, p.edges[i, 0])
        for j in range(len(q.edges)):
            b1 = scale(load(q.normals, q.edges[j, 2]), -1.0)
            b2 = scale(load(q.normals, q.edges[j, 3]), -1.0)
            if not _arcs_cross(a1, a2, a_cross, b1, b2, cross(b2, b1)):
                continue
            n = _edge_axis(p, i, q, j)
            if dot(n, sub(on_p, center)) > 0.0:
                n = scale(n, -1.0)
            separation = dot(n, sub(on_p, load(q.points, q.edges[j, 0])))
            if separation > best and dot(n, n) > 0.0:
                best, edge_p, edge_q, normal = separation, i, j, n
    return best, edge_p, edge_q, normal


@kernel
def _supported_separation(p, i, q, j, n):
    """Separation along n if edge i of p and edge j of q face each other there, else -inf."""
    on_p = dot(n, load(p.points, p.edges[i, 0]))
    on_q = dot(n, load(q.points, q.edges[j, 0]))
    if lowest(p.points, n) < on_p - _SUPPORT:
        return -math.inf
    if -lowest(q.points, scale(n, -1.0)) > on_q + _SUPPORT:
        return -math.inf
    return on_p - on_q


@kernel
def thin_edges(p, q, front):
    """The same by projection, for segments and triangles; only axes with n·front ≥ 0."""
    best, edge_p, edge_q, normal = -math.inf, -1, -1, (0.0, 0.0, 0.0)
    for i in range(len(p.edges)):
        for j in range(len(q.edges)):
            axis = _edge_axis(p, i, q, j)
            if dot(axis, axis) == 0.0:
                continue
            for sign in (1.0, -1.0):
                n = scale(axis, sign)
                if dot(n, front) < _FRONT:
                    continue
                separation = _supported_separation(p, i, q, j, n)
                if separation > best:
                    best, edge_p, edge_q, normal = separation, i, j, n
    return best, edge_p, edge_q, normal


@kernel
def separate(a, b, front, margin, slack):
    """(NONE | FACE_A | FACE_B | EDGES, index in a, index in b, normal from b to a).

    NONE if some axis separates by more than the margin. `front` restricts normals (triangles).
    """
    nothing = (NONE, 0, 0, (0.0, 0.0, 0.0))
    largest, by_a, face_a = face_separation(a, b, scale(front, -1.0))
    if largest > margin:
        return nothing
    largest, by_b, face_b = face_separation(b, a, front)
    if largest > margin:
        return nothing
    if a.solid and b.solid:
        by_edges, edge_a, edge_b, normal = solid_edges(a, b)
    else:
        by_edges, edge_a, edge_b, normal = thin_edges(a, b, front)
    if by_edges > margin:
        return nothing
    if by_edges > max(by_a, by_b) + slack:
        return EDGES, edge_a, edge_b, normal
    # Between near equals a's face wins, but a triangle's own face wins over everything.
    advantage = slack if b.solid else -slack
    if by_a >= by_b - advantage and face_a >= 0:
        return FACE_A, face_a, 0, scale(load(a.normals, face_a), -1.0)
    if face_b >= 0:
        return FACE_B, 0, face_b, load(b.normals, face_b)
    return nothing
