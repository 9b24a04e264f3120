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

from physics.constraints.coordinates import ZERO, Coordinate, Parameters, slide, span
from physics.constraints.parameters import (
    LIMITS,
    MOTOR,
    REQUIRED,
    SERVO,
    Parameter,
    checked,
)
from physics.constraints.rows import ANGLE, DOT1, DOT2, POINT, ROTATION
from physics.params import GRAB_ACCELERATION, GRAB_FREQUENCY
from physics.portable import dot, norm
from physics.state import (
    BILATERAL,
    GRAB,
    POSITION,
    STIFFNESS,
    UNILATERAL,
    VELOCITY,
    WORLD,
    Floats,
)

NO_POINTS = np.zeros((2, 3))
NO_AXES = np.zeros((2, 2, 3))


@dataclass(frozen=True)
class Row:
    """One constraint row, in the frames of its bodies."""

    primitive: int
    axis_a: Floats = field(default_factory=lambda: ZERO)
    axis_b: Floats = field(default_factory=lambda: ZERO)
    axis_c: Floats = field(default_factory=lambda: ZERO)
    axis_d: Floats = field(default_factory=lambda: ZERO)
    lever: Floats = field(default_factory=lambda: ZERO)  # from b's anchor to where it touches, m
    ground: Floats = field(default_factory=lambda: NO_AXES)  # per body: two axes of the world
    wheel: Floats = field(default_factory=lambda: NO_POINTS)  # per body: a point of the world
    ratio: float = 0.0
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
    grab_frequency: float = 0.0
    grab_acceleration: float = 0.0
    tension_only: bool = False
    part: str = "joint"  # joint | limit | motor | servo | grab; second_… of a second coordinate


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
    axes: Floats = field(default_factory=lambda: np.eye(3))  # rows u, v, n in world axes then

    def on_a(self, vector: Floats) -> Floats:
        """A vector of the world, then, in the axes of a."""
        u, v, n = self.axes
        return dot(vector, u) * self.u_a + dot(vector, v) * self.v_a + dot(vector, n) * self.n_a

    def on_b(self, vector: Floats) -> Floats:
        """A vector of the world, then, in the axes of b."""
        u, v, n = self.axes
        return dot(vector, u) * self.u_b + dot(vector, v) * self.v_b + dot(vector, n) * self.n_b


def perpendicular(n: Floats) -> tuple[Floats, Floats]:
    """u, v with (u, v, n) right-handed and orthonormal; the same for the same n, always."""
    helper = np.array([1.0, 0.0, 0.0]) if abs(n[0]) < 0.6 else np.array([0.0, 1.0, 0.0])
    u = np.cross(helper, n)
    u /= norm(u)
    return u, np.cross(n, u)


Build = Callable[[Frame, Mapping[str, Any]], list[Element]]


@dataclass(frozen=True, repr=False)
class JointKind:
    """A kind of joint: its documentation, parameters, how to build it, and its traits."""

    name: str
    doc: str
    parameters: Mapping[str, Parameter]
    build: Build
    # shared: one point `at`; separate: a point on each body; any: it only turns, `at` is for show
    anchors: str = "shared"
    needs_axis: bool = False
    flat_axis: bool = False  # in two dimensions its axis is z unless another is given
    particles: bool = False  # can hold a particle, which has no orientation
    # it measures b in the axes of a: with one body the world is a, as a fixed base would be
    directed: bool = True
    coordinate: Coordinate | None = None  # None: the turn about the axis
    carried: bool = False  # … of a, against the line of the centres, which may turn as well
    inextensible: bool = False  # the coordinate is a way that its parameter `length` holds
    way: str = "the ends are {:.4g} m apart"  # the coordinate of an inextensible one, in words
    pivot: bool = False  # one body turns about a bolt in the other, and is drawn so
    drawn: str = ""  # between its anchors: "line", "rope" or "coil", or nothing
    over: tuple[str, ...] = ()  # parameters that are points of the world a drawn line runs over

    def ends(self, a: int, b: int) -> tuple[int, int]:
        """The slots as its rows see them: with one body (b the world) the world stands first."""
        return (b, a) if self.directed and b == WORLD else (a, b)

    def __repr__(self) -> str:
        return f"<JointKind {self.signature}>"

    @property
    def signature(self) -> str:
        """How `World.add_joint` is called for it: places first, then parameters and defaults."""
        places = {"shared": ["at"], "separate": ["at_a", "at_b"], "any": ["at"]}[self.anchors]
        given = [f"{place}=" for place in places] + (["axis="] if self.needs_axis else [])
        for name, spec in self.parameters.items():
            given.append(f"{name}=" if spec.required else f"{name}={spec.default!r}")
        return f'("{self.name}", a, b, {", ".join(given)})'

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
            name: checked(f'parameter "{name}" of joint kind "{self.name}"', spec, given)
            for name, spec in self.parameters.items()
        }

    def check_one(self, name: str, value: Any) -> Any:
        """One parameter, as `check` would give it."""
        what = f'parameter "{name}" of joint kind "{self.name}"'
        return checked(what, self.parameters[name], {name: value})


_COMMON = (
    Parameter(
        "compliance",
        "Every row of the joint gives way by this much, in m/N; at 0 it is rigid.",
        "m/N",
        0.0,
        0.0,
    ),
    Parameter(
        "damping",
        "Rows that give way are damped by this much, in N s/m; at 0 they are not.",
        "N s/m",
        0.0,
        0.0,
    ),
    Parameter(
        "breaks_at",
        "The joint breaks when it bears more than this force, in N; left out, it never does.",
        "N",
        math.inf,
        0.0,
        infinite=True,
    ),
    Parameter(
        "collide",
        "If true, the two bodies collide with each other; if false, they pass through each other.",
        "",
        False,
        kind="flag",
    ),
)

