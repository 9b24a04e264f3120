"""What a soft step must know of the rigid bodies: where they would go, and how they give way.

Both come from the exact system of the joints: the velocity without the soft body (with the
contacts and limits pushing as in the last step, so that loads are passed on), and the response of
the touched bodies to impulses, with every joint holding.
"""

import numpy as np
from numpy.typing import NDArray

from physics.constraints.limits import collect
from physics.contact.contact_rows import add_impulses
from physics.islands.lists import enter_whole
from physics.portable import inverse, matmul, norm, transform
from physics.schemes.adaptive import begin_step, carry_momentum
from physics.schemes.velocity_solve import solve_impulses
from physics.soft.coupling.resting import contact_impulses
from physics.soft.coupling.rigid_response import (
    add_inertia,
    hold_limits,
    hold_ropes,
    joined_compliance,
    place,
)
from physics.stabilization import ADAPTIVE
from physics.state import DEAD, DYNAMIC, PGS, Bodies, Floats, Ints, Settings
from physics.step_context import StepContext


def kinetic_of(bodies: Bodies, b: int, velocity: Floats, spin: Floats) -> float:
    """½ m v² + ½ ωᵀ R I Rᵀ ω"""
    turn = transform(bodies.rotation[b].T, spin)
    turning = float(np.sum(turn * np.sum(bodies.inertia[b] * turn, axis=1)))
    return 0.5 * (float(bodies.mass[b]) * float(np.sum(velocity**2)) + turning)


def falls_in(h: float, bodies: Bodies, slots: list[int], gravity: Floats) -> float:
    """Energy that falling for h gives them, J."""
    pull = (h * float(norm(gravity))) ** 2
    return sum(float(bodies.mass[b] * bodies.gravity_scale[b] ** 2) for b in slots) * pull


