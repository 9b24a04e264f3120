"""What is stepped, for the Python code around a step: arrays, contacts, counters."""

from typing import Any

import numpy as np

from physics.ccd import roll_back_if_tunnelled
from physics.contact.contact_store import ContactStore
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
        # (element, row) → rest value before the step, where a winch or servo moves it
        self.moving: dict[tuple[int, int], float] = {}
        self.may_touch = contacts.may_touch()
        if not self.may_touch:
            contacts.rows.count[0] = 0
        if contacts.fit(3 * len(arrays.system.unilateral)):
            self.refresh_contacts()

    def refresh_contacts(self) -> None:
        """Takes the contact rows anew after they were replaced."""
        replace_contacts(self.scene, self.contacts.ref)

    def detect_contacts(self, settings: Settings) -> None:
        """Contacts of the coming step from the present state."""
        if self.may_touch:
            by_node = settings.solver == PGS
            self.contacts.detect(self.bodies, self.arrays, settings.h, by_node)

    def find_forces(self, settings: Settings) -> None:
        """λ afresh: a rope that goes taut within a step has nothing to learn from the last one."""
        known, counted = self.elements.lam.copy(), self.counters.copy()
        find_forces(self.scene, settings)
        self.counters[:] = counted
        if not np.isfinite(self.elements.lam).all():
            self.elements.lam[...] = known

    def roll_back_if_tunnelled(self, settings: Settings) -> bool:
        """Rolls the step just taken back if a body tunnelled; returns whether one did."""
        return self.may_touch and bool(
            roll_back_if_tunnelled(self.scene, self.collider(), settings.h)
        )

    def collider(self) -> Any:
        """The shapes, for compiled code."""
        return self.contacts.shapes.collider()
