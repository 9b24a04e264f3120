"""A rigid lid sewn to a soft cube that falls on it: what lies between two is no free body."""

import numpy as np
import pytest

from physics import Box, Plane, World

HALF = 0.4  # of the cube, m
THICK = 0.04


def turned(angle):
    """Quaternion of a turn about z by degrees."""
    half = 0.5 * np.radians(angle)
    return np.array([np.cos(half), 0.0, 0.0, np.sin(half)])


def cube_with_lid(angle, young, *, mass=2.0, height=0.8, rate=60, **options):
    world = World(rate=rate, **options)
    world.add_body("ground", Plane(), fixed=True, friction=0.7)
    a = np.radians(angle)
    up = np.array([-np.sin(a), np.cos(a), 0.0])
    place = np.array([0.0, height, 0.0])
    world.add_body(
        "lid",
        Box((2 * HALF, THICK, 2 * HALF)),
        mass=mass,
        position=place + (HALF + 0.01 + 0.5 * THICK) * up,
        orientation=turned(angle),
    )
    world.add_solid(
        "cube",
        size=(2 * HALF,) * 3,
        cells=(3, 3, 3),
        density=60.0,
        young=young,
        damping=0.01,
        position=place,
        orientation=turned(angle),
    )
    top = np.flatnonzero((world.node_positions("cube") - place) @ up > HALF - 1e-6)
    assert len(top) == 16
    world.attach("cube", top, "lid")
    return world


def highest(world, seconds):
    """Most energy above that at the start, as a share of it; nothing may freeze."""
    start = most = world.energy().total
    for _ in range(int(seconds * world.rate)):
        world.step()
        assert not world.frozen
        most = max(most, world.energy().total)
    return most / start


@pytest.mark.parametrize("angle", [0, 90, 135, 180])
@pytest.mark.parametrize("young", [2e4, 1e6, 1e7, 1e8])
def test_a_lid_under_a_soft_cube_gains_no_energy(angle, young):
    world = cube_with_lid(angle, young)
    start = world.energy().total
    assert highest(world, 2.0) < 1.02
    assert world.energy().total < 0.7 * start  # nor does it hover or whirl


@pytest.mark.parametrize("rate", [30, pytest.param(120, marks=pytest.mark.slow), 240])
@pytest.mark.parametrize(("mass", "young"), [(0.1, 1e7), (2.0, 1e7), (50.0, 1e6)])
def test_whatever_the_step_and_the_mass(rate, mass, young):
    world = cube_with_lid(170.0, young, mass=mass, height=1.2, rate=rate)
    assert highest(world, 1.5) < 1.02


@pytest.mark.parametrize("heavy", [1.0, 50.0])
def test_a_lid_that_falls_on_a_crate(heavy):
    """The crate gives way, too: it stands in the same solve."""
    world = cube_with_lid(182.0, 2e7, mass=0.34, height=1.6, rate=120)
    world.add_body("crate", Box((0.5, 0.3, 0.5)), mass=heavy, position=(0.1, 0.151, 0.0))
    assert highest(world, 1.5) < 1.02


def test_a_lid_that_lies_still_stays_still():
    world = cube_with_lid(180.0, 1e6, height=0.47)
    highest(world, 2.0)
    place = world.position("lid").copy()
    highest(world, 2.0)
    assert np.abs(world.position("lid") - place).max() < 1e-3
    assert world.position("lid")[1] > 0.45 * THICK


def test_the_ledger_is_saved_with_the_world():
    world = cube_with_lid(135.0, 1e7)
    world.step(40)
    saved = world.snapshot()
    world.step(30)
    after = world.hash()
    world.restore(saved)
    world.step(30)
    assert world.hash() == after
