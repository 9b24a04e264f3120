"""A rectangular block about its origin: core eight points, radius zero."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from physics.portable import norm
from physics.shapes.base import (
    Array,
    MassProperties,
    ShapeField,
    check_density,
    check_positive,
    check_vector,
)


@dataclass(frozen=True)
class Box:
    """A block with the full edge lengths `size` along its axes."""

    size: tuple[float, float, float]

    name: ClassVar[str] = "box"
    finite_convex: ClassVar[bool] = True
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField("size", "Full edge lengths along x, y, z", "m", "vector"),
    )

    def __post_init__(self) -> None:
        size = check_vector("Box", "size", self.size)
        for axis, length in zip("xyz", size, strict=True):
            check_positive("Box", f"size.{axis}", length)
        object.__setattr__(self, "size", size)

    @property
    def bounding_radius(self) -> float:
        return 0.5 * float(norm(self.size))

    def mass_properties(self, density: float) -> MassProperties:
        """I_xx = m (b² + c²)/12 and cyclic."""
        squares = np.square(self.size)
        mass = check_density("Box", density) * float(np.prod(self.size))
        inertia = np.diag((squares.sum() - squares) * (mass / 12.0))
        return MassProperties(mass, np.zeros(3), inertia)

    def core(self) -> tuple[Array, float]:
        """Corner i has the sign of bit 0 of i along x, bit 1 along y, bit 2 along z."""
        corner = np.arange(8)
        signs = np.stack([corner & 1, (corner >> 1) & 1, (corner >> 2) & 1], axis=1) - 0.5
        return signs * np.array(self.size), 0.0
