"""Springs of any stiffness: whatever rings faster than steps can follow still moves right."""

import numpy as np
import pytest

from physics import Sphere, World


def whirling(mass: float, stiffness: float, rate: float = 60, **more: object) -> World:
    """Two balls that turn about each other, and drift, on a spring of three metres."""
    world = World(rate=rate, gravity=(0, 0, 0))
    world.add_body("a", Sphere(0.1), mass=mass, velocity=(0, 7, 0))
    world.add_body("b", Sphere(0.1), mass=0.7 * mass, position=(3, 0, 0), velocity=(0, -6, 0))
    world.add_joint("spring", "a", "b", stiffness=stiffness, name="spring", **more)
    return world


def angular_momentum(world: World) -> float:
    return float(
        sum(world.mass(n) * np.cross(world.position(n), world.velocity(n))[2] for n in ("a", "b"))
    )


@pytest.mark.parametrize("stiffness", [1e3, 1e5, 1e6, 1e8])
@pytest.mark.parametrize("mass", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("rate", [30, 60, 240])
def test_a_spring_keeps_what_turns_about_it(mass: float, stiffness: float, rate: float) -> None:
    world = whirling(mass, stiffness, rate)
    energy, spin = world.energy().total, angular_momentum(world)
    world.step(5 * rate)
    assert world.energy().total == pytest.approx(energy, rel=0.02)
    assert angular_momentum(world) == pytest.approx(spin, rel=1e-6)
    assert world.stats.guard["frozen"] == 0


def test_a_stiff_spring_stretches_as_hooke_says() -> None:
    """1 kg at 1e6 N/m hangs 9.81 µm low, whether it rings too fast for the step or not."""
    for stiffness in (1e3, 1e6):
        world = World(sleeping=False)
        weight = world.add_body("weight", Sphere(0.1), mass=1.0, position=(0, -1, 0))
        damper = 0.2 * np.sqrt(stiffness)
        spring = world.add_joint(
            "spring", weight, at_b=(0, 0, 0), stiffness=stiffness, damper=damper
        )
        world.step(600)
        assert world.joint_value(spring) - 1.0 == pytest.approx(9.81 / stiffness, rel=0.01)


@pytest.mark.parametrize("stiffness", [1e4, 1e6])
def test_a_band_pulls_and_never_pushes(stiffness: float) -> None:
    world = World(gravity=(0, 0, 0))
    world.add_body("a", Sphere(0.1), mass=0.1)
    world.add_body("b", Sphere(0.1), mass=0.1, position=(2, 0, 0), velocity=(-3, 0, 0))
    world.add_joint("spring", "a", "b", stiffness=stiffness, tension_only=True)
    world.step(20)
    assert world.velocity("b")[0] == pytest.approx(-3.0)
    assert world.velocity("a")[0] == pytest.approx(0.0)
    world = World(gravity=(0, 0, 0))
    world.add_body("a", Sphere(0.1), mass=0.1)
    world.add_body("b", Sphere(0.1), mass=0.1, position=(2, 0, 0), velocity=(3, 0, 0))
    band = world.add_joint("spring", "a", "b", stiffness=stiffness, tension_only=True)
    world.step(20)
    assert world.joint_value(band) < 2.2
    assert world.velocity("a")[0] > 0.0


def test_stiffness_changes_while_running() -> None:
    """Soft, too stiff to follow, soft again: the same joint, whatever form it takes within."""
    world = whirling(1.0, 1e3)
    for stiffness in (1e7, 1e3, 1e9, 1e4):
        world.step(60)
        world.set_joint("spring", stiffness=stiffness)
        moving = world.energy().kinetic
        world.step(60)
        assert world.energy().total == pytest.approx(moving, rel=0.02)
    spin = angular_momentum(world)
    world.rate = 240
    world.step(240)
    assert angular_momentum(world) == pytest.approx(spin, rel=1e-6)
