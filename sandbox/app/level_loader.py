"""A level becomes a session in a thread, so that the window answers meanwhile.

Kernels that are not compiled yet are compiled by other processes first: compiling in a thread would
hold the interpreter for long stretches, and the window with it. Imports nothing heavy: the first
level is already on its way while the game around it is imported.
"""

import threading
from collections.abc import Mapping
from typing import Any

_LOOK_EVERY = 0.1  # s between looks at the compiling processes


class LevelLoader(threading.Thread):
    """The session of a level by name or path, of a loaded level, or one that exists already."""

    def __init__(self, level: Any, given: Mapping[str, Any] | None = None) -> None:
        super().__init__(daemon=True)
        self._wanted = level
        self._given = dict(given or {})
        self._session: Any = None
        self._error: Exception | None = None
        self._cancelled = threading.Event()
        self._prepared = threading.Event()  # no process works for it any more
        self.level: Any = None  # as soon as it is read
        self.preparation: Any = None  # while kernels are being compiled
        self.complaint = ""  # why they could not be compiled elsewhere
        self.start()

    def run(self) -> None:
        try:
            self._build()
        except Exception as error:
            self._error = error

    def _build(self) -> None:
        if hasattr(self._wanted, "issue"):
            self._session, self.level = self._wanted, self._wanted.level
        else:
            self.level = _read(self._wanted)
            self._prepare()
            if self._cancelled.is_set():
                return
            self._session = self.level.session(**self._given)
        self._session.world.step(0)

    def _prepare(self) -> None:
        """Compile what the level needs; where that fails, it is compiled here, and slowly."""
        from sandbox.preparing import missing, start

        names = missing(self.level)
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

    def session(self) -> Any:
        """What was built; raises what went wrong."""
        self.join()
        if self._error is not None:
            raise self._error
        return self._session

    def cancel(self) -> None:
        """Nobody waits for it any more; processes that compile for it end before this returns."""
        self._cancelled.set()
        if self.preparation is not None:
            self._prepared.wait()


def _read(level: Any) -> Any:
    if hasattr(level, "session"):
        return level
    from levels import load

    return load(level)
