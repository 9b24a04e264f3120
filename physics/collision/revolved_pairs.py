"""Cylinders and cones in closed form: nearest point, ray, and what lies on a plane.

About the axis the solid is a quadrilateral in the half plane of distance s from the axis and height
y: a lower edge, a side from (bottom, low) to (top, high), an upper edge.
"""

import math

from physics.collision.closest import clamp
from physics.collision.vec import dot, sub
from physics.jit import kernel

_UP = (0.0, 1.0, 0.0)


@kernel
def nearest_on_round(r, c):
    """(signed distance, outward normal) of point c from the solid with rims r, in its own axes."""
    s = math.sqrt(c[0] * c[0] + c[2] * c[2])
    y = c[1]
    low, high, bottom, top = r[0], r[1], r[2], r[3]
    dx, dy = top - bottom, high - low
    size = math.sqrt(dx * dx + dy * dy)
    nx, ny = dy / size, -dx / size  # outward, across the side
    beside = (s - bottom) * nx + (y - low) * ny
    best = max(beside, low - y, y - high)
    if best <= 0.0:
        if best == beside:
            x, h = nx, ny
        else:
            x, h = 0.0, (-1.0 if best == low - y else 1.0)
        return best, _around(c, s, x, h)
    t = clamp(((s - bottom) * dx + (y - low) * dy) / (size * size), 0.0, 1.0)
    gx, gy = s - (bottom + t * dx), y - (low + t * dy)
    gap = gx * gx + gy * gy
    if s < bottom and y < low and (y - low) ** 2 < gap:
        gx, gy = 0.0, y - low
        gap = gy * gy
    if s < top and y > high and (y - high) ** 2 < gap:
        gx, gy = 0.0, y - high
        gap = gy * gy
    gap = math.sqrt(gap)
    if gap == 0.0:
        return 0.0, _around(c, s, nx, ny)
    return gap, _around(c, s, gx / gap, gy / gap)


@kernel
def _around(c, s, x, y):
    """The direction (x, y) of the half plane in which c lies."""
    if s > 1e-12:
        return (x * c[0] / s, y, x * c[2] / s)
    return (x, y, 0.0)


@kernel
def ray_round(r, o, d):
    """(distance, outward normal) along a ray that starts outside, in the solid's own axes."""
    if nearest_on_round(r, o)[0] < 0.0:
        return math.inf, _UP
    best, normal = math.inf, _UP
    for end in range(2):
        y, rim = r[end], r[2 + end]
        if d[1] != 0.0:
            t = (y - o[1]) / d[1]
            x, z = o[0] + t * d[0], o[2] + t * d[2]
            outward = -1.0 if end == 0 else 1.0
            if 0.0 <= t < best and d[1] * outward < 0.0 and x * x + z * z <= rim * rim:
                best, normal = t, (0.0, outward, 0.0)
    # s(t)² = (bottom + k (y(t) - low))² along the side, with k its slope
    k = (r[3] - r[2]) / (r[1] - r[0])
    at, rate = r[2] + k * (o[1] - r[0]), k * d[1]
    a = d[0] * d[0] + d[2] * d[2] - rate * rate
    b = o[0] * d[0] + o[2] * d[2] - at * rate
    c = o[0] * o[0] + o[2] * o[2] - at * at
    square = b * b - a * c
    if square < 0.0:
        return best, normal
    root = math.sqrt(square)
    # the roots without cancellation: q/a and c/q
    q = -b - root if b > 0.0 else -b + root
    for which in range(2):
        above, below = (q, a) if which == 0 else (c, q)
        t = above / below if below != 0.0 else math.inf
        if 0.0 <= t < best and r[0] <= o[1] + t * d[1] <= r[1] and at + rate * t >= 0.0:
            x, z = o[0] + t * d[0], o[2] + t * d[2]
            s = math.sqrt(x * x + z * z)
            size = math.sqrt(1.0 + k * k)
            n = (x / (s * size), -k / size, z / (s * size)) if s > 0.0 else _UP
            if dot(n, d) < 0.0:
                best, normal = t, n
    return best, normal


@kernel
def ray_rounded_box(e, radius, o, d):
    """(distance, outward normal) of a ray on a box with half sizes e of its core, rounded.

    The surface is that of three boxes, each enlarged along one axis, and capsules on the edges.
    """
    q = (clamp(o[0], -e[0], e[0]), clamp(o[1], -e[1], e[1]), clamp(o[2], -e[2], e[2]))
    inside = sub(o, q)
    if dot(inside, inside) < radius * radius:
        return math.inf, _UP
    best = math.inf
    for i in range(3):
        grown = (
            e[0] + (radius if i == 0 else 0.0),
            e[1] + (radius if i == 1 else 0.0),
            e[2] + (radius if i == 2 else 0.0),
        )
        best = min(best, _enters_box(grown, o, d))
        j, k = (i + 1) % 3, (i + 2) % 3
        for corner in range(4):
            y = e[j] if corner & 1 else -e[j]
            z = e[k] if corner & 2 else -e[k]
            best = min(best, _enters_capsule(i, e[i], y, z, radius, o, d))
    if best == math.inf:
        return best, _UP
    x = (o[0] + best * d[0], o[1] + best * d[1], o[2] + best * d[2])
    q = (clamp(x[0], -e[0], e[0]), clamp(x[1], -e[1], e[1]), clamp(x[2], -e[2], e[2]))
    n = sub(x, q)
    size = math.sqrt(dot(n, n))
    return best, ((n[0] / size, n[1] / size, n[2] / size) if size > 0.0 else _UP)


@kernel
def _enters_box(e, o, d):
    """Where a ray enters a box about the origin, by slabs."""
    enter, leave = -math.inf, math.inf
    for i in range(3):
        if d[i] == 0.0:
            if abs(o[i]) > e[i]:
                return math.inf
            continue
        t, u = (-e[i] - o[i]) / d[i], (e[i] - o[i]) / d[i]
        enter, leave = max(enter, min(t, u)), min(leave, max(t, u))
    return enter if 0.0 <= enter <= leave else math.inf


@kernel
def _enters_capsule(i, half, y, z, radius, o, d):
    """Where a ray enters the capsule along axis i of the given half length, at y, z across it."""
    j, k = (i + 1) % 3, (i + 2) % 3
    best = math.inf
    py, pz = o[j] - y, o[k] - z
    a, b = d[j] * d[j] + d[k] * d[k], py * d[j] + pz * d[k]
    square = b * b - a * (py * py + pz * pz - radius * radius)
    if a > 1e-300 and square >= 0.0:
        t = (-b - math.sqrt(square)) / a
        if t >= 0.0 and abs(o[i] + t * d[i]) <= half:
            best = t
    for end in range(2):
        px = o[i] - (half if end == 1 else -half)
        b = px * d[i] + py * d[j] + pz * d[k]
        square = b * b - (px * px + py * py + pz * pz - radius * radius)
        if square >= 0.0 and -b - math.sqrt(square) >= 0.0:
            best = min(best, -b - math.sqrt(square))
    return best
