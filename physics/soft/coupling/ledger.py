"""The ledger of soft bodies and of the rigid ones that they push: together they gain nothing.

A soft body reckons with rigid ones as it predicts them. Where these touch others, the rigid step
may decide otherwise, and every such difference is energy that nobody gave. So while they touch
something, and LASTING seconds after, all that is coupled is added up before and after the step.
What it has above what it had at its lowest is its debt; of a debt above SHARE of the energy at hand
the rest is taken from the motion, first from that against the common centre.

Soft velocities of half a step ago and those of now tell different energies: the one is late, the
other knows nothing of modes that are too stiff for the step. Gained is what both have gained.

Rigid bodies on joints get energy from others, which have a ledger of their own
(physics/energy.py): of these only the work counts that soft bodies did on them.
"""

from typing import TYPE_CHECKING

import numpy as np

from physics.portable import transform
from physics.snapshot import Saved
from physics.soft.coupling.rigid_side import RigidSide
from physics.state import DEAD, KEYFRAMED, Bodies, Floats

if TYPE_CHECKING:
    from physics.soft.soft_item import SoftItem

SHARE = 0.005  # of the kinetic and elastic energy at hand: what a step may be off
LASTING = 0.5  # s after the last contact: seams that it left open close in the next steps


class CoupledLedger:
    """What the coupled bodies of a world have gained from nothing."""

    def __init__(self) -> None:
        self.debt = np.zeros(2)  # J, by the velocities of now and by those of half a step ago
        self.left = 0.0  # s for which it is still kept
        self.drained = 0.0  # J taken in the last step
        self._open = False

    def begin(self, items: "list[SoftItem]", rigid: RigidSide | None, h: float) -> None:
        """The coupled bodies before the step."""
        touching = rigid is not None and len(rigid.given) > 0
        self.left = LASTING if touching else max(self.left - h, 0.0)
        self.drained, self._open = 0.0, rigid is not None and self.left > 0.0
        if self.left == 0.0:
            self.debt[:] = 0.0
        if not self._open or rigid is None:
            return
        self._rigid, self._h = rigid, h
        self._velocity = rigid.bodies.velocity.copy()
        self._position = rigid.bodies.position.copy()
        self._lag = rigid.bodies.lag.copy()
        self._soft = {id(item): _energies(item, h) for item in items}

    def end(self, items: "list[SoftItem]", gravity: Floats) -> None:
        """Adds up what the step has made, and takes what is too much."""
        if not self._open:
            return
        self._open = False
        near = sorted({b for item in items for b in item.pushed})
        coupled = [item for item in items if item.pushed]
        if not coupled or not self._is_closed(coupled, near):
            return
        bodies, free = self._rigid.bodies, self._are_free(near)
        made = sum((_energies(item, self._h) - self._soft[id(item)] for item in coupled), 0.0)
        made = made + (self._given_to_free(near, gravity) if free else self._work_on(near))
        rigid = [_kinetic(bodies, b, bodies.velocity) for b in near] if free else []
        kinetic = sum(_moving(item) for item in coupled) + sum(rigid)
        elastic = sum(item.body.elastic_energy() for item in coupled)
        if not np.isfinite(made).all():
            return
        self.debt = np.maximum(self.debt + made, 0.0)
        excess = min(float(self.debt.min()) - SHARE * (kinetic + elastic), kinetic)
        if excess > 0.0:
            self._drain(coupled, near if free else [], excess)
            self.debt -= excess
            self.drained = excess

    def _is_closed(self, items: "list[SoftItem]", near: list[int]) -> bool:
        """Whether nobody else does work: hands, winds, moving pins, what moves by a program."""
        bodies = self._rigid.bodies
        for item in items:
            body, rows = item.body, item.body.rows
            met = rows.body[: rows.count[0]]
            pulled = bool(item.hands) or body.state.force.any() or item.air.wind.any()
            if pulled or not body.checkable or (bodies.kind[met] == KEYFRAMED).any():
                return False
        nodes = np.array([[2 * b, 2 * b + 1] for b in near]).reshape(-1)
        contacts, count = self._rigid.touching, len(self._rigid.given)
        pairs = np.stack([contacts.body_a[:count], contacts.body_b[:count]], 1)
        ours = np.isin(pairs, near).any(axis=1)
        driven = (bodies.kind[pairs] == KEYFRAMED).any(axis=1) | contacts.belt[:count].any(axis=1)
        return not (bodies.force[nodes].any() or (ours & driven).any())

    def _are_free(self, near: list[int]) -> bool:
        """Whether no joint and no body beyond these gives them energy."""
        elements = self._rigid.stepper.elements
        live = elements.body[elements.role != DEAD]
        contacts, count = self._rigid.touching, len(self._rigid.given)
        pairs = np.stack([contacts.body_a[:count], contacts.body_b[:count]], 1)
        pairs = pairs[np.isin(pairs, near).any(axis=1)]
        moves = self._rigid.bodies.solved[2 * pairs].astype(bool)
        return not np.isin(near, live).any() and bool(np.isin(pairs[moves], near).all())

    def _given_to_free(self, near: list[int], gravity: Floats) -> float:
        """What bodies without joints have more than before, J."""
        bodies, total = self._rigid.bodies, 0.0
        for b in near:
            pull = bodies.gravity_scale[b] * gravity
            for velocity, lag, position, sign in (
                (bodies.velocity, bodies.lag[b], bodies.position, 1.0),
                (self._velocity, self._lag[b], self._position, -1.0),
            ):
                late = float(np.sum(pull * (velocity[2 * b] * lag + 0.5 * lag * lag * pull)))
                fallen = float(np.sum(pull * position[b]))
                total += sign * _kinetic(bodies, b, velocity)
                total += sign * bodies.mass[b] * (late - fallen)
        return total

    def _work_on(self, near: list[int]) -> float:
        """Work that soft bodies did on rigid ones in the step, J."""
        bodies = self._rigid.bodies
        total = 0.0
        for b in near:
            nodes = slice(2 * b, 2 * b + 2)
            mean = 0.5 * (self._velocity[nodes] + bodies.velocity[nodes])
            total += float(bodies.kick[b] * np.sum(bodies.soft_force[nodes] * mean))
        return total

    def _drain(self, items: "list[SoftItem]", near: list[int], excess: float) -> None:
        """Takes so much energy from the motion. Written: velocities."""
        bodies = self._rigid.bodies
        mass = sum(item.mass() for item in items) + sum(float(bodies.mass[b]) for b in near)
        momentum = sum(np.sum(i.body.model.mass[:, None] * i.body.v, axis=0) for i in items)
        momentum = momentum + sum((bodies.mass[b] * bodies.velocity[2 * b] for b in near), 0.0)
        centre = momentum / mass
        kinetic = sum(_moving(item) for item in items)
        kinetic += sum(_kinetic(bodies, b, bodies.velocity) for b in near)
        inner = kinetic - 0.5 * mass * float(np.sum(centre**2))
        if inner < excess:  # all of it, and the rest from where they go together
            centre, inner = np.zeros(3), kinetic
        share = np.sqrt(max(1.0 - excess / inner, 0.0))
        for item in items:
            state = item.body.state
            state.v[...] = np.where(
                state.pinned[:, None], state.v, centre + share * (state.v - centre)
            )
            state.ahead[...] *= share
        for b in near:
            bodies.velocity[2 * b] = centre + share * (bodies.velocity[2 * b] - centre)
            bodies.velocity[2 * b + 1] *= share

    def save(self) -> Saved:
        return {"debt": self.debt.copy(), "left": self.left}

    def restore(self, saved: Saved) -> None:
        self.debt, self.left = saved["debt"].copy(), saved["left"]


def _energies(item: "SoftItem", h: float) -> Floats:
    """By the velocities of now and by those of half a step ago, which gravity brought here, J."""
    body = item.body
    mass = body.model.mass[:, None]
    late = np.where(body.state.pinned[:, None], 0.0, 0.5 * h * body.gravity)
    late = late if body.conserves and not body.starts else np.zeros_like(late)
    kinetic = [0.5 * float(np.sum(mass * v**2)) for v in (body.v + body.state.ahead, body.v + late)]
    return np.array(kinetic) + (body.potential_energy() + body.elastic_energy())


def _moving(item: "SoftItem") -> float:
    """½ m v² of the velocities that the next step begins with, J."""
    return 0.5 * float(np.sum(item.body.model.mass[:, None] * item.body.v**2))


def _kinetic(bodies: Bodies, b: int, velocity: Floats) -> float:
    """½ m v² + ½ ωᵀ R I Rᵀ ω"""
    turn = transform(bodies.rotation[b].T, velocity[2 * b + 1])
    spin = float(np.sum(turn * np.sum(bodies.inertia[b] * turn, axis=1)))
    return 0.5 * (float(bodies.mass[b]) * float(np.sum(velocity[2 * b] ** 2)) + spin)
