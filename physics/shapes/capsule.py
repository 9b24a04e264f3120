"""A segment with a radius: core two points on the local y axis."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from physics.shapes.base import Array, MassProperties, ShapeField, check_density, check_positive


@dataclass(frozen=True)
class Capsule:
    """All points within `radius` of the segment of `length` along y, centred on the origin."""

    radius: float
    length: float

    name: ClassVar[str] = "capsule"
    finite_convex: ClassVar[bool] = True
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField("radius", "The tube and its caps have this radius, in m.", "m", "number"),
        ShapeField(
            "length", "The centres of the two caps are this far apart along y, in m.", "m", "number"
        ),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", check_positive("Capsule", "radius", self.radius))
        object.__setattr__(self, "length", check_positive("Capsule", "length", self.length))

    @property
    def bounding_radius(self) -> float:
        return self.radius + 0.5 * self.length

    def mass_properties(self, density: float) -> MassProperties:
        """A cylinder plus two half balls, whose centres of mass lie 3r/8 beyond the cap centres."""
        r, length = self.radius, self.length
        density = check_density("Capsule", density)
        tube = density * np.pi * r**2 * length
        ball = density * 4.0 / 3.0 * np.pi * r**3
        axial = 0.5 * tube * r**2 + 0.4 * ball * r**2
        # Half ball about its flat face: 2/5 m r². Shifting it by length/2 away along y, with its
        # centre of mass 3r/8 further out, adds m (length²/4 + 2 (length/2)(3r/8)).
        caps = ball * (0.4 * r**2 + 0.25 * length**2 + 0.375 * length * r)
        across = tube * (3.0 * r**2 + length**2) / 12.0 + caps
        return MassProperties(tube + ball, np.zeros(3), np.diag([across, axial, across]))

    def core(self) -> tuple[Array, float]:
        half = 0.5 * self.length
        return np.array([[0.0, -half, 0.0], [0.0, half, 0.0]]), self.radius
