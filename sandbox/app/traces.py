"""The last seconds as numbers, for the live plots: one row per step that is looked at.

Rows go into a buffer of twice the length that is shown; when it is full its second half moves to
the front. So the newest rows are always one contiguous view, without building anything per frame.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from physics import Stats
    from sandbox.protocols import GameWorld

Array = npt.NDArray[np.float64]

LENGTH = 600
SELDOM = 6  # steps between two looks while nothing of it is shown
ENERGY = ("kinetic", "potential", "total")
SOLVER = ("sweeps", "newton", "residual")
_FIXED = ("time", *ENERGY, *SOLVER, "force", "guard")


class Traces:
    """`column(name)` is one series; stage names come from the world's own statistics."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.stages: tuple[str, ...] = ()
        self._rows = np.zeros((2 * LENGTH, len(_FIXED)))
        self._end = 0
        self._before: tuple[int, int, int] | None = None

    def back_to(self, time: float) -> None:
        """Forget what came after that moment: time was turned back."""
        while self._end and self._rows[self._end - 1, 0] > time:
            self._end -= 1

    def __len__(self) -> int:
        return min(self._end, LENGTH)

    def column(self, name: str) -> Array:
        at = (*_FIXED, *self.stages).index(name)
        start = max(0, self._end - LENGTH)
        return np.ascontiguousarray(self._rows[start : self._end, at])

    def record(
        self,
        time: float,
        world: "GameWorld",
        force: float,
        closely: bool = True,
        stats: "Stats | None" = None,
    ) -> None:
        """After a step. Counters of the world only grow; what is kept is the growth.

        Energies cost (those of a cloth are assembled): while nobody looks closely they are taken
        every few steps, and nan in between.
        """
        stats = stats or world.stats
        times = stats.times
        if tuple(times) != self.stages:
            self._widen(tuple(times))
        if self._end == len(self._rows):
            self._rows[:LENGTH] = self._rows[LENGTH:]
            self._end = LENGTH
        interventions = sum(stats.guard.values())
        now = (int(stats.sweeps), int(stats.newton), int(interventions))
        sweeps, newton, guard = (
            max(a - b, 0) for a, b in zip(now, self._before or now, strict=True)
        )
        self._before = now
        row = self._rows[self._end]
        row[:4] = time, np.nan, np.nan, np.nan
        if closely or self._end % SELDOM == 0:
            energy = world.energy()
            row[1:4] = energy.kinetic, energy.potential, energy.total
        row[4:9] = sweeps, newton, stats.residual, force, guard
        row[9:] = tuple(times.values())
        self._end += 1

    def _widen(self, stages: tuple[str, ...]) -> None:
        """The world measures other stages than so far: begin anew."""
        self.clear()
        self.stages = stages
        self._rows = np.zeros((2 * LENGTH, len(_FIXED) + len(stages)))

    def last(self, name: str) -> float:
        return float(self.column(name)[-1]) if len(self) else 0.0

    def recent_guard(self, seconds: float = 1.0) -> int:
        """Interventions of the guard within the last second."""
        if not len(self):
            return 0
        recent = self.column("time") > self.last("time") - seconds
        return int(self.column("guard")[recent].sum())
