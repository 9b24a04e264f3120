"""The shapes, one file each, and the registry by which levels and editors find them."""

from physics.shapes.base import MassProperties, Shape, ShapeField
from physics.shapes.box import Box
from physics.shapes.capsule import Capsule
from physics.shapes.height_field import HeightField
from physics.shapes.hull import Hull
from physics.shapes.plane import Plane
from physics.shapes.sphere import Sphere
from physics.shapes.triangle_mesh import TriangleMesh

SHAPES: dict[str, type[Shape]] = {
    kind.name: kind for kind in (Sphere, Box, Capsule, Hull, Plane, TriangleMesh, HeightField)
}

__all__ = [
    "SHAPES",
    "Box",
    "Capsule",
    "HeightField",
    "Hull",
    "MassProperties",
    "Plane",
    "Shape",
    "ShapeField",
    "Sphere",
    "TriangleMesh",
]
