"""Capsule and box in closed form, in the axes of the box.

The squared distance of the point p + t d from the box is convex in t, and half its slope

    s(t) = Σ dᵢ gᵢ(t),      g what is left of the point beyond the faces

rises piece by piece along straight lines. Newton's method on it ends in the right piece after a
few steps, where it is exact; a bracket keeps it from going astray.
"""

from physics.collision.clip import face_contacts
from physics.collision.closest import clamp
from physics.collision.manifold import add_candidate
from physics.collision.polytope import load_polytope
from physics.collision.tolerances import CORE_TOUCH, FACE_PREFERENCE, LYING
from physics.collision.vec import (
    add,
    along,
    column,
    dot,
    length,
    scale,
    sub,
    to_local,
    to_world,
    vector,
)
from physics.jit import kernel

_STILL = (0.0, 0.0, 0.0)
_PIECES = 16  # Newton steps: s has up to seven pieces
_FLAT = 1e-14  # of |d|²: slopes below it are rounding
_FACE_REGION = 1.0 - 1e-6  # cosine: the closest feature is the face itself, not one of its edges


@kernel
def _beyond(c, e):
    """What is left of a point beyond the faces of the box."""
    return (
        c[0] - clamp(c[0], -e[0], e[0]),
        c[1] - clamp(c[1], -e[1], e[1]),
        c[2] - clamp(c[2], -e[2], e[2]),
    )


@kernel
def nearest_to_box(p, d, e):
    """t in [0, 1] at which p + t d is nearest to the box of half sizes e."""
    square = dot(d, d)
    if dot(d, _beyond(p, e)) >= 0.0:
        return 0.0
    if dot(d, _beyond(along(p, d, 1.0), e)) <= 0.0:
        return 1.0
    low, high, t = 0.0, 1.0, 0.5
    for _ in range(_PIECES):
        g = _beyond(along(p, d, t), e)
        slope = dot(d, g)
        if abs(slope) <= _FLAT * square:
            break
        if slope > 0.0:
            high = t
        else:
            low = t
        rise = 0.0
        for i in range(3):
            if g[i] != 0.0:
                rise += d[i] * d[i]
        t -= slope / rise
        if not low < t < high:
            t = 0.5 * (low + high)
    return t


@kernel
def capsule_box(pool, a, b, shift, margin, work):
    """Two points where the capsule a lies along a face, one where an end or an edge touches.

    False, and nothing is added, where its segment passes through the box.
    """
    center = to_local(b.matrix, sub(add(vector(a.position), shift), vector(b.position)))
    half = scale(to_local(b.matrix, column(a.matrix, 1)), a.extent[1])
    start, e = sub(center, half), vector(b.extent)
    on_a = along(start, half, 2.0 * nearest_to_box(start, scale(half, 2.0), e))
    apart = _beyond(on_a, e)
    gap = length(apart)
    radii = a.radius + b.radius
    if gap - radii > margin:
        return True
    if gap <= CORE_TOUCH:
        return False
    n = scale(apart, 1.0 / gap)
    before = work.count
    for axis in range(3):
        lies = abs(half[axis]) < LYING * a.extent[1]
        if lies and abs(n[axis]) > _FACE_REGION:
            p = load_polytope(pool, a, shift, _STILL, work.points_a, work.normals_a)
            q = load_polytope(pool, b, _STILL, _STILL, work.points_b, work.normals_b)
            slack = FACE_PREFERENCE * min(a.reach, b.reach)
            face = 2 * axis + (1 if n[axis] > 0.0 else 0)
            face_contacts(q, face, p, True, radii, margin, slack, work)
    if work.count == before:
        at = add(vector(b.position), to_world(b.matrix, on_a))
        away = to_world(b.matrix, apart)
        add_candidate(at, sub(at, away), scale(away, 1.0 / gap), gap, 1, work)
    return True
