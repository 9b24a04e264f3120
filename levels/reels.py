"""Winding a rope or cable: whole pieces disappear on the drum and come off it again.

Between the drum and the first piece is a distance joint, whose length a winch changes a little
every step. When that piece of rope has become short, the first link (or particle) is taken out of
the world and the joint holds the next one; when it has become long, a new link is put in, moving
with the rope as it passes. So the rope keeps its mass per metre and its bends, and as much as one
likes can be wound.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from levels.build import add_planned_body, add_planned_joint, add_planned_particle
from levels.frames import Frame, Vec, along, vec
from levels.name_table import NameTable
from levels.plan import Drive, Group, Plan, PlannedBody, PlannedJoint, Reel
from physics import Handle, World
from physics.portable import norm
from physics.snapshot import Saved

Point = npt.NDArray[np.float64]

# In pieces of rope. After either change the free length is well away from both. A free length much
# shorter than a link makes a sharp bend whenever the drum moves sideways; tried on the crane with
# random keys at 1, 15 and 100 t: 35 guarded steps with 0.2 and 1.4, 4 with 0.8 and 2.0.
_TAKES_IN_BELOW = 0.8
_PAYS_OUT_ABOVE = 2.0
_SHORTEST = 1e-3  # m of rope between the drum and the first piece

_ACCELERATION = 4.0  # m/s² of the drum: below gravity, so a load let down keeps its rope taut


def next_speed(now: float, wanted: float, to_low: float, to_high: float, h: float) -> float:
    """m/s of rope let off in the coming step of h seconds, with those metres left either way."""
    change = _ACCELERATION * h
    speed = min(max(wanted, now - change), now + change)
    # from v one stops within v²/2a; a step less, because this step is taken whole
    room = max((to_high if speed > 0 else to_low) - abs(speed) * h, 0.0)
    fastest = math.sqrt(2 * _ACCELERATION * room) + change / 2
    return math.copysign(min(abs(speed), fastest), speed)


class Reels:
    """Which piece of each wound rope is at its drum now, and the winding itself."""

    def __init__(self, names: NameTable) -> None:
        self._names = names
        self.first: dict[str, int] = {}  # group → number of the piece; not there: as it began

    def save(self) -> Saved:
        return {"reels": dict(self.first)}

    def restore(self, saved: Saved) -> None:
        self.first = dict(saved["reels"])

    def _first(self, reel: Reel) -> int:
        return self.first.get(reel.group, reel.first)

    def wind(self, drive: Drive, by: float) -> bool:
        """Let `by` more metres of rope off the drum; a negative number winds in.

        Returns whether a piece has come or gone. A rope that hangs in a bend is then measured anew.
        """
        names = self._names
        reel = drive.reel
        if reel is None or reel.drum not in names.joints:
            return False  # cut or broken at the drum
        before = names.plan
        length = float(names.world.joint(names.joints[reel.drum]).parameters["length"]) + by
        shortest = _SHORTEST
        if _name(reel, self._first(reel)) in names.handles:
            shortest = _TAKES_IN_BELOW * reel.pitch
            if length < shortest and self._can_take_in(reel):
                length = self._take_in(reel) + by
            elif length > _PAYS_OUT_ABOVE * reel.pitch:
                length = self._pay_out(reel) + by
        names.world.set_joint(names.joints[reel.drum], length=max(length, shortest))
        return names.plan is not before

    def wind_like(self, other: Reels) -> None:
        """Bring every rope to the piece that it is wound to there."""
        for drive in self._names.plan.drives:
            if drive.name in other.first:
                self._wind_to(drive, other.first[drive.name])

    def _wind_to(self, drive: Drive, first: int) -> None:
        """Take in or pay out pieces until `first` is the one at the drum, wherever they are."""
        names = self._names
        reel = drive.reel
        if reel is None:
            return
        while self._first(reel) < first and self._can_take_in(reel):
            self._take_in(reel)
        while self._first(reel) > first and reel.drum in names.joints:
            self._pay_out(reel)

    def _can_take_in(self, reel: Reel) -> bool:
        """Not the last piece, and not past a cut."""
        names = self._names
        first = self._first(reel)
        whole = all(joint in names.joints for joint in (reel.drum, _seam(reel, first)))
        return whole and _name(reel, first + 1) in names.handles

    def _take_in(self, reel: Reel) -> float:
        """Remove the first piece; returns the free length to the next one, m."""
        names = self._names
        first = self._first(reel)
        old, new = _name(reel, first), _name(reel, first + 1)
        body, drum, _ = self._ends(reel, names.handles[old])
        seam = names.world.joint(names.joints[_seam(reel, first)])
        point = seam.anchor_b if seam.b == names.handles[new] else seam.anchor_a
        names.remove_body(old)
        plan = _without(names.plan, reel, old, _seam(reel, first))
        self.first[reel.group] = first + 1
        return self._tie(reel, plan, body, drum, new, point)

    def _pay_out(self, reel: Reel) -> float:
        """Put a new first piece in; returns the free length that is left, m."""
        names = self._names
        first = self._first(reel)
        near, new = _name(reel, first), _name(reel, first - 1)
        body, drum, point = self._ends(reel, names.handles[near])
        gap = drum - point
        free = float(norm(gap))
        up = gap / free if free > _SHORTEST else np.array([0.0, 1.0, 0.0])
        end = point + reel.pitch * up
        below = _velocity(names.world, names.handles[near], point)
        # the rope between first piece and drum moves like a straight line between its two ends
        gained = (_velocity(names.world, body, drum) - below) * (reel.pitch / max(free, reel.pitch))
        names.world.remove(names.joints.pop(reel.drum))
        plan = names.plan.copy()
        template = plan.movable(near)
        if isinstance(template, PlannedBody):
            frame = Frame(
                vec(point + 0.5 * reel.pitch * up),
                along(vec(-up)),
                vec(below + 0.5 * gained),
                vec(np.cross(up, gained) / reel.pitch),
            )
            plan.bodies[new] = replace(template, name=new, frame=frame)
            add_planned_body(names, plan.bodies[new])
        elif template is not None:
            place, speed = vec(end), vec(below + gained)
            plan.particles[new] = replace(template, name=new, position=place, velocity=speed)
            add_planned_particle(names, plan.particles[new])
        joint = self._seam_joint(reel, first - 1, vec(point), vec(-up))
        plan.joints[joint.name] = joint
        add_planned_joint(names, joint)
        plan.groups[reel.group] = _grown(plan.groups[reel.group], new, near, joint.name)
        self.first[reel.group] = first - 1
        return self._tie(reel, plan, body, drum, new, end)

    def _ends(self, reel: Reel, piece: Handle) -> tuple[Handle | None, Point, Point]:
        """What carries the drum, where the drum is, and where the first piece is held."""
        names = self._names
        info = names.world.joint(names.joints[reel.drum])
        if info.a == piece:
            return info.b, info.anchor_b, info.anchor_a
        return info.a, info.anchor_a, info.anchor_b

    def _tie(
        self,
        reel: Reel,
        plan: Plan,
        body: Handle | None,
        drum: Point,
        piece: str,
        point: Point,
    ) -> float:
        """Hold the piece at the drum; the plan then says what the world is made of."""
        names = self._names
        length = max(float(norm(drum - point)), _SHORTEST)
        carrier = names.world.name(body) if body is not None else None
        ends = (piece, None, point, drum) if carrier is None else (carrier, piece, drum, point)
        old = plan.joints[reel.drum]
        plan.joints[reel.drum] = replace(
            old,
            a=str(ends[0]),
            b=ends[1],
            at_a=vec(ends[2]),
            at_b=vec(ends[3]),
            parameters={**old.parameters, "length": length},
        )
        add_planned_joint(names, plan.joints[reel.drum])
        names.set_plan(plan)
        return length

    def _seam_joint(self, reel: Reel, i: int, at: Vec, axis: Vec) -> PlannedJoint:
        """Like the others of the rope; a rope of one piece has none to copy."""
        names = self._names
        a, b, name = _name(reel, i), _name(reel, i + 1), _seam(reel, i)
        first = names.first_plan
        other = first.joints.get(_seam(reel, reel.first))
        drum = first.joints[reel.drum]
        if other is not None and other.at is None:  # particles: a distance joint
            parameters = {**other.parameters, "length": reel.pitch}
            return replace(other, name=name, a=a, b=b, at_a=None, at_b=None, parameters=parameters)
        if other is not None:
            turn = None if other.axis is None else axis
            return replace(other, name=name, a=a, b=b, at=at, axis=turn)
        if _name(reel, reel.first) in first.particles:
            parameters = {**drum.parameters, "length": reel.pitch}
            return replace(drum, name=name, a=a, b=b, at_a=None, at_b=None, parameters=parameters)
        kept = {key: drum.parameters[key] for key in ("breaks_at",) if key in drum.parameters}
        return PlannedJoint(name, "ball", a, b, drum.place, at=at, parameters=kept, look=drum.look)


def _name(reel: Reel, i: int) -> str:
    return f"{reel.group}.{i}"


def _seam(reel: Reel, i: int) -> str:
    return f"{reel.group}.{reel.seam}{i}"


def _velocity(world: World, handle: Handle | None, point: Point) -> Point:
    """Of a point that moves with a body, m/s."""
    if handle is None:
        return np.zeros(3)
    velocity = world.velocity(handle)
    if world.is_particle(handle):
        return velocity
    return velocity + np.cross(world.angular_velocity(handle), point - world.position(handle))


def _without(plan: Plan, reel: Reel, piece: str, seam: str) -> Plan:
    changed = plan.copy()
    changed.bodies.pop(piece, None)
    changed.particles.pop(piece, None)
    changed.joints.pop(seam, None)
    group = changed.groups[reel.group]
    changed.groups[reel.group] = replace(
        group,
        members=[name for name in group.members if name != piece],
        joints=[name for name in group.joints if name != seam],
        lines=[[name for name in line if name != piece] for line in group.lines],
    )
    return changed


def _grown(group: Group, new: str, before: str, seam: str) -> Group:
    def inserted(names: list[str]) -> list[str]:
        at = names.index(before) if before in names else len(names)
        return [*names[:at], new, *names[at:]]

    return replace(
        group,
        members=inserted(group.members),
        joints=[*group.joints, seam],
        lines=[inserted(line) for line in group.lines],
    )
