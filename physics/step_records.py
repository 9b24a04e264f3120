"""What the steps write about themselves: counts, measures, and where their time went."""

import numpy as np

from physics import state as st
from physics.snapshot import Saved

STAGES = ("rows", "stabilization", "factor", "solve", "project", "guard", "detect")


class StepRecords:
    """Owns the arrays that kernels count in."""

    def __init__(self) -> None:
        self.counters = np.zeros(st.COUNTERS, np.int64)
        self.measures = np.zeros(st.MEASURES)
        self.cycles = np.zeros(st.STAGES, np.int64)  # of the processor, per stage
        self._spent: tuple[float, float | None] = (0.0, None)

    @property
    def steps(self) -> int:
        return int(self.counters[st.STEPS])

    @property
    def diverged(self) -> bool:
        return bool(self.counters[st.DIVERGED])

    def share(self, seconds: float, soft: float | None) -> None:
        """What a call of step took, and soft bodies within it."""
        self._spent = (seconds, soft)

    @property
    def seconds(self) -> dict[str, float]:
        """Of the last call of step, shared out by the cycles of each stage."""
        seconds, soft = self._spent
        found = {} if soft is None else {"soft": soft}
        per_cycle = (seconds - (soft or 0.0)) / max(int(self.cycles.sum()), 1)
        for name, cycles in zip(STAGES, self.cycles.tolist(), strict=True):
            found[name] = per_cycle * cycles
        return found

    def save(self) -> Saved:
        return {"counters": self.counters.copy(), "measures": self.measures.copy()}

    def restore(self, saved: Saved) -> None:
        self.counters[:] = saved["counters"]
        self.measures[:] = saved["measures"]
