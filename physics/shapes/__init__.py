"""The shapes, one file each, and the registry by which levels and editors find them."""

from physics.shapes.base import MassProperties, Shape, ShapeField
from physics.shapes.box import Box
from physics.shapes.capsule import Capsule
from physics.shapes.compound import Compound, Part, parts_of
from physics.shapes.cone import Cone
from physics.shapes.cylinder import Cylinder
from physics.shapes.height_field import HeightField
from physics.shapes.hull import Hull
from physics.shapes.plane import Plane
from physics.shapes.sphere import Sphere
from physics.shapes.triangle_mesh import TriangleMesh

SHAPES: dict[str, type[Shape]] = {
    kind.name: kind
    for kind in (
        Sphere, Box, Capsule, Cylinder, Cone, Hull, Compound, Plane, TriangleMesh, HeightField
    )
}  # fmt: skip

__all__ = [
    "SHAPES",
    "Box",
    "Capsule",
    "Compound",
    "Cone",
    "Cylinder",
    "HeightField",
    "Hull",
    "MassProperties",
    "Part",
    "Plane",
    "Shape",
    "ShapeField",
    "Sphere",
    "TriangleMesh",
    "has_mass",
    "parts_of",
]


def has_mass(shape: Shape) -> bool:
    """Whether a body of this shape may move."""
    return shape.has_mass if isinstance(shape, Compound) else shape.finite_convex
