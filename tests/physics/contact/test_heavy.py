"""Heavy on light: what stands goes on standing, whatever the masses. Nothing may sleep here."""

import numpy as np
import pytest

from physics import Box, Plane, World
from tests.physics.contact.scenes import deepest, on_ground, positions

STACKS = {
    "a tonne on a kilogram": [1.0, 1000.0],
    "alternating 1e4 to 1": [1.0, 1e4] * 3,
    "alternating, heavy below": [1e4, 1.0] * 3,
}


def stacked(masses: list[float]) -> World:
    world = on_ground(sleeping=False)
    for k, mass in enumerate(masses):
        at = (0, 0.25 + 0.5 * k, 0)
        world.add_body(f"box {k}", Box((0.5, 0.5, 0.5)), mass=mass, position=at)
    return world


def check(name: str, seconds: int) -> None:
    world = stacked(STACKS[name])
    boxes = world.handles("body")[1:]
    start = positions(world, boxes)
    worst = 0.0
    for _ in range(2 * seconds):
        world.step(30)
        worst = max(worst, deepest(world))
    assert worst < 1e-3  # m, as asked for
    # standing still is asked for; 2 mm is what a pyramid may drift
    assert np.linalg.norm(positions(world, boxes) - start, axis=1).max() < 2e-3
    assert not any(world.stats.guard.values())


@pytest.mark.parametrize("name", STACKS)
def test_stack_stands(name: str) -> None:
    check(name, 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", STACKS)
def test_stack_stands_for_a_minute(name: str) -> None:
    check(name, 60)


@pytest.mark.parametrize(("count", "most"), [(10, 1e2), (10, 1e3), (30, 1e2)])
def test_light_and_heavy_in_turn_land_and_stand(count: int, most: float) -> None:
    """Begun 3 mm apart: what sweeps leave unsolved while they land neither sags nor topples."""
    world = World(rate=60)
    world.add_body("floor", Plane(), fixed=True, friction=0.6)
    boxes = [
        world.add_body(
            f"box {k}",
            Box((0.5, 0.2, 0.5)),
            mass=most if k % 2 else 1.0,
            position=(0, 0.1 + 0.203 * k, 0),
        )
        for k in range(count)
    ]
    world.step(240)
    at = np.array([world.position(box) for box in boxes])
    assert np.abs(at[:, [0, 2]]).max() < 5e-3
    assert np.abs(at[:, 1] - (0.1 + 0.2 * np.arange(count))).max() < 1e-3
