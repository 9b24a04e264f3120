"""A round bar with flat ends and sharp rims, about its origin."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from physics.shapes.base import Array, MassProperties, ShapeField, check_density, check_positive
from physics.shapes.revolved import Revolved, revolved_core


@dataclass(frozen=True)
class Cylinder:
    """A cylinder of full `length` along y, centred on the origin."""

    radius: float
    length: float

    name: ClassVar[str] = "cylinder"
    finite_convex: ClassVar[bool] = True
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField("radius", "The rims have this radius, in m.", "m", "number"),
        ShapeField("length", "The flat ends are this far apart along y, in m.", "m", "number"),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", check_positive("Cylinder", "radius", self.radius))
        object.__setattr__(self, "length", check_positive("Cylinder", "length", self.length))

    @property
    def bounding_radius(self) -> float:
        return float(np.sqrt(self.radius**2 + 0.25 * self.length**2))

    def mass_properties(self, density: float) -> MassProperties:
        """m = ρ π r² l, I_y = m r²/2, I_x = I_z = m (3r² + l²)/12."""
        mass = check_density("Cylinder", density) * np.pi * self.radius**2 * self.length
        across = mass * (3.0 * self.radius**2 + self.length**2) / 12.0
        inertia = np.diag([across, 0.5 * mass * self.radius**2, across])
        return MassProperties(mass, np.zeros(3), inertia)

    def revolved(self) -> Revolved:
        return Revolved(-0.5 * self.length, 0.5 * self.length, self.radius, self.radius)

    def core(self) -> tuple[Array, float]:
        """Points on its rims: an inscribed prism. Collision uses the rims themselves."""
        return revolved_core(self.revolved()), 0.0
