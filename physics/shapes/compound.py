"""Several shapes on one body, each where its part says, with a surface of its own if it has one.

Mass properties are those of the parts together. Part i with mass mᵢ, centre cᵢ and inertia Iᵢ,
turned into the body's axes, has about the common centre c the inertia (parallel axes)

    Iᵢ + mᵢ (|d|² 1 - d dᵀ),   d = cᵢ - c.

Where parts overlap, both count.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from physics.portable import matmul, norm, transform
from physics.shapes.base import (
    Array,
    MassProperties,
    Shape,
    ShapeField,
    check_density,
    check_finite,
    check_positive,
    check_vector,
)

Quaternion = tuple[float, float, float, float]
_MOST_PARTS = 1024


@dataclass(frozen=True)
class Part:
    """One shape of a compound.

    `position` and `orientation` place the shape's own origin and axes in those of the body.
    `density` counts where all parts have one. What is None of the surface is the body's.
    """

    shape: Shape
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    orientation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    density: float | None = None
    friction: float | None = None
    restitution: float | None = None
    rolling_friction: float | None = None

    def __post_init__(self) -> None:
        if not hasattr(self.shape, "mass_properties") or isinstance(self.shape, Compound):
            raise ValueError(f"Part.shape is {self.shape!r}; it must be a shape, and no compound")
        object.__setattr__(self, "position", check_vector("Part", "position", self.position))
        object.__setattr__(self, "orientation", _unit(self.orientation))
        if self.density is not None:
            check_positive("Part", "density", self.density, "kg/m³")
        for key in ("friction", "restitution", "rolling_friction"):
            value = getattr(self, key)
            if value is not None and check_finite("Part", key, value, "") < 0.0:
                raise ValueError(f"Part.{key} is {value!r}; it must be at least 0")
        if self.restitution is not None and self.restitution > 1.0:
            raise ValueError(f"Part.restitution is {self.restitution!r}; it must be at most 1")

    def matrix(self) -> Array:
        """Shape axes in body axes."""
        w, x, y, z = self.orientation
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )


@dataclass(frozen=True, eq=False)
class Compound:
    """Several shapes that move as one body."""

    parts: tuple[Part, ...]

    name: ClassVar[str] = "compound"
    finite_convex: ClassVar[bool] = False
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField(
            "parts",
            "The body consists of these shapes, each with its place on the body.",
            "",
            "parts",
        ),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", _checked(self.parts))

    @property
    def has_mass(self) -> bool:
        """Whether it may move: none of its parts is a plane or an open surface."""
        return all(part.shape.finite_convex for part in self.parts)

    @property
    def weighs(self) -> bool:
        """Whether its parts say themselves how dense they are."""
        return self.parts[0].density is not None

    @property
    def bounding_radius(self) -> float:
        return max(float(norm(p.position)) + p.shape.bounding_radius for p in self.parts)

    def mass_properties(self, density: float) -> MassProperties:
        """Of all parts together, of the given density unless they have their own."""
        check_density("Compound", density)
        if not self.has_mass:
            raise ValueError("a Compound with planes or open surfaces has no mass; use fixed=True")
        total, moment = 0.0, np.zeros(3)
        placed = []
        for part in self.parts:
            own = part.shape.mass_properties(part.density or density)
            turned = part.matrix()
            center = transform(turned, np.asarray(own.center)) + np.array(part.position)
            inertia = matmul(matmul(turned, own.inertia), turned.T)
            placed.append((own.mass, center, inertia))
            total += own.mass
            moment = moment + own.mass * center
        middle = moment / total
        whole = np.zeros((3, 3))
        for mass, center, inertia in placed:
            d = center - middle
            square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
            whole = whole + inertia + mass * (square * np.eye(3) - d[:, None] * d[None, :])
        return MassProperties(total, middle, 0.5 * (whole + whole.T))

    def core(self) -> tuple[Array, float]:
        raise ValueError("a Compound is not convex and has no core points; ask its parts")


def _checked(parts: Iterable[Any]) -> tuple[Part, ...]:
    """The parts, or a ValueError that says what is wrong with them."""
    if isinstance(parts, (str, bytes)) or not isinstance(parts, Iterable):
        raise ValueError(f"Compound.parts is {parts!r}; it must be a list of Part(shape, …)")
    given = tuple(parts)
    if not 1 <= len(given) <= _MOST_PARTS:
        raise ValueError(f"Compound.parts has {len(given)} entries; 1 to {_MOST_PARTS} may be")
    for k, part in enumerate(given):
        if not isinstance(part, Part):
            raise ValueError(f"Compound.parts[{k}] is {part!r}; it must be a Part(shape, …)")
    dense = sum(part.density is not None for part in given)
    if dense not in (0, len(given)):
        raise ValueError("Compound.parts have a density all of them, or none of them")
    return given


def _unit(value: Any) -> Quaternion:
    """A quaternion of length one."""
    try:
        w, x, y, z = (float(entry) for entry in value)
    except (TypeError, ValueError):
        raise ValueError(f"Part.orientation is {value!r}; it must be four numbers") from None
    size = float(np.sqrt(w * w + x * x + y * y + z * z))
    if not (np.isfinite(size) and size > 1e-9):
        raise ValueError(f"Part.orientation is {value!r}; it must be a quaternion, not zero")
    if abs(size - 1.0) < 1e-15:
        return w, x, y, z
    return w / size, x / size, y / size, z / size


def parts_of(shape: Shape) -> tuple[Part, ...]:
    """The parts of a compound; of any other shape one, itself."""
    return shape.parts if isinstance(shape, Compound) else (Part(shape),)
