"""Closest points in closed form: segments, triangles, boxes. All arguments are vectors (tuples)."""

from physics.collision.vec import along, cross, dot, scale, sub
from physics.jit import kernel


@kernel
def clamp(x, low, high):
    return min(max(x, low), high)


@kernel
def on_segment(p, a, b):
    """Parameter in [0, 1] of the point of ab closest to p."""
    d = sub(b, a)
    square = dot(d, d)
    if square < 1e-300:
        return 0.0
    return clamp(dot(sub(p, a), d) / square, 0.0, 1.0)


@kernel
def segment_segment(a, b, c, d):
    """Parameters (s, t) of the closest points a + s(b-a) and c + t(d-c).

    Minimise |a + s u - c - t v|². For given t the best s is a projection and vice versa, so clamp
    s from the unconstrained minimum, take t for it, clamp, and take s again.
    """
    u, v, r = sub(b, a), sub(d, c), sub(a, c)
    uu, vv, uv = dot(u, u), dot(v, v), dot(u, v)
    ur, vr = dot(u, r), dot(v, r)
    if uu < 1e-300:
        return 0.0, on_segment(a, c, d)
    if vv < 1e-300:
        return on_segment(c, a, b), 0.0
    determinant = uu * vv - uv * uv
    s = 0.5
    if determinant > 1e-12 * uu * vv:
        s = clamp((uv * vr - vv * ur) / determinant, 0.0, 1.0)
    t = clamp((uv * s + vr) / vv, 0.0, 1.0)
    return clamp((uv * t - ur) / uu, 0.0, 1.0), t


@kernel
def on_triangle(p, a, b, c):
    """Barycentric weights of the point of triangle abc closest to p.

    The six edge functions tell the Voronoi region: three corners, three edges, the inside.
    """
    ab, ac = sub(b, a), sub(c, a)
    ap, bp, cp = sub(p, a), sub(p, b), sub(p, c)
    d1, d2 = dot(ab, ap), dot(ac, ap)
    d3, d4 = dot(ab, bp), dot(ac, bp)
    d5, d6 = dot(ab, cp), dot(ac, cp)
    if d1 <= 0.0 and d2 <= 0.0:
        return (1.0, 0.0, 0.0)
    if d3 >= 0.0 and d4 <= d3:
        return (0.0, 1.0, 0.0)
    if d6 >= 0.0 and d5 <= d6:
        return (0.0, 0.0, 1.0)
    over_c = d1 * d4 - d3 * d2
    if over_c <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        v = d1 / (d1 - d3)
        return (1.0 - v, v, 0.0)
    over_b = d5 * d2 - d1 * d6
    if over_b <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        w = d2 / (d2 - d6)
        return (1.0 - w, 0.0, w)
    over_a = d3 * d6 - d5 * d4
    if over_a <= 0.0 and d4 >= d3 and d5 >= d6:
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return (0.0, 1.0 - w, w)
    total = over_a + over_b + over_c
    return (over_a / total, over_b / total, over_c / total)


@kernel
def blend(weights, a, b, c):
    """The point with the given barycentric weights."""
    return along(along(scale(a, weights[0]), b, weights[1]), c, weights[2])


@kernel
def triangle_normal(a, b, c):
    """Unit normal, towards the side from which a, b, c run counter-clockwise."""
    n = cross(sub(b, a), sub(c, a))
    return scale(n, 1.0 / dot(n, n) ** 0.5)
