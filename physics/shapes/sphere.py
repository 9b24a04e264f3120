"""A ball about its origin: core one point."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from physics.shapes.base import Array, MassProperties, ShapeField, check_density, check_positive


@dataclass(frozen=True)
class Sphere:
    """All points within `radius` of the origin."""

    radius: float

    name: ClassVar[str] = "sphere"
    finite_convex: ClassVar[bool] = True
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField("radius", "The ball has this radius, in m.", "m", "number"),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", check_positive("Sphere", "radius", self.radius))

    @property
    def bounding_radius(self) -> float:
        return self.radius

    def mass_properties(self, density: float) -> MassProperties:
        """m = ρ 4/3 π r³, I = 2/5 m r²."""
        mass = check_density("Sphere", density) * 4.0 / 3.0 * np.pi * self.radius**3
        return MassProperties(mass, np.zeros(3), np.eye(3) * (0.4 * mass * self.radius**2))

    def core(self) -> tuple[Array, float]:
        return np.zeros((1, 3)), self.radius
