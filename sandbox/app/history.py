"""Going back: rewind along recent moments, undo and redo of edits.

The moments themselves are kept by `sandbox.rewind`; playing on after going back drops what was
ahead. An edit remembers the moment before it, so undo is exact, time included.
"""

from typing import TYPE_CHECKING

from sandbox.replay_file import Recorder
from sandbox.rewind import Lane, Rewind

if TYPE_CHECKING:
    from levels.runtime import SessionState
    from sandbox.protocols import GameSession

_UNDOS = 50


class History:
    """Records a session; the session itself knows how to return to a state."""

    def __init__(self, session: "GameSession") -> None:
        self._session = session
        self._rewind = Rewind(session)
        self.recorder: Recorder | None = None  # writes a replay of the game
        self._undo: list[SessionState] = []
        self._redo: list[SessionState] = []

    def record(self) -> None:
        """Call after each step."""
        self._rewind.after_step()
        if self.recorder is not None:
            self.recorder.after_step()

    def back(self, seconds: float) -> bool:
        """Return to the state that many seconds ago; false at the beginning of the record."""
        session = self._session
        if session.tick <= self._rewind.earliest:
            return False
        steps = max(1, round(seconds * float(session.world.rate)))
        self._rewind.back_to(session.tick - steps)
        if self.recorder is not None:
            self.recorder.jumped()
        return True

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last tick that can be gone to."""
        return self._rewind.earliest, self._rewind.end

    @property
    def lanes(self) -> list[Lane]:
        """Courses of things that were left by going back and playing on."""
        return self._rewind.lanes

    def go_to(self, tick: int, lane: Lane | None = None) -> None:
        """To another tick of this course of things, or of one that was left."""
        if lane is not None:
            self._rewind.enter(lane, tick)
        else:
            self._rewind.go_to(tick)
        if self.recorder is not None:
            self.recorder.jumped()

    @property
    def seconds(self) -> float:
        """How far back the record reaches."""
        return float((self._session.tick - self._rewind.earliest) * self._session.world.h)

    def remember(self) -> None:
        """An edit is about to happen; undo returns here."""
        self._undo = [*self._undo[-_UNDOS + 1 :], self._session.snapshot()]
        self._redo = []

    def undo(self) -> bool:
        return self._swap(self._undo, self._redo)

    def redo(self) -> bool:
        return self._swap(self._redo, self._undo)

    def _swap(self, source: list["SessionState"], sink: list["SessionState"]) -> bool:
        if not source:
            return False
        sink.append(self._session.snapshot())
        self._session.restore(source.pop())
        self._rewind.jumped()
        if self.recorder is not None:
            self.recorder.jumped()
        return True

    def close(self) -> None:
        """The game is over: finish its replay."""
        if self.recorder is not None:
            self.recorder.close()
