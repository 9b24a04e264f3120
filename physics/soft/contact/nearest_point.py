"""The nearest point of any shape to a point: gap and outward normal.

A point inside a solid is led out through the nearest face. Triangle surfaces act from their front;
behind them a point is inside for a stated depth, or for any depth below a height field.
"""

import math

from physics.collision.arrays import BOX, CAPSULE, HULL, PLANE, ROUND, SPHERE
from physics.collision.closest import blend, clamp, on_triangle, triangle_normal
from physics.collision.mesh import corner, local_box, next_triangle
from physics.collision.revolved_pairs import nearest_on_round
from physics.collision.tolerances import SHEET_DEPTH
from physics.collision.vec import (
    along,
    dot,
    length,
    load,
    scale,
    sub,
    to_local,
    to_world,
    vector,
)
from physics.jit import kernel

_UP = (0.0, 1.0, 0.0)  # the normal where geometry gives none
FAR = 1e300


@kernel
def nearest(pool, s, p, reach):
    """(gap, normal) from shape s to the point p; FAR where a surface is beyond `reach`."""
    if s.kind == PLANE:
        n = to_world(s.matrix, vector(s.extent))
        return dot(n, sub(p, vector(s.position))), n
    if s.kind <= CAPSULE:
        return _round(s, p)
    if s.kind == BOX or s.kind == HULL:
        c = to_local(s.matrix, sub(p, vector(s.position)))
        gap, n = _box(vector(s.extent), c) if s.kind == BOX else _hull(pool, s, c)
        return gap - s.radius, to_world(s.matrix, n)
    if s.kind == ROUND:
        gap, n = nearest_on_round(s.rims, to_local(s.matrix, sub(p, vector(s.position))))
        return gap, to_world(s.matrix, n)
    return _mesh(pool, s, p, reach)


@kernel
def _round(s, p):
    """Sphere or capsule, whose core is a point or a segment along its own y."""
    apart = sub(p, vector(s.position))
    if s.kind != SPHERE:
        axis = to_world(s.matrix, _UP)
        apart = along(apart, axis, -clamp(dot(axis, apart), -s.extent[1], s.extent[1]))
    size = length(apart)
    return size - s.radius, scale(apart, 1.0 / size) if size > 0.0 else _UP


@kernel
def _box(e, c):
    """Gap and normal in the box's own axes."""
    q = (clamp(c[0], -e[0], e[0]), clamp(c[1], -e[1], e[1]), clamp(c[2], -e[2], e[2]))
    apart = sub(c, q)
    size = length(apart)
    if size > 0.0:
        return size, scale(apart, 1.0 / size)
    best, axis = -math.inf, 0
    for k in range(3):
        if abs(c[k]) - e[k] > best:
            best, axis = abs(c[k]) - e[k], k
    sign = 1.0 if c[axis] >= 0.0 else -1.0
    return best, (
        sign if axis == 0 else 0.0,
        sign if axis == 1 else 0.0,
        sign if axis == 2 else 0.0,
    )


@kernel
def _hull(pool, s, c):
    """Gap and normal in the hull's own axes: a face plane from inside, a face's fan outside."""
    best, face = -math.inf, s.face
    for f in range(s.face, s.face + s.faces):
        first = load(pool.vertices, s.vertex + pool.loop[pool.faces[f, 0]])
        x = dot(load(pool.normals, f), sub(c, first))
        if x > best:
            best, face = x, f
    if best <= 0.0:
        return best, load(pool.normals, face)
    gap, n = math.inf, _UP
    for f in range(s.face, s.face + s.faces):
        begin, count = pool.faces[f, 0], pool.faces[f, 1]
        a = load(pool.vertices, s.vertex + pool.loop[begin])
        if dot(load(pool.normals, f), sub(c, a)) <= 0.0:
            continue
        for k in range(begin + 1, begin + count - 1):
            b = load(pool.vertices, s.vertex + pool.loop[k])
            d = load(pool.vertices, s.vertex + pool.loop[k + 1])
            apart = sub(c, blend(on_triangle(c, a, b, d), a, b, d))
            size = length(apart)
            if size < gap and size > 0.0:
                gap, n = size, scale(apart, 1.0 / size)
    return gap, n


@kernel
def _mesh(pool, s, p, reach):
    """Nearest triangle of a surface within reach."""
    deep = math.inf if s.solid else SHEET_DEPTH
    far = max(reach, SHEET_DEPTH)
    low, high = (p[0] - far, p[1] - far, p[2] - far), (p[0] + far, p[1] + far, p[2] + far)
    c, half = local_box(s, low, high)
    best, gap, n = math.inf, FAR, _UP
    triangle, node = next_triangle(pool, s, c, half, 0)
    while triangle >= 0:
        a, b, d = (
            corner(pool, s, triangle, 0), corner(pool, s, triangle, 1), corner(pool, s, triangle, 2)
        )  # fmt: skip
        m = triangle_normal(a, b, d)
        height = dot(m, sub(p, a))
        if s.two_sided and height < 0.0:
            m, height = scale(m, -1.0), -height
        apart = sub(p, blend(on_triangle(p, a, b, d), a, b, d))
        size = length(apart)
        if size < best and height > -deep:
            if height > 0.0:
                best, gap, n = size, size, scale(apart, 1.0 / size)
            elif length(along(apart, m, -height)) < 1e-9 + 1e-6 * size:
                best, gap, n = size, height, m
        triangle, node = next_triangle(pool, s, c, half, node)
    return gap, n
