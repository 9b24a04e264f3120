"""A level becomes a session in a thread, so that the window answers while kernels compile.

Imports nothing heavy: the first level is already being built while the game around it is imported.
"""

import threading
from typing import Any


class Building(threading.Thread):
    """The session of a level by name or path, of a loaded level, or one that exists already."""

    def __init__(self, level: Any) -> None:
        super().__init__(daemon=True)
        self._level = level
        self._session: Any = None
        self._error: Exception | None = None
        self.start()

    def run(self) -> None:
        try:
            self._session = _session(self._level)
            self._session.world.step(0)
        except Exception as error:
            self._error = error

    def session(self) -> Any:
        """What was built; raises what went wrong."""
        self.join()
        if self._error is not None:
            raise self._error
        return self._session


def _session(level: Any) -> Any:
    if hasattr(level, "issue"):
        return level
    if hasattr(level, "session"):
        return level.session()
    from levels import load

    return load(level).session()
