"""Kernels that the present level does not need are compiled while it is played, out of the way."""

import time
from typing import Any

from sandbox import preparing

_QUIET = 3.0  # s of play before it begins: the first seconds belong to the game
_LOOK_EVERY = 0.5  # s


class Later:
    """One process at low priority. All of it stops while a level is waited for."""

    def __init__(self) -> None:
        self._preparation: Any = None
        self._queue: list[str] = []  # as it was when the process began
        self._due: float | None = None  # when to begin
        self._next_look = 0.0
        self._level: Any = None

    def resume(self, level: Any) -> None:
        """A level is being played."""
        self._level = level
        if self._preparation is None:
            self._due = time.monotonic() + _QUIET

    def pause(self) -> None:
        """Something else is wanted first."""
        self._due = None
        if self._preparation is not None:
            self._preparation.close()
            self._preparation = None

    close = pause

    @property
    def idle(self) -> bool:
        """Nothing is left to be compiled."""
        return self._preparation is None and self._due is None

    def poll(self) -> None:
        """Once a frame; cheap."""
        now = time.monotonic()
        if self._due is not None and now >= self._due:
            self._begin()
        if self._preparation is None or now < self._next_look:
            return
        self._next_look = now + _LOOK_EVERY
        self._preparation.poll()
        if self._preparation.done or self._preparation.failed:
            self.pause()  # what failed is tried again when it is needed, and told then

    def _begin(self) -> None:
        self._due = None
        self._queue = preparing.rest(self._level)
        if self._queue:
            self._preparation = preparing.start(self._queue, gently=True)

    def seconds_until(self, names: list[str]) -> float:
        """How long it takes until all of these are there, if nobody asks for them before, s."""
        queue = self._queue
        last = max((queue.index(name) for name in names if name in queue), default=-1)
        ahead = preparing.unready(list(dict.fromkeys((*queue[: last + 1], *names))))
        return sum(preparing.weight(name) for name in ahead)
