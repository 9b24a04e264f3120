"""What the steps write about themselves: counts, measures, and where their time went."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from physics import state as st

STAGES = ("rows", "treatment", "factor", "solve", "project", "guard", "detect")


class StepRecords:
    """Owns the arrays that kernels count in."""

    def __init__(self) -> None:
        self.counters = np.zeros(st.COUNTERS, np.int64)
        self.measures = np.zeros(st.MEASURES)
        self.cycles = np.zeros(st.STAGES, np.int64)  # of the processor, per stage
        self.seconds: dict[str, float] = dict.fromkeys(STAGES, 0.0)

    @property
    def steps(self) -> int:
        return int(self.counters[st.STEPS])

    @property
    def diverged(self) -> bool:
        return bool(self.counters[st.DIVERGED])

    def share(self, seconds: float, soft: float | None) -> None:
        """What a call of step took, shared out by the cycles of each stage."""
        if soft is not None:
            self.seconds["soft"] = soft
            seconds -= soft
        total = max(int(self.cycles.sum()), 1)
        for name, cycles in zip(STAGES, self.cycles, strict=True):
            self.seconds[name] = seconds * int(cycles) / total

    def save(self) -> dict[str, Any]:
        return {"counters": self.counters.copy(), "measures": self.measures.copy()}

    def restore(self, saved: Mapping[str, Any]) -> None:
        self.counters[:] = saved["counters"]
        self.measures[:] = saved["measures"]
