"""A convex shape in world axes: its core for distances, its faces and edges for contact points.

Solids have faces and edges between two faces. A capsule's core is a segment (no face, one edge), a
mesh triangle has one face, its front. Views into working room, so making one allocates nothing.

A round shape (cylinder, cone) is the hull of two disks about an axis, which is its core. Where it
overlaps others a similar solid inside of it tells the way out, a cushion away from its surface but
for the rims, which stick out of that by `blunt`. Its polytope has polygons for rims, turned
about the axis so that corner 0 touches: lying it is the line between corners 0 and 1, on its rim it
is corner 0, standing it is all of them.
"""

import math
from typing import NamedTuple

from physics.collision.arrays import (
    BOX,
    CAPSULE,
    HULL,
    ROUND,
    SEGMENT_EDGE,
    SPHERE,
    TRIANGLE_EDGE,
    TRIANGLE_FACE,
    Floats,
    Ints,
)
from physics.collision.closest import triangle_normal
from physics.collision.tolerances import ALIGNED_RIM, LEANING, LYING
from physics.collision.vec import (
    Vec,
    add,
    along,
    column,
    dot,
    length,
    load,
    store,
    sub,
    to_local,
    to_world,
    vector,
)
from physics.jit import kernel


class Core(NamedTuple):
    """Points, or two disks about them: what `gjk.distance` takes."""

    points: Floats  # (k,3) world
    axis: Vec  # of the disks
    rim_0: float  # radius of the disk about point 0, m; both 0: no disks
    rim_1: float


class Polytope(NamedTuple):
    points: Floats  # (k,3) world
    normals: Floats  # (f,3) outward, world
    faces: Ints  # (f,2) start, count in loop
    loop: Ints  # corners of all faces
    edges: Ints  # (e,4) two corners, two faces
    solid: bool  # has an inside, and every edge two faces


@kernel
def plain_core(points):
    """The hull of points as a core."""
    return Core(points, (0.0, 0.0, 0.0), 0.0, 0.0)


@kernel
def cushion(s):
    """How far the surface of a shape is from its inner core [m]."""
    return s.radius + s.inset


@kernel
def load_core(pool, s, shift, points):
    """Writes the core points of a convex shape, displaced by shift; returns it as a Core.

    Around it there is `s.radius`: for a round shape it is the whole of it.
    """
    if s.kind != ROUND:
        return plain_core(load_points(pool, s, shift, (0.0, 0.0, 0.0), points))
    return _disks(s, shift, s.rims, points)


@kernel
def load_inner_core(pool, s, shift, points):
    """The same with the inner solid of a round shape, around which there is `cushion(s)`."""
    if s.kind != ROUND:
        return plain_core(load_points(pool, s, shift, (0.0, 0.0, 0.0), points))
    return _disks(s, shift, s.inner, points)


@kernel
def _disks(s, shift, rims, points):
    center, axis = add(vector(s.position), shift), column(s.matrix, 1)
    store(along(center, axis, rims[0]), points, 0)
    store(along(center, axis, rims[1]), points, 1)
    return Core(points[:2], axis, rims[2], rims[3])


@kernel
def rim_turn(s, towards):
    """(cos, sin) of the turn about y that brings corner 0 of a round shape towards a direction.

    Where that is the axis: to where it leans, as it would tip over that point of its rim.
    """
    d = to_local(s.matrix, towards)
    size = math.sqrt(d[0] * d[0] + d[2] * d[2])
    if size < ALIGNED_RIM * length(towards) or size == 0.0:
        d = to_local(s.matrix, vector(s.motion))
        size = math.sqrt(d[0] * d[0] + d[2] * d[2])
        if size <= LEANING * abs(d[1]):
            return 1.0, 0.0
    return d[0] / size, d[2] / size


@kernel
def _turned(v, c, s):
    """v turned about y, from x towards z."""
    return (c * v[0] - s * v[2], v[1], s * v[0] + c * v[2])


@kernel
def load_points(pool, s, shift, towards, points):
    """Writes the points of a convex shape, displaced by shift; returns the view.

    The polygons of a round shape are turned towards a direction.
    """
    center = add(vector(s.position), shift)
    kind = s.kind
    if kind == SPHERE:
        store(center, points, 0)
        return points[:1]
    if kind == CAPSULE:
        half = to_world(s.matrix, (0.0, s.extent[1], 0.0))
        store((center[0] - half[0], center[1] - half[1], center[2] - half[2]), points, 0)
        store(add(center, half), points, 1)
        return points[:2]
    cos, sin = rim_turn(s, towards) if kind == ROUND else (1.0, 0.0)
    for k in range(s.vertices):
        local = load(pool.vertices, s.vertex + k)
        if kind == ROUND:
            local = _turned(local, cos, sin)
        store(add(center, to_world(s.matrix, local)), points, k)
    return points[: s.vertices]


@kernel
def load_polytope(pool, s, shift, towards, points, normals):
    """Writes points and normals of a capsule, box, hull or round shape; returns it as a Polytope.

    The polygons of a round shape are turned towards a direction.
    """
    corners = load_points(pool, s, shift, towards, points)
    solid = s.kind == BOX or s.kind == HULL or s.kind == ROUND
    cos, sin = rim_turn(s, towards) if s.kind == ROUND else (1.0, 0.0)
    for k in range(s.faces):
        n = load(pool.normals, s.face + k)
        if s.kind == ROUND:
            n = _turned(n, cos, sin)
        store(to_world(s.matrix, n), normals, k)
    return Polytope(
        corners,
        normals[: s.faces],
        pool.faces[s.face : s.face + s.faces],
        pool.loop,
        pool.edges[s.edge : s.edge + s.edges],
        solid,
    )


@kernel
def touching_part(pool, s, p, n):
    """What of polytope p of shape s touches against n: all of it, or a line or corner of a rim.

    Only there is a round shape exact; its other corners must not be felt when it rolls on.
    """
    if s.kind != ROUND:
        return p
    way = sub(load(p.points, 1), load(p.points, 0))
    if abs(dot(way, n)) < LYING * length(way):
        segment = pool.edges[SEGMENT_EDGE : SEGMENT_EDGE + 1]
        return Polytope(p.points[:2], p.normals[:0], p.faces[:0], p.loop, segment, False)
    tilt = dot(column(s.matrix, 1), n)
    if 1.0 - tilt * tilt < LYING * LYING * dot(n, n) and (tilt > 0.0 or s.rims[3] > 0.0):
        return p
    first = 0
    if dot(n, load(p.points, 1)) < dot(n, load(p.points, 0)):
        first = 1
    return Polytope(
        p.points[first : first + 1], p.normals[:0], p.faces[:0], p.loop, p.edges[:0], False
    )


@kernel
def triangle_polytope(pool, a, b, c, work):
    """Writes points_b and normals_b; returns the triangle abc as a Polytope."""
    store(a, work.points_b, 0)
    store(b, work.points_b, 1)
    store(c, work.points_b, 2)
    store(triangle_normal(a, b, c), work.normals_b, 0)
    return Polytope(
        work.points_b[:3],
        work.normals_b[:1],
        pool.faces[TRIANGLE_FACE : TRIANGLE_FACE + 1],
        pool.loop,
        pool.edges[TRIANGLE_EDGE : TRIANGLE_EDGE + 3],
        False,
    )
