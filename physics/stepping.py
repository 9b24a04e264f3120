"""Taking steps from Python: which compiled loop to run, and what to do when a step is rejected.

The guard, for "adaptive": a step that cannot be believed is undone by the compiled
loop and repeated here with fresh forces, then as 2, 4, 8, 16 shorter ones; if those fail too, by
backward Euler, whole and in parts; then both once more after a plastic impact, in which velocities
become what the joints allow (a cable that snaps taut); if all fails, everything is held still for
the step. Every intervention is counted.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from physics import state as st
from physics.contact.rows import add_impulses
from physics.contact.store import ContactStore
from physics.params import ACCEPTED_ERROR, HALVINGS, RUNAWAY_SPEED
from physics.scene import StepArrays
from physics.schemes.all_rows import run_all_rows
from physics.schemes.implicit import implicit_step
from physics.schemes.linear import find_forces, run_linear, stop_at_joints
from physics.stabilization import ADAPTIVE
from physics.state import Bodies, Elements, Settings
from physics.step import run_adaptive
from physics.structs import replace_contacts

Saved = list[tuple[Any, Any]]
Way = Callable[[Settings, int], bool]

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
        counters: Any,
    ) -> None:
        self.bodies = bodies
        self.elements = elements
        self.arrays = arrays
        self.contacts = contacts
        self.may_touch = contacts.may_touch()
        if not self.may_touch:
            contacts.rows.count[0] = 0
        self.scene = arrays.scene
        self.system = arrays.system
        self.counters = counters
        self.softs: Companion | None = None

    def run(self, settings: Settings, n: int) -> int:
        """Takes up to n steps; returns how many. Stops when a joint broke or the state ran away."""
        if not self.may_touch and self.softs is None:
            self._bootstrap(settings)
            return self._run(settings, n)
        done = 0
        while done < n:
            self._bootstrap(settings)
            self._prepare(settings)
            if self.softs is not None:
                self.softs.before(self, settings)
            got = self._run(settings, 1)
            if self.softs is not None:
                self.softs.after(self, settings)
            self.contacts.note()
            done += got
            if got == 0 or self.counters[st.BROKEN] or self.counters[st.DIVERGED]:
                break
        return done

    def _run(self, settings: Settings, n: int) -> int:
        if settings.solver == PGS:
            return int(run_all_rows(self.scene, settings, n))
        if settings.treatment != ADAPTIVE:
            return int(run_linear(self.scene, settings, n))
        done = int(run_adaptive(self.scene, settings, n))
        if self.counters[st.REJECTED]:
            self.contacts.forget_step()
            self._rescue(settings)
            done += 1
        return done

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
        steps = self.counters[st.STEPS]
        ways = (
            (st.HALVED, self._all_parts, False),
            (st.IMPLICIT, self._all_implicit, False),
            (st.IMPACT, self._all_parts, True),
            (st.IMPACT, self._all_implicit, True),
        )
        for counter, way, impact in ways:
            if self._shorten(settings, saved, way, impact):
                self.counters[counter] += 1
                break
        else:
            self._start_again(settings, saved, False)
            self.bodies.velocity[:] = 0.0
            self.counters[st.FROZEN] += 1
        if counter != st.HALVED:
            self.bodies.mean_velocity[:] = self.bodies.velocity
        self.counters[st.STEPS] = steps + 1

    def _shorten(self, settings: Settings, saved: Saved, way: Way, impact: bool) -> bool:
        """Takes the step in 1, 2, 4, … parts until a way of taking it succeeds."""
        for halving in range(HALVINGS + 1):
            parts = 1 << halving
            shorter = settings._replace(h=settings.h / parts)
            self._start_again(shorter, saved, impact)
            if way(shorter, parts):
                return True
        return False

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

    def _all_implicit(self, settings: Settings, parts: int) -> bool:
        for part in range(parts):
            if part > 0 and self.may_touch:
                self._prepare(settings)
                self._forces_now(settings)
            force = self.bodies.force.copy()
            add_impulses(
                self.arrays.system_ref, self.contacts.ref, 1.0 / settings.h, self.bodies.force
            )
            error = implicit_step(self.scene, settings)
            self.bodies.force[...] = force
            if not (error < ACCEPTED_ERROR and np.abs(self.bodies.velocity).max() < RUNAWAY_SPEED):
                return False
        return True

    def _all_parts(self, settings: Settings, parts: int) -> bool:
        done = 0
        self.counters[st.REJECTED] = 0
        while done < parts and not self.counters[st.REJECTED]:  # a joint may break on the way
            some = 1 if self.may_touch else parts - done
            done += int(run_adaptive(self.scene, settings, some))
            if done < parts:
                self._prepare(settings)
        self.counters[st.BROKEN] = np.count_nonzero(self.elements.broken)
        return not self.counters[st.REJECTED]

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
