"""Kernels that the present level does not need are compiled while it is played, out of the way."""

import time
from typing import TYPE_CHECKING

from sandbox import preparing

if TYPE_CHECKING:
    from physics.prepare import Preparation
    from sandbox.protocols import GameLevel

_QUIET = 3.0  # s of play before it begins: the first seconds belong to the game
_LOOK_EVERY = 0.5  # s


class BackgroundCompiler:
    """One task after the other, by a process of low priority; none while a level is waited for."""

    def __init__(self) -> None:
        self._preparation: Preparation | None = None
        self._current = ""  # the task it works on
        self._queue: list[str] = []  # those after it
        self._due: float | None = None  # when to look what is missing
        self._next_look = 0.0
        self._level: GameLevel | None = None

    def resume(self, level: "GameLevel") -> None:
        """A level is being played."""
        self._level = level
        if self._preparation is None:
            self._due = time.monotonic() + _QUIET

    def pause(self) -> None:
        """Something else is wanted first."""
        self._due, self._queue = None, []
        self._stop()

    close = pause

    def _stop(self) -> None:
        if self._preparation is not None:
            self._preparation.close()
            self._preparation, self._current = None, ""

    @property
    def idle(self) -> bool:
        """Nothing is left to be compiled."""
        return self._preparation is None and self._due is None

    def first(self, names: list[str]) -> None:
        """These are wanted before the others."""
        self._queue.sort(key=lambda name: name not in names)

    def poll(self) -> None:
        """Once a frame; cheap."""
        now = time.monotonic()
        if self._due is not None and self._level is not None and now >= self._due:
            self._due = None
            self._queue = preparing.rest(self._level)
            self._begin()
        if self._preparation is None or now < self._next_look:
            return
        self._next_look = now + _LOOK_EVERY
        self._preparation.poll()
        if self._preparation.done or self._preparation.failed:
            self._stop()  # what failed is tried again when it is needed, and told then
            self._begin()

    def _begin(self) -> None:
        if self._queue:
            self._current = self._queue.pop(0)
            self._preparation = preparing.start([self._current], gently=True)

    def seconds_until(self, names: list[str]) -> float:
        """How long it takes until all of these are there, if nobody asks for them before, s."""
        last = max((self._queue.index(name) for name in names if name in self._queue), default=-1)
        ahead = list(dict.fromkeys((*self._queue[: last + 1], *names)))
        seconds = sum(preparing.weight(name) for name in ahead if name != self._current)
        if self._preparation is not None:
            seconds += self._preparation.seconds_left or 0.0
        return float(seconds)
