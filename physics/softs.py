"""The soft bodies of a world. The package behind them is loaded with the first of them."""

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from physics.snapshot import Saved
from physics.state import Floats

if TYPE_CHECKING:
    from physics.soft.soft_item import SoftItem
    from physics.soft.soft_store import SoftStore


class Softs:
    """A store of soft bodies that is made when it is needed; before that it is empty."""

    def __init__(self, world: int) -> None:
        self._world = world
        self._store: SoftStore | None = None

    @property
    def items(self) -> "Mapping[int, SoftItem]":
        """The soft bodies by slot."""
        return {} if self._store is None else self._store.items

    @property
    def stepped(self) -> "SoftStore | None":
        """What is stepped beside the rigid bodies, if anything is."""
        return self._store if self.items else None

    @property
    def seconds(self) -> float | None:
        """Spent in the last call of step; None in a world without soft bodies."""
        return None if self._store is None else self._store.seconds

    def start_clock(self) -> None:
        if self._store is not None:
            self._store.seconds = 0.0

    def add(self, item: "SoftItem") -> int:
        return self._made().add(item)

    def _made(self) -> "SoftStore":
        from physics.soft.soft_store import SoftStore

        if self._store is None:
            self._store = SoftStore(self._world)
        return self._store

    def remove(self, slot: int) -> None:
        if self._store is not None:
            self._store.remove(slot)

    def forget_body(self, slot: int) -> None:
        """A rigid body is removed: what was sewn to it is loose."""
        if self._store is not None:
            self._store.forget_body(slot)

    def energies(self, gravity: Floats) -> tuple[float, float, float]:
        """Kinetic, potential and elastic, J."""
        return (0.0, 0.0, 0.0) if self._store is None else self._store.energies(gravity)

    def seam_error(self) -> float:
        return 0.0 if self._store is None else self._store.seam_error()

    def statistics(self) -> dict[str, Any]:
        return {} if self._store is None else self._store.statistics()

    def update_hash(self, digest: "hashlib._Hash") -> None:
        if self._store is not None:
            self._store.update_hash(digest)

    def save(self) -> Saved | None:
        return None if self._store is None else self._store.save()

    def restore(self, saved: Saved | None) -> None:
        if saved is None:
            self._store = None
        else:
            self._made().restore(saved)
