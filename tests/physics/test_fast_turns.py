"""Bodies that turn far within a step, and cables that twist."""

import math

import numpy as np
import pytest

from physics import Box, Capsule, Sphere, World
from physics.integrate import turn_coefficients, turned, turning_block


@pytest.mark.parametrize("size", [1e-9, 0.03, 0.0999, 0.1001, 1.0, 3.0])
def test_coefficients_of_a_turn(size: float) -> None:
    """By their series and by sine and cosine, on both sides of where one takes over."""
    sine, first, second = turn_coefficients(size * size)
    half = math.sin(0.5 * size)
    assert sine == pytest.approx(math.sin(size) / size, rel=1e-14)
    assert first == pytest.approx(2.0 * half * half / size**2, rel=1e-13)
    assert second == pytest.approx(1 / 6 - size**2 / 120 + size**4 / 5040, rel=1e-6 + size**6)


@pytest.mark.parametrize("size", [0.01, 0.3, 2.0, 6.0])
def test_the_derivative_of_turned_angular_momentum(size: float) -> None:
    rng = np.random.default_rng(3)
    root = rng.normal(size=(3, 3))
    inertia, h = root @ root.T, 0.7
    mass = np.stack([np.eye(3), inertia])
    omega = size * rng.normal(size=3)

    def momentum(w):
        return np.array(turned(*(inertia @ w), *w, 0.5 * h))

    step = 1e-6
    columns = [(momentum(omega + step * e) - momentum(omega - step * e)) for e in np.eye(3)]
    expected = np.stack(columns, 1) / (2.0 * step)
    found = np.array(turning_block(mass, 1, *omega, h)).reshape(3, 3)
    assert found == pytest.approx(expected, abs=1e-7 * np.abs(inertia).max())


@pytest.mark.parametrize("turn", [0.5, 1.0, 1.4])
@pytest.mark.parametrize("kind", ["ball", "hinge", "fixed"])
def test_what_spins_about_a_long_lever_needs_no_second_try(kind: str, turn: float) -> None:
    """The lever stands still, as it lies along the spin: no substep is asked for. Corrections
    without what changes of a large turn turn by shrank the error by a half only."""
    world = World(gravity=(0, 0, 0), sleeping=False)
    spin = np.array([60.0 * turn, 0.3, 0.2])
    at = np.array([2.0, 0.05, 0.0])
    for name, mass, place, size in (
        ("heavy", 500.0, np.zeros(3), (0.4, 0.3, 0.2)),
        ("light", 1.0, 2 * at, (0.2, 0.3, 0.4)),
    ):
        velocity = np.cross(spin, place)
        world.add_body(
            name, Box(size), mass=mass, position=place, velocity=velocity, angular_velocity=spin
        )
    joint = {"axis": (1, 0, 0)} if kind == "hinge" else {}
    world.add_joint(kind, "heavy", "light", at=at, **joint)
    world.step(60)
    assert world.stats.guard["halved"] == 0
    assert world.constraint_error() < 1e-8


def test_a_cable_twists_as_freely_under_load() -> None:
    """A ball on a cable is a torsion pendulum, I ω̈ = -k/n φ: 100 kg on links of 0.2 kg, whose
    added inertia must not act about the cable."""
    links, length, twist, h = 12, 0.4, 10.0, 0.01
    world = World(rate=1 / h)
    previous, top = None, 0.0
    stiff = {"axial_stiffness": 1e12, "bend_stiffness": 10.0, "twist_stiffness": twist}
    for k in range(links):
        link = world.add_body(
            f"link {k}", Capsule(0.02, length - 0.04), mass=0.2, mask=0,
            position=(0, top - 0.5 * length, 0),
        )  # fmt: skip
        world.add_joint("cable", link, previous, at=(0, top, 0), axis=(0, 1, 0), **stiff)
        previous, top = link, top - length
    ball = world.add_body("ball", Sphere(0.25), mass=100.0, position=(0, top - 0.25, 0), mask=0)
    world.add_joint("cable", ball, previous, at=(0, top, 0), axis=(0, 1, 0), **stiff)
    spin, inertia = 0.5, 0.4 * 100.0 * 0.25**2
    world.set_angular_velocity(ball, (0, spin, 0))
    rate = math.sqrt(twist / (links + 1) / inertia)
    for k in range(1, 9):
        world.step(50)
        expected = spin * math.cos(rate * 50 * h * k)
        assert world.angular_velocity(ball)[1] == pytest.approx(expected, abs=0.01 * spin)
