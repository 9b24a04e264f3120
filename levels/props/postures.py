"""How a figure holds itself: angles of its joints, in degrees, from standing with hanging arms.

A hinge has one angle, how far it is bent; a ball joint has two, how far the limb is swung forward
and how far out to its side. Names without a side mean both.
"""

import math
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from levels.frames import IDENTITY, Quat, Vec, about, add, multiply, rotate, subtract
from levels.plain_data import TomlValue
from levels.problems import did_you_mean, listing
from levels.values import complain, describe

HINGES = {"elbow": (0.0, 2.4), "knee": (0.0, 2.4), "ankle": (-0.6, 0.6)}  # limits, rad
BALLS = ("spine", "neck", "shoulder", "wrist", "hip")
_SINGLE = ("spine", "neck")
_SIDES = ("_left", "_right")
_MOST = 180.0  # degrees

Angles = Mapping[str, TomlValue]
POSES: dict[str, Angles] = {
    "standing": {},
    "sitting": {"hip": [85, 6], "knee": 85, "shoulder": [25, 6], "elbow": 60},
    "hanging": {"shoulder": [178, 4], "elbow": 8, "knee": 8, "hip": [4, 3]},
    "crouching": {"hip": [100, 10], "knee": 125, "ankle": 20, "shoulder": [60, 5], "elbow": 40,
                  "spine": [25, 0]},
}  # fmt: skip
JOINT_NAMES = tuple(
    name + side
    for name in (*BALLS, *HINGES)
    for side in (("",) if name in _SINGLE else ("", *_SIDES))
)


def _pose(value: TomlValue) -> Any:
    if isinstance(value, str):
        if value not in POSES:
            note = f"known: {', '.join(POSES)}, or a table of angles"
            raise complain(f'unknown pose "{value}"', did_you_mean(value, POSES), note)
        return value
    if not isinstance(value, dict):
        raise complain(f"{{key}} must be the name of a pose or a table, not {describe(value)}")
    for name, angle in value.items():
        base = name.removesuffix("_left").removesuffix("_right")
        if name not in JOINT_NAMES:
            note = f"joints: {listing(JOINT_NAMES, 40)}"
            raise complain(f'no joint "{name}"', did_you_mean(name, JOINT_NAMES), note)
        _check_angle(name, base in HINGES, angle)
    return value


def _check_angle(name: str, is_hinge: bool, angle: Any) -> None:
    wanted = "degrees" if is_hinge else "degrees forward and to the side: [90, 10]"
    given = [angle] if is_hinge else angle
    if not isinstance(given, list) or len(given) != (1 if is_hinge else 2):
        raise complain(f'"{name}" needs {wanted}, not {describe(angle)}')
    for part in given:
        if isinstance(part, bool) or not isinstance(part, int | float) or not abs(part) <= _MOST:
            raise complain(f'"{name}" needs {wanted}, each at most {_MOST:g}')
    limits = HINGES.get(name.removesuffix("_left").removesuffix("_right"))
    if limits and not limits[0] - 1e-9 <= math.radians(given[0]) <= limits[1] + 1e-9:
        low, high = (math.degrees(limit) for limit in limits)
        raise complain(f'"{name}" bends from {low:.0f} to {high:.0f} degrees, not {given[0]:g}')


Pose = Annotated[
    Any,
    BeforeValidator(_pose),
    Field(json_schema_extra={"anyOf": [{"enum": list(POSES)}, {"type": "object"}]}),
]


def angles_of(pose: str | Angles | None) -> Angles:
    """The table of a pose."""
    return POSES[pose] if isinstance(pose, str) else pose or {}


def angle_of(angles: Angles, name: str) -> Any:
    """Of one joint, or None: knee_left is said by itself or by knee."""
    return angles.get(name, angles.get(name.removesuffix("_left").removesuffix("_right")))


def swing(angle: Any, sign: float, hangs: bool) -> Quat:
    """The turn of a limb that hangs down (or a part that stands up): forward, and to the side."""
    if angle is None:
        return IDENTITY
    forward, aside = (math.radians(part) for part in angle)
    way = -1.0 if hangs else 1.0
    out = about((0.0, 0.0, 1.0), -way * sign * aside) if aside else IDENTITY
    return multiply(about((1.0, 0.0, 0.0), way * forward), out) if forward else out


class Chain:
    """Turns about points, the outermost first: where a part of the standing figure comes to be."""

    def __init__(self, turns: tuple[tuple[Vec, Quat], ...] = ()) -> None:
        self.turns = turns

    def then(self, pivot: Vec, turn: Quat) -> "Chain":
        return self if turn == IDENTITY else Chain((*self.turns, (pivot, turn)))

    def point(self, at: Vec) -> Vec:
        for pivot, turn in reversed(self.turns):
            at = add(pivot, rotate(turn, subtract(at, pivot)))
        return (at[0], at[1], at[2])

    def direction(self, along: Vec) -> Vec:
        for _, turn in reversed(self.turns):
            along = rotate(turn, along)
        return (along[0], along[1], along[2])

    def orientation(self, own: Quat) -> Quat:
        for _, turn in reversed(self.turns):
            own = multiply(turn, own)
        return own
