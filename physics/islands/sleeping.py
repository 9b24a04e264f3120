"""Sleeping: who sleeps, what their contacts were, and waking them.

A sleeping body is left out of the step altogether: for the solver it is fixed, for detection it is
only found by what moves, and its joints do not exist. Its contacts are set aside with their
impulses and come back when it wakes, so that a pile goes on standing as it stood.
"""

from typing import Annotated as Array
from typing import Any, NamedTuple

import numpy as np

from physics.collision.arrays import ASLEEP, FEATURE_BITS, MOVING, Contacts, make_contacts
from physics.contact.contact_store import ContactStore
from physics.jit import kernel
from physics.schema import allocate, compiled_group, copied, grown
from physics.snapshot import Saved
from physics.state import DEAD, STATIC, Bodies, Bytes, Elements, Floats, Ints


class SleepState(NamedTuple):
    """What is known of how long each body has been at rest."""

    asleep: Array[Bytes, "n"]  # the body is left out
    still: Array[Floats, "n"]  # s it has been at rest
    mark: Array[Floats, "n 3"]  # m: where it was at the last look
    restless: Array[Bytes, "n"]  # must stay awake: something beyond the world's joints holds it
    least: Array[Floats, "n"]  # scratch: shortest rest in an island
    ready: Array[Bytes, "n"]  # may sleep, or is about to be woken
    island: Array[Ints, "n"]  # a body of its island, when last looked at
    enabled: Array[Bytes, "1"]  # 0: nothing ever sleeps
    sleeping: Array[Ints, "1"]  # bodies asleep


SleepStateRef = compiled_group(SleepState, __name__)


@kernel
def sleep_state_ref(arrays):
    return SleepStateRef(*arrays)


class Sleeping:
    """Which bodies of a world sleep."""

    def __init__(self, contacts: ContactStore) -> None:
        self._contacts = contacts
        self._arrays = allocate(SleepState, n=1)
        self._arrays.enabled[0] = 1
        self._aside: dict[str, Any] | None = None  # contacts among what sleeps
        self._parted: Ints = np.zeros(0, np.int64)  # their touching pairs
        self._link()

    def fit(self, capacity: int) -> None:
        """Room for that many bodies."""
        if len(self._arrays.still) < capacity:
            self._arrays = grown(self._arrays, n=capacity)
            self._link()

    def _link(self) -> None:
        self.ref = sleep_state_ref(self._arrays)

    @property
    def enabled(self) -> Bytes:
        """(1,) whether anything may sleep."""
        return self._arrays.enabled

    @property
    def asleep(self) -> Bytes:
        """(n,) by body slot."""
        return self._arrays.asleep

    @property
    def restless(self) -> Bytes:
        """(n,) by body slot; set where a body must stay awake."""
        return self._arrays.restless

    @property
    def count(self) -> int:
        return int(self._arrays.sleeping[0])

    def view(self, bodies: Bodies, elements: Elements) -> tuple[Bodies, Elements]:
        """The same arrays, in which what sleeps is fixed and its joints do not exist."""
        if self.count == 0:
            return bodies, elements
        out = self.asleep[: len(bodies.kind)].astype(bool)
        kind, solved, role = bodies.kind.copy(), bodies.solved.copy(), elements.role.copy()
        kind[out] = STATIC
        solved[np.repeat(out, 2)] = 0
        role[out[elements.body].any(axis=1)] = DEAD
        return bodies._replace(kind=kind, solved=solved), elements._replace(role=role)

    def contacts_aside(self) -> Contacts | None:
        """The contacts among what sleeps, as they were; None if there are none."""
        if self._aside is None or len(self._aside["gap"]) == 0:
            return None
        count = np.array([len(self._aside["gap"])], np.int64)
        return make_contacts(0)._replace(count=count, **self._aside)

    # --- falling asleep and waking --------------------------------------------------------------

    def fall_asleep(self, bodies: Bodies) -> None:
        """Puts to sleep what `find_resting` found ready."""
        slots = np.flatnonzero(self._arrays.ready)
        self._arrays.ready[:] = 0
        self.asleep[slots] = 1
        self._arrays.sleeping[0] = np.count_nonzero(self.asleep)
        nodes = np.concatenate([2 * slots, 2 * slots + 1])
        bodies.velocity[nodes] = 0.0
        bodies.mean_velocity[nodes] = bodies.mean_excess[nodes] = 0.0
        bodies.lag[slots], bodies.late[nodes] = 0.0, 0.0
        self._contacts.set_movable(slots, ASLEEP)
        taken, parted = self._contacts.take_aside(self.asleep, bodies.kind)
        if self._aside is not None:
            taken = {
                name: np.concatenate([array, taken[name]]) for name, array in self._aside.items()
            }
        self._aside = taken
        self._parted = np.concatenate([self._parted, parted])

    def disturbed(self) -> Ints:
        """Sleeping bodies that the step is about to touch."""
        found = np.flatnonzero(self._arrays.ready & self.asleep)
        self._arrays.ready[:] = 0
        return found

    def wake(self, slots: Any) -> bool:
        """Wakes the islands of the given bodies; returns whether any of them slept."""
        slots = np.asarray(slots, np.int64)
        slots = slots[self.asleep[slots] != 0]
        if len(slots) == 0:
            return False
        islands = np.unique(self._arrays.island[slots])
        woken = np.flatnonzero((self.asleep != 0) & np.isin(self._arrays.island, islands))
        self.asleep[woken] = 0
        self._arrays.still[woken] = 0.0
        self._arrays.sleeping[0] = np.count_nonzero(self.asleep)
        self._contacts.set_movable(woken, MOVING)
        self._bring_back()
        return True

    def wake_all(self) -> bool:
        return self.wake(np.flatnonzero(self.asleep))

    def near(self, slot: int, elements: Elements) -> Ints:
        """The body itself and what sleeps against it or hangs on it."""
        found = [np.array([slot])]
        if self.count and self._aside is not None:
            a, b = self._aside["body_a"], self._aside["body_b"]
            found += [a[b == slot], b[a == slot]]
            live = elements.role != DEAD
            pairs = elements.body[live]
            found += [pairs[pairs[:, 0] == slot, 1], pairs[pairs[:, 1] == slot, 0]]
        return np.concatenate(found)

    def forget(self, slot: int) -> None:
        """A body was removed; it and what slept against it are awake already."""
        for array in (self._arrays.still, self._arrays.restless, self._arrays.asleep):
            array[slot] = 0

    def _bring_back(self) -> None:
        """Contacts with a body that is awake again return to the list."""
        if self._aside is None:
            return
        back = (self.asleep[self._aside["body_a"]] | self.asleep[self._aside["body_b"]]) == 0
        returned = {name: array[back] for name, array in self._aside.items()}
        pairs = np.unique((returned["feature"] >> np.uint64(FEATURE_BITS)).astype(np.int64))
        touching = np.isin(self._parted, pairs)
        self._contacts.bring_back(returned, self._parted[touching])
        self._aside = {name: array[~back] for name, array in self._aside.items()}
        self._parted = self._parted[~touching]

    # --- saving ---------------------------------------------------------------------------------

    def save(self) -> Saved:
        aside = self._aside
        return {
            "arrays": copied(self._arrays),
            "aside": None if aside is None else {k: array.copy() for k, array in aside.items()},
            "parted": self._parted.copy(),
        }

    def restore(self, saved: Saved) -> None:
        self._arrays = copied(saved["arrays"])
        aside = saved["aside"]
        self._aside = None if aside is None else {k: array.copy() for k, array in aside.items()}
        self._parted = saved["parted"].copy()
        self._link()
