"""A level becomes a session in a thread, so that the window answers meanwhile.

Kernels that are not compiled yet are compiled by other processes first: compiling in a thread would
hold the interpreter for long stretches, and the window with it. Imports nothing heavy: the first
level is already on its way while the game around it is imported.
"""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from levels.plain_data import GivenValues

if TYPE_CHECKING:
    from levels import Level, Session
    from physics.prepare import Preparation

    LevelWanted = str | Path | Level | Session

_LOOK_EVERY = 0.1  # s between looks at the compiling processes


class LevelLoader(threading.Thread):
    """The session of a level by name or path, of a loaded level, or one that exists already."""

    def __init__(self, level: "LevelWanted", given: GivenValues | None = None) -> None:
        super().__init__(daemon=True)
        self._wanted = level
        self._given = dict(given or {})
        self._session: Session | None = None
        self._error: Exception | None = None
        self._cancelled = threading.Event()
        self._prepared = threading.Event()  # no process works for it any more
        self.level: Level | None = None  # as soon as it is read
        self.preparation: Preparation | None = None  # while kernels are being compiled
        self.complaint = ""  # why they could not be compiled elsewhere
        self.start()

    def run(self) -> None:
        try:
            self._build()
        except Exception as error:
            self._error = error

    def _build(self) -> None:
        session = self._begun()
        if session is not None:
            session.world.step(0)
            self._session = session

    def _begun(self) -> "Session | None":
        """None: nobody waits for it any more."""
        from levels import Session
        from sandbox.preparing import read_kept

        if isinstance(self._wanted, Session):
            self.level = self._wanted.level
            return self._wanted
        self.level = level = _read(self._wanted)
        self._prepare(level)
        if self._cancelled.is_set():
            return None
        read_kept(level)
        return level.session(scripted=False, **self._given)

    def _prepare(self, level: "Level") -> None:
        """Compile what the level needs; where that fails, it is compiled here, and slowly."""
        from sandbox.preparing import missing, start

        names = missing(level)
        if not names:
            return
        preparation = start(names)
        self.preparation = preparation
        try:
            while not (preparation.done or preparation.failed):
                if self._cancelled.wait(_LOOK_EVERY):
                    break
                preparation.poll()
        finally:
            preparation.close()
            self._prepared.set()
        self.complaint = preparation.failed or ""

    def session(self) -> "Session":
        """What was built; raises what went wrong."""
        self.join()
        if self._error is not None:
            raise self._error
        if self._session is None:
            raise RuntimeError("the level was cancelled while it was being loaded")
        return self._session

    def cancel(self) -> None:
        """Nobody waits for it any more; processes that compile for it end before this returns."""
        self._cancelled.set()
        if self.preparation is not None:
            self._prepared.wait()


def _read(level: "str | Path | Level") -> "Level":
    from levels import Level, load

    return level if isinstance(level, Level) else load(level)
