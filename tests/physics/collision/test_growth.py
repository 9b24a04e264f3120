"""Time and pairs of the broad phase against the number of shapes."""

import math
from functools import partial

import pytest

from physics.collision.broadphase import find_pairs
from tests.benchmarks.crowds import best_time
from tests.physics.collision.crowds import bed, cloud


@pytest.mark.parametrize("make", [cloud, bed])
def test_broad_phase_is_nearly_linear_to_5000_shapes(make) -> None:
    counts = (1000, 5000)
    times, pairs = [], []
    for count in counts:
        store, state = make(count)
        store.detect(*state)
        times.append(best_time(partial(find_pairs, store.shapes, store.excluded, store.space), 30))
        pairs.append(int(store.space.pair_count[0]) / count)
    growth = math.log(times[1] / times[0]) / math.log(counts[1] / counts[0])
    assert pairs[1] < 1.3 * pairs[0]  # as dense as before: growth is that of the search alone
    assert growth < 1.35
    assert times[1] < 0.05  # s; every pair against every pair takes longer than that
