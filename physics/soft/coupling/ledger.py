"""The ledger of soft bodies and of the rigid ones that they push: together they gain nothing.

A soft body reckons with rigid ones as it predicts them. Where these touch others, the rigid step
may decide otherwise, and every such difference is energy that nobody gave. So all that is coupled
is added up before and after the step, less what air, hands and forces do. What it has above what it
began with is its debt (soft/solve/soft_ledger.py); of a debt above its credit exactly the rest is
taken from the motion, first from that against the common centre.

Conserving elements keep their own energy. They are asked only while bodies touch something, and
LASTING seconds after. Their velocities of half a step ago and those of now tell different energies:
the one is late, the other knows nothing of modes that are too stiff for the step. Gained is what
both have gained.

Rigid bodies on joints get energy from others, which have a ledger of their own
(physics/energy.py): of these only the work counts that soft bodies did on them. What is drained is
taken from all that hangs on them: joints stay as they are when all speeds shrink alike.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from physics.portable import weighted_sum
from physics.soft.coupling.displaced import Displaced
from physics.soft.coupling.rigid_side import RigidSide, falls_in, kinetic_of
from physics.soft.solve.soft_ledger import (
    joined,
    know_stored,
    note_stored,
    share_out,
    two,
    with_height,
    work_from_outside,
)
from physics.state import KEYFRAMED, Floats

if TYPE_CHECKING:
    from physics.soft.soft_item import SoftItem

LASTING = 0.5  # s after the last contact: seams that it left open close in the next steps


@dataclass(eq=False)
class Group:
    """Soft bodies that hang together by contacts or by rigid bodies, and these."""

    items: "list[SoftItem]"
    near: list[int]


def _meeting(groups: list[Group]) -> list[Group]:
    """The same, those that push one body as one."""
    found: list[Group] = []
    for group in groups:
        apart = [one for one in found if not set(one.near) & set(group.near)]
        whole = Group(list(group.items), list(group.near))
        for one in found:
            if one not in apart:
                whole = Group(one.items + whole.items, sorted({*one.near, *whole.near}))
        found = [*apart, whole]
    return found


class CoupledLedger:
    """What the coupled bodies of a world have gained from nothing."""

    def __init__(self) -> None:
        self.left = 0.0  # s for which conserving bodies are still asked
        self._groups: list[Group] = []
        self._rigid: RigidSide | None = None
        self.displaced = Displaced()

    def begin(self, groups: "list[list[SoftItem]]", rigid: RigidSide | None, h: float) -> None:
        """Bodies that are solved with others, before the step."""
        touching = rigid is not None and len(rigid.given) > 0
        self.left = LASTING if touching else max(self.left - h, 0.0)
        self._rigid, self._h = rigid, h
        self._groups = [Group(items, []) for items in groups]
        everyone = [item for items in groups for item in items]
        for item in everyone:
            item.body.drained = 0.0
            if item.body.watched:
                know_stored(item.body, h)
            elif self.left == 0.0:
                item.body.ledger.debt[:] = 0.0
        asked = self.left > 0.0 or any(item.body.watched for item in everyone)
        self._soft = {id(item): _energies(item, h) for item in everyone if asked}
        if rigid is not None:
            self._velocity = rigid.bodies.velocity.copy()
            self._position = rigid.bodies.position.copy()
            self._lag = rigid.bodies.lag.copy()
            self.displaced.begin(rigid.bodies)
        else:
            self.displaced.forget()

    def note_forces(self) -> None:
        """What soft bodies do to rigid ones in this step: reports may say otherwise afterwards."""
        if self._rigid is not None:
            self._force = self._rigid.bodies.soft_force.copy()

    def end(self, gravity: Floats) -> None:
        """Adds up what the step has made, and takes what is too much."""
        if self._rigid is not None:
            self.displaced.end(self._rigid.bodies, self._h)
        for group in self._groups:
            group.near = sorted({b for item in group.items for b in item.pushed})
        for group in _meeting(self._groups):
            watched = [item for item in group.items if item.body.watched]
            for item in watched:
                note_stored(item.body, self._h)
            asked = bool(watched) or (self.left > 0.0 and bool(group.near))
            if asked and self._is_closed(group):
                self._settle(group, gravity)
            elif asked:
                for item in group.items:
                    item.body.ledger.debt[:] = 0.0
        self._groups = []
        if self._rigid is not None:
            self.displaced.keep(self._rigid.bodies)

    def _settle(self, group: Group, gravity: Floats) -> None:
        items, near, h = group.items, group.near, self._h
        free = self._moves_freely(near)
        made = sum((_energies(item, h) - self._soft[id(item)] for item in items), two())
        made = made - sum(work_from_outside(i.body, h) + i.body.firm.paid for i in items)
        if near:
            late = free and not any(item.body.watched for item in items)
            made = made + (self._given_to_free(near, gravity) if late else self._work_on(near))
        moved = near if free or self._rigid is None else self._rigid.joined_to(near)
        moving, centre = self._motion(items, moved, free)
        energy = sum(item.body.kinetic_of_step() + _elastic(item) for item in items)
        if not (np.isfinite(made).all() and np.isfinite(energy)):
            return
        energy += self._rigid_kinetic(near, np.zeros(3)) + sum(i.body.falls(h) for i in items)
        if self._rigid is not None:
            energy += falls_in(h, self._rigid.bodies, near, gravity)
        for item in items:
            item.body.note_loss(float(made.max()))
        ledgers = [item.body.ledger for item in items]
        whole = joined(ledgers)
        excess = whole.enter(made, energy, self._is_smooth(items), h)
        taken = whole.take(excess, float(made.min()), moving, h)
        if taken > 0.0:
            self._drain(items, moved, centre, np.sqrt(1.0 - taken / moving))
            items[0].body.drained = taken
        share_out(whole, ledgers, [item.mass() for item in items])

    def _is_smooth(self, items: "list[SoftItem]") -> bool:
        """Whether nothing touched, and no step was taken by the guard."""
        if self._rigid is not None and len(self._rigid.given) > 0:
            return False
        rows = [item.body.rows for item in items]
        return all(one.count[0] == one.held[0] for one in rows) and not any(
            item.body.guarded for item in items
        )

    def _is_closed(self, group: Group) -> bool:
        """Whether nobody does work that is not known: moving pins, what moves by a program."""
        for item in group.items:
            body, rows = item.body, item.body.rows
            met = rows.body[: rows.count[0]]
            pulled = bool(item.hands) or body.state.force.any() or item.air.wind.any()
            if (pulled and not body.watched) or not body.checkable:
                return False
            if self._rigid is not None and (self._rigid.bodies.kind[met] == KEYFRAMED).any():
                return False
        return True

    def _moves_freely(self, near: list[int]) -> bool:
        """Whether nobody else gives the rigid bodies energy."""
        rigid = self._rigid
        if rigid is None or not rigid.are_free(near):
            return rigid is None
        bodies = rigid.bodies
        nodes = np.array([[2 * b, 2 * b + 1] for b in near], np.int64).reshape(-1)
        contacts, count = rigid.touching, len(rigid.given)
        pairs = np.stack([contacts.body_a[:count], contacts.body_b[:count]], 1)
        ours = np.isin(pairs, near).any(axis=1)
        driven = (bodies.kind[pairs] == KEYFRAMED).any(axis=1) | contacts.belt[:count].any(axis=1)
        return not (bodies.force[nodes].any() or (ours & driven).any())

    def _given_to_free(self, near: list[int], gravity: Floats) -> float:
        """What bodies without joints have more than before, J."""
        assert self._rigid is not None
        bodies, total = self._rigid.bodies, 0.0
        for b in near:
            pull = bodies.gravity_scale[b] * gravity
            for velocity, lag, position, sign in (
                (bodies.velocity, bodies.lag[b], bodies.position, 1.0),
                (self._velocity, self._lag[b], self._position, -1.0),
            ):
                late = float(np.sum(pull * (velocity[2 * b] * lag + 0.5 * lag * lag * pull)))
                fallen = float(np.sum(pull * position[b]))
                total += sign * kinetic_of(bodies, b, velocity[2 * b], velocity[2 * b + 1])
                total += sign * bodies.mass[b] * (late - fallen)
        return total

    def _work_on(self, near: list[int]) -> float:
        """Work that soft bodies did on rigid ones in the step, J."""
        assert self._rigid is not None
        moved = self.displaced
        nodes = np.array([[2 * b, 2 * b + 1] for b in near], np.int64).reshape(-1)
        mean = 0.5 * (moved.before[nodes] + moved.now[nodes])
        return self._h * float(np.sum(self._force[nodes] * mean))

    def _rigid_kinetic(self, near: list[int], centre: Floats) -> float:
        """Against a centre that moves, J."""
        if self._rigid is None:
            return 0.0
        bodies, v = self._rigid.bodies, self._rigid.bodies.velocity
        return sum(kinetic_of(bodies, b, v[2 * b] - centre, v[2 * b + 1]) for b in near)

    def _motion(self, items: "list[SoftItem]", near: list[int], free: bool) -> tuple[float, Floats]:
        """Kinetic energy that can be drained, and how fast what it is measured against moves.

        That is the common centre, unless something holds on to what does not move along.
        """
        anchored = not free or any(
            item.body.state.pinned.any()
            or not np.isin(item.body.rows.body[: item.body.rows.count[0]], near).all()
            for item in items
        )
        centre = np.zeros(3)
        if not anchored:
            mass = sum(float(item.body.model.mass.sum()) for item in items)
            centre = sum((weighted_sum(i.body.model.mass, i.body.v) for i in items), centre)
            if self._rigid is not None:
                bodies = self._rigid.bodies
                mass += sum(float(bodies.mass[b]) for b in near)
                centre = sum((bodies.mass[b] * bodies.velocity[2 * b] for b in near), centre)
            centre = centre / mass
        moving = sum(
            0.5 * float(np.sum(i.body.model.mass[:, None] * (i.body.v - centre) ** 2))
            for i in items
        )
        return moving + self._rigid_kinetic(near, centre), centre

    def _drain(self, items: "list[SoftItem]", near: list[int], c: Floats, share: float) -> None:
        """Leaves that share of all speeds against c. Written: velocities, what is stored then."""
        for item in items:
            state = item.body.state
            state.v[...] = np.where(state.pinned[:, None], state.v, c + share * (state.v - c))
            state.ahead[...] *= share
            if item.body.watched:
                note_stored(item.body, self._h)
        for b in near:
            assert self._rigid is not None
            for velocity in (self._rigid.bodies.velocity, self.displaced.now):
                velocity[2 * b] = c + share * (velocity[2 * b] - c)
                velocity[2 * b + 1] *= share


def _elastic(item: "SoftItem") -> float:
    return item.body.ledger.stored if item.body.watched else item.body.elastic_energy()


def _energies(item: "SoftItem", h: float) -> Floats:
    """By the velocities of now and by those of half a step ago, which gravity brought here, J.

    Where elements do not conserve both are those halfway between the positions.
    """
    body = item.body
    if body.watched:
        return two(body.ledger.stored + with_height(body, body.x - 0.5 * h * body.v, body.v))
    mass = body.model.mass[:, None]
    late = np.where(body.state.pinned[:, None], 0.0, 0.5 * h * body.gravity)
    late = late if body.conserves and not body.starts else np.zeros_like(late)
    kinetic = [0.5 * float(np.sum(mass * v**2)) for v in (body.v + body.state.ahead, body.v + late)]
    return np.array(kinetic) + (body.potential_energy() + body.elastic_energy())
