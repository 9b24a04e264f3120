"""Velocities by which bodies have moved in a step, halfway between its ends as those of soft ones.

Bodies that take a step at once have such velocities; those of substeps are of nearly its end. What
a force did in a step is its impulse times the mean of the velocities of two steps: with velocities
of another moment the work would lag behind what the soft body lost.
"""

import numpy as np

from physics.portable import norm
from physics.state import Bodies, Floats


def _turns(before: Floats, after: Floats) -> Floats:
    """(n, 3) rotation vectors from quaternions (n, 4) to others; of large turns about nine tenths.

    The angle from its sine by a series: the same on every machine.
    """
    w, v = before[:, :1], before[:, 1:]
    q, u = after[:, :1], after[:, 1:]
    half = w * u - q * v + np.cross(v, u)
    half = np.where(w * q + np.sum(v * u, axis=1)[:, None] < 0.0, -half, half)
    square = np.minimum(norm(half)[:, None], 1.0) ** 2
    return half * (2.0 + square * (1.0 / 3.0 + square * (3.0 / 20.0 + square * 5.0 / 56.0)))


class Displaced:
    """Of the bodies of a world, from one step to the next."""

    def __init__(self) -> None:
        self._moved: Floats = np.zeros((0, 3))  # (2n, 3) in the last step
        self._ended: Floats = np.zeros((0, 3))  # bodies.velocity at its end
        self._start: tuple[Floats, Floats] = (np.zeros((0, 3)), np.zeros((0, 4)))
        self.before: Floats = np.zeros((0, 3))
        self.now: Floats = np.zeros((0, 3))

    def begin(self, bodies: Bodies) -> None:
        """A step begins; what was pushed since has changed. Written: before."""
        velocity = bodies.velocity
        known = self._moved.shape == velocity.shape
        self.before = self._moved + (velocity - self._ended) if known else velocity.copy()
        self._start = bodies.position.copy(), bodies.orientation.copy()

    def end(self, bodies: Bodies, h: float) -> None:
        """The bodies have moved. Written: now."""
        self.now = bodies.velocity.copy()
        b = np.flatnonzero(np.abs(bodies.lag - 0.5 * h) > 1e-6 * h)
        position, orientation = self._start
        self.now[2 * b] = (bodies.position[b] - position[b]) / h
        self.now[2 * b + 1] = _turns(orientation[b], bodies.orientation[b]) / h

    def keep(self, bodies: Bodies) -> None:
        """Velocities are as the next step will find them, what was drained is gone."""
        self._moved, self._ended = self.now, bodies.velocity.copy()

    def forget(self) -> None:
        """No body was met."""
        self._moved = self._ended = np.zeros((0, 3))

    def save(self) -> tuple[Floats, Floats]:
        return self._moved, self._ended

    def restore(self, saved: tuple[Floats, Floats]) -> None:
        self._moved, self._ended = saved
