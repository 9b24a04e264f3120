"""What is stepped, for the Python code around a step: arrays, contacts, counters."""

from typing import Any

from physics.contact.contact_store import ContactStore
from physics.islands.lists import build_islands, enter_whole
from physics.look_ahead import look_ahead
from physics.schemes.velocity_solve import find_forces
from physics.state import PGS, Bodies, Elements, Floats, Ints, Settings
from physics.structs import StepArrays, replace_contacts


class StepContext:
    """One topology of one world, and the parts of a step that Python calls one by one."""

    def __init__(
        self,
        bodies: Bodies,
        elements: Elements,
        arrays: StepArrays,
        contacts: ContactStore,
        counters: Ints,
        measures: Floats,
    ) -> None:
        self.bodies = bodies
        self.elements = elements
        self.arrays = arrays
        self.scene = arrays.scene
        self.system = arrays.system
        self.contacts = contacts
        self.counters = counters
        self.measures = measures
        self.may_touch = contacts.may_touch()
        if not self.may_touch:
            contacts.rows.count[0] = 0
        contacts.fit(3 * len(arrays.system.unilateral))
        self.refresh_contacts()  # always: what it needs is loaded now, not when contacts outgrow

    def refresh_contacts(self) -> None:
        """Takes the contact rows anew after they were replaced."""
        replace_contacts(self.scene, self.contacts.ref)

    def detect_contacts(self, settings: Settings) -> None:
        """Contacts of the coming step from the present state."""
        if self.may_touch:
            by_node = settings.solver == PGS
            look_ahead(self.scene, settings)
            self.contacts.detect(self.bodies, self.arrays, settings.h, by_node)
        build_islands(self.scene)
        enter_whole(self.scene)

    def find_forces(self, settings: Settings) -> None:
        """λ of the joints as they are now, without any stabilization."""
        counted = self.counters.copy()
        find_forces(self.scene, settings, settings.h)
        self.counters[:] = counted

    def collider(self) -> Any:
        """The shapes, for compiled code."""
        return self.contacts.shapes.collider()
