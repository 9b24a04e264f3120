"""What is jerked off its course within a step does not end behind a surface."""

import math

import pytest

from physics import Box, Plane, Sphere, World
from tests.physics.contact.test_thin import GROUNDS, ground


@pytest.mark.parametrize("name", GROUNDS)
@pytest.mark.parametrize("height", [0.1, 0.3])
def test_a_spring_does_not_pull_a_gram_through(name: str, height: float) -> None:
    """At rest above the ground, on a spring to a point as far below that would have it there within
    a twentieth of a step: nothing is near where it was heading."""
    world, top = ground(name)
    world.add_body("peg", Sphere(0.01), fixed=True, position=(0, top - height, 0), mask=0)
    world.add_body("gram", Sphere(0.02), mass=1e-3, position=(0, top + height, 0))
    world.add_joint("spring", "peg", "gram", stiffness=1e3, length=0.0)
    for _ in range(60):
        world.step(1)
        assert world.position("gram")[1] > top
    assert world.stats.guard["frozen"] == 0
    assert world.position("gram")[1] < top + 0.05  # pulled down onto it


@pytest.mark.parametrize("turn", [-20.0, 0.0, 20.0])
def test_rod_that_turns_over_at_a_wall_does_not_stand_still(turn: float) -> None:
    """A corner meets the wall, the rod turns by radians within the step and its centre passed: a
    ball about the centre stops it. No way of three found that, and the rod was frozen."""
    world = World()
    world.add_body("wall", Plane([1, 0, 0], 0.0), fixed=True)
    world.add_body(
        "rod",
        Box([0.6, 0.05, 0.08]),
        mass=2.0,
        position=(0.62, 0, 0),
        orientation=(math.cos(0.25), 0, 0, math.sin(0.25)),
        velocity=(-120, 0, 1),
        angular_velocity=(0, 1, turn),
        friction=0.6,
    )
    for _ in range(20):
        world.step()
        assert world.position("rod")[0] > 0.0
    assert world.stats.guard["frozen"] == 0


@pytest.mark.parametrize("mass", [1e6, 1e7, 1e8])
@pytest.mark.parametrize("kind", ["ball", "fixed"])
def test_gram_stops_what_it_hangs_on_however_heavy(mass: float, kind: str) -> None:
    """A share of 1e-9 of what the gram gives way alone was taken for rounding, as in loops: it
    had no contact, went into the wall and stood still there."""
    world = World(gravity=(0, 0, 0))
    world.add_body("wall", Plane([1, 0, 0], 0.0), fixed=True)
    world.add_body("heavy", Sphere(0.2), mass=mass, position=(1, 0, 0), velocity=(-5, 0, 0))
    world.add_body("gram", Sphere(0.05), mass=1e-3, position=(0.5, 0, 0), velocity=(-5, 0, 0))
    world.add_joint(kind, "heavy", "gram", at=(1, 0, 0))
    world.step(30)
    assert world.stats.guard["frozen"] == 0
    assert world.position("gram")[0] == pytest.approx(0.05, abs=1e-3)
