"""Python's garbage collector, paused where many small objects are made and kept."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """A level of thousands of entries would otherwise be searched for garbage again and again while
    it is being read, a third of the whole time."""
    was_running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            gc.enable()
