"""A static landscape: heights on a square grid, solid below."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from physics.portable import norm
from physics.shapes.base import Array, MassProperties, ShapeField, check_positive
from physics.shapes.polyhedron import Index


@dataclass(frozen=True, eq=False)
class HeightField:
    """Height y = heights[i, j] at x = (i - (nx-1)/2) spacing, z = (j - (nz-1)/2) spacing.

    Each cell is split along the diagonal from its (i, j) to its (i+1, j+1) corner.
    """

    heights: Array
    spacing: float

    name: ClassVar[str] = "height_field"
    finite_convex: ClassVar[bool] = False
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField(
            "heights",
            "The ground has these heights y, in m, with rows along x and columns along z.",
            "m",
            "grid",
        ),
        ShapeField(
            "spacing", "Neighbouring lines of the grid are this far apart, in m.", "m", "number"
        ),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "heights", _check_heights(self.heights))
        object.__setattr__(self, "spacing", check_positive("HeightField", "spacing", self.spacing))

    @property
    def bounding_radius(self) -> float:
        return float(norm(self.surface()[0]).max())

    def surface(self) -> tuple[Array, Index]:
        """The same landscape as vertices and upward triangles, cell by cell, two per cell."""
        nx, nz = self.heights.shape
        x = (np.arange(nx) - 0.5 * (nx - 1)) * self.spacing
        z = (np.arange(nz) - 0.5 * (nz - 1)) * self.spacing
        grid = np.stack([*np.meshgrid(x, z, indexing="ij"), self.heights], axis=-1)
        vertices = grid[..., [0, 2, 1]].reshape(-1, 3)
        i, j = np.meshgrid(np.arange(nx - 1), np.arange(nz - 1), indexing="ij")
        corner = (i * nz + j).ravel()
        lower = np.stack([corner, corner + 1, corner + nz + 1], axis=1)
        upper = np.stack([corner, corner + nz + 1, corner + nz], axis=1)
        return vertices, np.stack([lower, upper], axis=1).reshape(-1, 3)

    def mass_properties(self, density: float) -> MassProperties:
        raise ValueError("a HeightField is static ground without mass; give its body fixed=True")

    def core(self) -> tuple[Array, float]:
        raise ValueError("a HeightField is not convex and has no core points")


def _check_heights(value: object) -> Array:
    try:
        heights = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("HeightField.heights must be a grid of numbers, equal rows") from None
    if heights.ndim != 2 or min(heights.shape) < 2:
        raise ValueError(
            f"HeightField.heights has shape {heights.shape}; a grid of at least 2 x 2 is needed"
        )
    if not np.isfinite(heights).all():
        i, j = (int(k) for k in np.argwhere(~np.isfinite(heights))[0])
        raise ValueError(f"HeightField.heights[{i}][{j}] is {heights[i, j]}; it must be finite")
    heights.flags.writeable = False
    return heights
