"""Contacts against closed-form results: bounce, slide or stick, roll, stop."""

import math

import numpy as np
import pytest

from physics import Box, Plane, Sphere, World
from tests.physics.contact.scenes import on_ground, on_slope, turned_z

G = 9.81


@pytest.mark.parametrize("e", [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0])
def test_single_impact(e: float) -> None:
    world = World(gravity=(0, 0, 0))
    world.add_body("wall", Plane(), fixed=True, restitution=e)
    ball = world.add_body("ball", Sphere(0.1), mass=2.0, position=(0, 0.5, 0), velocity=(0, -3, 0))
    world.step(60)
    assert abs(world.velocity(ball)[1] - 3.0 * e) < 1e-10


def test_impact_of_two_balls_keeps_momentum_and_relative_speed() -> None:
    world = World(gravity=(0, 0, 0))
    a = world.add_body("a", Sphere(0.1), mass=1.0, velocity=(2, 0, 0), restitution=0.5)
    b = world.add_body("b", Sphere(0.1), mass=3.0, position=(1, 0, 0))
    world.step(60)
    va, vb = world.velocity(a)[0], world.velocity(b)[0]
    assert va + 3.0 * vb == pytest.approx(2.0, abs=1e-12)
    assert vb - va == pytest.approx(1.0, abs=1e-10)


def test_perfect_bounce_keeps_its_height() -> None:
    world = on_ground()
    ball = world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 1.1, 0), restitution=1.0)
    world.step(600)
    heights = []
    for _ in range(120):
        world.step()
        heights.append(world.position(ball)[1])
    assert max(heights) == pytest.approx(1.1, rel=0.02)
    assert min(heights) > 0.0999
    assert not any(world.stats.guard.values())


@pytest.mark.parametrize("friction", [0.1, 0.3, 0.6, 1.0])
def test_box_slides_iff_slope_exceeds_friction(friction: float) -> None:
    limit = math.atan(friction)
    for angle, slides in ((limit - math.radians(0.5), False), (limit + math.radians(0.5), True)):
        world = on_slope(angle, friction)
        up = np.array([math.sin(angle), math.cos(angle), 0.0])
        box = world.add_body(
            "box",
            Box((0.5, 0.1, 0.5)),
            mass=1.0,
            position=tuple(0.05 * up),
            orientation=turned_z(-angle),
            friction=friction,
        )
        world.step(120)
        moved = float(np.linalg.norm(world.position(box) - 0.05 * up))
        expected = 0.5 * G * (math.sin(angle) - friction * math.cos(angle)) * 4.0
        assert (moved > 0.5 * expected) if slides else (moved < 1e-4), (angle, moved)


def test_sphere_rolls_down_at_five_sevenths() -> None:
    angle = math.radians(20)
    world = on_slope(angle, 1.0)
    up = np.array([math.sin(angle), math.cos(angle), 0.0])
    world.add_body("ball", Sphere(0.2), mass=3.0, position=tuple(0.2 * up), friction=1.0)
    world.step(60)
    speed = np.linalg.norm(world.velocity("ball"))
    assert speed == pytest.approx(5 / 7 * G * math.sin(angle), rel=2e-3)
    assert np.linalg.norm(world.angular_velocity("ball")) == pytest.approx(speed / 0.2, rel=1e-3)


def test_stopping_distance() -> None:
    world = on_ground(friction=0.4)
    box = world.add_body(
        "box",
        Box((1, 0.2, 1)),
        mass=5.0,
        position=(0, 0.1, 0),
        velocity=(4, 0, 1),
        friction=0.4,
    )
    world.step(180)
    way = world.position(box)[[0, 2]]
    assert np.linalg.norm(world.velocity(box)) < 1e-6
    # one step at full speed is the order of the integrator's error
    assert np.linalg.norm(way) == pytest.approx(17 / (2 * 0.4 * G), rel=0.02)
    assert way[1] / way[0] == pytest.approx(0.25, abs=1e-3)


def test_fast_ball_does_not_pass_a_thin_plate() -> None:
    world = World(gravity=(0, 0, 0))
    world.add_body("plate", Box((2, 2, 0.05)), fixed=True)
    ball = world.add_body(
        "ball", Sphere(0.1), mass=1.0, position=(0.13, 0.2, -5.0), velocity=(0, 0, 100)
    )
    world.step(30)
    assert world.position(ball)[2] < -0.12


def test_keyframed_belt_carries_a_box() -> None:
    world = World()
    belt = world.add_body("belt", Box((20, 1, 2)), keyframed=True, position=(0, -0.5, 0))
    world.add_body("box", Box((0.4, 0.4, 0.4)), mass=2.0, position=(-5, 0.2, 0))
    world.set_velocity(belt, (1.0, 0, 0))
    world.step(60)
    assert world.velocity("box")[0] == pytest.approx(1.0, abs=1e-6)
