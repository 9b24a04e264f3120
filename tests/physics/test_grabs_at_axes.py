"""A hand that draws something at the axis it turns about."""

import numpy as np
import pytest

from physics import Box, World


@pytest.mark.parametrize("lever", [0.0, 1e-3, 0.02, 0.1])
@pytest.mark.parametrize("mass", [0.1, 20.0, 1e4])
def test_a_hand_at_an_axis_throws_nothing(lever: float, mass: float) -> None:
    """What cannot come to the hand is drawn no harder for that, wherever the hand goes."""
    world = World()
    plank = world.add_body("plank", Box((4.0, 0.1, 0.5)), mass=mass)
    world.add_joint("hinge", plank, at=(0, 0, 0), axis=(0, 0, 1))
    hand = world.grab(plank, (lever, 0, 0))
    rng = np.random.default_rng(3)
    target, most = np.zeros(3), 0.0
    for k in range(360):
        if k % 2 == 0:
            target = target + rng.uniform(-0.15, 0.15, 3)
            world.move_grab(hand, target)
        world.step()
        most = max(most, world.energy().kinetic / mass)
    assert most < 20.0  # J/kg: the tips at 11 m/s
    assert sum(world.stats.guard.values()) == 0
