"""What happened in the last call of step, and which joints have ever broken."""

from typing import Any

from physics.records import Handle
from physics.snapshot import Saved

Event = tuple[Any, ...]  # ("broken", handle, name), ("contact_begin", a, b, point, impulse) …


class EventLog:
    """Owns the events of the last call of step."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._broken: set[Handle] = set()
        self._frozen: set[int] = set()  # slots of bodies known to stand still

    def newly_frozen(self, slots: list[int]) -> list[int]:
        """Those of the frozen bodies that were not frozen before."""
        new = [slot for slot in slots if slot not in self._frozen]
        self._frozen = set(slots)
        return new

    def clear(self) -> None:
        self._events.clear()

    def add(self, *event: object) -> None:
        self._events.append(event)

    def add_broken(self, joint: Handle) -> None:
        self._events.append(("broken", joint, joint.name))
        self._broken.add(joint)

    def keep(self, events: list[Event]) -> None:
        """Those of several steps that were taken one by one."""
        self._events = list(events)

    def latest(self) -> list[Event]:
        return list(self._events)

    def has_broken(self, joint: Handle) -> bool:
        return joint in self._broken

    def save(self) -> Saved:
        return {"broken": set(self._broken), "frozen": set(self._frozen)}

    def restore(self, saved: Saved) -> None:
        self._broken, self._frozen = set(saved["broken"]), set(saved["frozen"])
