"""A motorised gate that the ground stops, pushed from the side: impulses stay finite."""

import numpy as np
import pytest

from physics import Box, Plane, World


@pytest.mark.parametrize("friction", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("speed", [1.5, -1.5])
@pytest.mark.parametrize("mass", [0.8, 80.0])
def test_a_gate_pressed_on_the_ground_is_pushed_from_the_side(friction, speed, mass) -> None:
    """The slide holds the gate sideways: friction under it can give way by rounding only."""
    world = World()
    world.add_body("ground", Plane(), fixed=True, friction=friction)
    world.add_body("gate", Box((0.1, 1.4, 3)), mass=20, position=(0, 0.75, 0), friction=friction)
    motor = {"speed": speed, "max_force": 2000}
    world.add_joint("prismatic", "gate", at=(0, 0.75, 0), axis=(0, 1, 0), motor=motor)
    world.add_body(
        "block",
        Box((1, 0.5, 1)),
        mass=mass,
        position=(-1, 0.25, 0),
        velocity=(3, 0, 0),
        friction=0.05,
    )
    for _ in range(90):
        world.step()
        assert np.isfinite(world.contacts()["impulse"]).all()
        assert np.isfinite(world.position("block")).all()
    assert abs(world.position("gate")[0]) < 1e-6
    assert world.stats.guard["frozen"] == 0
