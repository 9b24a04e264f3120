"""Ctrl-C between two steps: the run ends there, and what it has done is kept."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def asked_to_stop() -> Iterator[Callable[[], bool]]:
    """A function that says whether Ctrl-C was pressed. The second time it acts as it always does,
    in the middle of whatever is being done."""
    asked: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        asked.append(number)
        signal.signal(signal.SIGINT, before)

    try:
        before = signal.signal(signal.SIGINT, note)
    except ValueError:  # not in the main thread, where nobody can press it
        yield lambda: False
        return
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, before)
