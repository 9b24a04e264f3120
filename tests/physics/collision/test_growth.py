"""Work and pairs of the broad phase against the number of shapes, in boxes looked at.

Seconds: `python -m tests.benchmarks crowds`.
"""

import numpy as np
import pytest

from physics.collision.tree import overlap, skip
from physics.jit import kernel
from tests.physics.collision.crowds import bed, cloud


@kernel
def boxes_looked_at(box, order, tree_box, leaves, count):
    """By all shapes, each on its way through what comes after it in the tree."""
    looked = 0
    for k in range(count):
        node = skip(leaves + k)
        while node != 1:
            looked += 1
            if node < leaves and overlap(box[order[0, k]], tree_box, node):
                node *= 2
            else:
                node = skip(node)
    return looked


@pytest.mark.parametrize("make", [cloud, bed])
def test_broad_phase_is_nearly_linear_to_5000_shapes(make) -> None:
    """With five times the shapes each looks at less than twice the boxes; at five times as many
    if everything were tried against everything."""
    looked, pairs = [], []
    for count in (1000, 5000):
        store, state = make(count)
        store.detect(*state)
        space = store.space
        boxes = np.ascontiguousarray(store.shapes["box"])
        found = boxes_looked_at(boxes, space.order, space.tree_box, *space.leaves[:2])
        looked.append(found / count)
        pairs.append(int(space.pair_count[0]) / count)
    assert pairs[1] < 1.3 * pairs[0]  # as dense as before: growth is that of the search alone
    assert looked[1] < 2.0 * looked[0]
