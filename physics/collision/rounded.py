"""Contact points where a shape has round edges or rims: cylinders, cones, rounded boxes.

The direction n of the contact comes from the distance of the cores; where surfaces nearly touch or
overlap, from that of the inner cores (`polytope.py`), and where even they overlap, from separating
axes of the polytopes. Given n, points come from the surfaces themselves:

    n is a face's normal       what touches of the other, clipped to that face
    edges lie side by side     the two ends of their overlap
    else                       one point, as deep as the surfaces reach along n
"""

import math

from physics.collision.clip import face_contacts
from physics.collision.closest import on_segment
from physics.collision.gjk import distance
from physics.collision.manifold import add_candidate, mix
from physics.collision.polytope import (
    cushion,
    load_core,
    load_inner_core,
    load_polytope,
    plain_core,
    touching_part,
)
from physics.collision.sat import NONE, lowest, separate
from physics.collision.tolerances import CORE_TOUCH, FACE_PREFERENCE, LYING
from physics.collision.vec import along, cross, dot, length, load, scale, sub, vector
from physics.jit import kernel

_STILL = (0.0, 0.0, 0.0)
_FACE_REGION = 1.0 - 1e-6  # cosine: the closest feature is the face itself, not one of its edges


@kernel
def face_along(q, n):
    """The face of q whose normal is n, or -1."""
    best, face = _FACE_REGION, -1
    for f in range(len(q.normals)):
        x = dot(load(q.normals, f), n)
        if x > best:
            best, face = x, f
    return face


@kernel
def _support_edge(p, n):
    """The edge of p that lies across n and lowest along it, or -1."""
    low, best, edge = lowest(p.points, n), math.inf, -1
    for e in range(len(p.edges)):
        x, y = load(p.points, p.edges[e, 0]), load(p.points, p.edges[e, 1])
        here, there, size = dot(n, x) - low, dot(n, y) - low, length(sub(y, x))
        if min(here, there) <= 1e-6 * size and max(here, there) < min(best, LYING * size):
            best, edge = max(here, there), e
    return edge


@kernel
def _side_by_side(p, q, n, radii, margin, work):
    """Adds the ends of the overlap of two edges that lie nearly parallel across n."""
    i, j = _support_edge(p, n), _support_edge(q, scale(n, -1.0))
    if i < 0 or j < 0:
        return
    a, b = load(p.points, p.edges[i, 0]), load(q.points, q.edges[j, 0])
    u, v = sub(load(p.points, p.edges[i, 1]), a), sub(load(q.points, q.edges[j, 1]), b)
    turn = cross(u, v)
    if dot(turn, turn) > LYING * LYING * dot(u, u) * dot(v, v):
        return
    far = along(b, v, 1.0)
    t0, t1 = on_segment(a, b, far), on_segment(along(a, u, 1.0), b, far)
    if abs(t1 - t0) * length(v) < 1e-3 * length(u):
        return
    for k in range(2):
        on_b = along(b, v, min(t0, t1) if k == 0 else max(t0, t1))
        on_a = along(a, u, on_segment(on_b, a, along(a, u, 1.0)))
        gap = dot(n, sub(on_a, on_b))
        if gap - radii <= margin:
            add_candidate(on_a, along(on_a, n, -gap), n, gap, mix(mix(i + 1, j + 1), k + 11), work)


@kernel
def _one_point(p, q, n, on_a, on_b, radii, margin, work):
    """Adds one point between on_a and on_b, as deep as p and q reach into each other along n."""
    gap = lowest(p.points, n) + lowest(q.points, scale(n, -1.0))
    if gap - radii <= margin:
        middle = scale(along(on_a, on_b, 1.0), 0.5)
        level = dot(n, middle) - 0.5 * (
            lowest(p.points, n) - lowest(q.points, scale(n, -1.0))
        )  # the middle is to lie midway between the surfaces
        middle = along(middle, n, -level)
        add_candidate(along(middle, n, 0.5 * gap), along(middle, n, -0.5 * gap), n, gap, 1, work)


