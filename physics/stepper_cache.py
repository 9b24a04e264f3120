"""The stepper of a world's present topology: made when it is needed, dropped when that changes."""

import numpy as np

from physics import state as st
from physics.body_store import BodyStore
from physics.contact.contact_store import ContactStore
from physics.islands.sleeping import Sleeping
from physics.joint_store import JointStore
from physics.mechanisms import mechanism_of_body
from physics.scene_arrays import make_scene
from physics.snapshot import Saved
from physics.softs import Softs
from physics.state import Floats
from physics.step_records import StepRecords
from physics.step_time import StepTime
from physics.stepper import Stepper
from physics.stiff_springs import choose_form
from physics.synchronise import measure_rows, synchronise
from physics.world_settings import WorldSettings


class StepperCache:
    """Owns the stepper, and says who must wake: both follow from the topology."""

    def __init__(
        self,
        settings: WorldSettings,
        time: StepTime,
        bodies: BodyStore,
        joints: JointStore,
        contacts: ContactStore,
        rest: Sleeping,
        softs: Softs,
        records: StepRecords,
    ) -> None:
        self._settings, self._time, self._records = settings, time, records
        self._bodies, self._joints = bodies, joints
        self._contacts, self._rest, self._softs = contacts, rest, softs
        self._stepper: Stepper | None = None
        self._synchronised = False  # bodies.reported belongs to the present state
        self._measured = False  # φ of the rows does

    @property
    def present(self) -> Stepper | None:
        """The stepper, if there is one for the present topology."""
        return self._stepper

    def drop(self) -> None:
        """The topology has changed."""
        self._stepper = None
        self._synchronised = self._measured = False

    def ensure(self) -> Stepper:
        """The stepper, made if there is none."""
        if self._softs.items:
            self._rest.wake_all()  # nothing sleeps beside soft bodies: they may press on anything
        if self._stepper is None:
            self._stepper = self._made()
        self._stepper.coupling = self._softs.stepped
        return self._stepper

    def _made(self) -> Stepper:
        records = self._records
        choose_form(self._bodies.arrays, self._joints.arrays, 1.0 / self._time.rate)
        self._rest.fit(len(self._bodies.arrays.kind))
        bodies, elements = self._rest.view(self._bodies.arrays, self._joints.arrays)
        arrays = make_scene(
            bodies,
            elements,
            self._settings.dimension == 2,
            self._settings.solver == "pgs",
            self._contacts.ref,
            records.counters,
            records.measures,
            records.cycles,
        )
        shapes = self._contacts.shapes
        shapes.set_mechanisms(
            mechanism_of_body(self._bodies.arrays, self._joints.arrays, shapes.excluded)
        )
        return Stepper(
            bodies, elements, arrays, self._contacts, self._rest, records.counters, records.measures
        )

    def run(self, h: float, n: int) -> int:
        """Takes up to n steps of h seconds; returns how many."""
        stepper = self.ensure()
        self._synchronised, self._measured = False, True
        if stepper.coupling is None:
            self._bodies.arrays.soft_force[:] = 0.0  # of soft bodies that are gone
        done = stepper.run(self._settings.of_step(h), n)
        if stepper.stale:
            self.drop()
        return done

    # --- velocities -----------------------------------------------------------------------------

    def reported(self, h: float) -> Floats:
        """(2n, 3) velocities of the moment of the positions: see `synchronise.py`."""
        bodies = self._bodies.arrays
        if not self._synchronised and bodies.lag.any():
            synchronise(self.ensure().scene, self._settings.of_step(h))
        elif not self._synchronised:
            bodies.reported[:] = bodies.velocity
        self._synchronised = True
        return bodies.reported

    def measured(self) -> None:
        """φ of all rows is that of where the bodies are, also where no step was taken since."""
        if not self._measured:
            measure_rows(self.ensure().scene)
            self._measured = True

    def synchronise_bodies(self, h: float, *slots: int) -> None:
        """Velocities and positions of these bodies, and of all they hang on, are of one moment.

        Before they are changed by hand: what changes now does not act on the half step before.
        """
        bodies = self._bodies.arrays
        late = [slot for slot in slots if bodies.lag[slot] > 0.0]
        if late:
            velocity = self.reported(h).copy()
            component = self.ensure().system.component
            chosen = np.flatnonzero(np.isin(component, component[late]) & (component >= 0))
            nodes = np.concatenate([2 * chosen, 2 * chosen + 1])
            bodies.velocity[nodes] = velocity[nodes]
            bodies.lag[chosen], bodies.late[nodes] = 0.0, 0.0
        self._synchronised = self._measured = False

    # --- waking ---------------------------------------------------------------------------------

    def wake_all(self) -> None:
        if self._rest.wake_all():
            self.drop()

    def wake_near(self, *slots: int) -> None:
        """Wakes what sleeps at or against these bodies."""
        if self._rest.count == 0:
            return
        self._rest.fit(len(self._bodies.arrays.kind))
        near = [self._rest.near(slot, self._joints.arrays) for slot in slots if slot != st.WORLD]
        if near and self._rest.wake(np.concatenate(near)):
            self.drop()

    # --- saving ---------------------------------------------------------------------------------

    def save(self) -> Saved:
        """The stepper itself: it writes into the arrays of the stores and keeps nothing else."""
        return {"stepper": self._stepper}

    def restore(self, saved: Saved) -> None:
        """Goes on with the saved stepper if it is still the present one; the stores come first."""
        stepper, known = self._stepper, saved["stepper"]
        if stepper is not None and stepper is known and self._fits(stepper):
            stepper.context.refresh_contacts()
            self._synchronised = self._measured = False
        else:
            self.drop()
            self._joints.clear_scratch()

    def _fits(self, stepper: Stepper) -> bool:
        """Whether the stepper writes into the present arrays: a refused snapshot replaces them."""
        bodies, elements = self._bodies.arrays, self._joints.arrays
        used = stepper.context
        return used.bodies.position is bodies.position and used.elements.lam is elements.lam
