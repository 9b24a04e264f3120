"""Pairs in closed form: spheres, capsules, sphere and box, and anything convex on a plane."""

import math

from physics.collision.arrays import CAPSULE, ROUND, SPHERE
from physics.collision.clip import incident_face
from physics.collision.closest import clamp, on_segment, segment_segment
from physics.collision.manifold import add_candidate, move_candidate, smallest_gap
from physics.collision.polytope import load_points, load_polytope, touching_part
from physics.collision.sat import lowest
from physics.collision.tolerances import LYING, REST_MARGIN
from physics.collision.vec import (
    add,
    along,
    column,
    cross,
    dot,
    length,
    load,
    scale,
    sub,
    to_local,
    to_world,
    unit,
    vector,
)
from physics.jit import kernel

_UP = (0.0, 1.0, 0.0)  # the normal where geometry gives none: concentric shapes


@kernel
def segment_ends(s, shift):
    """End points of the core of a sphere (twice the same) or capsule."""
    center = add(vector(s.position), shift)
    if s.kind == SPHERE:
        return center, center
    half = scale(column(s.matrix, 1), s.extent[1])
    return sub(center, half), add(center, half)


@kernel
def _add_points(on_a, on_b, fallback, radii, margin, feature, work):
    """Adds one pair of core points if their surfaces are within the margin."""
    apart = sub(on_a, on_b)
    gap = length(apart)
    if gap - radii <= margin:
        add_candidate(on_a, on_b, unit(apart, fallback), gap, feature, work)


@kernel
def segments(a, b, shift, margin, work):
    """Spheres and capsules against each other; two points where capsules lie side by side."""
    a0, a1 = segment_ends(a, shift)
    b0, b1 = segment_ends(b, (0.0, 0.0, 0.0))
    radii = a.radius + b.radius
    capsules = a.kind == CAPSULE and b.kind == CAPSULE
    if capsules and _side_by_side(a0, a1, b0, b1, radii, margin, work):
        return
    s, t = segment_segment(a0, a1, b0, b1)
    on_a, on_b = along(a0, sub(a1, a0), s), along(b0, sub(b1, b0), t)
    across = cross(sub(a1, a0), sub(b1, b0))
    _add_points(on_a, on_b, unit(across, _UP), radii, margin, 1, work)


@kernel
def _side_by_side(a0, a1, b0, b1, radii, margin, work):
    """Adds the two ends of the overlap of nearly parallel segments; False if they are not so."""
    u, v = sub(a1, a0), sub(b1, b0)
    turn = cross(u, v)
    if dot(turn, turn) > LYING * LYING * dot(u, u) * dot(v, v):
        return False
    t0, t1 = on_segment(a0, b0, b1), on_segment(a1, b0, b1)
    if abs(t1 - t0) * length(v) < 1e-3 * length(u):
        return False
    for k in range(2):
        on_b = along(b0, v, min(t0, t1) if k == 0 else max(t0, t1))
        on_a = along(a0, u, on_segment(on_b, a0, a1))
        _add_points(on_a, on_b, _UP, radii, margin, k + 1, work)
    return True


@kernel
def sphere_box(a, b, shift, margin, work):
    """Closest point of the box to the centre; from inside, out through the nearest face."""
    center = add(vector(a.position), shift)
    c = to_local(b.matrix, sub(center, vector(b.position)))
    e = vector(b.extent)
    q = (clamp(c[0], -e[0], e[0]), clamp(c[1], -e[1], e[1]), clamp(c[2], -e[2], e[2]))
    apart = sub(c, q)
    gap = length(apart)
    if gap - a.radius - b.radius > margin:
        return
    if gap > 1e-9:
        n = scale(apart, 1.0 / gap)
    else:
        n, gap = _nearest_face(c, e)
        q = along(c, n, -gap)
    on_b = add(vector(b.position), to_world(b.matrix, q))
    add_candidate(center, on_b, to_world(b.matrix, n), gap, 1, work)


@kernel
def _nearest_face(c, e):
    """(outward normal, signed distance) of the box face nearest to the inner point c."""
    best, axis = -math.inf, 0
    for k in range(3):
        if abs(c[k]) - e[k] > best:
            best, axis = abs(c[k]) - e[k], k
    sign = 1.0 if c[axis] >= 0.0 else -1.0
    n = (
        sign if axis == 0 else 0.0,
        sign if axis == 1 else 0.0,
        sign if axis == 2 else 0.0,
    )
    return n, best


@kernel
def on_plane(pool, a, plane, margin, work):
    """Every core point of a within the margin of the plane's surface that may land on it."""
    n = to_world(plane.matrix, vector(plane.extent))
    offset = dot(n, vector(plane.position))
    still, towards = (0.0, 0.0, 0.0), scale(n, -1.0)
    points = load_points(pool, a, still, towards, work.points_a)
    if a.kind == ROUND:
        p = load_polytope(pool, a, still, towards, work.points_a, work.normals_a)
        points = touching_part(pool, a, p, n).points
    for k in range(len(points)):
        p = load(points, k)
        gap = dot(n, p) - offset
        if gap - a.radius <= margin:
            add_candidate(p, along(p, n, -gap), n, gap, k + 1, work)
    if work.count > 4 and a.kind != ROUND:
        _keep_sole(pool, a, towards, work)


@kernel
def _keep_sole(pool, a, towards, work):
    """Drops what lies above the sole: the corners of the face that lands, and all as low as these.

    A plate thinner than its way in a step would have upper corners among its four contacts, as they
    span as much as the lower ones. What turns may land on others that are nearly as low.
    """
    n = scale(towards, -1.0)
    p = load_polytope(pool, a, (0.0, 0.0, 0.0), towards, work.points_a, work.normals_a)
    height = -lowest(p.points, towards) - lowest(p.points, n)
    low = smallest_gap(0, work) + max(REST_MARGIN, min(a.turn, 0.5 * height))
    face = incident_face(p, n)
    first, last = p.faces[face, 0], p.faces[face, 0] + p.faces[face, 1]
    kept = 0
    for k in range(work.count):
        stays = work.gap[k] <= low
        for corner in range(first, last):
            stays = stays or p.loop[corner] + 1 == work.id[k]
        if stays:
            move_candidate(k, kept, work)
            kept += 1
    work.count = kept
