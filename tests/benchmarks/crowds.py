"""Crowds of shapes: time of collision detection against their number.

Two families: a loose cloud, where the broad phase dominates, and a bed of touching boxes and balls
on a plane, where every shape has contacts. The exponent is the slope of log time over log count;
one is linear. Times are processor times, which other programs disturb less.
"""

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from physics.collision.broadphase import find_pairs
from physics.collision.detect import detect
from physics.collision.store import ShapeStore
from tests.physics.collision.crowds import State, bed, cloud

COUNTS = (100, 300, 1000, 2000, 5000)


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


def main(_arguments: list[str] | None = None) -> None:
    measure(cloud)
    measure(bed)
