"""Answers that are known in closed form: free fall, a pendulum's period, a free top."""

import math

import numpy as np
from scipy.special import ellipk

from physics import Box, World
from sandbox.reproduce.item import Result, item, short, within

SOURCE = "IFToMM and others"


@item(
    SOURCE, "Free fall, the period of a pendulum, a free top",
    conditions="""A thrown stone after 2 s; the period of a pendulum of 1 m from 90° by the zero
    crossings of ten swings; a box of 0.3 x 0.2 x 0.1 m spun about its middle axis, where it must
    tumble, 20 s: change of angular momentum and of energy; h = 1/60 and 1/240 s.""",
    why="""A body that tumbles about its middle axis turns over within a few steps; momentum is kept
    to the order of the step there.""",
    left_open="speeds: the stone (3, 5, 0) m/s, the box 10 rad/s and 0.01 rad/s across.",
)  # fmt: skip
def free_fall_period_top(quick: bool) -> Result:
    result = Result()
    for rate in (60, 240):
        world = World(rate=rate, sleeping=False)
        world.add_particle("stone", velocity=(3, 5, 0))
        world.step(2 * rate)
        apart = world.position("stone") - np.array([6.0, 10.0 - 2 * 9.81, 0.0])
        error = float(np.linalg.norm(apart))
        result.add(f"{rate} Hz: free fall, m", "0", short(error), within(error, 1e-6))
        known = 4 * math.sqrt(1 / 9.81) * float(ellipk(0.5))
        found = _period(rate, 3 if quick else 10)
        bound = 10 * known / rate**2
        result.add(f"{rate} Hz: period, s", f"{known:.6f}", f"{found:.6f}",
                   within(abs(found - known), bound))  # fmt: skip
        momentum, energy = _tumbled(rate, 5.0 if quick else 20.0)
        result.add(f"{rate} Hz: angular momentum of a free top, change", "0", short(momentum),
                   within(momentum, 1e-6))  # fmt: skip
        result.add(f"{rate} Hz: its energy, change", "0", short(energy), within(energy, 1e-2))
    return result


def _period(rate: int, swings: int) -> float:
    """Mean over some swings, by linear interpolation of the crossings of the vertical."""
    world = World(rate=rate, sleeping=False)
    world.add_particle("bob", position=(1, 0, 0))
    world.add_joint("distance", "bob", at_b=(0, 0, 0))
    crossings: list[float] = []
    before = 1.0
    while len(crossings) < 2 * swings + 1 and world.time < 4.0 * swings + 4.0:
        world.step()
        now = float(world.position("bob")[0])
        if (now > 0) != (before > 0):
            crossings.append(world.time - now / (now - before) / rate)
        before = now
    return 2 * (crossings[-1] - crossings[0]) / (len(crossings) - 1)


def _tumbled(rate: int, seconds: float) -> tuple[float, float]:
    """Largest changes of angular momentum and of energy of a free box, as shares."""
    world = World(rate=rate, gravity=(0, 0, 0), sleeping=False)
    size = np.array([0.3, 0.2, 0.1])
    world.add_body("top", Box(tuple(size)), mass=1.0, angular_velocity=(0.0, 10.0, 0.01), mask=0)
    inertia = (float(size @ size) - size**2) / 12
    start = inertia * np.array([0.0, 10.0, 0.01])
    first = world.energy().total
    worst = changed = 0.0
    for _ in range(20):
        world.step(round(seconds * rate / 20))
        turn = _matrix(world.orientation("top"))
        now = turn @ (inertia * (turn.T @ world.angular_velocity("top")))
        worst = max(worst, float(np.linalg.norm(now - start) / np.linalg.norm(start)))
        changed = max(changed, abs(world.energy().total / first - 1))
    return worst, changed


def _matrix(q: "np.ndarray") -> "np.ndarray":
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
