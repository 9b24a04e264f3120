"""Taking steps from Python: which scheme to run, and what to do when the compiled loop returns."""

from typing import Any, Protocol

import numpy as np

from physics import state as st
from physics.collision import GROW_CONTACTS, GROW_PAIRS, OK, detect
from physics.contact.contact_store import ContactStore
from physics.contact.solver.parallel import shared
from physics.islands.sleeping import Sleeping
from physics.jit.address import address_of
from physics.recovery import Recovery
from physics.schemes.adaptive import run_adaptive
from physics.schemes.all_rows import run_all_rows
from physics.schemes.linear import run_linear
from physics.stabilization import ADAPTIVE
from physics.state import Bodies, Elements, Floats, Ints, Settings
from physics.step import run_steps
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
        self._recovery = Recovery(self.context)

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
            self._counters[st.REJECTED] = 0
            with shared(self._contacts.rows, self.scene):
                taken = int(
                    run_steps(
                        self.scene,
                        self.context.collider(),
                        self._sleeping.ref,
                        settings,
                        n - done,
                        self.context.may_touch,
                        settings.solver == st.PGS,
                        detect_at,
                        scheme_at,
                    )
                )
            if taken > 0:
                self.context.moving.clear()
            done += taken + self._handle_status(settings, self._contacts.exit_status)
            if self._counters[st.BROKEN] or self._counters[st.DIVERGED]:
                break
        return done

    def _run_coupled(self, coupling: Coupling, settings: Settings, n: int) -> int:
        """Step by step beside soft bodies, whose pushes are forces on the rigid ones."""
        context, counters, scheme = self.context, self._counters, self._scheme(settings)
        done = 0
        while done < n:
            context.detect_contacts(settings)
            coupling.before(context, settings)
            counters[st.REJECTED] = 0
            taken = int(scheme(self.scene, settings, 1))
            if taken > 0 and scheme is run_adaptive and context.roll_back_if_tunnelled(settings):
                taken = 0
            done += taken
            if not counters[st.REJECTED]:
                context.moving.clear()
                if context.may_touch:
                    self._contacts.compare_touching()
            done += self._handle_status(settings, OK)
            coupling.after(context, settings)
            if counters[st.BROKEN] or counters[st.DIVERGED]:
                break
        return done

    def _scheme(self, settings: Settings) -> Any:
        """The kernel that solves steps the way the settings say."""
        if settings.solver == st.PGS:
            return run_all_rows
        return run_adaptive if settings.treatment == ADAPTIVE else run_linear

    def _addresses(self, settings: Settings) -> tuple[int, int]:
        """Of detection and of the scheme."""
        bodies = self.context.bodies
        state = (bodies.position, bodies.orientation, bodies.velocity.reshape(-1, 6), settings.h)
        detect_at = address_of(detect, *state, self.context.collider())
        return detect_at, address_of(self._scheme(settings), self.scene, settings, 1)

    def _handle_status(self, settings: Settings, status: int) -> int:
        """Does what the compiled loop returned for; returns how many steps that took."""
        if status in (GROW_PAIRS, GROW_CONTACTS, st.GROW_RESPONSE):
            self._contacts.grow(status, self.context.arrays)
        elif status == st.WAKE:
            self.stale = self._sleeping.wake(self._sleeping.disturbed())
        taken = 0
        if self._counters[st.REJECTED]:
            self._contacts.roll_back()
            stuck = self._recovery.recover(settings).stuck
            self.context.moving.clear()
            if self.context.may_touch:
                self._contacts.compare_touching()
            taken = 1
            if len(stuck) and self.coupling is None and self._sleeping.enabled[0]:
                self._sleeping.make_ready(stuck)
                status = st.SLEEP
        self._contacts.record_events()
        if status == st.SLEEP:
            self._sleeping.fall_asleep(self.context.bodies)
            self.stale = True
        return taken

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
