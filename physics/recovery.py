"""Recovery: everything that happens to a step of the adaptive scheme that was not accepted.

The refused step has been rolled back. It is repeated with fresh forces, by the first of these that
is accepted:

    bisection            in substeps, halved where they fail
    implicit fallback    by backward Euler, whole and in substeps
    both once more       after a plastic impact: velocities become what the joints allow
    relaxed tolerance    after a recent freeze: joints may gape by a millimetre
    freeze               the bodies of the joint that does not close stand still for the step, and
                         are put to sleep if that happens again and again

The work is bounded: substeps tried are paid from a budget that every step refills a little. All
state is in the world's counters, where each outcome is counted too, so that snapshots have it.
"""

from typing import Any, NamedTuple

import numpy as np

from physics import state as st
from physics.acceptance import accept_step
from physics.ccd import tunnelled
from physics.contact.contact_rows import add_impulses
from physics.energy import energies
from physics.params import (
    ACCEPTED_ERROR,
    FREEZE_MEMORY,
    HALVINGS,
    IMPLICIT_HALVINGS,
    LAST_ATTEMPTS,
    RECOVERY_ATTEMPTS,
    RECOVERY_BUDGET,
    RECOVERY_REFILL,
    RELAXED_STEPS,
    STUCK_STEPS,
)
from physics.schemes.adaptive import run_adaptive
from physics.schemes.implicit import implicit_step
from physics.schemes.velocity_solve import stop_at_joints
from physics.state import Bodies, Elements, Ints, Settings, System
from physics.step_context import StepContext

Saved = list[tuple[Any, Any]]

_NOBODY: Ints = np.zeros(0, np.int64)


class Outcome(NamedTuple):
    """How a refused step was taken."""

    counter: int  # HALVED, IMPLICIT, IMPACT or FROZEN of Scene.counters
    stuck: Ints  # slots of bodies that were frozen too often and should be put to sleep


