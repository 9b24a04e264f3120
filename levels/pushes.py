"""Forces and torques that triggers put on bodies for a while."""

from __future__ import annotations

from levels.caps import LARGEST_NUMBER, MAX_PUSHES
from levels.name_table import NameTable
from physics.snapshot import Saved

Vector = tuple[float, float, float]
# body, force (N), torque (N m), until when (s of the level)
Push = tuple[str, Vector, Vector, float]


class Pushes:
    """Those that act now, in the order they began; the oldest goes when there are too many."""

    def __init__(self) -> None:
        self._acting: list[Push] = []

    def save(self) -> Saved:
        return {"acting": list(self._acting)}

    def restore(self, saved: Saved) -> None:
        self._acting = list(saved["acting"])

    def add(self, names: NameTable, body: str, force: Vector, torque: Vector, until: float) -> None:
        full = names.plan.find(body)
        if full is None or full not in names.handles:
            raise ValueError(f'there is no body "{body}"')
        if not all(abs(value) <= LARGEST_NUMBER for value in (*force, *torque, until)):
            raise ValueError("the force is beyond all bounds")
        self._acting = [*self._acting[1 - MAX_PUSHES :], (full, force, torque, until)]

    def act(self, names: NameTable, time: float) -> None:
        """Before a step that begins at that time."""
        if not self._acting:
            return
        middle = time + 0.5 * names.world.h
        self._acting = [
            push for push in self._acting if push[3] > middle and push[0] in names.handles
        ]
        for body, force, torque, _ in self._acting:
            handle = names.handles[body]
            names.world.apply_force(handle, force)
            if any(torque) and not names.world.is_particle(handle):
                names.world.apply_torque(handle, torque)
