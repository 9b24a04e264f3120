"""Letting a scene run: whether it holds, what it gains and loses, and what a step costs."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from physics import World
from sandbox.reproduce.scenes import Scene

LOOKS = 100  # at a run, at least one step apart


@dataclass
class Outcome:
    """Energies as shares of what the scene can release."""

    finite: bool
    gap: float = math.inf  # m, the largest joint error seen
    gain: float = math.inf  # the largest rise above the start
    left: float = math.nan  # what is left at the end, 1 at the start
    frozen: int = 0  # steps in which something was held still
    guarded: int = 0
    times: list[float] = field(default_factory=list)
    energies: list[float] = field(default_factory=list)  # total, J
    kinetic: list[float] = field(default_factory=list)  # J

    def holds(self, gap: float = 0.01, gain: float = 0.05) -> bool:
        """Finite, closed to a centimetre, no more than 5 % gained: as for every engine here."""
        return self.finite and self.gap < gap and self.gain < gain


def run(scene: Scene, seconds: float, every: int | None = None) -> Outcome:
    """Steps the scene and looks at it; one that diverges ends early."""
    world = scene.world
    total = max(1, round(seconds * world.rate))
    stride = every or max(1, total // LOOKS)
    found = Outcome(True, 0.0, 0.0)
    start, done = world.energy().total, 0
    while done < total:
        count = min(stride, total - done)
        world.step(count)
        done += count
        energy, error = world.energy(), world.constraint_error()
        if world.diverged or not math.isfinite(energy.total + error):
            return Outcome(False, times=found.times, energies=found.energies)
        found.gap = max(found.gap, error)
        found.gain = max(found.gain, (energy.total - start) / scene.releasable)
        found.left = 1.0 + (energy.total - start) / scene.releasable
        found.times.append(done * world.h)
        found.energies.append(energy.total)
        found.kinetic.append(energy.kinetic)
    guard = world.stats.guard
    found.frozen, found.guarded = int(guard.get("frozen", 0)), sum(guard.values())
    return found


def peaks(values: list[float]) -> list[float]:
    """Tops of a curve that are above a fifth of the highest."""
    E = np.array(values)
    if len(E) < 3:
        return []
    top = (E[1:-1] > E[:-2]) & (E[1:-1] >= E[2:]) & (E[1:-1] > 0.2 * E.max())
    return [float(value) for value in E[1:-1][top]]


def step_seconds(world: World, seconds: float = 0.5, warm: int = 3) -> float:
    """Processor time of a step: the median over pieces of a run that lasts about `seconds`."""
    world.step(warm)
    began = time.thread_time()
    world.step(3)
    one = max((time.thread_time() - began) / 3, 1e-7)
    pieces = 9
    count = max(1, min(2000, int(seconds / pieces / one)))
    found = []
    for _ in range(pieces):
        began = time.thread_time()
        world.step(count)
        found.append((time.thread_time() - began) / count)
    return float(np.median(found))


def longest_step(
    make: Callable[[float], Scene], steps: tuple[float, ...], seconds: float
) -> float | None:
    """The first of the steps, from the longest on, that holds; None if none does."""
    for h in steps:
        if run(make(h), seconds).holds():
            return h
    return None
