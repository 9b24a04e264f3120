"""Ctrl-C between two steps: the run ends there, and what it has done is kept."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def asked_to_stop(at_once: Callable[[], bool]) -> Iterator[Callable[[], bool]]:
    """A function that says whether Ctrl-C was pressed.

    While `at_once()` is true there is nothing to keep, and from the second time on nobody wants to
    wait: then it acts as it always does, in the middle of whatever is being done.
    """
    asked: list[int] = []
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, _: FrameType | None) -> None:
        if asked or at_once():
            raise KeyboardInterrupt
        asked.append(number)

    try:
        if callable(before):  # a background job that ignores it goes on ignoring it
            signal.signal(signal.SIGINT, note)
    except ValueError:
        before = None  # not in the main thread, where nobody can press it
    try:
        yield lambda: bool(asked)
    finally:
        if callable(before):
            signal.signal(signal.SIGINT, before)
