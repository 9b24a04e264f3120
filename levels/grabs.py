"""The player's hands: what each holds, and since when things are free."""

from __future__ import annotations

from collections.abc import Sequence

from levels.frames import vec
from levels.name_table import NameTable
from physics import Handle
from physics.snapshot import Saved


class Grabs:
    """Hands are numbered, so that several can hold at once."""

    def __init__(self, names: NameTable) -> None:
        self._names = names
        self.held: dict[int, Handle] = {}  # hand → the grab in the world
        self._bodies: dict[int, str] = {}  # hand → what it holds, or held last
        self._let_go: dict[str, float] = {}  # body → s of the world, when a hand last had it
        names.on_removed.append(self._forget)

    def save(self) -> Saved:
        return {
            "grabs": dict(self.held),
            "grabbed": dict(self._bodies),
            "let_go": dict(self._let_go),
        }

    def restore(self, saved: Saved) -> None:
        self.held = dict(saved["grabs"])
        self._bodies = dict(saved["grabbed"])
        self._let_go = dict(saved["let_go"])

    def grab(self, hand: int, body: str, point: Sequence[float]) -> None:
        self.drop(hand)
        world, handle = self._names.world, self._names.soft_or_body(body)
        self.held[hand] = world.grab(handle, vec(point))
        self._bodies[hand] = world.name(handle)

    def drag(self, hand: int, target: Sequence[float]) -> None:
        if hand in self.held:
            self._names.world.move_grab(self.held[hand], vec(target))

    def drop(self, hand: int) -> None:
        if hand in self.held:
            self._names.world.release_grab(self.held.pop(hand))
            self._let_go[self._bodies[hand]] = float(self._names.world.time)

    def _forget(self, body: str) -> None:
        """The body is gone, and with it the world's grab of it."""
        self.held = {h: grab for h, grab in self.held.items() if self._bodies.get(h) != body}

    def free_for(self, name: str) -> float:
        """How long no hand has held the body, or any part of the prop or prefab, s."""
        names = self._names
        group = names.group(name)
        own = {names.name_of(names.soft_or_body(name))} if group is None else set(group.members)
        if any(self._bodies[hand] in own for hand in self.held):
            return 0.0
        return float(names.world.time) - max(self._let_go.get(part, 0.0) for part in own)
