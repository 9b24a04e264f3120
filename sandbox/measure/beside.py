"""Other engines on the same scenes, in turn: time of a step, and what it was worth.

An engine's step counts only with what it held: a run is stable if it is finite for as long as the
scene lasts, no pin opens by 1 cm and no more than 5 % of the releasable energy is gained. Energy
lost is always shown, because damping looks like stability.
"""

import math
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sandbox.engines import planar
from sandbox.engines.engine import ENGINES, Engine, Running, energy, gap

ROUNDS = 7
SECONDS = 4.0  # simulated, of the run that is judged
FAIR = (
    "Every engine steps the same bars and pins at the same step, undamped, on one thread; times "
    "are medians of turns taken one after the other, of the processor. Two-dimensional engines "
    "have a third of the unknowns. Calls from Python cost pymunk, Box2D, PyBullet and Rapier "
    "about 1 µs a step; ours and MuJoCo's loop inside. Poses are read by the same formula for all."
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


def settings(engine: Engine) -> list[str]:
    """As shipped, and the best of it."""
    return list(dict.fromkeys((engine.shipped, engine.best)))


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
    for name, (scene, h) in scenes().items():
        entrants = {
            (engine.title, setting): engine.build(scene, h, setting)
            for engine in ENGINES.values()
            if engine.installed and not (scene.balls and engine.name not in ("taut", "mujoco"))
            for setting in settings(engine)
        }
        spent: dict[tuple[str, str], list[float]] = {key: [] for key in entrants}
        count = 20 if quick else 50
        for turn in range(ROUNDS + 1):
            for key, running in entrants.items():
                began = time.thread_time()
                running.step(count)
                if turn:  # the first loads what is compiled
                    spent[key].append((time.thread_time() - began) / count)
        titles = {engine.title: engine for engine in ENGINES.values()}
        for title, setting in entrants:
            fresh = titles[title].build(scene, h, setting)
            judged = _judge(scene, fresh, h)
            middle = 1e6 * statistics.median(spent[title, setting])
            yield Beside(name, title, setting, middle, *judged)
