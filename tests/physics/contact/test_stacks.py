"""Things that stand must go on standing, whatever their masses."""

import numpy as np
import pytest

from physics import Box, Sphere, World
from tests.physics.contact.scenes import deepest, on_ground, positions, pyramid


@pytest.mark.parametrize("rows", [4, 10])
def test_pyramid_stands_still(rows: int) -> None:
    world = on_ground()
    boxes = pyramid(world, rows)
    start = positions(world, boxes)
    world.step(300)
    drift = np.linalg.norm(positions(world, boxes) - start, axis=1).max()
    assert drift < 2e-3
    assert deepest(world) < 5e-4
    assert max(np.linalg.norm(world.velocity(box)) for box in boxes) < 1e-3


def test_a_tonne_on_a_kilogram() -> None:
    world = on_ground()
    small = world.add_body("small", Box((0.5, 0.5, 0.5)), mass=1.0, position=(0, 0.25, 0))
    big = world.add_body("big", Box((0.8, 0.8, 0.8)), mass=1000.0, position=(0, 0.9, 0))
    world.step(300)
    assert deepest(world) < 1e-3
    assert abs(world.position(small)[1] - 0.25) < 1e-3
    assert abs(world.position(big)[1] - 0.9) < 2e-3


def test_weight_is_carried() -> None:
    world = on_ground()
    pyramid(world, 3)
    world.step(120)
    floor = world.contacts()
    below = floor[(floor["a"] == 1) | (floor["b"] == 1)]
    assert below["impulse"].sum() / world.h == pytest.approx(6 * 9.81, rel=1e-3)


def test_sweeps_do_not_depend_on_the_load() -> None:
    """A chain that holds a load which leans on a rough wall: joints are solved exactly."""
    for load in (1e2, 1e4, 1e6):
        world = World()
        world.add_body("wall", Box((1, 40, 10)), fixed=True, position=(0.79, -5, 0))
        above = None
        for k in range(10):
            link = world.add_body(
                f"link {k}", Sphere(0.05), mass=1.0, position=(0, -0.5 * k - 0.25, 0), mask=0
            )
            world.add_joint("ball", link, above, at=(0, -0.5 * k, 0))
            above = link
        weight = world.add_body(
            "load", Sphere(0.3), mass=load, position=(0.0, -5.2, 0), velocity=(1.0, 0, 0.2)
        )
        world.add_joint("ball", weight, above, at=(0, -5.0, 0))
        world.step(2)
        before = world.stats.sweeps
        world.step(20)
        assert world.stats.contacts > 0
        assert (world.stats.sweeps - before) / 20 < 12
        assert world.constraint_error() < 1e-6
