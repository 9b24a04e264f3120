"""Checks over the whole plan: joints that hold nothing, lengths that do not fit, and warnings where
the chosen stabilization will not hold the masses or stiffnesses asked for.

The limits are measured: a ten-link chain with an end mass, released horizontally (see the design's
tables). They are warnings, because showing a level explode can be the point.
"""

from collections.abc import Iterator

import numpy as np

from levels.assemblies import missing_parts
from levels.plan import Plan, PlannedJoint
from levels.problems import Problem, did_you_mean
from levels.table_checks import Checked
from physics import JOINTS, STABILIZATIONS

NO_AXIS = np.zeros(3)  # lengths are measured without one
_PGS_MASS_RATIO = 20.0  # sweeps over all rows do not converge beyond
_EXPLICIT_STIFFNESS = 4.0  # h²k/m where an untreated stiff spring begins to ring
_LENGTH_TOLERANCE = 0.02  # share of the length a distance joint may be off at the start


def check_plan(plan: Plan, checked: Checked) -> Iterator[Problem]:
    for joint in plan.joints.values():
        yield from _check_joint(plan, joint)
    yield from _mass_ratio(plan, checked)
    yield from _stiffness(plan, checked)
    yield from _carriers(plan, checked)
    yield from _never_touched(plan)
    yield from missing_parts(checked.assemblies, checked.document)


def _never_touched(plan: Plan) -> Iterator[Problem]:
    for body in plan.bodies.values():
        for k, (scope, written) in enumerate(body.never_touches):
            if plan.members(written, scope) is None:
                yield Problem(
                    f'there is no body "{written}"',
                    body.place.child("never_touches", k),
                    did_you_mean(written, plan.known_bodies()),
                )


def _carriers(plan: Plan, checked: Checked) -> Iterator[Problem]:
    """Scenery that rides on a body needs that body."""
    for i, piece in enumerate(checked.look.scenery if checked.look is not None else ()):
        if piece.on is not None and plan.find(piece.on) is None:
            yield Problem(
                f'there is no body "{piece.on}"',
                checked.document.place("look", "scenery", i, "on"),
                did_you_mean(piece.on, plan.known_bodies()),
            )


def _check_joint(plan: Plan, joint: PlannedJoint) -> Iterator[Problem]:
    if plan.is_fixed(joint.a) and plan.is_fixed(joint.b):
        others = f'"{joint.a}"' if joint.b is None else f'"{joint.a}" and "{joint.b}"'
        yield Problem(
            f"the joint holds nothing: {others} never move{'s' if joint.b is None else ''}",
            joint.place.child("bodies"),
            severity="warning",
        )
    yield from _check_length(plan, joint)


def _check_length(plan: Plan, joint: PlannedJoint) -> Iterator[Problem]:
    """A distance joint or rope over pulleys that starts far from its length would snap."""
    kind, wanted = JOINTS[joint.kind], joint.parameters.get("length")
    if not kind.inextensible or kind.coordinate is None or wanted is None:
        return
    first = joint.at_a or plan.center(joint.a)
    second = joint.at_b or (plan.center(joint.b) if joint.b else first)
    a, b = np.array(first), np.array(second)
    actual = kind.coordinate(a, b, NO_AXIS, kind.check(joint.parameters))
    slack = joint.parameters.get("slack", kind.parameters["slack"].default)
    slack_allowed = bool(slack) and actual < wanted
    if abs(actual - wanted) > _LENGTH_TOLERANCE * max(wanted, 1e-3) and not slack_allowed:
        yield Problem(
            f"{kind.way.format(actual)}, but the length is {wanted:.4g} m",
            joint.place.child("length"),
            "leave length out to take the distance as it is",
        )


def _mass_ratio(plan: Plan, checked: Checked) -> Iterator[Problem]:
    settings = checked.simulation
    limit = (
        _PGS_MASS_RATIO
        if settings.solver == "pgs"
        else STABILIZATIONS[settings.stabilization].mass_ratio
    )
    for names in _components(plan):
        masses = {n: m for n in names if (m := plan.mass_of(n)) is not None}
        if not masses:
            continue
        heavy, light = max(masses, key=masses.__getitem__), min(masses, key=masses.__getitem__)
        ratio = masses[heavy] / masses[light]
        if ratio > limit:
            chosen = "solver pgs" if settings.solver == "pgs" else f'"{settings.stabilization}"'
            item = plan.movable(heavy)
            yield Problem(
                f'"{heavy}" is {ratio:.3g} times heavier than "{light}" which it hangs on; '
                f"{chosen} holds about {limit:g}",
                item.place.key() if item else None,
                'stabilization = "adaptive" holds more' if limit < 1e7 else "",
                severity="warning",
            )


def _stiffness(plan: Plan, checked: Checked) -> Iterator[Problem]:
    settings = checked.simulation
    if settings.stabilization != "none" and settings.solver != "pgs":
        return
    h = 1 / settings.rate
    for joint in plan.joints.values():
        k = joint.parameters.get("stiffness")
        masses = [m for n in (joint.a, joint.b) if n and (m := plan.mass_of(n)) is not None]
        if not isinstance(k, int | float) or not masses:
            continue
        number = h * h * k / min(masses)
        if number > _EXPLICIT_STIFFNESS:
            yield Problem(
                f"h²k/m is {number:.3g} here; above {_EXPLICIT_STIFFNESS:g} it rings without help",
                joint.place.child("stiffness"),
                'stabilization = "adaptive", or a higher rate',
                severity="warning",
            )


def _components(plan: Plan) -> list[list[str]]:
    """Movable things that hang together through joints; fixed ones separate them."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for joint in plan.joints.values():
        ends = [n for n in (joint.a, joint.b) if n is not None and not plan.is_fixed(n)]
        for end in ends[1:]:
            parent[root(ends[0])] = root(end)
    groups: dict[str, list[str]] = {}
    for name in list(parent):
        groups.setdefault(root(name), []).append(name)
    return list(groups.values())
