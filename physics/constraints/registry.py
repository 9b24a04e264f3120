"""The joint library: what a kind of joint is, and the table of all kinds.

A kind lives in one file: it states its parameters and turns a frame (anchors and axes on the two
bodies) into elements. Level schema, documentation, user interface and the finite-difference tests
read this table, so a new kind needs no other change.
"""

import difflib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from physics.state import (
    ANGLE,
    BILATERAL,
    DISTANCE,
    DOT1,
    DOT2,
    POINT,
    POSITION,
    PULLEY,
    STIFFNESS,
    UNILATERAL,
    VELOCITY,
    Floats,
)

REQUIRED: Any = object()
ZERO = np.zeros(3)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a joint kind, with what a level author needs to know."""

    name: str
    doc: str
    unit: str = ""
    default: Any = REQUIRED
    minimum: float | None = None
    maximum: float | None = None
    kind: str = "number"  # number | pair | vector | point (of the world) | flag | table
    infinite: bool = False  # whether inf is a sensible value
    fields: tuple["Parameter", ...] = ()  # of a table

    @property
    def required(self) -> bool:
        return self.default is REQUIRED


@dataclass(frozen=True)
class Row:
    """One constraint row, in the frames of its bodies."""

    primitive: int
    axis_a: Floats = field(default_factory=lambda: ZERO)
    axis_b: Floats = field(default_factory=lambda: ZERO)
    axis_c: Floats = field(default_factory=lambda: ZERO)
    axis_d: Floats = field(default_factory=lambda: ZERO)
    rest: float = 0.0
    compliance: float = 0.0
    damping: float = 0.0
    lower: float = -math.inf
    upper: float = math.inf
    mode: int = POSITION
    target: float = 0.0


@dataclass(frozen=True)
class Element:
    """Up to three rows that are solved together."""

    rows: tuple[Row, ...]
    role: int = BILATERAL
    drives: bool = False
    stiffness: float = 0.0
    damper: float = 0.0
    tension_only: bool = False
    part: str = "joint"  # joint | limit | motor | servo | grab: how `set_joint` finds it


@dataclass(frozen=True)
class Frame:
    """Where a joint sits: anchors and right-handed axes (u, v, n) in the axes of each body."""

    anchor_a: Floats
    anchor_b: Floats
    u_a: Floats
    v_a: Floats
    n_a: Floats
    u_b: Floats
    v_b: Floats
    n_b: Floats
    length: float  # distance of the two anchors when the joint was made, m
    point_a: Floats = field(default_factory=lambda: ZERO)  # the anchors in world axes then
    point_b: Floats = field(default_factory=lambda: ZERO)


Build = Callable[[Frame, Mapping[str, Any]], list[Element]]


@dataclass(frozen=True)
class JointKind:
    """A kind of joint: its documentation, parameters and how to build it."""

    name: str
    doc: str
    parameters: Mapping[str, Parameter]
    build: Build
    anchors: str = "shared"  # shared: one point `at`; separate: a point on each body
    needs_axis: bool = False

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Complete, checked parameters; ValueError tells what is wrong and what would be right."""
        unknown = [name for name in given if name not in self.parameters]
        if unknown:
            near = difflib.get_close_matches(unknown[0], self.parameters, 1)
            hint = f'; did you mean "{near[0]}"?' if near else ""
            known = ", ".join(sorted(self.parameters))
            raise ValueError(
                f'joint kind "{self.name}" has no parameter "{unknown[0]}"{hint} (known: {known})'
            )
        return {
            name: _checked(f'parameter "{name}" of joint kind "{self.name}"', spec, given)
            for name, spec in self.parameters.items()
        }


def _checked(what: str, spec: Parameter, given: Mapping[str, Any]) -> Any:
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
    return {name: _checked(f'"{name}" in {what}', part, value) for name, part in fields.items()}


_CHECKS: dict[str, Callable[[str, Parameter, Any], Any]] = {
    "number": _number,
    "pair": _pair,
    "vector": _vector,
    "point": _vector,
    "flag": _flag,
    "table": _table,
}

_COMMON = (
    Parameter("compliance", "inverse stiffness of every row; 0 is rigid", "m/N", 0.0, 0.0),
    Parameter("damping", "damping of compliant rows", "N s/m", 0.0, 0.0),
    Parameter("breaks_at", "force at which the joint breaks", "N", math.inf, 0.0, infinite=True),
    Parameter("collide", "whether the two bodies collide with each other", "", False, kind="flag"),
)

JOINTS: dict[str, JointKind] = {}


