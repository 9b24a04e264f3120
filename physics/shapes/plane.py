"""A static half-space: everything below the plane n·x = offset is solid."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from physics.portable import norm
from physics.shapes.base import Array, MassProperties, ShapeField, check_finite, check_vector


@dataclass(frozen=True)
class Plane:
    """Half-space n·x ≤ offset with the outward unit normal n; the given normal is normalised."""

    normal: tuple[float, float, float] = (0.0, 1.0, 0.0)
    offset: float = 0.0

    name: ClassVar[str] = "plane"
    finite_convex: ClassVar[bool] = False
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField(
            "normal",
            "The surface faces this direction, out of the solid; any length but zero will do.",
            "",
            "vector",
        ),
        ShapeField(
            "offset",
            "The surface is this far from the origin along its normal, in m; at 0 it goes through "
            "the origin.",
            "m",
            "number",
        ),
    )

    def __post_init__(self) -> None:
        normal = np.array(check_vector("Plane", "normal", self.normal))
        length = float(norm(normal))
        if length < 1e-9:
            raise ValueError(f"Plane.normal is {self.normal!r}; it must not be (nearly) zero")
        unit = normal / length
        object.__setattr__(self, "normal", (float(unit[0]), float(unit[1]), float(unit[2])))
        object.__setattr__(self, "offset", check_finite("Plane", "offset", self.offset))

    @property
    def bounding_radius(self) -> float:
        return float("inf")

    def mass_properties(self, density: float) -> MassProperties:
        raise ValueError("a Plane is infinite and has no mass; give its body fixed=True")

    def core(self) -> tuple[Array, float]:
        raise ValueError("a Plane is infinite and has no core points")