JOINTS: dict[str, JointKind] = {}


def joint_kind(
    name: str,
    *parameters: Parameter,
    common: bool = True,
    **traits: Any,
) -> Callable[[Build], Build]:
    """Registers a build function as a kind of joint; its docstring documents the kind.

    `traits` are those of JointKind; `common`: takes compliance and damping.
    """

    def register(build: Build) -> Build:
        every = (*parameters, *(_COMMON if common else _COMMON[2:]))
        JOINTS[name] = JointKind(
            name=name,
            doc=(build.__doc__ or "").strip(),
            parameters={spec.name: spec for spec in every},
            build=build,
            **traits,
        )
        return build

    return register


def soft(parameters: Parameters) -> dict[str, Any]:
    """Compliance and damping as keyword arguments of a Row."""
    return {"compliance": parameters["compliance"], "damping": parameters["damping"]}


def point_rows(parameters: Parameters) -> tuple[Row, ...]:
    """The three rows that hold two points together."""
    return tuple(Row(POINT, **soft(parameters)) for _ in range(3))


def turn_axes(frame: Frame) -> dict[str, Any]:
    """The axes from which the turn of b about the joint axis is measured, as arguments of a Row."""
    return {"axis_a": frame.n_a, "axis_b": frame.u_b, "axis_c": frame.u_a, "axis_d": frame.n_b}


def angle_row(frame: Frame, **settings: Any) -> Row:
    """The turn of b about the joint axis."""
    return Row(ANGLE, **turn_axes(frame), **settings)


def rotation_rows(frame: Frame, *settings: Mapping[str, Any]) -> tuple[Row, ...]:
    """The rotation of b against a about u, v and n of a, each row with its settings."""
    on_a, on_b = (frame.u_a, frame.v_a, frame.n_a), (frame.u_b, frame.v_b, frame.n_b)
    return tuple(
        Row(
            ROTATION,
            axis_a=on_a[i],
            axis_c=on_a[(i + 1) % 3],
            axis_d=on_b[i],
            axis_b=on_b[(i + 1) % 3],
            **given,
        )
        for i, given in enumerate(settings)
    )


def slide_row(frame: Frame, **settings: Any) -> Row:
    """The offset of b's anchor along the joint axis, positive when b moves along it.

    The dot-2 primitive measures a against b, so the axis enters reversed.
    """
    return Row(DOT2, axis_a=-frame.n_a, **settings)


def across_rows(frame: Frame, parameters: Parameters) -> tuple[Row, ...]:
    """d·u_a and d·v_a: b's anchor stays on the axis of a."""
    return tuple(Row(DOT2, axis_a=axis, **soft(parameters)) for axis in (frame.u_a, frame.v_a))


def alignment_rows(frame: Frame, parameters: Parameters, count: int) -> tuple[Row, ...]:
    """n_a ⟂ u_b, n_a ⟂ v_b (axes stay parallel) and u_a ⟂ v_b (no twist): the first `count`."""
    pairs = ((frame.n_a, frame.u_b), (frame.n_a, frame.v_b), (frame.u_a, frame.v_b))
    return tuple(Row(DOT1, axis_a=a, axis_b=b, **soft(parameters)) for a, b in pairs[:count])


def drive_elements(
    coordinate: Callable[..., Row], parameters: Parameters, which: str = ""
) -> list[Element]:
    """Limits, motor and servo of one free coordinate, as asked for by the parameters.

    `which`: what their names begin with, for a joint with several coordinates.
    """
    elements = []
    limits, motor, servo = (parameters[f"{which}{name}"] for name in ("limits", "motor", "servo"))
    if limits is not None:
        low, high = limits
        rows = (coordinate(rest=low, lower=0.0), coordinate(rest=high, upper=0.0))
        elements.append(Element(rows, UNILATERAL, part=f"{which}limit"))
    if motor is not None:
        speed, most = motor["speed"], motor["max_force"]
        row = coordinate(mode=VELOCITY, target=speed, lower=-most, upper=most)
        role = BILATERAL if math.isinf(most) else UNILATERAL
        elements.append(Element((row,), role, drives=True, part=f"{which}motor"))
    if servo is not None:
        elements.append(_servo(coordinate, servo, f"{which}servo"))
    return elements


def _servo(coordinate: Callable[..., Row], servo: Mapping[str, Any], part: str) -> Element:
    most = servo["max_force"]
    row = coordinate(
        rest=servo["target"],
        compliance=1.0 / servo["stiffness"],
        damping=servo["damping"],
        lower=-most,
        upper=most,
    )
    role = BILATERAL if math.isinf(most) else UNILATERAL
    return Element((row,), role, drives=True, part=part)


def grab_element() -> Element:
    """A hand: a spring of given frequency on whatever mass it meets, of bounded force."""
    return Element(
        tuple(Row(POINT, mode=GRAB) for _ in range(3)),
        UNILATERAL,
        drives=True,
        grab_frequency=GRAB_FREQUENCY,
        grab_acceleration=GRAB_ACCELERATION,
        part="grab",
    )


__all__ = [
    "BILATERAL",
    "JOINTS",
    "LIMITS",
    "MOTOR",
    "REQUIRED",
    "SERVO",
    "STIFFNESS",
    "UNILATERAL",
    "Element",
    "Frame",
    "JointKind",
    "Parameter",
    "Row",
    "across_rows",
    "alignment_rows",
    "angle_row",
    "drive_elements",
    "grab_element",
    "joint_kind",
    "perpendicular",
    "point_rows",
    "slide",
    "slide_row",
    "soft",
    "span",
    "turn_axes",
]
