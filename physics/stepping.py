"""Taking steps from Python: which compiled loop to run, and what to do when a step is rejected.

The guard, for "adaptive": a step that cannot be believed is undone by the compiled loop and
repeated here with fresh forces, in parts that are halved where they fail; if the smallest fails
too, by backward Euler, whole and in parts; then both once more after a plastic impact, in which
velocities become what the joints allow; then, if that happened lately too, with joints that may
gape by a millimetre; if all fails, the bodies of the joint that does not close are held still for
the step, and put to sleep if that happens again and again. Every intervention is counted.
"""

from typing import Any, Protocol

import numpy as np

from physics import state as st
from physics.collision import GROW_CONTACTS, GROW_PAIRS, OK, detect
from physics.contact.crossing import crossed, undone_if_crossed
from physics.contact.loop import GROW_RESPONSE, REST, WAKE, run_steps
from physics.contact.rest import Rest
from physics.contact.rows import add_impulses
from physics.contact.sharing import shared
from physics.contact.store import ContactStore
from physics.jit.address import address_of
from physics.params import (
    HALVINGS,
    IMPLICIT_HALVINGS,
    LAST_ATTEMPTS,
    LENIENT_STEPS,
    RESCUE_ATTEMPTS,
    RESCUE_CREDIT,
    RESCUE_REFILL,
    STUCK_STEPS,
)
from physics.scene import StepArrays
from physics.schemes.all_rows import run_all_rows
from physics.schemes.implicit import implicit_step
from physics.schemes.linear import find_forces, run_linear, stop_at_joints
from physics.solver.guard import energies
from physics.stabilization import ADAPTIVE
from physics.state import Bodies, Elements, Settings
from physics.step import believable, run_adaptive
from physics.structs import replace_contacts
from physics.unsolved import unsolved_bodies

Saved = list[tuple[Any, Any]]

# steps after a standstill within which joints may gape rather than that all stands still again
_LATELY = 5

SOLVERS = ("direct", "pgs")
DIRECT, PGS = range(2)


class Companion(Protocol):
    """What is stepped together with the rigid bodies, pushing them by forces: soft bodies."""

    def before(self, stepper: "Stepper", settings: Settings) -> None: ...

    def after(self, stepper: "Stepper", settings: Settings) -> None: ...


