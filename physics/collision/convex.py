"""Contact candidates of two convex shapes, kinds ascending (sphere, capsule, box, hull, round).

Shapes with a rounding radius are handled by the distance of their cores as long as the cores are
apart, which is the usual case: the radius is the cushion. Only when a core itself is inside the
other shape does the separating-axis test decide.
"""

import math

from physics.collision.arrays import BOX, CAPSULE, ROUND, SPHERE
from physics.collision.box_box import box_contacts, separate_boxes
from physics.collision.capsule_box import capsule_box
from physics.collision.clip import axis_contacts, face_contacts
from physics.collision.gjk import distance
from physics.collision.manifold import add_candidate, round_off
from physics.collision.polytope import load_points, load_polytope, plain_core
from physics.collision.revolved_pairs import nearest_on_round
from physics.collision.round_pairs import segments, sphere_box
from physics.collision.rounded import rounded_contacts
from physics.collision.sat import NONE, separate
from physics.collision.tolerances import CORE_TOUCH, FACE_PREFERENCE, LYING
from physics.collision.vec import add, along, dot, load, scale, sub, to_local, to_world, vector
from physics.jit import kernel

_STILL = (0.0, 0.0, 0.0)
_FACE_REGION = 1.0 - 1e-6  # cosine: the closest feature is the face itself, not one of its edges


@kernel
def collide_convex(pool, a, b, shift, margin, work):
    """Adds contact candidates on the surfaces, a displaced by shift; kinds ascending, ≤ ROUND."""
    first = work.count
    kind_a, kind_b = a.kind, b.kind
    if kind_b <= CAPSULE:
        segments(a, b, shift, margin, work)
    elif kind_a == SPHERE and kind_b == BOX:
        sphere_box(a, b, shift, margin, work)
    elif kind_a == SPHERE and kind_b == ROUND:
        _sphere_round(a, b, shift, margin, work)
    elif kind_a == SPHERE:
        _sphere_hull(pool, a, b, shift, margin, work)
    elif kind_b == ROUND or (kind_a != CAPSULE and a.radius + b.radius > 0.0):
        rounded_contacts(pool, a, b, shift, margin, work)
    elif kind_a == CAPSULE:
        _capsule_solid(pool, a, b, shift, margin, work)
    else:
        _solids(pool, a, b, shift, margin, work)
    round_off(first, a.radius, b.radius, work)


@kernel
def face_slack(a, b):
    """How much better another axis must be before the manifold changes its face [m]."""
    return FACE_PREFERENCE * min(a.reach, b.reach)


@kernel
def _solids(pool, a, b, shift, margin, work):
    """Box or hull against box or hull."""
    slack = face_slack(a, b)
    if a.kind == BOX and b.kind == BOX:
        axis = separate_boxes(a, b, shift, margin, slack)
        if axis[0] != NONE:
            box_contacts(a, b, axis, shift, margin, slack, work)
        return
    p = load_polytope(pool, a, shift, _STILL, work.points_a, work.normals_a)
    q = load_polytope(pool, b, _STILL, _STILL, work.points_b, work.normals_b)
    axis = separate(p, q, _STILL, margin, slack)
    if axis[0] != NONE:
        axis_contacts(p, q, axis, 0.0, margin, slack, work)


@kernel
def _sphere_hull(pool, a, b, shift, margin, work):
    """By distance outside; from inside, out through the nearest face."""
    center = load_points(pool, a, shift, _STILL, work.points_a)
    q = load_polytope(pool, b, _STILL, _STILL, work.points_b, work.normals_b)
    gap, apart, on_a = distance(plain_core(center), plain_core(q.points), work)
    if gap > CORE_TOUCH:
        if gap - a.radius <= margin:
            add_candidate(on_a, sub(on_a, apart), scale(apart, 1.0 / gap), gap, 1, work)
        return
    c = load(center, 0)
    gap, face = nearest_face(q, c)
    n = load(q.normals, face)
    add_candidate(c, along(c, n, -gap), n, gap, 1, work)


@kernel
def _sphere_round(a, b, shift, margin, work):
    """The point of a cylinder or cone nearest to the centre, in closed form."""
    center = add(vector(a.position), shift)
    gap, n = nearest_on_round(b.rims, to_local(b.matrix, sub(center, vector(b.position))))
    if gap - a.radius <= margin:
        n = to_world(b.matrix, n)
        add_candidate(center, along(center, n, -gap), n, gap, 1, work)


@kernel
def nearest_face(q, c):
    """(signed distance, face) of the face plane that c is least inside of."""
    best, face = -math.inf, 0
    for f in range(len(q.normals)):
        n = load(q.normals, f)
        x = dot(n, sub(c, load(q.points, q.loop[q.faces[f, 0]])))
        if x > best:
            best, face = x, f
    return best, face


@kernel
def _capsule_solid(pool, a, b, shift, margin, work):
    """Capsule against box or hull."""
    if b.kind == BOX and capsule_box(pool, a, b, shift, margin, work):
        return
    p = load_polytope(pool, a, shift, _STILL, work.points_a, work.normals_a)
    q = load_polytope(pool, b, _STILL, _STILL, work.points_b, work.normals_b)
    capsule_contacts(p, q, _STILL, a.radius + b.radius, margin, face_slack(a, b), work)


@kernel
def capsule_contacts(p, q, front, radius, margin, slack, work):
    """The segment p with its radius against the solid or triangle q.

    Two points where it lies along a face, one where an end or an edge touches.
    """
    gap, apart, on_a = distance(plain_core(p.points), plain_core(q.points), work)
    if gap - radius > margin:
        return
    n = scale(apart, 1.0 / max(gap, CORE_TOUCH))
    if gap <= CORE_TOUCH or dot(n, front) < 0.0:  # cores cross, or we are behind a triangle
        axis = separate(p, q, front, margin + radius, slack)
        if axis[0] != NONE:
            axis_contacts(p, q, axis, radius, margin, slack, work)
        return
    before = work.count
    face = _face_along(q, n)
    u = sub(load(p.points, 1), load(p.points, 0))
    m = load(q.normals, face)
    if dot(m, n) > _FACE_REGION and abs(dot(m, u)) < LYING * math.sqrt(dot(u, u)):
        face_contacts(q, face, p, True, radius, margin, slack, work)
    if work.count == before:
        add_candidate(on_a, sub(on_a, apart), n, gap, 1, work)


@kernel
def _face_along(q, n):
    """The face of q that looks most along n."""
    best, face = -math.inf, 0
    for f in range(len(q.normals)):
        x = dot(load(q.normals, f), n)
        if x > best:
            best, face = x, f
    return face
