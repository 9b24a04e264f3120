"""Taking steps from Python: which scheme to run, and what to do when the compiled loop returns."""

from typing import Any, Protocol

import numpy as np

from physics import state as st
from physics.collision import GROW_CONTACTS, GROW_PAIRS, OK, detect
from physics.contact.contact_store import ContactStore
from physics.islands.sleeping import Sleeping
from physics.jit.address import address_of
from physics.recovery import step_adaptive
from physics.schemes.all_rows import step_all_rows
from physics.schemes.linear import step_linear
from physics.stabilization import ADAPTIVE
from physics.state import Bodies, Elements, Floats, Ints, Settings
from physics.step import run_steps, step_islands
from physics.step_context import StepContext
from physics.structs import StepArrays


class Coupling(Protocol):
    """What is stepped together with the rigid bodies, pushing them by forces: soft bodies."""

    def before(self, stepper: StepContext, settings: Settings) -> None: ...

    def after(self, stepper: StepContext, settings: Settings) -> None: ...


class Stepper:
    """Steps one topology of one world."""

    def __init__(
        self,
        bodies: Bodies,
        elements: Elements,
        arrays: StepArrays,
        contacts: ContactStore,
        sleeping: Sleeping,
        counters: Ints,
        measures: Floats,
    ) -> None:
        self.context = StepContext(bodies, elements, arrays, contacts, counters, measures)
        self.scene = arrays.scene
        self.system = arrays.system
        self.coupling: Coupling | None = None
        self.stale = False  # a body fell asleep or woke: the topology is another one
        self._contacts = contacts
        self._counters = counters
        self._sleeping = sleeping

    def run(self, settings: Settings, n: int) -> int:
        """Takes up to n steps; returns how many.

        Stops when a joint broke, the state ran away, or somebody fell asleep or woke (`stale`).
        """
        if self.coupling is None and self._all_asleep():
            self._counters[st.STEPS] += n
            return n
        self._find_first_forces(settings)
        if self.coupling is not None:
            return self._run_coupled(self.coupling, settings, n)
        detect_at, scheme_at = self._addresses(settings)
        done = 0
        while done < n and not self.stale:
            done += int(
                run_steps(
                    self.scene,
                    self.context.collider(),
                    self._sleeping.ref,
                    settings,
                    n - done,
                    self.context.may_touch,
                    detect_at,
                    scheme_at,
                )
            )
            self._handle_status(self._contacts.exit_status)
            if self._counters[st.BROKEN] or self._counters[st.DIVERGED]:
                break
            if self._froze():
                break
        return done

    def _froze(self) -> bool:
        """Whether a body stands still because its step had no solution."""
        return bool(self.context.bodies.frozen.any())

    def _run_coupled(self, coupling: Coupling, settings: Settings, n: int) -> int:
        """Step by step beside soft bodies, whose pushes are forces on the rigid ones."""
        context, counters = self.context, self._counters
        _, scheme_at = self._addresses(settings)
        done = 0
        while done < n:
            context.detect_contacts(settings)
            coupling.before(context, settings)
            counters[st.BROKEN] = 0
            step_islands(self.scene, settings, scheme_at)
            counters[st.STEPS] += 1
            done += 1
            if context.may_touch:
                self._contacts.compare_touching()
            self._handle_status(OK)
            coupling.after(context, settings)
            if counters[st.BROKEN] or counters[st.DIVERGED] or self._froze():
                break
        return done

    def _scheme(self, settings: Settings) -> Any:
        """The kernel that solves steps the way the settings say."""
        if settings.solver == st.PGS:
            return step_all_rows
        return step_adaptive if settings.stabilization == ADAPTIVE else step_linear

    def _addresses(self, settings: Settings) -> tuple[int, int]:
        """Of detection and of the scheme."""
        bodies = self.context.bodies
        state = (bodies.position, bodies.orientation, bodies.velocity.reshape(-1, 6), settings.h)
        detect_at = address_of(detect, *state, self.context.collider())
        return detect_at, address_of(self._scheme(settings), self.scene, settings, 0)

    def _handle_status(self, status: int) -> None:
        """Does what the compiled loop returned for."""
        if status in (GROW_PAIRS, GROW_CONTACTS, st.GROW_RESPONSE):
            self._contacts.grow(status, self.context.arrays)
        elif status == st.WAKE:
            self.stale = self._sleeping.wake(self._sleeping.disturbed())
        self._contacts.record_events()
        if status == st.SLEEP:
            self._sleeping.fall_asleep(self.context.bodies)
            self.stale = True

    def _all_asleep(self) -> bool:
        """Whether nothing moves, and nothing keyframed can come and touch anything."""
        if self._sleeping.count == 0 or self.system.size[0] > 0:
            return False
        bodies = self.context.bodies
        driven = np.flatnonzero(bodies.kind == st.KEYFRAMED)
        return not bodies.velocity.reshape(-1, 6)[driven].any()

    def _find_first_forces(self, settings: Settings) -> None:
        """λ of joints that have none yet: solve once for the forces, discard the motion.

        Without it a cable with a kink of 1e-6 m and a million tonnes breaks in its first step.
        """
        elements = self.context.elements
        new = np.flatnonzero((elements.bootstrap != 0) & (elements.role != st.DEAD))
        if len(new) == 0:
            return
        elements.bootstrap[:] = 0
        known = elements.lam.copy()
        self.context.detect_contacts(settings._replace(solver=st.DIRECT))
        self.context.find_forces(settings)
        known[new] = elements.lam[new]
        elements.lam[...] = known
