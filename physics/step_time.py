"""The time of a world: whole steps since the rate last changed, so that it never drifts."""

from physics import checks
from physics.snapshot import Saved


class StepTime:
    """Owns the rate and the count of steps."""

    def __init__(self, rate: float) -> None:
        self._rate = checks.rate(rate)
        self._epoch, self._ticks = 0.0, 0

    @property
    def rate(self) -> float:
        return self._rate

    @rate.setter
    def rate(self, value: float) -> None:
        rate = checks.rate(value)
        if rate != self._rate:
            self._epoch, self._ticks = self.now, 0
        self._rate = rate

    @property
    def now(self) -> float:
        """Seconds since the start."""
        return self._epoch + self._ticks / self._rate

    def advance(self, steps: int) -> None:
        self._ticks += steps

    def save(self) -> Saved:
        return {"epoch": self._epoch, "ticks": self._ticks, "rate": self._rate}

    def restore(self, saved: Saved) -> None:
        self._epoch, self._ticks, self._rate = saved["epoch"], saved["ticks"], saved["rate"]
