"""What every shape shares: mass properties, the description of its fields, and value checks.

A finite convex shape is *points plus a radius*: the set of all points within `radius` of the convex
hull of its core points. A sphere is one point, a capsule two, a box eight with radius zero, so
collision code that understands a core understands every convex shape.
"""

from dataclasses import Field, dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class MassProperties(NamedTuple):
    """Mass [kg], centre of mass [m], inertia about that centre [kg m²], all in shape axes."""

    mass: float
    center: Array
    inertia: Array


@dataclass(frozen=True)
class ShapeField:
    """One field of a shape, as the level schema and the editor need to know it."""

    name: str
    doc: str  # a sentence, with the unit
    unit: str
    kind: str  # "number" | "vector" | "points" | "triangles" | "grid"


class Shape(Protocol):
    """The interface of a shape, which is a data class; `finite_convex` says whether `core` and mass
    are available."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    name: ClassVar[str]
    fields: ClassVar[tuple[ShapeField, ...]]
    finite_convex: ClassVar[bool]

    @property
    def bounding_radius(self) -> float:
        """Radius of a ball about the shape's origin that holds it [m]; inf for a plane."""
        ...

    def mass_properties(self, density: float) -> MassProperties: ...

    def core(self) -> tuple[Array, float]: ...


def check_positive(shape: str, field: str, value: Any, unit: str = "m") -> float:
    """The value as a float, or a ValueError that says what would have been right."""
    number = _as_float(shape, field, value)
    if not (np.isfinite(number) and number > 0.0):
        raise ValueError(f"{shape}.{field} is {value!r}; it must be a finite number > 0 [{unit}]")
    return number


def check_finite(shape: str, field: str, value: Any, unit: str = "m") -> float:
    number = _as_float(shape, field, value)
    if not np.isfinite(number):
        raise ValueError(f"{shape}.{field} is {value!r}; it must be a finite number [{unit}]")
    return number


def check_vector(shape: str, field: str, value: Any) -> tuple[float, float, float]:
    """Three finite numbers as a tuple."""
    array = check_rows(shape, field, [value], minimum=1)
    return float(array[0, 0]), float(array[0, 1]), float(array[0, 2])


def check_rows(shape: str, field: str, value: ArrayLike, minimum: int) -> Array:
    """A read-only (k,3) float array with k ≥ minimum and no NaN."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{shape}.{field} must be numbers in rows of three") from None
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{shape}.{field} has shape {array.shape}; rows of three are needed")
    if len(array) < minimum:
        raise ValueError(f"{shape}.{field} has {len(array)} rows; at least {minimum} are needed")
    if not np.isfinite(array).all():
        bad = int(np.argmin(np.isfinite(array).all(axis=1)))
        raise ValueError(f"{shape}.{field}[{bad}] is {array[bad].tolist()}; numbers must be finite")
    array.flags.writeable = False
    return array


def check_density(shape: str, density: float) -> float:
    return check_positive(shape, "density", density, "kg/m³")


def _as_float(shape: str, field: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{shape}.{field} is {value!r}; it must be a number") from None
