"""Taut's engine: articulated systems at any mass ratio, solved exactly.

>>> from physics import Sphere, World
>>> world = World()
>>> ball = world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 1, 0))
>>> world.step(6)
"""

from physics.constraints import JOINTS, JointKind, Parameter
from physics.deformable import Deformable
from physics.records import Energy, Handle, JointInfo, Stats
from physics.shapes import (
    SHAPES,
    Box,
    Capsule,
    Compound,
    Cone,
    Cylinder,
    HeightField,
    Hull,
    Part,
    Plane,
    Sphere,
    TriangleMesh,
)
from physics.soft.models import SOFT_MATERIALS, Spring
from physics.stabilization import STABILIZATIONS, Stabilization
from physics.state import SOLVERS
from physics.world import World

__all__ = [
    "JOINTS",
    "SHAPES",
    "SOFT_MATERIALS",
    "SOLVERS",
    "STABILIZATIONS",
    "Box",
    "Capsule",
    "Compound",
    "Cone",
    "Cylinder",
    "Deformable",
    "Energy",
    "Handle",
    "HeightField",
    "Hull",
    "JointInfo",
    "JointKind",
    "Parameter",
    "Part",
    "Plane",
    "Sphere",
    "Spring",
    "Stabilization",
    "Stats",
    "TriangleMesh",
    "World",
]
