"""A convex core in world axes: points, face normals and topology, as the pair tests want it.

Solids have faces and edges between two faces. A capsule's core is a segment (no face, one edge), a
mesh triangle has one face, its front. Views into working room, so making one allocates nothing.
"""

from typing import NamedTuple

from physics.collision.arrays import (
    BOX,
    CAPSULE,
    HULL,
    SPHERE,
    TRIANGLE_EDGE,
    TRIANGLE_FACE,
    Floats,
    Ints,
)
from physics.collision.closest import triangle_normal
from physics.collision.vec import add, load, store, to_world, vector
from physics.jit import kernel


class Polytope(NamedTuple):
    points: Floats  # (k,3) world
    normals: Floats  # (f,3) outward, world
    faces: Ints  # (f,2) start, count in loop
    loop: Ints  # corners of all faces
    edges: Ints  # (e,4) two corners, two faces
    solid: bool  # has an inside, and every edge two faces


@kernel
def load_points(pool, s, shift, points):
    """Writes the core points of a convex shape, displaced by shift; returns the view."""
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
    for k in range(s.vertices):
        v = to_world(s.matrix, load(pool.vertices, s.vertex + k))
        store(add(center, v), points, k)
    return points[: s.vertices]


@kernel
def load_polytope(pool, s, shift, points, normals):
    """Writes points and normals of a capsule, box or hull; returns it as a Polytope."""
    corners = load_points(pool, s, shift, points)
    solid = s.kind == BOX or s.kind == HULL
    for k in range(s.faces):
        store(to_world(s.matrix, load(pool.normals, s.face + k)), normals, k)
    return Polytope(
        corners,
        normals[: s.faces],
        pool.faces[s.face : s.face + s.faces],
        pool.loop,
        pool.edges[s.edge : s.edge + s.edges],
        solid,
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
