"""Time of collision detection against the number of shapes: `python -m physics.collision.bench`.

Two families: a loose cloud, where the broad phase dominates, and a bed of touching boxes and balls
on a plane, where every shape has contacts. The exponent is the slope of log time over log count;
one is linear. Times are processor times, which other programs disturb less.
"""

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from physics.collision.arrays import Floats
from physics.collision.broadphase import find_pairs
from physics.collision.detect import detect
from physics.collision.store import ShapeStore
from physics.shapes import Box, Capsule, Plane, Sphere

COUNTS = (100, 300, 1000, 2000, 5000)
State = tuple[Floats, Floats, Floats, float]


def cloud(count: int) -> tuple[ShapeStore, State]:
    """Shapes at constant density, few of which touch."""
    rng = np.random.default_rng(0)
    side = 1.2 * count ** (1 / 3)
    return _fill(rng.uniform(0.0, side, size=(count, 3)), rng)


def bed(count: int) -> tuple[ShapeStore, State]:
    """Five layers of touching shapes."""
    rng = np.random.default_rng(0)
    wide = int(np.ceil(np.sqrt(count / 5)))
    cell = np.stack(np.unravel_index(np.arange(count), (5, wide, wide)), axis=1)
    at = cell[:, [1, 0, 2]] * 0.5 + np.array([0.0, 0.2499, 0.0])
    return _fill(at, rng)


def _fill(at: Floats, rng: np.random.Generator) -> tuple[ShapeStore, State]:
    store = ShapeStore()
    shapes = (Box((0.5, 0.5, 0.5)), Sphere(0.25), Box((0.5, 0.5, 0.5)), Capsule(0.15, 0.2))
    store.add(Plane(), 0, movable=False)
    for k in range(len(at)):
        store.add(shapes[k % 4], k + 1)
    count = len(at) + 1
    velocity = np.zeros((count, 6))
    velocity[1:, :3] = 0.1 * rng.normal(size=at.shape)
    orientation = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    return store, (np.vstack([np.zeros(3), at]), orientation, velocity, 1 / 60)


def best_time(work: Callable[[], object], repeats: int = 20) -> float:
    """Shortest of several runs [s]: the one that the rest of the machine disturbed least."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure(make: Callable[[int], tuple[ShapeStore, State]]) -> None:
    whole, broad = [], []
    print(f"{make.__name__}: shapes, pairs, contacts, broad phase ms, all ms")
    for count in COUNTS:
        store, state = make(count)
        store.detect(*state)
        whole.append(best_time(partial(detect, *state, store.collider())))
        broad.append(best_time(partial(find_pairs, store.shapes, store.excluded, store.space)))
        pairs, contacts = int(store.space.pair_count[0]), int(store.contacts.count[0])
        print(f"{count:6d} {pairs:7d} {contacts:7d} {broad[-1] * 1e3:8.3f} {whole[-1] * 1e3:8.3f}")
    for name, times in (("broad phase", broad), ("all", whole)):
        slope = np.polyfit(np.log(COUNTS[1:]), np.log(times[1:]), 1)[0]
        print(f"  {name}: time ~ count^{slope:.2f}")


if __name__ == "__main__":
    measure(cloud)
    measure(bed)
