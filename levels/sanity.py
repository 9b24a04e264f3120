"""What an author probably did not mean, as warnings: degrees for radians, motors without bound,
bodies above nothing, solids one cell thick; and what the rate of steps can resolve."""

import math
from collections.abc import Iterator

import numpy as np

from levels.plan import Plan, PlannedBody, PlannedJoint
from levels.problems import Problem
from levels.table_checks import Checked
from physics import JOINTS

STEPS_PER_PERIOD = 10  # fewer than that, and a vibration is damped or distorted by the steps
_IN_PLANE = 1e-6  # m
_LOOKED_AT = 300  # bodies of which it is asked whether they fall for ever


def sanity_warnings(plan: Plan, checked: Checked) -> Iterator[Problem]:
    for joint in plan.joints.values():
        yield from _limits(joint)
        yield from _motor(plan, joint)
    yield from _thin_solids(plan, checked)
    yield from _above_nothing(plan, checked)
    yield from _behind(plan, checked)


def _behind(plan: Plan, checked: Checked) -> Iterator[Problem]:
    """A flat level is its plane: what moves elsewhere meets nothing of it."""
    for body in plan.bodies.values() if checked.header.dimension == 2 else ():
        depth = body.frame.position[2]
        if abs(depth) > _IN_PLANE and not plan.is_fixed(body.name):
            side = "in front of" if depth > 0 else "behind"
            yield Problem(
                f'"{body.name}" lies {abs(depth):g} m {side} the plane of the level: it may meet '
                "nothing there",
                body.place.child("position"),
                "leave out the third number",
                severity="warning",
            )


def _turns(joint: PlannedJoint) -> bool:
    return JOINTS[joint.kind].coordinate is None


def _limits(joint: PlannedJoint) -> Iterator[Problem]:
    for key in ("limits", "twist_limits", "swing_limit"):
        value = joint.parameters.get(key)
        if value is None or (key == "limits" and not _turns(joint)):
            continue
        widest = max(abs(float(v)) for v in (value if isinstance(value, tuple) else (value,)))
        if widest > 2 * math.pi and joint.parameters.get("pitch") is None:
            yield Problem(
                f"{key} of {widest:g} rad is more than a whole turn",
                joint.place.child(key),
                f'angles are in radians: "=radians({widest:g})"?',
                severity="warning",
            )


def _motor(plan: Plan, joint: PlannedJoint) -> Iterator[Problem]:
    motor = joint.parameters.get("motor")
    if not isinstance(motor, dict) or motor.get("max_force") is not None:
        return
    driven = any(joint.name in drive.joints for drive in plan.drives)
    programmed = any(program.joint == joint.name for program in plan.programs)
    if motor.get("speed") or driven or programmed:
        yield Problem(
            "the motor may use any force at all: nothing can hold it",
            joint.place.child("motor"),
            "say max_force = … (N or N m)",
            severity="warning",
        )


def _thin_solids(plan: Plan, checked: Checked) -> Iterator[Problem]:
    for name, model in checked.props.items():
        cells = getattr(model, "cells", None)
        if cells is None or getattr(model, "size", None) is None:
            continue  # a ball or a mesh
        used = list(cells)[: checked.header.dimension]
        if min(used) < 2 < max(used):
            yield Problem(
                f"the solid is one cell thick ({' x '.join(str(c) for c in used)}): it bends too "
                "stiffly",
                checked.document.place("props", name, "cells"),
                "use at least two cells across",
                severity="warning",
            )


# --- bodies above nothing -----------------------------------------------------------------------


def _above_nothing(plan: Plan, checked: Checked) -> Iterator[Problem]:
    """A body that is not held, under gravity, with nothing below it: it falls for ever."""
    gravity = checked.simulation.gravity
    there = {name: body for name, body in plan.bodies.items() if name not in plan.removed}
    radii = np.array([_radius(body) for body in there.values()])
    straight_down = gravity[1] < 0 and gravity[0] == gravity[2] == 0
    # a plane is below everything; nets, cloths and wind catch things, too
    if not straight_down or not np.isfinite(radii).all() or plan.softs or plan.winds:
        return
    held = _held(plan)
    middles = np.array([body.frame.position for body in there.values()]).reshape(-1, 3)
    low, high = middles - radii[:, None], middles + radii[:, None]
    free = [
        (i, body)
        for i, (name, body) in enumerate(there.items())
        if name not in held and not plan.is_fixed(name) and not any(body.frame.velocity)
    ]
    for i, body in free[:_LOOKED_AT]:
        aside = (low[:, (0, 2)] > high[i, (0, 2)]) | (high[:, (0, 2)] < low[i, (0, 2)])
        below = ~aside.any(axis=1) & (low[:, 1] < high[i, 1])
        below[i] = False
        if not below.any():
            yield Problem(
                f'nothing is below "{body.name}", and nothing holds it: it falls for ever',
                body.place.key(),
                'add a ground: [bodies.ground] with shape = "plane"',
                severity="warning",
            )
            return  # one is enough: the others fall with it


def _radius(body: PlannedBody) -> float:
    """Of the ball around its shape, m; infinite for a plane."""
    return float(getattr(body.shape, "bounding_radius", math.inf))


def _held(plan: Plan) -> set[str]:
    """Everything that hangs, through joints, on the world or on what never moves."""
    neighbours: dict[str, list[str]] = {}
    held: list[str] = []
    for joint in plan.joints.values():
        by_world = bool(JOINTS[joint.kind].over)  # a rope over wheels that stand still
        for own, other in ((joint.a, joint.b), (joint.b, joint.a)):
            if own is None:
                continue
            if by_world or plan.is_fixed(other):
                held.append(own)
            else:
                assert other is not None
                neighbours.setdefault(own, []).append(other)
    found: set[str] = set()
    while held:
        name = held.pop()
        if name not in found:
            found.add(name)
            held += neighbours.get(name, [])
    return found


# --- what the rate can resolve --------------------------------------------------------------------


def _springs(plan: Plan) -> Iterator[tuple[PlannedJoint, float]]:
    """Every spring with its frequency on the masses it joins, Hz."""
    for joint in plan.joints.values():
        k = joint.parameters.get("stiffness")
        if not isinstance(k, int | float) or k <= 0 or _turns(joint):
            continue
        inverse = sum(1 / m for m in map(plan.mass_of, (joint.a, joint.b)) if m is not None)
        if inverse > 0:
            yield joint, math.sqrt(k * inverse) / math.tau


def fastest_spring(plan: Plan) -> tuple[PlannedJoint, float] | None:
    return max(_springs(plan), key=lambda found: found[1], default=None)


def resolution(plan: Plan, rate: float) -> str:
    """What the chosen rate can resolve, in a sentence."""
    most = rate / STEPS_PER_PERIOD
    text = f"{rate:g} steps per second follow vibrations up to {most:.3g} Hz"
    found = fastest_spring(plan)
    if found is None:
        return text
    fate = "is damped" if found[1] > most else "is followed"
    return f'{text}; the spring "{found[0].name}", {found[1]:.3g} Hz, {fate}'