def joint_kind(
    name: str,
    *parameters: Parameter,
    anchors: str = "shared",
    needs_axis: bool = False,
    common: bool = True,
) -> Callable[[Build], Build]:
    """Registers a build function as a kind of joint; its docstring documents the kind."""

    def register(build: Build) -> Build:
        every = (*parameters, *(_COMMON if common else _COMMON[2:]))
        JOINTS[name] = JointKind(
            name=name,
            doc=(build.__doc__ or "").strip(),
            parameters={spec.name: spec for spec in every},
            build=build,
            anchors=anchors,
            needs_axis=needs_axis,
        )
        return build

    return register


def soft(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Compliance and damping as keyword arguments of a Row."""
    return {"compliance": parameters["compliance"], "damping": parameters["damping"]}


def point_rows(parameters: Mapping[str, Any]) -> tuple[Row, ...]:
    """The three rows that hold two points together."""
    return tuple(Row(POINT, **soft(parameters)) for _ in range(3))


def angle_row(frame: Frame, **settings: Any) -> Row:
    """The turn of b about the joint axis."""
    return Row(
        ANGLE,
        axis_a=frame.n_a,
        axis_b=frame.u_b,
        axis_c=frame.u_a,
        axis_d=frame.n_b,
        **settings,
    )


def slide_row(frame: Frame, **settings: Any) -> Row:
    """The offset of b's anchor along the joint axis, positive when b moves along it.

    The dot-2 primitive measures a against b, so the axis enters reversed.
    """
    return Row(DOT2, axis_a=-frame.n_a, **settings)


def alignment_rows(frame: Frame, parameters: Mapping[str, Any], count: int) -> tuple[Row, ...]:
    """n_a ⟂ u_b, n_a ⟂ v_b (axes stay parallel) and u_a ⟂ v_b (no twist): the first `count`."""
    pairs = ((frame.n_a, frame.u_b), (frame.n_a, frame.v_b), (frame.u_a, frame.v_b))
    return tuple(Row(DOT1, axis_a=a, axis_b=b, **soft(parameters)) for a, b in pairs[:count])


MOTOR = Parameter(
    "motor",
    "drives the free coordinate at a speed",
    default=None,
    kind="table",
    fields=(
        Parameter("speed", "speed it drives at", "rad/s or m/s", 0.0),
        Parameter("max_force", "largest force or torque", "N or N m", math.inf, 0.0, infinite=True),
    ),
)
SERVO = Parameter(
    "servo",
    "pulls the free coordinate to a target by an implicit spring and damper",
    default=None,
    kind="table",
    fields=(
        Parameter("target", "coordinate it pulls to", "rad or m", 0.0),
        Parameter("stiffness", "spring constant", "N m/rad or N/m", 1e3, 1e-12),
        Parameter("damping", "damper constant", "N m s/rad or N s/m", 0.0, 0.0),
        Parameter("max_force", "largest force or torque", "N or N m", math.inf, 0.0, infinite=True),
    ),
)
LIMITS = Parameter("limits", "least and greatest coordinate", "rad or m", None, kind="pair")


def drive_elements(coordinate: Callable[..., Row], parameters: Mapping[str, Any]) -> list[Element]:
    """Limits, motor and servo of one free coordinate, as asked for by the parameters."""
    elements = []
    if parameters["limits"] is not None:
        low, high = parameters["limits"]
        rows = (coordinate(rest=low, lower=0.0), coordinate(rest=high, upper=0.0))
        elements.append(Element(rows, UNILATERAL, part="limit"))
    if parameters["motor"] is not None:
        speed, most = parameters["motor"]["speed"], parameters["motor"]["max_force"]
        row = coordinate(mode=VELOCITY, target=speed, lower=-most, upper=most)
        role = BILATERAL if math.isinf(most) else UNILATERAL
        elements.append(Element((row,), role, drives=True, part="motor"))
    if parameters["servo"] is not None:
        elements.append(_servo(coordinate, parameters["servo"]))
    return elements


def _servo(coordinate: Callable[..., Row], servo: Mapping[str, Any]) -> Element:
    most = servo["max_force"]
    row = coordinate(
        rest=servo["target"],
        compliance=1.0 / servo["stiffness"],
        damping=servo["damping"],
        lower=-most,
        upper=most,
    )
    role = BILATERAL if math.isinf(most) else UNILATERAL
    return Element((row,), role, drives=True, part="servo")


__all__ = [
    "ANGLE",
    "BILATERAL",
    "DISTANCE",
    "DOT1",
    "DOT2",
    "JOINTS",
    "LIMITS",
    "MOTOR",
    "POINT",
    "PULLEY",
    "REQUIRED",
    "SERVO",
    "STIFFNESS",
    "UNILATERAL",
    "Element",
    "Frame",
    "JointKind",
    "Parameter",
    "Row",
    "alignment_rows",
    "angle_row",
    "drive_elements",
    "joint_kind",
    "point_rows",
    "slide_row",
    "soft",
]