@kernel
def touch(p, q, n, on_a, on_b, radii, margin, slack, work):
    """Adds the contact points of polytopes p and q along n, from q to p (module docstring)."""
    before = work.count
    face = face_along(q, n)
    if face >= 0:
        face_contacts(q, face, p, True, radii, margin, slack, work)
    else:
        face = face_along(p, scale(n, -1.0))
        if face >= 0:
            face_contacts(p, face, q, False, radii, margin, slack, work)
    if work.count == before:
        _side_by_side(p, q, n, radii, margin, work)
    if work.count == before:
        _one_point(p, q, n, on_a, on_b, radii, margin, work)


@kernel
def rounded_contacts(pool, a, b, shift, margin, work):
    """Candidates of two convex shapes of which one is round, a displaced by shift."""
    own = load_inner_core(pool, a, shift, work.points_a)
    other = load_inner_core(pool, b, _STILL, work.points_b)
    gap, apart, on_a = distance(own, other, work)
    beyond = gap - cushion(a) - cushion(b)
    if beyond > margin + a.blunt + b.blunt:
        return
    if beyond > 2.0 * (a.blunt + b.blunt) and beyond > CORE_TOUCH:
        own = load_core(pool, a, shift, work.points_a)
        other = load_core(pool, b, _STILL, work.points_b)
        gap, apart, on_a = distance(own, other, work)
    slack = FACE_PREFERENCE * min(a.reach, b.reach)
    if gap > CORE_TOUCH:
        n = scale(apart, 1.0 / gap)
        on_b = sub(on_a, apart)
    else:
        n, on_a, on_b = _deepest(pool, a, b, shift, margin, slack, work)
        if dot(n, n) == 0.0:
            return
    p = load_polytope(pool, a, shift, scale(n, -1.0), work.points_a, work.normals_a)
    q = load_polytope(pool, b, _STILL, n, work.points_b, work.normals_b)
    p, q = touching_part(pool, a, p, n), touching_part(pool, b, q, scale(n, -1.0))
    touch(p, q, n, on_a, on_b, a.radius + b.radius, margin, slack, work)


@kernel
def _deepest(pool, a, b, shift, margin, slack, work):
    """(normal, point on a, point on b) of cores that overlap, zero if they do not."""
    guess = sub(vector(a.position), vector(b.position))
    p = load_polytope(pool, a, shift, scale(guess, -1.0), work.points_a, work.normals_a)
    q = load_polytope(pool, b, _STILL, guess, work.points_b, work.normals_b)
    axis = separate(p, q, _STILL, margin + a.radius + b.radius, slack)
    if axis[0] == NONE:
        return _STILL, _STILL, _STILL
    n = axis[3]
    return n, _lowest_middle(p.points, n), _lowest_middle(q.points, scale(n, -1.0))


@kernel
def _lowest_middle(points, n):
    """Mean of the points that lie lowest along n."""
    low, total, count = lowest(points, n), (0.0, 0.0, 0.0), 0
    for k in range(len(points)):
        if dot(n, load(points, k)) < low + 1e-4:
            total = along(total, load(points, k), 1.0)
            count += 1
    return scale(total, 1.0 / count)


@kernel
def rounded_triangle(pool, a, shift, tri, margin, work):
    """Candidates of a convex shape with round edges or rims against one triangle."""
    front = load(tri.normals, 0)
    own = load_inner_core(pool, a, shift, work.points_a)
    gap, apart, on_a = distance(own, plain_core(tri.points), work)
    beyond = gap - cushion(a)
    if beyond > margin + a.blunt:
        return
    if beyond > 2.0 * a.blunt and beyond > CORE_TOUCH:
        own = load_core(pool, a, shift, work.points_a)
        gap, apart, on_a = distance(own, plain_core(tri.points), work)
    slack = FACE_PREFERENCE * a.reach
    n, on_b = scale(apart, 1.0 / max(gap, CORE_TOUCH)), sub(on_a, apart)
    if gap <= CORE_TOUCH or dot(n, front) < 0.0:  # cores cross, or we are behind
        p = load_polytope(pool, a, shift, scale(front, -1.0), work.points_a, work.normals_a)
        axis = separate(p, tri, front, margin + a.radius, slack)
        if axis[0] == NONE:
            return
        n = axis[3]
        on_a, on_b = _lowest_middle(p.points, n), _lowest_middle(tri.points, scale(n, -1.0))
    p = load_polytope(pool, a, shift, scale(n, -1.0), work.points_a, work.normals_a)
    p = touching_part(pool, a, p, n)
    touch(p, tri, n, on_a, on_b, a.radius, margin, slack, work)
