"""Letting a scene run and measuring what matters: gap, energy gained, energy left."""

import math
from dataclasses import dataclass

from tests.physics.scenes import Scene

SAMPLE = 0.05  # s between two looks at a run
LEFT_AFTER = 4.0  # s


@dataclass(frozen=True)
class Outcome:
    """What a run did; energies as shares of what the scene can release."""

    finite: bool
    gap: float  # m, largest joint error seen
    gain: float  # largest rise above the energy at the start
    left: float  # energy above the deepest rest position after 4 s
    end: float  # the same at the end of the run
    rescued: int  # steps in which the guard acted
    frozen: int  # of them, steps in which nothing else helped

    @property
    def exploded(self) -> bool:
        """Ran away, doubled its energy, or came apart by more than 10 cm."""
        return not self.finite or self.gain > 1.0 or self.gap > 0.1


def run(scene: Scene, seconds: float) -> Outcome:
    """Steps the scene; a run that diverges ends early."""
    world = scene.world
    every = max(1, round(SAMPLE / world.h))
    start = world.energy().total
    kinetic = world.energy().kinetic
    full = scene.releasable + kinetic
    gap, gain, left, energy = 0.0, 0.0, math.nan, start
    total = round(seconds / world.h)
    done = 0
    while done < total:
        count = min(every, total - done)
        world.step(count)
        done += count
        energy = world.energy().total
        error = world.constraint_error()
        if world.diverged or not math.isfinite(energy) or not math.isfinite(error):
            return Outcome(False, math.inf, math.inf, math.nan, math.nan, *_guard(scene))
        gap = max(gap, error)
        gain = max(gain, (energy - start) / scene.releasable)
        if math.isnan(left) and done * world.h >= LEFT_AFTER - 1e-9:
            left = 1.0 + (energy - start) / full
    return Outcome(True, gap, gain, left, 1.0 + (energy - start) / full, *_guard(scene))


def _guard(scene: Scene) -> tuple[int, int]:
    counts = scene.world.stats.guard
    return sum(counts.values()), counts["frozen"]
