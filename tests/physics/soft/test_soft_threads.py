"""A step of a large soft body is the same bit for bit with one thread and with two."""

import numpy as np
import pytest

from physics.jit import threads
from tests.physics.soft.soft_scenes import STEP, clamped_beam, hung_cloth

BODIES = {
    "cloth": lambda: hung_cloth(40, False),
    "cloth with bend links": lambda: hung_cloth(32, True),
    "solid": lambda: clamped_beam((9, 6, 6), "corotational"),
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("solver", ["direct", "iterative"])
def test_steps_are_the_same_with_two_threads(name, solver):
    before, found = threads._helper.wanted, []
    try:
        for count in (1, 2):
            threads.use_threads(count)
            body = BODIES[name]()
            assert body.symbolic.parts >= 2
            body.options.solver = solver
            body.step(STEP, 15)
            found.append((body.x.copy(), body.v.copy(), body.state.lam.copy()))
    finally:
        threads._helper.wanted = before
    for alone, together in zip(*found, strict=True):
        assert np.array_equal(alone, together)
