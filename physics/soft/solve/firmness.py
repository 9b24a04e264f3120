"""How firmly links without compliance hold their length.

1: exactly. Where the guard takes a step (a cloth snaps taut) they are springs for it and end a
little too long: firmness 0. They close again as fast as what moves can pay for it: closing lifts
what they carry, and the energy of that was lost in stretching them.
"""

from dataclasses import dataclass

FASTEST = 0.1  # of the way in a step
SLOWEST = 1e-3  # of the way, where it is not paid for ...
PAUSE = 30  # steps: ... and until it is tried again


@dataclass
class Firmness:
    """φ = -(1 - now) λ/k of a link without compliance whose stiffness in the matrix is k."""

    now: float = 1.0
    before: float = 1.0  # in the last step
    growth: float = FASTEST
    pause: int = 0  # steps

    @property
    def closes(self) -> bool:
        """Whether links are being closed in this step."""
        return self.now > self.before

    def refuse(self) -> None:
        """Not in this step: nobody pays."""
        self.now = self.before
        self.pause = PAUSE if self.growth <= SLOWEST else 0
        self.growth = max(0.5 * self.growth, SLOWEST)

    def go_on(self) -> None:
        """A step has been taken."""
        if self.closes:
            self.growth = min(FASTEST, 2.0 * self.growth)
        self.before, self.pause = self.now, max(0, self.pause - 1)
        if self.pause == 0:
            self.now = min(1.0, self.now + self.growth)

    def set(self, value: float) -> None:
        """The guard has taken a step."""
        self.now = self.before = value