class RigidSide:
    """Prediction and response of the rigid bodies for one step."""

    def __init__(self, stepper: StepContext, settings: Settings, met: Ints) -> None:
        self.stepper = stepper
        self.bodies = stepper.bodies
        self.joined = settings.solver != PGS
        self._motion = stepper.bodies.velocity.copy()
        self.touching = stepper.contacts.rows  # contacts of rigid bodies with each other
        self.given = np.zeros((0, 3))  # N s in a step: what they give their first bodies
        self.decided: set[int] = set()  # bodies that were solved with all that they touch
        self._start = stepper.bodies.position.copy(), stepper.bodies.orientation.copy()
        if self.joined:
            self._predict_joined(settings, met)
        else:
            self._predict_free(settings)

    def _predict_joined(self, settings: Settings, met: Ints) -> None:
        stepper, h = self.stepper, settings.h
        scene, system, contacts = stepper.scene, stepper.system, stepper.contacts
        leapfrog = settings.stabilization == ADAPTIVE
        begin_step(scene, h, leapfrog, False)
        if leapfrog:  # shorter substeps add less inertia: what is met gives way as it will
            add_inertia(scene, self._substep(met, h))
        carry_momentum(scene, settings.gravity, h, leapfrog, True)
        collect(scene, h)
        hold_limits(scene)
        hold_ropes(scene)
        touching = int(contacts.rows.count[0]) if stepper.may_touch else 0
        # contacts keep the impulses of a whole step; here they act for a kick
        share = float(self.bodies.kick.max(initial=0.0)) / h
        add_impulses(stepper.arrays.system_ref, contacts.ref, share, system.momentum)
        self.given = contact_impulses(contacts.rows, touching)
        known = int(contacts.rows.count[0])
        contacts.rows.count[0] = 0
        enter_whole(scene)  # solved once more they would push twice, and forget what they gave
        solve_impulses(scene, h)
        contacts.rows.count[0] = known
        enter_whole(scene)
        solved = np.flatnonzero(system.position_of >= 0)
        self._motion[solved] = system.x[system.position_of[solved]]

    def _substep(self, met: Ints, h: float) -> float:
        """The shortest substep that one of these bodies has just taken, s."""
        lag = self.bodies.lag[met]
        return min(h, 2.0 * float(lag[lag > 0.0].min(initial=h)))

    def _predict_free(self, settings: Settings) -> None:
        bodies, h = self.bodies, settings.h
        bodies.kick[:] = h
        for b in np.flatnonzero(bodies.solved[::2]):
            push = bodies.force[2 * b] / bodies.mass[b]
            push += settings.gravity * bodies.gravity_scale[b]
            self._motion[2 * b] += h * push * bodies.free[2 * b]

    def motion(self, slots: list[int]) -> Floats:
        """(6k,) velocity and spin each body would have without the soft body."""
        nodes = np.array([[2 * b, 2 * b + 1] for b in slots], np.int64).reshape(-1)
        return self._motion[nodes].reshape(-1)

    def push(self, slots: list[int], motion: Floats) -> None:
        """The next soft body meets the bodies as this one leaves them."""
        for k, b in enumerate(slots):
            self._motion[2 * b] = motion[6 * k : 6 * k + 3]
            self._motion[2 * b + 1] = motion[6 * k + 3 : 6 * k + 6]

    def place(self, h: float) -> None:
        """Bodies that were solved with all that they touch go where that solve has them.

        The rigid step knows what soft bodies gave them, but not how these would have given way had
        it decided otherwise: a millimetre beside a seam of a stiff body is more energy than all
        that moves. What bounces or rolls off is left to it.
        """
        slots = np.array(sorted(self.decided), np.int64)
        if len(slots) and self.is_closed(slots) and np.isfinite(self._motion).all():
            place(self.stepper.arrays.bodies, slots, *self._start, self._motion, h)

    def is_closed(self, slots: Ints) -> bool:
        """Whether no joint and no other body has to do with these, and nothing bounces or rolls."""
        elements, rows = self.stepper.elements, self.touching
        count = len(self.given)
        pairs = np.stack([rows.body_a[:count], rows.body_b[:count]], 1)
        ours = np.isin(pairs, slots).any(axis=1)
        pairs = pairs[ours]
        beyond = self.bodies.solved[2 * pairs].astype(bool) & ~np.isin(pairs, slots)
        special = (rows.restitution[:count] > 0.0) | (rows.rolling[:count] > 0.0)
        special |= rows.belt[:count].any(axis=1)
        joined = np.isin(slots, elements.body[elements.role != DEAD]).any()
        return not (joined or beyond.any() or special[ours].any())

    def are_free(self, slots: list[int]) -> bool:
        """Whether no joint and no body beyond these gives them energy."""
        contacts, count = self.touching, len(self.given)
        pairs = np.stack([contacts.body_a[:count], contacts.body_b[:count]], 1)
        pairs = pairs[np.isin(pairs, slots).any(axis=1)]
        moves = self.bodies.solved[2 * pairs].astype(bool)
        return not self.on_joints()[slots].any() and bool(np.isin(pairs[moves], slots).all())

    def on_joints(self) -> NDArray[np.bool_]:
        """Which slots hold movable bodies with a joint, a rope or a spring."""
        found = np.zeros(len(self.bodies.kind), bool)
        found[self.stepper.elements.body[self.stepper.elements.role != DEAD]] = True
        return found & (self.bodies.kind >= DYNAMIC)

    def joined_to(self, slots: list[int]) -> list[int]:
        """These and all that hangs on them by joints."""
        elements, moves = self.stepper.elements, self.bodies.solved[::2].astype(bool)
        pairs = elements.body[elements.role != DEAD]
        pairs = pairs[moves[pairs].all(axis=1)]
        found = np.zeros(len(moves), bool)
        found[slots] = True
        before = -1
        while before < (before := int(found.sum())):
            reached = pairs[found[pairs].any(axis=1)]
            found[reached] = True
        return [int(b) for b in np.flatnonzero(found)]

    def compliance(self, slots: list[int], time: float) -> Floats:
        """(6k, 6k) change of motion per impulse and angular impulse that forces give in `time`.

        Forces act for a kick until the moment of `motion`: where that is less than their time, it
        is but a part of the impulse that has arrived by then.
        """
        C = np.zeros((6 * len(slots), 6 * len(slots)))
        bodies = self.bodies
        if self.joined:
            arrays = self.stepper.arrays
            joined_compliance(arrays.bodies, arrays.system_ref, np.array(slots, np.int64), C)
            share: Floats = bodies.kick[slots].repeat(6) / time
            return C * share
        for k, b in enumerate(slots):
            move, turn = slice(6 * k, 6 * k + 3), slice(6 * k + 3, 6 * k + 6)
            C[move, move] = np.diag(bodies.free[2 * b]) / bodies.mass[b]
            if bodies.solved[2 * b + 1]:
                R, free = bodies.rotation[b], bodies.free[2 * b + 1]
                whole = matmul(matmul(R, inverse(bodies.inertia[b])), R.T)
                C[turn, turn] = free[:, None] * whole * free
        return C
