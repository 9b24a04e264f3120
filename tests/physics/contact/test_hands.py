"""Mouse springs and push forces: scaled by the mass they meet, bounded, and felt by contacts."""

import numpy as np
import pytest

from physics import Box, Plane, Sphere, World
from physics.params import GRAB_ACCELERATION

RATE = 120


def _way(mass: float, target: float, steps: int) -> np.ndarray:
    """Positions of a grabbed ball in empty space whose hand jumps to the target."""
    world = World(rate=RATE, gravity=(0, 0, 0))
    world.add_body("ball", Sphere(0.1), mass=mass)
    hand = world.grab("ball", (0, 0, 0))
    world.move_grab(hand, (target, 0, 0))
    way = []
    for _ in range(steps):
        world.step()
        way.append(world.position("ball")[0])
    return np.array(way)


def test_a_hand_moves_every_mass_alike() -> None:
    reference = _way(1.0, 0.5, RATE)
    assert reference[-1] == pytest.approx(0.5, abs=1e-3)
    for mass in (1e-3, 1e3, 1e6):
        assert np.abs(_way(mass, 0.5, RATE) - reference).max() < 1e-9


def test_a_hand_feels_what_hangs_on_the_body() -> None:
    """The mass it meets is that of the whole: a rigid pair of 1 kg and 99 kg moves as one ball."""
    world = World(rate=RATE, gravity=(0, 0, 0))
    world.add_body("light", Sphere(0.1), mass=1.0)
    world.add_body("heavy", Sphere(0.1), mass=99.0, position=(1, 0, 0))
    world.add_joint("fixed", "light", "heavy", at=(0.5, 0, 0))
    hand = world.grab("light", (0, 0, 0))
    world.move_grab(hand, (0.5, 0, 0))
    way = []
    for _ in range(RATE):
        world.step()
        way.append(world.position("light")[0])
    assert np.abs(np.array(way) - _way(1.0, 0.5, RATE)).max() < 1e-4


def test_a_hand_never_yanks() -> None:
    way = _way(5.0, 1e3, 10)
    speeds = np.diff(np.concatenate([[0.0], way])) * RATE
    gains = np.diff(np.concatenate([[0.0], speeds])) * RATE
    assert gains.max() <= GRAB_ACCELERATION * (1 + 1e-9)
    assert gains.max() > 0.9 * GRAB_ACCELERATION


def test_a_hand_presses_a_box_on_the_floor() -> None:
    """Pulled down by a hand the floor carries more than the weight, and nothing sinks in."""
    world = World(rate=RATE, sleeping=False)
    world.add_body("floor", Plane(), fixed=True)
    world.add_body("box", Box((0.4, 0.4, 0.4)), mass=2.0, position=(0, 0.2, 0))
    world.step(RATE // 2)
    hand = world.grab("box", (0, 0.2, 0))
    world.move_grab(hand, (0, -0.8, 0))
    world.step(RATE)
    contacts = world.contacts()
    assert RATE * contacts["impulse"].sum() > 2.0 * 2.0 * 9.81
    assert contacts["depth"].max() < 1e-3


@pytest.mark.parametrize("push", [9.0, 11.0])
def test_a_push_moves_a_box_iff_it_beats_friction(push: float) -> None:
    """μ m g = 0.5 · 2 kg · 9.81 m/s² = 9.81 N holds against 9 N and not against 11 N."""
    world = World(rate=RATE, sleeping=False)
    world.add_body("floor", Plane(), fixed=True, friction=0.5)
    world.add_body("box", Box((0.4, 0.4, 0.4)), mass=2.0, position=(0, 0.2, 0), friction=0.5)
    world.step(RATE // 2)
    for _ in range(RATE):
        world.apply_force("box", (push, 0, 0))
        world.step()
    expected = max(push - 9.81, 0.0) / 2.0
    assert world.velocity("box")[0] == pytest.approx(expected, abs=2e-3)
