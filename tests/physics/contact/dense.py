"""Heaps of random bodies that begin in each other, with joints of all kinds among them.

`python -m tests.physics.contact.dense 0 400` prints the scenes that gain, stand still or are late.
"""

import math
import sys
import time
from typing import NamedTuple

import numpy as np

from physics import Box, Capsule, Handle, Hull, Plane, Sphere, World
from physics.portable import norm
from physics.shapes import Shape

KINDS = ("ball", "hinge", "distance", "rope", "fixed", "universal", "prismatic", "spring")
PUSHED = 0.3  # m²/s²: half the square of the speed that pushing overlaps apart may leave


class Heap(NamedTuple):
    rate: float
    steps: int
    gain: float  # J above the energy at the start
    scale: float  # J that there are by right
    still: int  # steps in which something stood still
    worst: float  # ms of processor time, of the worst step but the first

    @property
    def explodes(self) -> bool:
        return not self.gain <= self.scale


def _shape(rng: np.random.Generator) -> Shape:
    size = rng.uniform(0.1, 0.5)
    return (
        Sphere(0.5 * size),
        Capsule(0.3 * size, size),
        Box(tuple(size * rng.uniform(0.3, 1, 3))),
        Hull(0.5 * size * rng.normal(size=(10, 3))),
    )[rng.integers(4)]


def _join(world: World, rng: np.random.Generator, a: Handle, b: Handle) -> None:
    kind = str(rng.choice(KINDS))
    at = 0.5 * (world.position(a) + world.position(b)) + 0.05 * rng.normal(size=3)
    axis = rng.normal(size=3)
    axis /= norm(axis)
    if kind == "distance":
        world.add_joint("distance", a, b)
    elif kind == "rope":
        world.add_joint("distance", a, b, slack=True)
    elif kind == "spring":
        world.add_joint("spring", a, b, stiffness=10.0 ** rng.uniform(0, 4))
    elif kind == "hinge" and rng.random() < 0.5:
        world.add_joint("hinge", a, b, at=at, axis=axis, limits=(-0.5, 0.5))
    elif kind in ("hinge", "universal", "prismatic"):
        world.add_joint(kind, a, b, at=at, axis=axis)
    else:
        world.add_joint(kind, a, b, at=at)


def heap(seed: int) -> World:
    rng = np.random.default_rng(seed)
    world = World(rate=float(rng.choice([30, 60, 120, 240])))
    world.add_body("ground", Plane(), fixed=True)
    count, spread, half = int(rng.integers(3, 13)), rng.uniform(0, 3), rng.uniform(0.2, 0.8)
    bodies = []
    for k in range(count):
        turn, moving = rng.normal(size=4), rng.random() < 0.5
        place = rng.uniform(-half, half, 3)
        place[1] = 0.6 + rng.uniform(-0.3, 1.5 * half)
        body = world.add_body(
            f"body {k}",
            _shape(rng),
            mass=10.0 ** rng.uniform(-spread, spread),
            position=place,
            orientation=turn / norm(turn),
            velocity=rng.normal(size=3) * moving * 2,
            angular_velocity=rng.normal(size=3) * moving * 3,
            friction=rng.uniform(0, 1),
            restitution=float(rng.choice([0, 0, 0.3])),
        )
        bodies.append(body)
    for _ in range(int(rng.integers(1, count + 2))):
        a, b = rng.choice(count, 2, replace=False)
        _join(world, rng, bodies[a], bodies[b])
    return world


def outcome(seed: int, seconds: float = 1.5) -> Heap:
    world = heap(seed)
    mass = sum(world.mass(h) for h in world.handles("body") if not world.is_fixed(h))
    began, highest, still, times = world.energy(), world.energy().total, 0, []
    for _ in range(round(seconds * world.rate)):
        before, clock = world.stats.guard["frozen"], time.process_time()
        world.step()
        times.append(1e3 * (time.process_time() - clock))
        still += world.stats.guard["frozen"] > before
        total = world.energy().total
        highest = max(highest, total) if math.isfinite(total) else math.inf
    scale = 0.1 * (began.kinetic + began.elastic + mass * 9.81 * 0.3) + 0.5 * PUSHED * mass
    gain = highest - began.total
    return Heap(world.rate, len(times), gain, scale, still, max(times[1:]))


def main(first: int, last: int) -> int:
    exploded, still, steps = 0, 0, 0
    for seed in range(first, last):
        found = outcome(seed)
        exploded, still, steps = exploded + found.explodes, still + found.still, steps + found.steps
        if found.explodes or found.still or found.worst > 25:
            print(seed, *(f"{k} {v:.3g}" for k, v in found._asdict().items()), flush=True)
    print(f"seeds {first} … {last - 1}: {exploded} gained, {still} of {steps} steps held still")
    return exploded


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])) > 0)
