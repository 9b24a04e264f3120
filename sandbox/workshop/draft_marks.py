"""Lines drawn over the picture: where joints are and which way they go, edges of zones, handles.

A mark is a line of points in the world; who draws it projects them. So all of this works, and can
be tested, without a window.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from levels.draft.draft import Entry
from levels.draft.ends import ends
from levels.plan import PlannedJoint
from physics import JOINTS, Plane

if TYPE_CHECKING:
    from sandbox.workshop.builder import Builder

Array = npt.NDArray[np.floating]
X, Y, Z = "#f2604d", "#7ac74f", "#4f9df2"  # of the axes
JOINT, ZONE, PLAIN, CHOSEN = "#ffb020", "#6bd68a", "#dfe6ee", "#ffffff"
_TURN = 20  # points of a circle


@dataclass(frozen=True)
class Mark:
    """A line of world points; filled ones are areas."""

    points: Array
    color: str
    width: float = 2.0  # pixels
    closed: bool = False
    filled: bool = False
    dot: float = 0.0  # radius in pixels: a dot at every point instead


def joint_marks(builder: "Builder") -> dict[Entry, list[Mark]]:
    """What every joint entry is drawn as."""
    plan = builder.draft.level.default.plan
    gone = set(plan.removed)
    size = builder.handle_size() * 0.42
    return {
        ("joints", name): [
            mark
            for full in builder.things.joints(name)
            if full not in gone
            for mark in _joint(plan.joints[full], builder, size)
        ]
        for section, name in builder.things.entries
        if section == "joints"
    }


def _joint(joint: PlannedJoint, builder: "Builder", size: float) -> list[Mark]:
    """A dot where it holds, with an arrow round the axis it turns about, or along it."""
    kind = JOINTS[joint.kind]
    plan = builder.draft.level.default.plan
    if kind.anchors == "separate":
        first = joint.at_a or plan.center(joint.a)
        second = joint.at_b or (plan.center(joint.b) if joint.b else first)
        between = [joint.parameters[key] for key in kind.over if joint.parameters.get(key)]
        points = np.array([first, *between, second], float)
        return [Mark(points, JOINT, 1.5), Mark(points[[0, -1]], JOINT, dot=4.5)]
    at = np.array(joint.at or plan.center(joint.a), float)
    dot = Mark(at[None], JOINT, dot=5.5)
    if not kind.needs_axis:
        return [dot, *([_ring(at, np.array((0.0, 0.0, 1.0)), 0.35 * size)])]
    axis = np.array(joint.axis or (0.0, 0.0, 1.0), float)
    axis /= max(float(np.linalg.norm(axis)), 1e-9)
    if kind.coordinate is not None:  # it slides
        return [dot, *arrow(at, at + axis * size, JOINT), *arrow(at, at - axis * size, JOINT)]
    line = Mark(np.array((at - 0.7 * size * axis, at + 0.7 * size * axis)), JOINT, 2.5)
    return [dot, line, *_turning(at, axis, 0.6 * size)]


def held_marks(builder: "Builder", entry: Entry) -> list[Mark]:
    """From where a joint or rope holds to the middles of the bodies that it holds."""
    plan = builder.draft.level.default.plan
    found: list[Mark] = []
    for held in ends(builder.draft, entry):
        body = plan.bodies.get(held.body or "")
        if held.body is not None and not (body and isinstance(body.shape, Plane)):
            middle = plan.center(held.body)
            found.append(Mark(np.array((held.point, middle), float), CHOSEN, 1.2))
            found.append(Mark(np.array((middle,), float), CHOSEN, dot=3.0))
    return found


def arrow(start: Array, end: Array, color: str, width: float = 2.5) -> list[Mark]:
    """A shaft and two strokes of a head."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 1e-9:
        return []
    along = along / length
    side = across(along)[0]
    head = 0.16 * length
    tips = np.array(
        (end - head * along + 0.6 * head * side, end, end - head * along - 0.6 * head * side)
    )
    return [Mark(np.array((start, end)), color, width), Mark(tips, color, width)]


def across(axis: Array) -> tuple[Array, Array]:
    """Two unit vectors across an axis and each other."""
    first = np.cross(axis, (0.0, 1.0, 0.0) if abs(axis[1]) < 0.9 else (1.0, 0.0, 0.0))
    first = first / max(float(np.linalg.norm(first)), 1e-9)
    return first, np.cross(axis, first)


def circle(at: Array, axis: Array, radius: float, share: float = 1.0) -> Array:
    u, v = across(axis)
    angles = np.linspace(0.0, 2 * np.pi * share, _TURN * 2 + 1)
    return at + radius * (np.cos(angles)[:, None] * u + np.sin(angles)[:, None] * v)


def _ring(at: Array, axis: Array, radius: float) -> Mark:
    return Mark(circle(at, axis, radius), JOINT, 1.5)


def _turning(at: Array, axis: Array, radius: float) -> list[Mark]:
    """Three quarters of a circle with a head: the way that counts as forward."""
    points = circle(at, axis, radius, 0.75)
    along = points[-1] - points[-2]
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    out = (points[-1] - at) / radius
    tip, head = points[-1], 0.35 * radius
    strokes = np.array(
        (tip - head * along + 0.6 * head * out, tip, tip - head * along - 0.6 * head * out)
    )
    return [Mark(points, JOINT, 2.0), Mark(strokes, JOINT, 2.0)]


def box_marks(low: Array, high: Array, color: str, width: float = 1.5) -> list[Mark]:
    """The edges of a box."""
    from sandbox.workshop.picking import box_edges

    a, b = box_edges(low, high)
    return [Mark(np.array((p, q)), color, width) for p, q in zip(a, b, strict=True)]
