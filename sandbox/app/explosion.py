"""The world comes apart, and that is worth seeing: a second of it in slow motion, then the choice
to go back or to look at it beside a stabilization that holds.

Once a position is no longer a finite number nothing can be stepped any more; what is seen then
flies on as it flew in the last step. The session itself is back at the moment before as soon as
the flight is over, so that whatever the player does next goes on from there.
"""

from typing import TYPE_CHECKING, Literal

import numpy as np

from sandbox.app.divergence import DivergenceReport, find_culprit
from sandbox.render.model import Poses, between

if TYPE_CHECKING:
    from sandbox.app.player import Player

FLIGHT = 1.2  # s of real time that it is seen flying
_SLOW = 1 / 6  # of the usual speed
_BACK = 0.7  # s of real time for the way back
_FARTHEST = 500.0  # m; beyond that nothing is recognised, and pictures get into trouble
_FASTEST = 60.0  # m/s that is drawn: faster would be gone at once


class Explosion:
    """From the first step that went wrong to the player's choice."""

    def __init__(self, player: "Player") -> None:
        self._player = player
        self.phase: Literal["flying", "over", "back"] = "flying"
        self.age = 0.0  # s of real time in this phase
        self.report: DivergenceReport | None = None
        self.film: list[Poses] = []  # what was seen, to be seen backwards
        self._steps = [player.view.before, player.view.after]  # the last two that can be drawn
        self._velocity = np.zeros_like(player.view.after.positions)
        self._debt = 0.0  # steps of the flight that are due
        self._gone = False  # nothing more can be stepped or drawn
        self._look()

    def _look(self) -> None:
        """Take in the step that was just made, if it can be drawn."""
        fresh = self._player.stage.poses()
        where, last = fresh.positions, self._steps[-1]
        sound = np.isfinite(where).all() and np.isfinite(fresh.orientations).all()
        if not sound or where.shape != last.positions.shape or np.abs(where).max() > _FARTHEST:
            self._gone, self._debt = True, 0.0
            return
        self._steps = [last, fresh]
        velocity = (where - last.positions) / float(self._player.clock.h)
        size = np.linalg.norm(velocity, axis=1, keepdims=True)
        self._velocity = velocity * np.minimum(1.0, _FASTEST / np.maximum(size, 1e-9))

    def update(self, frame: float) -> None:
        """A frame of it."""
        self.age += min(frame, 0.1)
        if self.phase == "flying":
            self._fly(min(frame, 0.1))
        elif self.phase == "back":
            left = max(0.0, 1.0 - self.age / _BACK)
            self._player.view.shown = self.film[int(left * (len(self.film) - 1))]
            if left <= 0.0:
                self._player.end_explosion()

    def _fly(self, frame: float) -> None:
        h = float(self._player.clock.h)
        self._debt += frame * _SLOW / h
        while self._debt >= 1.0 and not self._gone:
            self._debt -= 1.0
            self._player.session.step()
            self._look()
        before, after = self._steps
        if self._gone:
            way = self._velocity * (self._debt * h)
            self.film.append(Poses(after.positions + way, after.orientations))
        else:
            self.film.append(between(before, after, self._debt))
        self._player.view.shown = self.film[-1]
        if self.age >= FLIGHT:
            self.finish()
            self.phase, self.age = "over", 0.0
            self._player.clock.paused = True

    def finish(self) -> None:
        """The session goes to the moment before; the picture stays as it is."""
        if self.report is None:
            self.report = find_culprit(self._player.session, self._player.history)

    def go_back(self) -> None:
        """See it fly back together; then the player goes on from before."""
        if self.phase == "over":
            self.phase, self.age = "back", 0.0
