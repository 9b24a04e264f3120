"""Random scenes of random shapes, joints and masses: `python -m tests.physics.contact.chaos 10000`.

Each scene is taken for two seconds. Nothing may become NaN, leave the box, hang, or go uncounted.
Every hundred scenes it says how far it is; `--first N` goes on from there. The numbers at the end
are of the scenes taken, also when it is interrupted.
"""

import argparse
import math
import time
from collections import Counter
from typing import NamedTuple

import numpy as np

from physics import Box, Capsule, Handle, Hull, Plane, Sphere, World
from physics.portable import norm

ROOM = 6.0  # m: half the width of the box of planes around everything
MASSES = (-3.0, 6.0)  # exponents of ten, kg


class Outcome(NamedTuple):
    bodies: int
    finite: bool
    escaped: int
    times: list[float]  # s of processor time, of every step
    refused: int  # steps in which something was tried again
    held: int  # steps in which something stood still
    guard: dict[str, int]


def _shape(rng: np.random.Generator):
    size = rng.uniform(0.1, 0.6)
    kind = rng.integers(4)
    if kind == 0:
        return Sphere(0.5 * size)
    if kind == 1:
        return Capsule(0.3 * size, size)
    if kind == 2:
        return Box(size * rng.uniform(0.3, 1.0, 3))
    return Hull(0.5 * size * rng.normal(size=(10, 3)))


def random_scene(seed: int) -> World:
    rng = np.random.default_rng(seed)
    world = World()
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = np.zeros(3)
            normal[axis] = -sign
            world.add_body(f"wall {axis} {sign}", Plane(normal, -ROOM), fixed=True)
    bodies: list[Handle] = []
    for k in range(rng.integers(3, 25)):
        turn = rng.normal(size=4)
        bodies.append(
            world.add_body(
                f"body {k}",
                _shape(rng),
                mass=10.0 ** rng.uniform(*MASSES),
                position=rng.uniform(-0.7 * ROOM, 0.7 * ROOM, 3),
                orientation=turn / norm(turn),
                velocity=rng.normal(size=3) * 10.0 ** rng.uniform(-1, 1),
                angular_velocity=rng.normal(size=3) * 10.0 ** rng.uniform(-1, 1),
                friction=rng.uniform(0, 1.2),
                restitution=rng.choice([0.0, 0.0, 0.5, 1.0]),
            )
        )
    for _ in range(rng.integers(0, len(bodies))):
        a, b = rng.choice(len(bodies), 2, replace=False)
        _join(world, rng, bodies[a], bodies[b])
    return world


def _join(world: World, rng: np.random.Generator, a: Handle, b: Handle) -> None:
    kind = rng.choice(["ball", "hinge", "distance", "rope", "spring", "fixed"])
    middle = 0.5 * (world.position(a) + world.position(b))
    if kind == "distance":
        world.add_joint("distance", a, b)
    elif kind == "rope":
        world.add_joint("distance", a, b, slack=True)
    elif kind == "spring":
        world.add_joint("spring", a, b, stiffness=10.0 ** rng.uniform(0, 5))
    elif kind == "hinge":
        axis = rng.normal(size=3)
        limits = (-rng.uniform(0.1, 2.0), rng.uniform(0.1, 2.0))
        world.add_joint("hinge", a, b, at=middle, axis=axis, limits=limits)
    elif kind == "ball":
        world.add_joint("ball", a, b, at=middle, swing_limit=rng.uniform(0.2, 2.0))
    else:
        world.add_joint("fixed", a, b, at=middle)


def outcome(seed: int, seconds: float = 2.0) -> Outcome:
    world = random_scene(seed)
    times, refused, held = [], 0, 0
    before = dict(world.stats.guard)
    for _ in range(round(seconds * world.rate)):
        began = time.process_time()
        world.step()
        times.append(time.process_time() - began)
        guard = dict(world.stats.guard)
        refused += guard["halved"] > before["halved"]
        held += guard["frozen"] > before["frozen"]
        before = guard
    moving = [h for h in world.handles("body") if not world.is_fixed(h)]
    at = np.array([world.position(h) for h in moving])
    finite = bool(np.isfinite(at).all() and math.isfinite(world.energy().total))
    # a body is out when its centre has passed a wall
    out = int((np.abs(at) > ROOM).any(axis=1).sum()) if finite else len(moving)
    return Outcome(len(moving), finite, out, times, refused, held, before)


class Tally:
    """What happened in the scenes so far."""

    def __init__(self) -> None:
        self.scenes = 0
        self.guard: Counter[str] = Counter()
        self.wrong: list[int] = []
        self.refused, self.held = 0, 0
        self.times: list[float] = []
        self.slowest, self.slowest_seed = 0.0, -1

    def add(self, seed: int) -> None:
        """Takes one scene; says at once if it goes wrong."""
        try:
            found = outcome(seed)
        except Exception as error:  # whatever it is: the other scenes are to be seen as well
            self.wrong.append(seed)
            print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
        else:
            self.guard.update(found.guard)
            self.refused += found.refused
            self.held += found.held
            self.times += found.times
            if max(found.times) > self.slowest:
                self.slowest, self.slowest_seed = max(found.times), seed
            if not found.finite or found.escaped:
                self.wrong.append(seed)
                print(f"seed {seed}: {found}", flush=True)
        self.scenes += 1

    def __str__(self) -> str:
        steps = max(len(self.times), 1)
        late = 1e3 * np.quantile(self.times or [0.0], [0.5, 0.999])
        return (
            f"{self.scenes} scenes, {steps} steps: {100 * self.refused / steps:.2f} % refused, "
            f"{100 * self.held / steps:.3f} % held still; ms a step: median {late[0]:.2f}, "
            f"p99.9 {late[1]:.1f}, worst {1e3 * self.slowest:.1f} (seed {self.slowest_seed}); "
            f"guard {dict(self.guard)}, wrong {len(self.wrong)}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs random scenes and counts what goes wrong.")
    parser.add_argument("count", type=int, help="scenes, for example 10000 over night")
    parser.add_argument("--first", type=int, default=0, help="seed of the first scene")
    given = parser.parse_args()
    tally = Tally()
    outcome(given.first)  # what it compiles is not to count
    try:
        for seed in range(given.first, given.first + given.count):
            tally.add(seed)
            if tally.scenes % 100 == 0:
                print(f"next {seed + 1}: {tally}", flush=True)
    except KeyboardInterrupt:
        print(f"interrupted; go on with --first {given.first + tally.scenes}")
    print(tally)
    print(f"not finite, escaped or raised: {len(tally.wrong)} {tally.wrong[:20]}")
    raise SystemExit(1 if tally.wrong else 0)


if __name__ == "__main__":
    main()
