"""Parameters of joint kinds: what each one is, and the check of what is given for it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from physics.portable import norm
from physics.state import Floats

REQUIRED: Any = object()


@dataclass(frozen=True)
class Parameter:
    """One parameter of a joint kind, with what a level author needs to know."""

    name: str
    doc: str  # a sentence, with the unit
    unit: str = ""
    default: Any = REQUIRED
    minimum: float | None = None
    maximum: float | None = None
    kind: str = "number"  # number | pair | point, direction (of the world) | flag | table
    infinite: bool = False  # whether inf is a sensible value
    fixed: bool = False  # cannot be changed while running
    fields: tuple["Parameter", ...] = ()  # of a table

    @property
    def required(self) -> bool:
        return self.default is REQUIRED


def checked(what: str, spec: Parameter, given: Mapping[str, Any]) -> Any:
    if spec.name not in given:
        if spec.required:
            raise ValueError(f"{what} is required: {spec.doc}")
        return spec.default
    value = given[spec.name]
    if value is None and spec.default is None:
        return None
    return _CHECKS[spec.kind](what, spec, value)


def _number(what: str, spec: Parameter, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
        raise ValueError(f"{what} must be a number, not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{what} is beyond all bounds; give a number below 1e100") from None
    if math.isnan(number):
        raise ValueError(f"{what} is not a number (NaN)")
    if math.isinf(number) and not spec.infinite:
        raise ValueError(f"{what} is {number:g}, but must be finite")
    if spec.minimum is not None and number < spec.minimum:
        raise ValueError(f"{what} is {number:g}, but must be at least {spec.minimum:g} {spec.unit}")
    if spec.maximum is not None and number > spec.maximum:
        raise ValueError(f"{what} is {number:g}, but must be at most {spec.maximum:g} {spec.unit}")
    return number


def _pair(what: str, spec: Parameter, value: Any) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} must be two numbers [low, high], not {value!r}") from None
    if not low <= high:
        raise ValueError(f"{what} is [{low:g}, {high:g}]; the first must not exceed the second")
    return low, high


def _vector(what: str, spec: Parameter, value: Any) -> Floats:
    try:
        vector = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} must be three numbers, not {value!r}") from None
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise ValueError(f"{what} must be three finite numbers, not {value!r}")
    return vector


def _direction(what: str, spec: Parameter, value: Any) -> Floats:
    vector = _vector(what, spec, value)
    length = norm(vector)
    if length == 0.0:
        raise ValueError(f"{what} has no length; a direction is for example (0, 1, 0)")
    return vector / length


def _flag(what: str, spec: Parameter, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{what} must be true or false, not {value!r}")
    return bool(value)


def _table(what: str, spec: Parameter, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be a table, not {value!r}")
    fields = {part.name: part for part in spec.fields}
    for name in value:
        if name not in fields:
            raise ValueError(f'{what} has no entry "{name}" (known: {", ".join(fields)})')
    return {name: checked(f'"{name}" in {what}', part, value) for name, part in fields.items()}


_CHECKS: dict[str, Callable[[str, Parameter, Any], Any]] = {
    "number": _number,
    "pair": _pair,
    "point": _vector,
    "direction": _direction,
    "flag": _flag,
    "table": _table,
}

MOTOR = Parameter(
    "motor",
    "This motor drives the free coordinate at a speed.",
    default=None,
    kind="table",
    fields=(
        Parameter(
            "speed",
            "The motor drives the joint at this speed, in rad/s or m/s; at 0 it brakes.",
            "rad/s or m/s",
            0.0,
        ),
        Parameter(
            "max_force",
            "The motor has at most this force or torque, in N or N m; at 0 it is off, and left "
            "out it has as much as it needs.",
            "N or N m",
            math.inf,
            0.0,
            infinite=True,
        ),
    ),
)
SERVO = Parameter(
    "servo",
    "This servo pulls the free coordinate to a target by an implicit spring and damper.",
    default=None,
    kind="table",
    fields=(
        Parameter(
            "target", "The servo pulls the joint to this coordinate, in rad or m.", "rad or m", 0.0
        ),
        Parameter(
            "stiffness",
            "The servo pulls with this force or torque per distance from its target, in N m/rad "
            "or N/m.",
            "N m/rad or N/m",
            1e3,
            1e-12,
        ),
        Parameter(
            "damping",
            "The servo resists motion with this force or torque per speed, in N m s/rad or N s/m; "
            "at 0 it may swing about its target.",
            "N m s/rad or N s/m",
            0.0,
            0.0,
        ),
        Parameter(
            "max_force",
            "The servo has at most this force or torque, in N or N m; at 0 it is off, and left "
            "out it has as much as it needs.",
            "N or N m",
            math.inf,
            0.0,
            infinite=True,
        ),
    ),
)
LIMITS = Parameter(
    "limits",
    "The free coordinate stays between these two values, in rad or m; left out, it has no limits.",
    "rad or m",
    None,
    kind="pair",
)
