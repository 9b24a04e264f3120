"""The level's own keys, as the player holds them. A tap is never lost: however briefly a key is
down, the level sees it for a few steps, even where it went down and up within one frame."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.protocols import GameSession

_SHORTEST = 0.05  # s of the level's time that a tap lasts


class LevelKeys:
    """Tells the session of keys; delays the release of those it has hardly seen."""

    def __init__(self, session: "GameSession") -> None:
        self._session = session
        self._pressed: dict[str, int] = {}  # key → tick from which the level sees it
        self._waiting: dict[str, int] = {}  # key that is up already → tick at which it is told

    def turn(self, name: str, down: bool) -> bool:
        """A key went down or up; false when the level does not listen to it."""
        from levels.commands import Key

        if self._session.keys().get(name) is None:
            return False
        if down:
            self._waiting.pop(name, None)
            self._pressed[name] = self._session.tick
            self._session.issue(Key(name, True))
            return True
        until = self._pressed.pop(name, self._session.tick) + self._fewest
        if self._session.tick >= until:
            self._session.issue(Key(name, False))
        else:
            self._waiting[name] = until
        return True

    @property
    def _fewest(self) -> int:
        return max(1, round(_SHORTEST * float(self._session.world.rate)))

    def after_step(self) -> None:
        """What was let go meanwhile, and has been seen long enough."""
        from levels.commands import Key

        for name, until in list(self._waiting.items()):
            if self._session.tick >= until or self._session.tick < until - self._fewest:
                del self._waiting[name]
                self._session.issue(Key(name, False))