class Recovery:
    """Takes refused steps of one topology of one world."""

    def __init__(self, context: StepContext) -> None:
        self._context = context
        self._bodies = context.bodies
        self._elements = context.elements
        self._counters = context.counters
        self._targets: dict[tuple[int, int], float] = {}  # (element, row) → rest after the step

    def recover(self, settings: Settings) -> Outcome:
        """Takes one step of settings.h by whatever is accepted; freezing always is."""
        saved = self._save()
        self._targets = {}
        counters = self._counters
        step = int(counters[st.STEPS])
        self._refill_budget(step)
        counter, stuck = self._solve(settings, saved, step), _NOBODY
        if counter == st.FROZEN:
            stuck = self._freeze(settings, saved, step)
        counters[counter] += 1
        if counter != st.HALVED:
            self._bodies.mean_velocity[:] = self._bodies.velocity
        counters[st.STEPS] = step + 1
        return Outcome(counter, stuck)

    def _refill_budget(self, step: int) -> None:
        earned = RECOVERY_REFILL * (step - self._counters[st.RECOVERED_AT])
        self._counters[st.WORK_SPENT] = max(0, self._counters[st.WORK_SPENT] - earned)
        self._counters[st.RECOVERED_AT] = step

    def _solve(self, settings: Settings, saved: Saved, step: int) -> int:
        """Tries one method after the other; returns the counter of what was accepted, or FROZEN."""
        methods = (
            (st.HALVED, self._bisect, False),
            (st.IMPLICIT, self._solve_implicitly, False),
            (st.IMPACT, self._bisect, True),
            (st.IMPACT, self._solve_implicitly, True),
        )
        for counter, method, impact in methods:
            self._start_again(settings, saved, impact)
            if method(settings):
                return counter
        if step - self._counters[st.FROZEN_AT] <= FREEZE_MEMORY:
            return self._retry_relaxed(settings, saved)
        return st.FROZEN

    # --- methods --------------------------------------------------------------------------------

    def _bisect(self, settings: Settings) -> bool:
        """The step in substeps: halved where one fails, doubled again where they succeed.

        Lengths are powers of ½, so that they add up to the step exactly; each begins at a multiple
        of its own length. A chain that snaps straight whips ever faster until the very moment: no
        substep is short enough there, and backward Euler steps across.
        Where a winch pulls, the next step finds the mean forces: those of a substep may be a blow.
        """
        context, counters = self._context, self._counters
        whole = 1 << HALVINGS
        done, part, stride = 0, whole, 1
        mean = np.zeros_like(self._elements.lam)
        for _ in range(min(RECOVERY_ATTEMPTS, RECOVERY_BUDGET - int(counters[st.WORK_SPENT]))):
            counters[st.WORK_SPENT] += 1
            shorter = settings._replace(h=settings.h * part / whole)
            self._move_rests((done + part) / whole)
            context.detect_contacts(shorter)
            counters[st.REJECTED] = 0
            taken = run_adaptive(context.scene, shorter, 1)
            if taken == 0 or context.roll_back_if_tunnelled(shorter):
                context.contacts.roll_back()
                if part > 1:
                    part //= 2
                    context.find_forces(settings._replace(h=settings.h * part / whole))
                    continue
                part = min(stride, _alignment(done, whole))
                stride *= 2  # and further, should the next substep fail as well
                self._move_rests((done + part) / whole)
                if not self._step_across(settings._replace(h=settings.h * part / whole)):
                    return False
            done += part
            mean += self._elements.lam * (part / whole)
            if done == whole:
                if context.moving:
                    self._elements.lam[...] = mean
                counters[st.BROKEN] = np.count_nonzero(self._elements.broken)
                return True
            part = min(2 * part, _alignment(done, whole))
        return False

    def _step_across(self, settings: Settings) -> bool:
        """One short substep by backward Euler, if need be after a plastic impact."""
        saved = self._save()
        for impact in (False, True):
            self._start_again(settings, saved, impact)
            if self._implicit_substep(settings):
                return True
        return False

    def _solve_implicitly(self, settings: Settings) -> bool:
        """Backward Euler, whole or in substeps; it too may take no energy from nothing."""
        saved = self._save()
        for halving in range(IMPLICIT_HALVINGS + 1):
            parts = 1 << halving
            _restore(saved)
            shorter = settings._replace(h=settings.h / parts)
            if all(self._implicit_substep(shorter, (i + 1) / parts) for i in range(parts)):
                return True
        return False

    def _implicit_substep(self, settings: Settings, share: float | None = None) -> bool:
        """One step of backward Euler that ends at that share of the whole step."""
        context, bodies = self._context, self._bodies
        if share is not None:
            self._move_rests(share)
        context.detect_contacts(settings)
        context.find_forces(settings)
        force = bodies.force.copy()
        system_ref, contacts = context.arrays.system_ref, context.contacts
        add_impulses(system_ref, contacts.ref, 1.0 / settings.h, bodies.force)
        kinetic, potential, elastic = energies(context.scene, settings.gravity)
        error = implicit_step(context.scene, settings)
        bodies.force[...] = force
        context.measures[st.ERROR] = error
        before = kinetic + potential + elastic
        if not accept_step(context.scene, settings, before, kinetic, False):
            return False
        return not (context.may_touch and tunnelled(context.scene, context.collider(), settings.h))

    def _retry_relaxed(self, settings: Settings, saved: Saved) -> int:
        """Once more with joints that gape a little; returns the counter of what was accepted."""
        counters = self._counters
        began = int(counters[st.RECOVERED_AT])
        # substeps count as steps until the recovery is over
        counters[st.RELAXED_UNTIL] = counters[st.STEPS] + RECOVERY_BUDGET
        counters[st.WORK_SPENT] = min(counters[st.WORK_SPENT], RECOVERY_BUDGET - LAST_ATTEMPTS)
        methods = ((st.HALVED, self._bisect), (st.IMPLICIT, self._solve_implicitly))
        for counter, method in methods:
            self._start_again(settings, saved, False)
            if method(settings):
                counters[st.RELAXED_UNTIL] = began + RELAXED_STEPS
                return counter
        counters[st.RELAXED_UNTIL] = 0
        return st.FROZEN

    def _freeze(self, settings: Settings, saved: Saved, step: int) -> Ints:
        """Stops the bodies that do not close; everything, if it is not joints that fail.

        Returns bodies that were frozen so often that they should sleep.
        """
        context, counters = self._context, self._counters
        self._start_again(settings, saved, False)
        self._move_rests(1.0)
        run_adaptive(context.scene, settings, 1)  # fails again, and leaves φ
        frozen = unsolved_bodies(self._bodies, self._elements, context.system)
        _restore(saved)
        context.contacts.roll_back()
        # no warm start from what failed: it would grow from step to step
        context.contacts.rows.mu[...] = 0.0
        self._elements.mu[...] = 0.0
        context.find_forces(settings)  # and φ is that of the place where it stands
        in_a_row = counters[st.FROZEN_AT] == step - 1
        counters[st.FROZEN_AT] = step
        if len(frozen) == 0:
            self._bodies.velocity[:] = 0.0
            return _NOBODY
        self._bodies.velocity[np.concatenate([2 * frozen, 2 * frozen + 1])] = 0.0
        counters[st.STUCK] = counters[st.STUCK] + 1 if in_a_row else 1
        return frozen if counters[st.STUCK] >= STUCK_STEPS else _NOBODY

    # --- starting again -------------------------------------------------------------------------

    def _start_again(self, settings: Settings, saved: Saved, impact: bool) -> None:
        _restore(saved)
        if impact:
            stop_at_joints(self._context.scene, settings.h)
            self._bodies.mean_velocity[:] = self._bodies.velocity
        self._context.detect_contacts(settings)
        self._context.find_forces(settings)

    def _move_rests(self, share: float) -> None:
        """A winch or servo that moves a rest value moves it evenly over the step: all of it in a
        short substep would pull as many times too fast."""
        rest = self._elements.rest
        for (e, r), before in self._context.moving.items():
            after = self._targets.setdefault((e, r), float(rest[e, r]))
            rest[e, r] = after if share == 1.0 else before + share * (after - before)

    def _save(self) -> Saved:
        bodies, elements = self._bodies, self._elements
        state = (
            bodies.position,
            bodies.orientation,
            bodies.rotation,
            bodies.velocity,
            bodies.mean_velocity,
            elements.lam,
            elements.mu,
            elements.value,
            elements.turn,
            elements.phi,
            elements.broken,
            self._context.contacts.rows.mu,
        )
        return [(array, array.copy()) for array in state]


def _restore(saved: Saved) -> None:
    for array, copy in saved:
        array[...] = copy


def _alignment(done: int, whole: int) -> int:
    """The longest substep, a power of 2, that may begin at `done`."""
    return done & -done if done else whole


def unsolved_bodies(bodies: Bodies, elements: Elements, system: System) -> Ints:
    """Slots of all bodies joined to the worst joint; none if every joint closes.

    φ must be that of the refused step.
    """
    rigid = (elements.compliance == 0.0) & (elements.mode == st.POSITION) & (elements.idle == 0)
    rigid &= (elements.role == st.BILATERAL)[:, None]
    error = np.where(rigid, np.abs(elements.phi), 0.0)
    error[~np.isfinite(error)] = np.inf
    e, r = np.unravel_index(np.argmax(error), error.shape)
    if not error[e, r] > ACCEPTED_ERROR:
        return _NOBODY
    span = system.span
    moving = [b for b in elements.body[e] if bodies.kind[b] > st.STATIC and span[b, 1] > span[b, 0]]
    if not moving:
        return _NOBODY
    same = (span[: len(bodies.kind)] == span[moving[0]]).all(axis=1)
    return np.flatnonzero(same & (bodies.kind > st.STATIC))
