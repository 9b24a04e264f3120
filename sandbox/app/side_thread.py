"""Work that may have to wait for the compiler is done beside the thread that draws.

While not all kernels are compiled yet, a step may meet one that is missing: a rare way out of a bad
step, a first grab. Compiling it takes seconds, in which the window must answer.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, TimeoutError

_PATIENCE = 0.15  # s that a frame may wait without a word
_FRAME = 0.05  # s between frames while it waits


class SideThread:
    """Does one thing at a time in a thread of its own; the caller goes on drawing meanwhile."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "steps")  # its thread starts with the first work

    def do(self, work: Callable[[], object], meanwhile: Callable[[], None]) -> None:
        """Returns when the work is done, raises what it raises. Nothing else may touch what it
        works on, so `meanwhile` only draws what is there already."""
        future = self._pool.submit(work)
        wait = _PATIENCE
        while True:
            try:
                future.result(wait)
                return
            except TimeoutError:
                if future.done():  # it was the work that raised it
                    raise
                meanwhile()
                wait = _FRAME

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
