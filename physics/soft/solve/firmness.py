"""How firmly links without compliance hold their length.

1: exactly. Where the guard takes a step (a cloth snaps taut) they are springs for it and end a
little too long: firmness 0. They close again as fast as that is paid for: closing lifts what they
carry. What the guard lost in stretching them is theirs (`credit`); the rest must come from what
moves.
"""

from dataclasses import dataclass

FASTEST = 0.1  # of the way in a step
SLOWEST = 1e-3  # of the way, where it is not paid for ...
PAUSE = 30  # steps: ... and until it is tried again
SLOWEST_PUSH = 0.01  # of the way that contacts push: the same of them


@dataclass
class Firmness:
    """φ = -(1 - now) λ/k of a link without compliance whose stiffness in the matrix is k."""

    now: float = 1.0
    before: float = 1.0  # in the last step
    last: float = 1.0  # in the one before that
    growth: float = FASTEST
    pause: int = 0  # steps
    credit: float = 0.0  # J: what closing may take
    paid: float = 0.0  # J of it in the last step
    push: float = 1.0  # of the way that contacts push out what lies within another
    wait: int = 0  # steps in which they do not

    @property
    def closes(self) -> bool:
        """Whether links are being closed in this step."""
        return self.now > self.before

    @property
    def middle(self) -> float:
        """At the moment of the velocities that the step finds."""
        return 0.5 * (self.now + self.before)

    @property
    def middle_before(self) -> float:
        """The same of the step before."""
        return 0.5 * (self.before + self.last)

    def pays(self, energy: float) -> float:
        """J of the credit that closing takes in this step; `energy` is ½λ²/k of all links."""
        return min(self.credit, max(self.middle - self.middle_before, 0.0) * energy)

    def refuse(self) -> None:
        """Not in this step: nobody pays."""
        self.now = self.before
        self.pause = PAUSE if self.growth <= SLOWEST else 0
        self.growth = max(0.5 * self.growth, SLOWEST)

    def refuse_push(self) -> None:
        """Nothing is pushed out in this step: that lifts what nobody pays for."""
        self.push = max(0.5 * self.push, SLOWEST_PUSH)
        self.wait = PAUSE if self.push == SLOWEST_PUSH else 1

    def go_on(self, paid: float) -> None:
        """A step has been taken, for which closing took so much of its credit, J."""
        self._push_again()
        if self.closes:
            self.growth = min(FASTEST, 2.0 * self.growth)
        self.last, self.before, self.pause = self.before, self.now, max(0, self.pause - 1)
        self.paid = paid
        self.credit -= paid
        if self.pause == 0:
            self.now = min(1.0, self.now + self.growth)
        if self.last == 1.0:
            self.credit = 0.0

    def _push_again(self) -> None:
        if self.wait == 0:
            self.push = min(1.0, 2.0 * self.push)
        self.wait = max(0, self.wait - 1)

    def set(self, value: float, paid: float) -> None:
        """The guard has taken a step, for which closing took so much of its credit, J."""
        self._push_again()
        self.last, self.now, self.before = self.before, value, value
        self.paid = paid
        self.credit -= paid

    def soften(self, ratio: float) -> float:
        """The stiffness k is to change by `ratio`; by how much it may, as links keep their length.

        Written: all but growth, pause and credit.
        """
        loosest = 1.0 - min(self.now, self.before, self.last)
        ratio = min(ratio, 1.0 / loosest) if loosest > 0.0 else ratio
        self.now = 1.0 - (1.0 - self.now) * ratio
        self.before = 1.0 - (1.0 - self.before) * ratio
        self.last = 1.0 - (1.0 - self.last) * ratio
        return ratio
