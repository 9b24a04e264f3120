"""A rectangular block about its origin: core eight points, radius zero unless edges are round."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from physics.portable import norm
from physics.shapes.base import (
    Array,
    MassProperties,
    ShapeField,
    check_density,
    check_finite,
    check_positive,
    check_vector,
)


@dataclass(frozen=True)
class Box:
    """A block with the full edge lengths `size` along its axes, its edges rounded by `rounding`."""

    size: tuple[float, float, float]
    rounding: float = 0.0

    name: ClassVar[str] = "box"
    finite_convex: ClassVar[bool] = True
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField(
            "size", "The box has these full edge lengths along x, y and z, in m.", "m", "vector"
        ),
        ShapeField(
            "rounding",
            "Its edges and corners are rounded with this radius, in m; at 0 they are sharp.",
            "m",
            "number",
        ),
    )

    def __post_init__(self) -> None:
        size = check_vector("Box", "size", self.size)
        for axis, length in zip("xyz", size, strict=True):
            check_positive("Box", f"size.{axis}", length)
        object.__setattr__(self, "size", size)
        rounding = check_finite("Box", "rounding", self.rounding)
        if not 0.0 <= rounding < 0.5 * min(size):
            raise ValueError(
                f"Box.rounding is {self.rounding!r}; it must be at least 0 and less than half of "
                f"the shortest edge, {0.5 * min(size):g} m"
            )
        object.__setattr__(self, "rounding", rounding)

    @property
    def bounding_radius(self) -> float:
        inner = np.array(self.size) - 2.0 * self.rounding
        return 0.5 * float(norm(inner)) + self.rounding

    def mass_properties(self, density: float) -> MassProperties:
        """I_xx = m (b² + c²)/12 and cyclic, less what the rounding takes away."""
        density = check_density("Box", density)
        if self.rounding > 0.0:
            return _rounded_mass(np.array(self.size), self.rounding, density)
        squares = np.square(self.size)
        mass = density * float(np.prod(self.size))
        inertia = np.diag((squares.sum() - squares) * (mass / 12.0))
        return MassProperties(mass, np.zeros(3), inertia)

    def core(self) -> tuple[Array, float]:
        """Corner i has the sign of bit 0 of i along x, bit 1 along y, bit 2 along z."""
        corner = np.arange(8)
        signs = np.stack([corner & 1, (corner >> 1) & 1, (corner >> 2) & 1], axis=1) - 0.5
        return signs * (np.array(self.size) - 2.0 * self.rounding), self.rounding


def _rounded_mass(size: Array, r: float, density: float) -> MassProperties:
    """Σ ρ∫x² dV over the core, six slabs on its faces, quarter rods along its edges, ball eighths.

    With the core's half sizes c, along axis x: a slab reaches from c_x to c_x + r, a quarter rod
    has ∫x² = A (c² + 2 c·4r/3π + r²/4) over its section A, an eighth of a ball
    V (c² + 2 c·3r/8 + r²/5).
    """
    c = 0.5 * size - r
    second, volume = np.zeros(3), 8.0 * float(c[0] * c[1] * c[2]) + 4.0 / 3.0 * np.pi * r**3
    for x in range(3):
        y, z = (x + 1) % 3, (x + 2) % 3
        volume += 8.0 * r * float(c[y] * c[z]) + 2.0 * np.pi * r**2 * float(c[x])
        flat = c[x] ** 2 / 3.0  # mean of x² over the core
        rod = c[x] ** 2 + 2.0 * c[x] * (4.0 * r / (3.0 * np.pi)) + 0.25 * r**2
        second[x] += 8.0 * c[x] * c[y] * c[z] * flat
        second[x] += 8.0 * c[y] * c[z] * ((c[x] + r) ** 3 - c[x] ** 3) / 3.0
        second[x] += 8.0 * r * c[x] * (c[y] + c[z]) * flat
        second[x] += 2.0 * np.pi * r**2 * (c[x] * flat + (c[y] + c[z]) * rod)
        second[x] += 4.0 / 3.0 * np.pi * r**3 * (c[x] ** 2 + 0.75 * c[x] * r + 0.2 * r**2)
    inertia = np.diag(density * (second.sum() - second))
    return MassProperties(density * volume, np.zeros(3), inertia)
