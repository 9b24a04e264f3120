"""Distance between the convex hulls of two point sets (Gilbert, Johnson, Keerthi).

The distance is that of the origin from the Minkowski difference {a - b}. A simplex of up to four
support points a - b holds the closest point v found so far; the support point in direction -v
either brings a simplex closer to the origin or proves v optimal:

    |v|² - v·w ≤ ε |v|²   with w the support point, because v·w/|v| is a lower bound.

The points of a that made the simplex, with the barycentric weights, give the closest point. Cores
with rims (`polytope.py`) have support points all around; then only the bound ends the search.
"""

import math

from physics.collision.closest import on_segment, on_triangle
from physics.collision.vec import along, cross, dot, load, store, sub
from physics.jit import kernel

_MAX_ITERATIONS = 64
_RELATIVE = 1e-12  # squared distance; tighter stalls on rounding
_ALONG_AXIS = 1e-8  # sine below which a direction is that of a disk's axis
_TOUCH = 1e-24  # [m²] squared distance that counts as overlap


@kernel
def farthest(points, direction):
    """Index of the point farthest along the direction."""
    best, at = -math.inf, 0
    for k in range(len(points)):
        x = points[k, 0] * direction[0] + points[k, 1] * direction[1] + points[k, 2] * direction[2]
        if x > best:
            best, at = x, k
    return at


@kernel
def support(core, direction):
    """(the point of a core farthest along the direction, its number or -1 on a rim)."""
    if core.rim_0 + core.rim_1 == 0.0:
        k = farthest(core.points, direction)
        return load(core.points, k), k
    across = along(direction, core.axis, -dot(direction, core.axis))
    size = math.sqrt(dot(across, across))
    p, q = load(core.points, 0), load(core.points, 1)
    rim = core.rim_0
    if dot(direction, q) + core.rim_1 * size > dot(direction, p) + core.rim_0 * size:
        p, rim = q, core.rim_1
    if size < _ALONG_AXIS * math.sqrt(dot(direction, direction)):
        return p, -1  # all of the disk is; across is rounding and may point anywhere
    return along(p, across, rim / size), -1


@kernel
def distance(a, b, work):
    """(distance, vector v from the closest point of core b to that of a, closest point on a).

    Zero distance means the cores overlap and the other two say nothing. Writes the simplex.
    """
    simplex, chosen, own = work.simplex, work.chosen, work.simplex_a
    chosen[0, 0], chosen[0, 1] = 0, 0
    p = load(a.points, 0)
    v = sub(p, load(b.points, 0))
    store(p, own, 0)
    store(v, simplex, 0)
    work.weight[0] = 1.0
    count = 1
    square = dot(v, v)
    for _ in range(_MAX_ITERATIONS):
        if square < _TOUCH:
            return 0.0, v, v
        p, i = support(a, (-v[0], -v[1], -v[2]))
        q, j = support(b, v)
        w = sub(p, q)
        if square - dot(v, w) <= _RELATIVE * square or _known(chosen, count, i, j):
            break
        chosen[count, 0], chosen[count, 1] = i, j
        store(p, own, count)
        store(w, simplex, count)
        count = _reduce(count + 1, work)
        if count == 4:
            return 0.0, v, v
        closer = _combine(simplex, work.weight, count)
        if dot(closer, closer) >= square:  # rounding: no progress is possible any more
            v = closer
            break
        v = closer
        square = dot(v, v)
    return math.sqrt(dot(v, v)), v, _combine(own, work.weight, count)


@kernel
def _known(chosen, count, a, b):
    known = False
    for k in range(count):
        known = known or (chosen[k, 0] == a and chosen[k, 1] == b)
    return known and a >= 0 and b >= 0


@kernel
def _combine(points, weight, count):
    v = (0.0, 0.0, 0.0)
    for k in range(count):
        v = along(v, load(points, k), weight[k])
    return v


@kernel
def _reduce(count, work):
    """Keeps the corners that carry the point closest to the origin; returns how many.

    Writes simplex, chosen and weight. Four are left only if the origin is inside.
    """
    s, weight = work.simplex, work.weight
    origin = (0.0, 0.0, 0.0)
    if count == 2:
        t = on_segment(origin, load(s, 0), load(s, 1))
        weight[0], weight[1] = 1.0 - t, t
    elif count == 3:
        w = on_triangle(origin, load(s, 0), load(s, 1), load(s, 2))
        weight[0], weight[1], weight[2] = w[0], w[1], w[2]
    elif not _tetrahedron(s, weight):
        return 4
    return _drop_unused(count, work)


@kernel
def _drop_unused(count, work):
    """Moves the corners with positive weight to the front."""
    kept = 0
    for k in range(count):
        if work.weight[k] > 0.0:
            work.weight[kept] = work.weight[k]
            work.chosen[kept, 0] = work.chosen[k, 0]
            work.chosen[kept, 1] = work.chosen[k, 1]
            store(load(work.simplex, k), work.simplex, kept)
            store(load(work.simplex_a, k), work.simplex_a, kept)
            kept += 1
    return kept


@kernel
def _tetrahedron(s, weight):
    """Writes the weights of the closest of the faces that see the origin; False if none does."""
    best = math.inf
    origin = (0.0, 0.0, 0.0)
    for left_out in range(4):
        i, j, k = (left_out + 1) % 4, (left_out + 2) % 4, (left_out + 3) % 4
        a, b, c, d = load(s, i), load(s, j), load(s, k), load(s, left_out)
        normal = cross(sub(b, a), sub(c, a))
        inside, height = dot(normal, sub(d, a)), -dot(normal, a)
        # A flat tetrahedron has no inside: then every face is looked at.
        if inside * height > 0.0 and abs(inside) > 1e-14 * dot(normal, normal) ** 0.75:
            continue
        w = on_triangle(origin, a, b, c)
        p = along(along((a[0] * w[0], a[1] * w[0], a[2] * w[0]), b, w[1]), c, w[2])
        if dot(p, p) < best:
            best = dot(p, p)
            weight[i], weight[j], weight[k], weight[left_out] = w[0], w[1], w[2], 0.0
    return best < math.inf
