"""Other engines on the same scenes, in turn: time of a step, and what it was worth.

An engine's step counts only with what it held: a run is stable if it is finite for as long as the
scene lasts, no pin opens by 1 cm and no more than 5 % of the releasable energy is gained. Energy
lost is always shown, because damping looks like stability.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sandbox.engines import planar
from sandbox.engines.engine import ENGINES, Engine, Running, energy, gap, stepping
from sandbox.engines.turns import Turn, best, in_turn

ROUNDS = 7
SECONDS = 4.0  # simulated, of the run that is judged
_ONLY_HINGES = ("pybullet", "pymunk", "box2d")  # where balls are asked for, they are left out
FAIR = (
    "Every engine steps the same bars and pins at the same step, on one thread, undamped unless it "
    "is said; times are of the processor, the same motion in turns, the best of them. "
    "Two-dimensional engines have a third of the unknowns; Rapier and Box2D compute in single "
    "precision. Calls from Python cost pymunk, Box2D, PyBullet and Rapier about 1 µs a step; ours "
    "and MuJoCo's loop inside. Poses are read by the same formula for all. A scene holds if it is "
    "finite, no pin opens by 1 cm and no more than 5 % of the energy is gained; energy lost is "
    "shown, because damping looks like stability."
)


def scenes() -> dict[str, tuple[planar.Mechanism, float]]:
    """Name → mechanism and step, s."""
    ball = planar.chain(100.0, links=100)
    ball.balls = True
    return {
        "chain of 10, 100:1, 0.001 s": (planar.chain(100.0), 0.001),
        "chain of 10, 100:1, 1/60 s": (planar.chain(100.0), 1 / 60),
        "chain of 10, 1e5:1, 1/60 s": (planar.chain(1e5), 1 / 60),
        "chain of 100 balls, 0.01 s": (ball, 0.01),
        "four four-bars, 0.002 s": (planar.four_bars(4), 0.002),
    }


@dataclass(frozen=True)
class Beside:
    """An engine and setting on a scene."""

    scene: str
    engine: str
    setting: str
    microseconds: float  # of a step
    stable: bool
    gap: float  # m
    gain: float  # largest rise of energy, share of what can be released
    lost: float  # at the end, the same


def settings(engine: Engine) -> tuple[str, ...]:
    """As shipped, and what its manual advises for such scenes, the best among it."""
    return engine.settings or (engine.shipped,)


def _judge(scene: planar.Mechanism, running: Running, h: float) -> tuple[bool, float, float, float]:
    start, worst, gain, now = energy(scene, running), 0.0, 0.0, 0.0
    full = scene.releasable()
    pieces = 40
    for _ in range(pieces):
        running.step(max(1, round(SECONDS / h / pieces)))
        if not (np.isfinite(running.speeds()).all() and np.isfinite(running.places()).all()):
            return False, math.inf, math.inf, math.nan
        now = (energy(scene, running) - start) / full
        worst, gain = max(worst, gap(scene, running)), max(gain, now)
    return worst < 0.01 and gain < 0.05, worst, gain, -now


def beside(quick: bool = False) -> Iterator[Beside]:
    """All engines that are installed, on every scene."""
    count = 20 if quick else 50
    for name, (scene, h) in scenes().items():
        entrants = {
            f"{engine.title}, {setting}": (engine, setting)
            for engine in ENGINES.values()
            if engine.installed and not (scene.balls and engine.name in _ONLY_HINGES)
            for setting in settings(engine)
        }
        turns = {
            key: Turn(stepping(engine, scene, h, setting, count), count)
            for key, (engine, setting) in entrants.items()
        }
        spent = best(in_turn(turns, ROUNDS))
        for key, (engine, setting) in entrants.items():
            judged = _judge(scene, engine.build(scene, h, setting), h)
            yield Beside(name, engine.title, setting, 1e6 * spent[key], *judged)
