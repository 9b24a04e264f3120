"""Work counted in calls: the same on every machine, whatever else it is doing."""

import sys
from types import FrameType

ENDLESS = 20_000_000  # calls; no level is worth a tenth of them


class TooMuchWork(Exception):
    """What would never end."""


class CallCounter:
    """Counts the calls of everything within; TooMuchWork when there are too many."""

    def __init__(self) -> None:
        self.calls = 0

    def __enter__(self) -> "CallCounter":
        self._before = sys.getprofile()
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)

    def _count(self, frame: FrameType, event: str, argument: object) -> None:
        self.calls += event in ("call", "c_call")
        if self.calls > ENDLESS:
            sys.setprofile(self._before)
            raise TooMuchWork
