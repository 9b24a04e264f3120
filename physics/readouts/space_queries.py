"""Rays, moved shapes and balls: which body do they meet?"""

import math

import numpy as np

from physics.body_store import BodyStore
from physics.checks import FARTHEST, direction, number, quaternion, shown, vector
from physics.collision import queries
from physics.collision.store import ShapeStore
from physics.linalg import quaternion_to_matrix
from physics.shapes import SHAPES
from physics.shapes.base import Shape
from physics.state import Ints, VectorLike


def first_on_ray(
    shapes: ShapeStore, bodies: BodyStore, origin: VectorLike, way: VectorLike, max_distance: float
) -> queries.Hit | None:
    """The first shape that a ray meets."""
    start = vector("origin of the ray", origin)
    direction("direction of the ray", way)
    endless = isinstance(max_distance, float) and max_distance == math.inf
    longest = FARTHEST if endless else number("max_distance", max_distance, "m", least=0.0)
    _refresh(shapes, bodies)
    return queries.raycast(shapes, start, vector("direction of the ray", way), longest)


def first_on_way(
    shapes: ShapeStore,
    bodies: BodyStore,
    shape: Shape,
    position: VectorLike,
    motion: VectorLike,
    orientation: VectorLike,
) -> queries.Hit | None:
    """The first shape that a convex shape meets when it is moved."""
    if type(shape) not in SHAPES.values() or not shape.finite_convex:
        raise ValueError(f"{shown(shape)} cannot be cast; give a convex shape like Sphere(0.1)")
    turned = np.zeros((1, 3, 3))
    quaternion_to_matrix(quaternion("orientation", orientation)[None], 0, turned)
    start, way = vector("position", position), vector("motion", motion)
    _refresh(shapes, bodies)
    return queries.cast(shapes, shape, start, turned[0], way)


def within_ball(shapes: ShapeStore, bodies: BodyStore, center: VectorLike, radius: float) -> Ints:
    """Slots of the bodies that meet a ball, ascending."""
    middle = vector("center", center)
    size = number("radius", radius, "m", least=0.0)
    _refresh(shapes, bodies)
    return np.unique(shapes.shapes["body"][queries.overlap_ball(shapes, middle, size)])


def overlapping(
    shapes: ShapeStore, bodies: BodyStore, least: float
) -> list[tuple[int, int, float]]:
    """(a, b, depth in m) of every two bodies that overlap by more than `least`, a < b."""
    arrays = bodies.arrays
    found = queries.overlaps(shapes, arrays.position, arrays.orientation)
    return [(a, b, depth) for (a, b), depth in sorted(found.items()) if depth > least]


def _refresh(shapes: ShapeStore, bodies: BodyStore) -> None:
    """Shapes to where their bodies are."""
    queries.refresh(shapes, bodies.arrays.position, bodies.arrays.orientation)
