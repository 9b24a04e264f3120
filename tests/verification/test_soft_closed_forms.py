"""Solids against closed forms: buckling, pull, waves along a rod, and a bounce for a minute."""

import numpy as np
import pytest

from physics import Plane, World
from tests.physics.soft.bouncing import bounced
from tests.verification.test_soft_solids import beam, end_shares

SIDE = 0.05  # m, of a square column of 1 m
YOUNG = 1e6
EULER = np.pi**2 * YOUNG * SIDE**4 / 12.0 / 4.0  # N: π²EI/4L², clamped below and free above


def deflection(share):
    """Sideways, at the free end of a column that carries `share` of Euler's load."""
    body = beam((16, 2, 2), (1.0, SIDE, SIDE), 0.0, YOUNG)
    rest = body.x.copy()
    body.pin(np.flatnonzero(rest[:, 0] < 1e-9))
    at_end = end_shares(rest, 1.0, (SIDE, SIDE))
    body.state.force[:, 0] = -share * EULER * at_end
    body.state.force[:, 1] = 1e-4 * YOUNG * SIDE**4 / 4.0 * at_end
    body.find_equilibrium(1e-13, iterations=400)
    tip = rest[:, 0] > 1.0 - 1e-9
    return body.x[tip, 1].mean() - rest[tip, 1].mean()


def amplification(u):
    """Of the deflection by a side load, by P = u² EI/L² along the column [Timoshenko61]."""
    return 3.0 * (np.tan(u) - u) / u**3


@pytest.mark.parametrize("share", [0.5, 0.8])
def test_columns_buckle_at_eulers_load(share):
    """The load at which the deflection would have no bound, from how it grows on the way."""
    grown = deflection(share) / deflection(0.0)
    low, high = 0.1, 0.5 * np.pi - 1e-6
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if amplification(middle) < grown else (low, middle)
    critical = share * EULER * (0.5 * np.pi / low) ** 2
    assert critical == pytest.approx(EULER, rel=0.05)


@pytest.mark.parametrize("poisson", [0.0, 0.3, 0.45])
def test_a_pulled_bar_follows_hooke(poisson):
    body = beam((8, 2, 2), (1.0, 0.2, 0.2), poisson, YOUNG)
    rest, strain = body.x.copy(), 1e-6
    force = strain * YOUNG * 0.2**2
    for end, sign in ((0.0, -1.0), (1.0, 1.0)):
        body.state.force[:, 0] += sign * force * end_shares(rest, end, (0.2, 0.2))
    body.find_equilibrium(1e-15, iterations=20, horizon=100.0)
    assert np.ptp(body.x[:, 0]) - 1.0 == pytest.approx(strain, rel=1e-4)
    assert 0.2 - np.ptp(body.x[:, 1]) == pytest.approx(poisson * strain * 0.2, abs=1e-4 * strain)


def test_a_rod_rings_along_its_length_with_a_quarter_wave():
    """f = √(E/ρ)/4L of a rod held at one end."""
    body = beam((16, 1, 1), (1.0, 0.1, 0.1), 0.0, 1e5)
    rest, rate = body.x.copy(), 240
    body.pin(np.flatnonzero(rest[:, 0] < 1e-9))
    body.x[:, 0] += 1e-3 * np.sin(0.5 * np.pi * rest[:, 0])
    tip, height = rest[:, 0] > 1.0 - 1e-9, []
    for _ in range(4 * rate):
        body.step(1.0 / rate)
        height.append(body.x[tip, 0].mean() - 1.0)
    at = np.flatnonzero(np.signbit(height[1:]) != np.signbit(height[:-1]))
    cross = at + np.array([height[k] / (height[k] - height[k + 1]) for k in at])
    frequency = rate * (len(cross) - 1) / (2.0 * (cross[-1] - cross[0]))
    assert frequency == pytest.approx(np.sqrt(1e5 / 1000.0) / 4.0, rel=0.01)


def test_a_cube_that_bounces_for_a_minute_gains_no_energy():
    world = World()
    world.add_body("ground", Plane(), fixed=True)
    world.add_solid("cube", size=(0.4, 0.4, 0.4), cells=(2, 2, 2), young=1e5, position=(0, 0.7, 0))
    first = world.energy().total
    energy = []
    for _ in range(60):
        world.step(60)
        energy.append(world.energy().total)
    assert max(energy) < 1.01 * first


@pytest.mark.parametrize("seconds", [10, pytest.param(60, marks=pytest.mark.slow)])
def test_a_cube_whose_impacts_are_elastic_keeps_its_energy(seconds):
    """`python -m tests.physics.soft.bouncing` has other rates and stiffnesses."""
    left = bounced(1e5, 2, 1.0, 240, seconds)
    assert max(left) < 1.01
    assert left[-1] > 0.98


@pytest.mark.parametrize("material", ["corotational", "neo_hookean"])
def test_large_strains_ring_on(material):
    """Stretched by 10 % and let go, free: no step throws energy away, at 60 Hz."""
    world = World(gravity=(0, 0, 0))
    handle = world.add_solid("bar", size=(1, 0.3, 0.3), cells=(6, 2, 2), young=1e5, poisson=0.4,
                             elements="tetrahedra", material=material)  # fmt: skip
    world.soft_body(handle).body.x[:, 0] *= 1.1
    first, energy = world.energy().total, []
    for _ in range(120):
        world.step()
        energy.append(world.energy().total)
    assert min(energy) > 0.99 * first
    assert max(energy) < 1.01 * first
