"""Springs and forces that press bodies together: nothing sinks in, takes off or stands still."""

import numpy as np
import pytest

from physics import Box, Handle, Plane, Sphere, World

SIZE = 0.4


def ground(rate: float) -> World:
    world = World(rate=rate)
    world.add_body("ground", Plane((0, 1, 0), 0), fixed=True)
    return world


def lowest(world: World, *bodies: Handle) -> float:
    return float(min(world.position(b)[1] for b in bodies))


@pytest.mark.parametrize("mass", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("stiffness", [1e2, 1e4, 1e6])
@pytest.mark.parametrize("rate", [30, 60, 240])
def test_a_spring_draws_a_ball_onto_the_ground(mass: float, stiffness: float, rate: int) -> None:
    world = ground(rate)
    ball = world.add_body("ball", Sphere(0.2), mass=mass, position=(0, 0.2, 0))
    peg = world.add_body("peg", Sphere(0.01), fixed=True, position=(0, -1, 0))
    world.add_joint("spring", ball, peg, stiffness=stiffness, length=0.6)
    begins = world.energy()
    assert begins.elastic == pytest.approx(0.18 * stiffness)
    world.step(2)  # how contacts will push is known from the third step on: reports until then fall
    highest = 0.0
    for _ in range(2 * rate):
        world.step()
        highest = max(highest, world.energy().kinetic)
    assert lowest(world, ball) > 0.2 - 1e-3
    assert world.energy().total < begins.total * (1 + 1e-3) + 1e-3 * mass
    assert highest < 0.02 * stiffness * 0.18 + 1e-3 * mass
    assert world.stats.guard["frozen"] == 0


@pytest.mark.parametrize("ratio", [0.05, 1.0, 1e3])
@pytest.mark.parametrize("weights", [5.0, 50.0])
def test_a_force_presses_one_box_onto_another(ratio: float, weights: float) -> None:
    world = ground(60)
    low = world.add_body("low", Box((SIZE,) * 3), mass=1.0, position=(0, 0.2, 0))
    high = world.add_body("high", Box((SIZE,) * 3), mass=ratio, position=(0, 0.6, 0))
    force = (0, -weights * 9.81 * max(ratio, 1.0), 0)
    for _ in range(120):
        world.apply_force(high, force)
        world.step()
    assert lowest(world, low) > 0.2 - 2e-3
    assert lowest(world, high) > 0.6 - 4e-3
    assert np.abs(world.velocity(high)).max() < 0.05
    assert world.stats.guard["frozen"] == 0


def test_a_spring_throws_a_ball_at_a_plate_that_it_has_not_come_near_yet() -> None:
    """Detection looks along what springs do within the step, not only along velocities."""
    world = ground(60)
    world.add_body("plate", Box((2, 0.05, 2)), fixed=True, position=(0, 1.5, 0))
    ball = world.add_body("ball", Sphere(0.05), mass=0.01, position=(0, 1.0, 0))
    peg = world.add_body("peg", Sphere(0.01), fixed=True, position=(0, 4, 0))
    world.add_joint("spring", ball, peg, stiffness=1e3, length=0.5)
    for _ in range(60):
        world.step()
        assert world.position(ball)[1] < 1.5
