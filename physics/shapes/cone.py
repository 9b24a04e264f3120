"""A solid cone with a sharp rim and a sharp point."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from physics.shapes.base import Array, MassProperties, ShapeField, check_density, check_positive
from physics.shapes.revolved import Revolved, revolved_core


@dataclass(frozen=True)
class Cone:
    """A cone along y: base at y = -length/2, point at y = length/2, its weight at y = -length/4."""

    radius: float
    length: float

    name: ClassVar[str] = "cone"
    finite_convex: ClassVar[bool] = True
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField("radius", "The base has this radius, in m.", "m", "number"),
        ShapeField("length", "The point is this far from the base along y, in m.", "m", "number"),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", check_positive("Cone", "radius", self.radius))
        object.__setattr__(self, "length", check_positive("Cone", "length", self.length))

    @property
    def bounding_radius(self) -> float:
        return float(np.sqrt(self.radius**2 + 0.25 * self.length**2))

    def mass_properties(self, density: float) -> MassProperties:
        """m = ρ π r² l/3, I_y = 3/10 m r², I_x = I_z = 3/20 m (r² + l²/4)."""
        r, length = self.radius, self.length
        mass = check_density("Cone", density) * np.pi * r**2 * length / 3.0
        across = 0.15 * mass * (r**2 + 0.25 * length**2)
        inertia = np.diag([across, 0.3 * mass * r**2, across])
        return MassProperties(mass, np.array([0.0, -0.25 * length, 0.0]), inertia)

    def revolved(self) -> Revolved:
        return Revolved(-0.5 * self.length, 0.5 * self.length, self.radius, 0.0)

    def core(self) -> tuple[Array, float]:
        """Its point and points on its rim. Collision uses the rim itself."""
        return revolved_core(self.revolved()), 0.0