class Stepper:
    """Steps one topology of one world."""

    def __init__(
        self,
        bodies: Bodies,
        elements: Elements,
        arrays: StepArrays,
        contacts: ContactStore,
        rest: Rest,
        counters: Any,
        measures: Any,
    ) -> None:
        self.bodies = bodies
        self.elements = elements
        self.arrays = arrays
        self.contacts = contacts
        self.rest = rest
        self.stale = False  # somebody fell asleep or woke: the topology is another one
        self.may_touch = contacts.may_touch()
        if not self.may_touch:
            contacts.rows.count[0] = 0
        if contacts.fit(3 * len(arrays.system.unilateral)):
            replace_contacts(arrays.scene, contacts.ref)
        self.scene = arrays.scene
        self.system = arrays.system
        self.counters = counters
        self.moving: dict[tuple[int, int], float] = {}  # (element, row) → rest before the step
        self._targets: dict[tuple[int, int], float] = {}  # and after it
        self.measures = measures
        self._stuck = np.zeros(0, np.int64)  # bodies about to be put to sleep
        self.softs: Companion | None = None

    def run(self, settings: Settings, n: int) -> int:
        """Takes up to n steps; returns how many.

        Stops when a joint broke, the state ran away, or somebody fell asleep or woke (`stale`).
        """
        if self.softs is None and self._all_asleep():
            self.counters[st.STEPS] += n
            return n
        self._bootstrap(settings)
        if self.softs is not None:
            return self._run_with(self.softs, settings, n)
        by_node = settings.solver == PGS
        detect_at, step_at = self._addresses(settings)
        done = 0
        while done < n and not self.stale:
            self.counters[st.REJECTED] = 0
            with shared(self.contacts, self.scene):
                taken = int(
                    run_steps(
                        self.scene,
                        self.contacts.shapes.collider(),
                        self.rest.ref,
                        settings,
                        n - done,
                        self.may_touch,
                        by_node,
                        detect_at,
                        step_at,
                    )
                )
            if taken > 0:
                self.moving.clear()
            done += taken + self._attend(settings, self.contacts.news)
            if self.counters[st.BROKEN] or self.counters[st.DIVERGED]:
                break
        return done

    def _run_with(self, softs: Companion, settings: Settings, n: int) -> int:
        """Step by step beside soft bodies, whose pushes are forces on the rigid ones."""
        done = 0
        while done < n:
            self._prepare(settings)
            softs.before(self, settings)
            self.counters[st.REJECTED] = 0
            runner = self._runner(settings)
            taken = int(runner(self.scene, settings, 1))
            if taken > 0 and runner is run_adaptive and self._undone_if_crossed(settings):
                taken = 0
            done += taken
            if not self.counters[st.REJECTED]:
                self.moving.clear()
            if self.may_touch and not self.counters[st.REJECTED]:
                self.contacts.compare()
            done += self._attend(settings, OK)
            softs.after(self, settings)
            if self.counters[st.BROKEN] or self.counters[st.DIVERGED]:
                break
        return done

    def _addresses(self, settings: Settings) -> tuple[int, int]:
        """Of detection and of the step."""
        velocity = self.bodies.velocity.reshape(-1, 6)
        state = (self.bodies.position, self.bodies.orientation, velocity, settings.h)
        detect_at = address_of(detect, *state, self.contacts.shapes.collider())
        return detect_at, address_of(self._runner(settings), self.scene, settings, 1)

    def _runner(self, settings: Settings) -> Any:
        """The kernel that takes steps the way the settings say."""
        if settings.solver == PGS:
            return run_all_rows
        return run_adaptive if settings.treatment == ADAPTIVE else run_linear

    def _attend(self, settings: Settings, news: int) -> int:
        """Does what the compiled loop came back for; returns how many steps that took."""
        if news in (GROW_PAIRS, GROW_CONTACTS, GROW_RESPONSE):
            self.contacts.grow(news, self.arrays)
        elif news == WAKE:
            self.stale = self.rest.wake(self.rest.disturbed())
        taken = 0
        if self.counters[st.REJECTED]:
            self.contacts.forget_step()
            self._rescue(settings)
            self.moving.clear()
            if self.may_touch:
                self.contacts.compare()
            taken = 1
        self.contacts.note()
        if len(self._stuck):
            self.rest.make_ready(self._stuck)
            self._stuck = self._stuck[:0]
            news = REST
        if news == REST:
            self.rest.fall_asleep(self.bodies)
            self.stale = True
        return taken

    def _all_asleep(self) -> bool:
        """Whether nothing moves, and nothing keyframed can come and touch anything."""
        if self.rest.count == 0 or self.system.size[0] > 0:
            return False
        driven = np.flatnonzero(self.bodies.kind == st.KEYFRAMED)
        return not self.bodies.velocity.reshape(-1, 6)[driven].any()

    def refresh_contacts(self) -> None:
        """Takes the contact rows anew after they were replaced."""
        replace_contacts(self.scene, self.contacts.ref)

    def _prepare(self, settings: Settings) -> None:
        """Contacts of the coming step from the present state."""
        if self.may_touch:
            by_node = settings.solver == PGS
            self.contacts.prepare(self.bodies, self.arrays, settings.h, by_node)

    # --- first forces -------------------------------------------------------------------------

    def _bootstrap(self, settings: Settings) -> None:
        """λ of joints that have none yet: solve once for the forces, discard the motion.

        Without it a cable with a kink of 1e-6 m and a million tonnes breaks in its first step.
        """
        new = np.flatnonzero((self.elements.bootstrap != 0) & (self.elements.role != st.DEAD))
        if len(new) == 0:
            return
        self.elements.bootstrap[:] = 0
        known = self.elements.lam.copy()
        self._prepare(settings._replace(solver=DIRECT))
        self._forces_now(settings)
        known[new] = self.elements.lam[new]
        self.elements.lam[...] = known

    # --- the guard ----------------------------------------------------------------------------

    def _rescue(self, settings: Settings) -> None:
        """Shorter steps, backward Euler, both after a plastic impact, else a standstill."""
        saved = self._save()
        self._targets = {}
        steps = self.counters[st.STEPS]
        earned = RESCUE_REFILL * (steps - self.counters[st.RESCUED_AT])
        self.counters[st.SPENT] = max(0, self.counters[st.SPENT] - earned)
        self.counters[st.RESCUED_AT] = steps
        ways = (
            (st.HALVED, self._bisected, False),
            (st.IMPLICIT, self._implicit, False),
            (st.IMPACT, self._bisected, True),
            (st.IMPACT, self._implicit, True),
        )
        for name, way, impact in ways:
            self._start_again(settings, saved, impact)
            if way(settings):
                counter = name
                break
        else:
            lately = steps - self.counters[st.FROZEN_AT] <= _LATELY
            counter = self._leniently(settings, saved) if lately else st.FROZEN
        if counter == st.FROZEN:
            self._hold(settings, saved, int(steps))
        self.counters[counter] += 1
        if counter != st.HALVED:
            self.bodies.mean_velocity[:] = self.bodies.velocity
        self.counters[st.STEPS] = steps + 1

    def _hold(self, settings: Settings, saved: Saved, step: int) -> None:
        """Stops what does not close; everything, if that is not it. What stays so falls asleep."""
        self._start_again(settings, saved, False)
        self._move_rests(1.0)
        run_adaptive(self.scene, settings, 1)  # fails again, and leaves φ
        held = unsolved_bodies(self.bodies, self.elements, self.system)
        self._put_back(saved)
        self.contacts.forget_step()
        # nothing of what failed may be begun with again: it would grow from step to step
        self.contacts.rows.mu[...] = 0.0
        self.elements.mu[...] = 0.0
        self._forces_now(settings)  # and φ is that of the place where it stands
        in_a_row = self.counters[st.FROZEN_AT] == step - 1
        self.counters[st.FROZEN_AT] = step
        if len(held) == 0:
            self.bodies.velocity[:] = 0.0
            return
        self.bodies.velocity[np.concatenate([2 * held, 2 * held + 1])] = 0.0
        self.counters[st.STUCK] = self.counters[st.STUCK] + 1 if in_a_row else 1
        if self.counters[st.STUCK] >= STUCK_STEPS and self.softs is None and self.rest.enabled[0]:
            self._stuck = held

    def _leniently(self, settings: Settings, saved: Saved) -> int:
        """Once more with joints that gape a little; returns the counter of what was done."""
        began = int(self.counters[st.RESCUED_AT])
        # parts tried count as steps until the rescue is over
        self.counters[st.LENIENT_UNTIL] = self.counters[st.STEPS] + RESCUE_CREDIT
        self.counters[st.SPENT] = min(self.counters[st.SPENT], RESCUE_CREDIT - LAST_ATTEMPTS)
        for counter, way in ((st.HALVED, self._bisected), (st.IMPLICIT, self._implicit)):
            self._start_again(settings, saved, False)
            if way(settings):
                self.counters[st.LENIENT_UNTIL] = began + LENIENT_STEPS
                return counter
        self.counters[st.LENIENT_UNTIL] = 0
        return st.FROZEN

    def _start_again(self, settings: Settings, saved: Saved, impact: bool) -> None:
        self._put_back(saved)
        if impact:
            stop_at_joints(self.scene, settings.h)
            self.bodies.mean_velocity[:] = self.bodies.velocity
        self._prepare(settings)
        self._forces_now(settings)

    def _forces_now(self, settings: Settings) -> None:
        """λ afresh: a rope that goes taut within a step has nothing to learn from the last one."""
        known, counted = self.elements.lam.copy(), self.counters.copy()
        find_forces(self.scene, settings)
        self.counters[:] = counted
        if not np.isfinite(self.elements.lam).all():
            self.elements.lam[...] = known

    def _bisected(self, settings: Settings) -> bool:
        """The step in parts: halved where one fails, doubled again where they succeed.

        Parts are powers of ½, so that they add up to the step exactly; each begins at a multiple
        of its own length. A chain that snaps straight whips ever faster until the very moment: no
        part is short enough there, and backward Euler steps across.
        Where a winch pulls, the next step finds the mean forces: those of a part may be a blow.
        """
        whole = 1 << HALVINGS
        done, part, stride = 0, whole, 1
        mean = np.zeros_like(self.elements.lam)
        for _ in range(min(RESCUE_ATTEMPTS, RESCUE_CREDIT - int(self.counters[st.SPENT]))):
            self.counters[st.SPENT] += 1
            shorter = settings._replace(h=settings.h * part / whole)
            self._move_rests((done + part) / whole)
            self._prepare(shorter)
            self.counters[st.REJECTED] = 0
            taken = run_adaptive(self.scene, shorter, 1)
            if taken == 0 or self._undone_if_crossed(shorter):
                self.contacts.forget_step()
                if part > 1:
                    part //= 2
                    self._forces_now(settings._replace(h=settings.h * part / whole))
                    continue
                part = min(stride, _alignment(done, whole))
                stride *= 2  # and further, should the next part fail as well
                self._move_rests((done + part) / whole)
                if not self._across(settings._replace(h=settings.h * part / whole)):
                    return False
            done += part
            mean += self.elements.lam * (part / whole)
            if done == whole:
                if self.moving:
                    self.elements.lam[...] = mean
                self.counters[st.BROKEN] = np.count_nonzero(self.elements.broken)
                return True
            part = min(2 * part, _alignment(done, whole))
        return False

    def _across(self, settings: Settings) -> bool:
        """One short part by backward Euler, if need be after a plastic impact."""
        saved = self._save()
        for impact in (False, True):
            self._start_again(settings, saved, impact)
            if self._implicit_part(settings):
                return True
        return False

    def _implicit(self, settings: Settings) -> bool:
        """Backward Euler, whole or in parts; it too may take no energy from nothing."""
        saved = self._save()
        for halving in range(IMPLICIT_HALVINGS + 1):
            parts = 1 << halving
            self._put_back(saved)
            shorter = settings._replace(h=settings.h / parts)
            if all(self._implicit_part(shorter, (i + 1) / parts) for i in range(parts)):
                return True
        return False

    def _move_rests(self, share: float) -> None:
        """A winch or servo that moves a rest value moves it evenly over the step: all of it in a
        short part would pull as many times too fast."""
        for (e, r), before in self.moving.items():
            after = self._targets.setdefault((e, r), float(self.elements.rest[e, r]))
            self.elements.rest[e, r] = after if share == 1.0 else before + share * (after - before)

    def _implicit_part(self, settings: Settings, share: float | None = None) -> bool:
        """One step of backward Euler that ends at that share of the whole step."""
        if share is not None:
            self._move_rests(share)
        self._prepare(settings)
        self._forces_now(settings)
        force = self.bodies.force.copy()
        add_impulses(self.arrays.system_ref, self.contacts.ref, 1.0 / settings.h, self.bodies.force)
        kinetic, potential, elastic = energies(self.scene, settings.gravity)
        error = implicit_step(self.scene, settings)
        self.bodies.force[...] = force
        self.measures[st.ERROR] = error
        before = kinetic + potential + elastic
        if not believable(self.scene, settings, before, kinetic):
            return False
        collider = self.contacts.shapes.collider()
        return not (self.may_touch and crossed(self.scene, collider, settings.h))

    def _undone_if_crossed(self, settings: Settings) -> bool:
        """Undoes the step just taken if a body crossed what it could not have seen."""
        if not self.may_touch:
            return False
        collider = self.contacts.shapes.collider()
        return bool(undone_if_crossed(self.scene, collider, settings.h))

    def _save(self) -> Saved:
        bodies, elements = self.bodies, self.elements
        state = (
            bodies.position,
            bodies.orientation,
            bodies.rotation,
            bodies.velocity,
            bodies.mean_velocity,
            elements.lam,
            elements.mu,
            elements.value,
            elements.phi,
            elements.broken,
            self.contacts.rows.mu,
        )
        return [(array, array.copy()) for array in state]

    def _put_back(self, saved: Saved) -> None:
        for array, copy in saved:
            array[...] = copy


def _alignment(done: int, whole: int) -> int:
    """The longest part, a power of 2, that may begin at `done`."""
    return done & -done if done else whole
