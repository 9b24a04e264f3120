"""Ray against one shape: (distance along the unit direction, outward normal), inf if it misses.

Rays start outside: a shape that holds the origin is not hit, so a ray from inside a body sees
what lies beyond it.
"""

import math

from physics.collision.arrays import BOX, CAPSULE, HULL, MESH, PLANE, ROUND
from physics.collision.revolved_pairs import ray_round, ray_rounded_box
from physics.collision.tree import skip
from physics.collision.vec import (
    along,
    cross,
    dot,
    load,
    scale,
    sub,
    to_local,
    to_world,
    unit,
    vector,
)
from physics.jit import kernel

_UP = (0.0, 1.0, 0.0)


@kernel
def ray_sphere(o, d, center, radius):
    """Distance to a ball, from |o + t d - c|² = r² with |d| = 1."""
    m = sub(o, center)
    b, c = dot(m, d), dot(m, m) - radius * radius
    square = b * b - c
    if c < 0.0 or b > 0.0 or square < 0.0:
        return math.inf
    return -b - math.sqrt(square)


@kernel
def _ray_capsule(o, d, half, radius):
    """Local axes, axis y: the tube where it is hit between the caps, otherwise a cap."""
    if _inside_capsule(o, half, radius):
        return math.inf
    best = min(
        ray_sphere(o, d, (0.0, half, 0.0), radius), ray_sphere(o, d, (0.0, -half, 0.0), radius)
    )
    a = d[0] * d[0] + d[2] * d[2]
    b = o[0] * d[0] + o[2] * d[2]
    c = o[0] * o[0] + o[2] * o[2] - radius * radius
    square = b * b - a * c
    if a > 1e-300 and square >= 0.0:
        t = (-b - math.sqrt(square)) / a
        if t >= 0.0 and abs(o[1] + t * d[1]) <= half:
            best = min(best, t)
    return best


@kernel
def _inside_capsule(o, half, radius):
    y = o[1] - min(max(o[1], -half), half)
    return o[0] * o[0] + y * y + o[2] * o[2] < radius * radius


@kernel
def _ray_solid(pool, s, o, d):
    """Local axes: enters through the last of the face planes that it crosses inward."""
    enter, leave, normal = -math.inf, math.inf, _UP
    for f in range(s.face, s.face + s.faces):
        n = load(pool.normals, f)
        corner = load(pool.vertices, s.vertex + pool.loop[pool.faces[f, 0]])
        height, rate = dot(n, sub(o, corner)), dot(n, d)
        if abs(rate) < 1e-300:
            if height > 0.0:
                return math.inf, _UP
        elif rate < 0.0:
            if -height / rate > enter:
                enter, normal = -height / rate, n
        else:
            leave = min(leave, -height / rate)
    if enter < 0.0 or enter > leave:
        return math.inf, _UP
    return enter, normal


@kernel
def _ray_triangle(o, d, a, b, c):
    """Distance to a triangle from either side (Möller and Trumbore)."""
    u, v = sub(b, a), sub(c, a)
    p = cross(d, v)
    determinant = dot(u, p)
    if abs(determinant) < 1e-300:
        return math.inf
    m = sub(o, a)
    s = dot(m, p) / determinant
    q = cross(m, u)
    t = dot(d, q) / determinant
    distance = dot(v, q) / determinant
    if s < 0.0 or t < 0.0 or s + t > 1.0 or distance < 0.0:
        return math.inf
    return distance


@kernel
def ray_meets_box(o, d, tree_box, i, limit):
    """Whether the ray reaches box i of a tree before the limit (slabs)."""
    low, high = 0.0, limit
    for axis in range(3):
        if abs(d[axis]) < 1e-300:
            if o[axis] < tree_box[i, axis] or o[axis] > tree_box[i, axis + 3]:
                return False
            continue
        t0 = (tree_box[i, axis] - o[axis]) / d[axis]
        t1 = (tree_box[i, axis + 3] - o[axis]) / d[axis]
        low = max(low, min(t0, t1))
        high = min(high, max(t0, t1))
    return low <= high


@kernel
def _ray_mesh(pool, s, o, d, limit):
    """Local axes: the nearest triangle; its normal turned against the ray."""
    best, normal, node = limit, _UP, 1
    found = False
    while True:
        if ray_meets_box(o, d, pool.tree_box, s.tree + node, best):
            if node < s.leaves:
                node *= 2
                continue
            row = s.face + pool.tree_leaf[s.tree + node]
            a = load(pool.vertices, s.vertex + pool.triangles[row, 0])
            b = load(pool.vertices, s.vertex + pool.triangles[row, 1])
            c = load(pool.vertices, s.vertex + pool.triangles[row, 2])
            t = _ray_triangle(o, d, a, b, c)
            if t < best:
                best, found = t, True
                normal = unit(cross(sub(b, a), sub(c, a)), _UP)
        node = skip(node)
        if node == 1:
            break
    if dot(normal, d) > 0.0:
        normal = scale(normal, -1.0)
    return best if found else math.inf, normal


@kernel
def ray_shape(pool, s, origin, direction, limit):
    """(distance, normal) of shape s on the ray, world axes."""
    o = to_local(s.matrix, sub(origin, vector(s.position)))
    d = to_local(s.matrix, direction)
    t, n = math.inf, _UP
    if s.kind == PLANE:
        n = vector(s.extent)
        height, rate = dot(n, o), dot(n, d)
        if height >= 0.0 and rate < 0.0:
            t = -height / rate
    elif s.kind == MESH:
        t, n = _ray_mesh(pool, s, o, d, limit)
    elif s.kind == ROUND:
        t, n = ray_round(s.rims, o, d)
    elif s.kind == BOX and s.radius > 0.0:
        t, n = ray_rounded_box(s.extent, s.radius, o, d)
    elif s.kind == BOX or s.kind == HULL:
        t, n = _ray_solid(pool, s, o, d)
    else:
        half = s.extent[1] if s.kind == CAPSULE else 0.0
        t = _ray_capsule(o, d, half, s.radius)
        if t < math.inf:
            p = along(o, d, t)
            n = unit((p[0], p[1] - min(max(p[1], -half), half), p[2]), _UP)
    return t, to_world(s.matrix, n)
