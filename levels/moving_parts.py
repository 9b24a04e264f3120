"""What of a checked document moves by itself, and which entries are copies, put into the plan."""

from collections.abc import Sequence
from typing import Any

from levels.conversions import body_frame
from levels.frames import IDENTITY, Frame, Quat, add, from_degrees, multiply, rotate
from levels.level_tables import Body
from levels.motion_tables import Motion
from levels.paths import Path, offset_at
from levels.plan import (
    Component,
    Formula,
    Group,
    Plan,
    PlannedMotion,
    PlannedProgram,
    PlannedWind,
)
from levels.source import Keys
from levels.table_checks import Checked
from physics.shapes.base import Shape


def start_of(model: Body, shape: Shape, outer: Frame) -> Frame:
    """Where a body begins: where it is placed, and where its motion begins from there."""
    frame = body_frame(model, shape).within(outer)
    if model.motion is None:
        return frame
    return moved(frame, outer.orientation, *_first(model.motion))


def _first(motion: Motion) -> tuple[Sequence[float], Sequence[float]]:
    if motion.path is not None or motion.turns is not None:
        return offset_at(Path.of(motion), 0.0)
    return motion.position or (0.0, 0.0, 0.0), motion.rotation or (0.0, 0.0, 0.0)


def moved(frame: Frame, axes: Quat, offset: Sequence[float], degrees: Sequence[float]) -> Frame:
    """A frame with an offset, given in `axes`, and turned about its own centre."""
    turn = from_degrees(degrees) if any(degrees) else IDENTITY
    turned = multiply(multiply(axes, turn), _inverse(axes)) if axes != IDENTITY else turn
    return Frame(add(frame.position, rotate(axes, offset)), multiply(turned, frame.orientation))


def _inverse(q: Quat) -> Quat:
    return (q[0], -q[1], -q[2], -q[3])


def add_moving(plan: Plan, checked: Checked, frame: Frame, scope: str) -> None:
    """Motions of bodies, programs of joints, winds."""
    formulas = {
        program.keys: Formula(program.text, program.place, program.constants, scope)
        for program in checked.programs
    }
    for name, body in checked.bodies.items():
        if isinstance(body, Body) and body.motion is not None and scope + name in plan.bodies:
            _add_motion(plan, scope + name, body, frame, formulas, ("bodies", name, "motion"))
    for keys, formula in formulas.items():
        section, own, *inside = keys
        if section == "joints" and f"{scope}{own}" in plan.joints:
            table, key = (str(part) for part in inside)
            plan.programs.append(PlannedProgram(f"{scope}{own}", table, key, formula))
    for name, wind in checked.winds.items():
        plan.winds[scope + name] = PlannedWind(
            scope + name,
            _components(wind.velocity, formulas, ("winds", name, "velocity")),
            frame.orientation,
            checked.document.place("winds", name),
            None if wind.zone is None else scope + wind.zone,
            density=wind.density,
            drag=wind.drag,
        )
    for section in ("props", "cloths"):
        for soft in dict.fromkeys(keys[1] for keys in formulas if keys[0] == section):
            _add_breeze(plan, checked, f"{scope}{soft}", formulas, (section, soft, "wind"))


def _add_motion(
    plan: Plan, name: str, body: Body, outer: Frame, formulas: dict[Keys, Formula], keys: Keys
) -> None:
    motion, shape = body.motion, plan.bodies[name].shape
    frame = body_frame(body, shape).within(outer)
    assert motion is not None
    if motion.path is not None or motion.turns is not None:
        plan.motions[name] = PlannedMotion(name, frame, outer.orientation, table=motion)
        return
    position = _components(motion.position, formulas, (*keys, "position"))
    rotation = _components(motion.rotation, formulas, (*keys, "rotation"))
    plan.motions[name] = PlannedMotion(name, frame, outer.orientation, position, rotation)


def _add_breeze(
    plan: Plan, checked: Checked, name: str, formulas: dict[Keys, Formula], keys: Keys
) -> None:
    """The air around a single cloth."""
    soft = plan.softs.get(name)
    if soft is not None and soft.air is not None:
        velocity = _components(soft.air["wind"], formulas, keys)
        place = checked.document.place(*keys)
        plan.winds[name] = PlannedWind(name, velocity, IDENTITY, place, soft=name)


def _components(values: Any, formulas: dict[Keys, Formula], keys: Keys) -> tuple[Component, ...]:
    given = values if values is not None else (0.0, 0.0, 0.0)
    return tuple(formulas.get((*keys, i), float(value)) for i, value in enumerate(given))


def add_families(plan: Plan, checked: Checked, scope: str) -> None:
    """Copies under the name of the entry they were made from: for functions and actions that take
    many things at once."""
    for (_, base), names in checked.families.items():
        name = scope + base
        family = plan.families.setdefault(name, Group(name, "copies"))
        for own in (scope + copy for copy in names):
            group = plan.groups.get(own)
            if group is not None:
                family.members += group.members
                family.joints += group.joints
            elif plan.movable(own) is not None:
                family.members.append(own)
            elif own in plan.joints:
                family.joints.append(own)
