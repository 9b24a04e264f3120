"""Accelerated sweeps against plain ones on the same rows."""

import numpy as np

from physics.contact.packed import LEVER_A, LEVER_B, MASS_A, MASS_B, TURN_A, TURN_B
from physics.contact.solver.convergence import LARGE_SHARE
from tests.physics.contact.scenes import on_ground, pyramid


def _dense(rows, count: int, places: int) -> tuple[np.ndarray, np.ndarray]:
    """J and M⁻¹ Jᵀ of all contacts, over the places of the unknowns."""
    J, A = np.zeros((3 * count, 3 * places)), np.zeros((3 * places, 3 * count))
    for c in range(count):
        P = rows.packed[c]
        for r in range(3):
            d = P[3 * r : 3 * r + 3]
            parts = (
                (d, P[MASS_A] * d),
                (P[LEVER_A + 3 * r :][:3], P[TURN_A + 3 * r :][:3]),
                (-d, -P[MASS_B] * d),
                (-P[LEVER_B + 3 * r :][:3], -P[TURN_B + 3 * r :][:3]),
            )
            for k, (direction, response) in zip(rows.place[c], parts, strict=True):
                if k >= 0:
                    J[3 * c + r, 3 * k : 3 * k + 3] = direction
                    A[3 * k : 3 * k + 3, 3 * c + r] = response
    return J, A


def _plain_sweeps(S: np.ndarray, q: np.ndarray, friction: np.ndarray, enough: float) -> int:
    """Forward and backward by turns until no speed changes by more than `enough`; at most 1000."""
    count = len(friction)
    mu, w = np.zeros(3 * count), q.copy()
    for sweep in range(1, 1001):
        worst = 0.0
        for c in range(count) if sweep % 2 else range(count - 1, -1, -1):
            old = mu[3 * c : 3 * c + 3].copy()
            n = max(old[0] - w[3 * c] / S[3 * c, 3 * c], 0.0)
            t = old[1:] - w[3 * c + 1 : 3 * c + 3] / S[3 * c + 1, 3 * c + 1]
            size = np.linalg.norm(t)
            if size > friction[c] * n:
                t *= friction[c] * n / size
            change = np.array([n, *t]) - old
            mu[3 * c : 3 * c + 3] += change
            w += S[:, 3 * c : 3 * c + 3] @ change
            worst = max(worst, np.abs(change * np.diag(S)[3 * c : 3 * c + 3]).max())
        if worst <= enough:
            return sweep
    return 1000


def test_acceleration_saves_most_of_the_sweeps() -> None:
    world = on_ground()
    pyramid(world, 6)
    world._contacts.tolerance_scale[0] = 0.999  # asks for precision: no pile
    world.step(1)
    rows, count = world._contacts.rows, world.stats.contacts
    system = world._stores.stepping.ensure().system
    assert rows.simple[:count].all()
    J, A = _dense(rows, count, int(system.size[0]))
    S = J @ A
    velocity = world._bodies.arrays.velocity[system.unknown[: system.size[0]]].ravel()
    mu = rows.mu[:count].ravel()
    w = J @ velocity + rows.bias[:count].ravel()
    assert w[::3].min() > -1e-3  # the world's own solution: nothing closes
    enough = LARGE_SHARE * 9.81 / world.rate
    plain = _plain_sweeps(S, w - S @ mu, rows.friction[:count], enough)
    assert world.stats.residual <= enough
    assert world.stats.sweeps * 3 < plain
