"""The level's own [[input]]: what a player would do, so that a headless run can play.

It is part of the level, so it is not recorded as commands are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from levels.rules import Scripted
from physics.snapshot import Saved

if TYPE_CHECKING:
    from levels.runtime import Session


class ScriptedInputs:
    """Plays inputs at their times."""

    def __init__(self, inputs: Iterable[Scripted]) -> None:
        self._inputs = sorted(inputs, key=lambda scripted: scripted.at)
        self._next = 0
        self._keys: dict[str, float] = {}  # key that is held → until, s

    def save(self) -> Saved:
        return {"next": self._next, "keys": dict(self._keys)}

    def restore(self, saved: Saved) -> None:
        self._next, self._keys = saved["next"], dict(saved["keys"])

    def play(self, session: Session) -> None:
        """What begins or ends by the middle of the coming step."""
        now = session.time + 0.5 * session.world.h
        while self._next < len(self._inputs) and self._inputs[self._next].at <= now:
            self._play(self._inputs[self._next], session)
            self._next += 1
        for key, until in list(self._keys.items()):
            if until <= now:
                del self._keys[key]
                session.held.discard(key)

    def _play(self, scripted: Scripted, session: Session) -> None:
        if scripted.key:
            session.held.add(scripted.key)
            self._keys[scripted.key] = scripted.until
        elif scripted.action is not None:
            scripted.action(session)
        elif scripted.command is not None:
            scripted.command.apply(session)
