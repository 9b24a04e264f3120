"""The pose spring: a torsion pendulum about any axis, without a pole, at any stiffness."""

import math

import numpy as np
import pytest

from physics import Box, Sphere, World
from tests.physics.scenes import about

INERTIA = 0.5  # kg m²: 2/5 · 5 kg · (0.5 m)²
OBLIQUE = (0.6, 0.0, 0.8)


def pendulum(stiffness: float, rate: float = 240.0, **parameters: float) -> World:
    """A ball turned back by the spring alone."""
    world = World(rate=rate, gravity=(0, 0, 0))
    world.add_body("base", Box((1, 1, 1)), fixed=True, mask=0)
    world.add_body("ball", Sphere(0.5), mass=5.0, mask=0)
    world.add_joint("ball", "base", "ball", at=(0, 0, 0))
    world.add_joint("pose_spring", "base", "ball", stiffness=stiffness, **parameters)
    return world


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), OBLIQUE])
def test_it_swings_with_the_period_of_a_torsion_pendulum(axis: tuple[float, ...]) -> None:
    """T = 2π √(I/k) about every axis; 0.05 rad and 151 steps a period leave less than 1 %."""
    world = pendulum(50.0)
    world.set_orientation("ball", about(axis, 0.05))
    turns, before, rate = [], 0.0, world.rate
    for i in range(4 * 151):
        world.step()
        now = float(world.angular_velocity("ball") @ np.array(axis))
        if before < 0.0 <= now:
            turns.append((i + before / (before - now)) / rate)
        before = now
    assert np.diff(turns) == pytest.approx(2 * math.pi * math.sqrt(INERTIA / 50.0), rel=0.01)


def test_what_swings_past_the_axis_gains_nothing() -> None:
    """Fast enough to go over the top about a changing axis: the energy may only fall."""
    world = pendulum(50.0)
    world.set_angular_velocity("ball", (12.0, 3.0, 9.0))
    start = world.energy().total
    most = 0.0
    for _ in range(1200):
        world.step()
        most = max(most, world.energy().total)
    assert most < start * 1.001
    assert world.stats.guard["frozen"] == 0


@pytest.mark.parametrize("angle", [1.0, 2.0, 3.0])
@pytest.mark.parametrize("axis", [(1, 0, 0), OBLIQUE])
def test_it_pulls_by_the_sine_of_how_far_it_is_turned(
    axis: tuple[float, ...], angle: float
) -> None:
    """k sin θ: hardest at 90°, and back from almost half a turn; h is short of the motion."""
    world = pendulum(50.0, rate=1e4)
    world.set_orientation("ball", about(axis, angle))
    world.step(2)
    change = float(world.angular_velocity("ball") @ np.array(axis)) * INERTIA / 2e-4
    assert change == pytest.approx(-50.0 * math.sin(angle), rel=1e-3)


def test_a_damper_brings_it_to_rest_in_its_pose() -> None:
    """Critically damped (2 √(k I) = 10): it falls asleep in its pose, slower than can be seen."""
    world = pendulum(50.0, damper=10.0)
    world.set_orientation("ball", about(OBLIQUE, 1.0))
    world.step(2400)
    assert np.abs(world.orientation("ball")[1:]).max() < 1e-4


def test_the_stiffest_is_a_weld() -> None:
    """k = 1e9 at 60 Hz: 5 N m on the ball turn it by 5e-9 rad."""
    world = pendulum(1e9, rate=60.0, damper=1e7)
    for _ in range(60):
        world.apply_torque("ball", (3.0, 0.0, 4.0))
        world.step()
    assert 2.0 * np.linalg.norm(world.orientation("ball")[1:]) == pytest.approx(5e-9, rel=0.1)
