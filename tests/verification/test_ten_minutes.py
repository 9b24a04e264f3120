"""Energy after ten minutes at 1/60 s, as shipped: what swings for ever, swings for ever."""

import math

import numpy as np
import pytest

from physics import Box, Sphere, World

GRAVITY = 9.81
MINUTES = 10


def turned(angle: float) -> tuple[float, float, float, float]:
    """A bar along x, turned about z so that it hangs at `angle` from below."""
    half = 0.5 * (angle - 0.5 * math.pi)
    return (math.cos(half), 0.0, 0.0, math.sin(half))


def pendulum(links: int, degrees: float, *, rate: int = 60) -> tuple[World, float]:
    """Bars of 1 m and 1 kg in a row, and the energy above the lowest state, J."""
    world = World(rate=rate, sleeping=False)
    angle, place, energy = math.radians(degrees), np.zeros(3), 0.0
    way = np.array([math.sin(angle), -math.cos(angle), 0.0])
    for i in range(links):
        name, centre = f"bar{i}", place + 0.5 * way
        world.add_body(
            name,
            Box((1.0, 0.1, 0.1)),
            mass=1.0,
            position=centre,
            orientation=turned(angle),
            mask=0,
        )
        world.add_joint("hinge", name, f"bar{i - 1}" if i else None, at=place, axis=(0, 0, 1))
        energy += GRAVITY * (centre[1] + i + 0.5)
        place = place + way
    return world, energy


def ball_on_arm() -> tuple[World, float]:
    """A small ball that turns about a point far outside it."""
    world = World(rate=60, sleeping=False)
    angle = math.radians(115.0)
    place = (math.sin(angle), -math.cos(angle), 0.0)
    world.add_body("ball", Sphere(0.1), mass=1.0, position=place, mask=0)
    world.add_joint("ball", "ball", at=(0, 0, 0))
    return world, GRAVITY * (1.0 - math.cos(angle))


def slider_crank() -> tuple[World, float]:
    world = World(rate=60, gravity=(0, 0, 0), sleeping=False)
    crank = {"velocity": (0, 2, 0), "angular_velocity": (0, 0, 8)}
    rod = {"velocity": (0, 2, 0), "angular_velocity": (0, 0, -8 / 3)}
    world.add_body("crank", Box((0.5, 0.05, 0.05)), mass=1, position=(0.25, 0, 0), mask=0, **crank)
    world.add_body("rod", Box((1.5, 0.05, 0.05)), mass=1, position=(1.25, 0, 0), mask=0, **rod)
    world.add_body("slide", Box((0.1, 0.1, 0.1)), mass=1, position=(2, 0, 0), mask=0)
    world.add_joint("hinge", "crank", at=(0, 0, 0), axis=(0, 0, 1))
    world.add_joint("hinge", "rod", "crank", at=(0.5, 0, 0), axis=(0, 0, 1))
    world.add_joint("hinge", "slide", "rod", at=(2, 0, 0), axis=(0, 0, 1))
    world.add_joint("prismatic", "slide", at=(2, 0, 0), axis=(1, 0, 0))
    return world, world.energy().kinetic


def oscillator(kind: str, stiffness: float) -> tuple[World, float]:
    world = World(rate=60, gravity=(0, 0, 0), sleeping=False)
    world.add_particle("mass", mass=1, position=(1.1, 0, 0))
    if kind == "spring":
        world.add_joint("spring", "mass", at_b=(0, 0, 0), length=1.0, stiffness=stiffness)
    else:
        world.add_joint("distance", "mass", at_b=(0, 0, 0), length=1.0, compliance=1 / stiffness)
    return world, 0.5 * stiffness * 0.1**2


def heavy_chain() -> tuple[World, float]:
    """Ten light links under a load of a thousand times their mass, from 30°."""
    world = World(rate=60, sleeping=False)
    angle, place, before = math.radians(30.0), np.zeros(3), None
    way = np.array([math.sin(angle), -math.cos(angle), 0.0])
    for i in range(10):
        name, centre = f"link{i}", place + 0.1 * way
        world.add_body(
            name,
            Box((0.2, 0.04, 0.04)),
            mass=0.1,
            position=centre,
            orientation=turned(angle),
            mask=0,
        )
        world.add_joint("ball", name, before, at=place)
        place, before = place + 0.2 * way, name
    world.add_body("load", Sphere(0.1), mass=100.0, position=place, mask=0)
    world.add_joint("ball", "load", before, at=place)
    return world, 100.0 * GRAVITY * 2.0 * (1.0 - math.cos(angle))


def top() -> tuple[World, float]:
    """A fast top whose tip is held; what counts is the energy of its spin."""
    world = World(rate=60, sleeping=False)
    tilt, spin = math.radians(20.0), 60.0
    axis = np.array([math.sin(tilt), math.cos(tilt), 0.0])
    world.add_body(
        "top",
        Box((0.3, 0.1, 0.3)),
        mass=1.0,
        position=0.3 * axis,
        orientation=(math.cos(tilt / 2), 0.0, 0.0, -math.sin(tilt / 2)),
        angular_velocity=spin * axis,
        mask=0,
    )
    world.add_joint("ball", "top", at=(0, 0, 0))
    return world, world.energy().kinetic


def drift(world: World, scale: float) -> float:
    """Mean energy of the last half minute less that of the first, over `scale`."""
    ends = []
    parts = MINUTES * 60
    rate = round(world.rate)
    for part in range(parts):
        if part < 30 or part >= parts - 30:
            total = 0.0
            for _ in range(rate):
                world.step()
                total += world.energy().total
            ends.append(total / rate)
        else:
            world.step(rate)
    return float(np.mean(ends[30:]) - np.mean(ends[:30])) / scale


@pytest.mark.parametrize(
    ("made", "most"),
    [
        pytest.param(lambda: pendulum(1, 115.0), 0.01, id="pendulum"),
        pytest.param(lambda: pendulum(1, 115.0, rate=30), 0.02, id="pendulum-30"),
        pytest.param(lambda: pendulum(2, 120.0), 0.02, id="double pendulum"),
        pytest.param(ball_on_arm, 0.01, id="ball on an arm"),
        pytest.param(slider_crank, 0.01, id="slider-crank"),
        pytest.param(lambda: oscillator("spring", 10.0), 0.01, id="spring 10"),
        pytest.param(lambda: oscillator("spring", 1e2), 0.01, id="spring 100"),
        pytest.param(lambda: oscillator("spring", 1e3), 0.01, id="spring 1e3"),
        pytest.param(lambda: oscillator("spring", 1e4), 0.01, id="spring 1e4"),
        pytest.param(lambda: oscillator("compliant", 1e2), 0.01, id="compliant 100"),
        pytest.param(lambda: oscillator("compliant", 1e4), 0.01, id="compliant 1e4"),
        pytest.param(heavy_chain, 0.01, id="chain 1e3"),
        pytest.param(top, 0.01, id="top"),
    ],
)
def test_energy_stays_for_ten_minutes(made, most) -> None:
    world, scale = made()
    changed = drift(world, scale)
    print(f"changed by {changed:.3%}")
    assert abs(changed) <= most
    assert world.stats.guard["frozen"] == 0
