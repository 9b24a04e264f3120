"""Time keeping: real time in, whole physics steps out.

Frames arrive when they like, steps are all alike. The accumulator collects scaled frame time and
pays it out in steps of h; what remains, as a fraction of h, is where between the last two states
the picture is taken. If steps take longer than they simulate, paying the whole debt would make
the next frame later still (the spiral of death): the debt is capped, time runs slow, and `lag`
says by how much.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

SPEEDS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0)

_LONGEST_FRAME = 0.25  # s; a debugger, a dragged window: not worth catching up


@dataclass
class Accumulator:
    """Fixed steps of `h` seconds; at most `budget` seconds of real time per frame go to them."""

    h: float
    budget: float = 0.040
    speed: float = 1.0
    paused: bool = False
    debt: float = 0.0  # s of simulated time not yet stepped
    lag: float = 0.0  # 0 on time … 1 standing still, smoothed
    pending: int = 0  # single steps asked for

    def advance(self, frame: float) -> int:
        """Feed the frame's real duration; the number of steps that are due."""
        if self.paused:
            due, self.pending = self.pending, 0
            self.debt = 0.0
            return due
        self.debt += min(frame, _LONGEST_FRAME) * self.speed
        due = int(self.debt / self.h + 1e-9)
        self.debt -= due * self.h
        return due

    def run(self, due: int, step: Callable[[], object]) -> int:
        """Take up to `due` steps, stopping when the budget is spent; the rest is forgiven."""
        start = time.perf_counter()
        taken = 0
        while taken < due:
            step()
            taken += 1
            if time.perf_counter() - start > self.budget:
                break
        self._measure(taken, due)
        return taken

    def _measure(self, taken: int, due: int) -> None:
        if due and not self.paused:
            missed = 1.0 - taken / due
            self.lag += 0.15 * (missed - self.lag)

    @property
    def alpha(self) -> float:
        """Where between the previous state (0) and the last one (1) the picture is taken."""
        return 1.0 if self.paused else min(self.debt / self.h, 1.0)

    @property
    def slow(self) -> bool:
        """True when time visibly runs slower than asked for."""
        return self.lag > 0.08

    def faster(self) -> float:
        self.speed = SPEEDS[min(_nearest(self.speed) + 1, len(SPEEDS) - 1)]
        return self.speed

    def slower(self) -> float:
        self.speed = SPEEDS[max(_nearest(self.speed) - 1, 0)]
        return self.speed

    def single_step(self) -> None:
        self.paused = True
        self.pending += 1


def _nearest(speed: float) -> int:
    return min(range(len(SPEEDS)), key=lambda i: abs(SPEEDS[i] - speed))


class FrameTimer:
    """A smoothed split of the frame: physics, upload and draw, interface, in seconds."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self._mark = time.perf_counter()

    def start(self) -> None:
        self._mark = time.perf_counter()

    def lap(self, name: str, but: float = 0.0) -> None:
        """What passed since the last mark, less what is booked elsewhere."""
        now = time.perf_counter()
        self.book(name, now - self._mark - but)
        self._mark = now

    def book(self, name: str, seconds: float) -> None:
        old = self.parts.get(name, seconds)
        self.parts[name] = old + 0.1 * (seconds - old)
