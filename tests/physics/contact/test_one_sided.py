"""Limits, slack cables and one-way springs share their steps with contacts."""

import math

import numpy as np
import pytest

from physics import Box, Plane, Sphere, World

G = 9.81
RATE = 120


def test_a_limit_carries_what_stands_on_the_arm() -> None:
    world = World(rate=RATE, sleeping=False)
    world.add_body("arm", Box((1.0, 0.05, 0.4)), mass=2.0, position=(0.5, 1, 0), friction=0.6)
    world.add_joint("hinge", "arm", at=(0, 1, 0), axis=(0, 0, 1), limits=(-0.05, 1), name="axle")
    world.add_body("load", Box((0.2, 0.2, 0.2)), mass=5.0, position=(0.8, 1.13, 0), friction=0.6)
    world.step(3 * RATE)
    assert world.joint_value("axle") == pytest.approx(-0.05, abs=2e-3)
    assert np.linalg.norm(world.velocity("load")) < 1e-3
    lever = float(world.position("load")[0])
    torque = abs(world.joint_force("axle")[1][2])
    assert torque == pytest.approx((2.0 * 0.5 + 5.0 * lever) * G, rel=0.02)


@pytest.mark.parametrize(("length", "hangs"), [(0.8, True), (1.2, False)])
def test_a_cable_carries_what_the_floor_does_not(length: float, hangs: bool) -> None:
    """The middle of the ball is 1 m below the hook where it lies on the floor."""
    world = World(rate=RATE, sleeping=False)
    world.add_body("floor", Plane(), fixed=True)
    world.add_body("ball", Sphere(0.1), mass=3.0, position=(0, 0.4, 0))
    world.add_joint("distance", "ball", at_b=(0, 1.1, 0), length=length, slack=True, name="cable")
    world.step(3 * RATE)
    pressed = RATE * float(world.contacts()["impulse"].sum())
    pulled = float(np.linalg.norm(world.joint_force("cable")[0]))
    assert (pulled if hangs else pressed) == pytest.approx(3.0 * G, rel=1e-3)
    assert (pressed if hangs else pulled) == pytest.approx(0.0, abs=1e-6)


def test_a_one_way_spring_lets_fly_and_holds_back() -> None:
    """Slack for 0.5 m of free fall, then a spring of 10 kN/m that never pushes."""
    world = World(rate=RATE, sleeping=False)
    world.add_particle("load", mass=2.0, position=(0, -0.5, 0))
    world.add_joint(
        "distance", "load", at_b=(0, 0, 0), length=1.0, slack=True, compliance=1e-4, damping=100.0
    )
    steps = 30
    world.step(steps)
    fall = 0.5 * G * (steps / RATE) ** 2
    assert world.position("load")[1] == pytest.approx(-0.5 - fall, abs=1e-9)
    world.step(8 * RATE)
    assert world.position("load")[1] == pytest.approx(-1.0 - 2.0 * G * 1e-4, abs=2e-4)


def test_an_elastic_band_pulls_and_never_pushes() -> None:
    world = World(rate=240, gravity=(0, 0, 0))
    world.add_body("ball", Sphere(0.05), mass=1.0, position=(0.9, 0, 0), velocity=(-1, 0, 0))
    world.add_joint("spring", "ball", length=1.0, at_b=(0, 0, 0), stiffness=100, tension_only=True)
    world.step(240)
    assert world.velocity("ball")[0] == pytest.approx(-1.0, abs=1e-9)  # slack: it flies on
    world.step(360)  # stretched for half a period, π/10 s, and thrown back as fast
    assert world.velocity("ball")[0] == pytest.approx(1.0, rel=0.02)
    assert math.isclose(world.energy().total, 0.5, rel_tol=0.02)


@pytest.mark.parametrize("load", [1.0, 1e3, 1e6])
def test_ropes_that_can_go_slack_hold_in_series(load: float) -> None:
    """Twenty pieces of 50 g, each free to go slack, swing a load by its whole weight.

    A taut piece stiffens its ends against sideways motion as a rod does: without the inertia added
    for that, a tonne shook the pieces apart and fell.
    """
    world = World()
    above = world.add_body("hook", Sphere(0.01), fixed=True, mask=0)
    lean = 0.25 * np.array([np.sin(0.2), -np.cos(0.2), 0.0])
    for k in range(1, 21):
        mass = load if k == 20 else 0.05
        piece = world.add_body(f"knot {k}", Sphere(0.02), mass=mass, position=k * lean, mask=0)
        world.add_joint("distance", piece, above, slack=True)
        above = piece
    start = world.energy().total
    swing = load * 9.81 * 5.0 * (1.0 - np.cos(0.2))  # J between the ends and the middle
    for _ in range(20):
        world.step(12)
        knots = np.array([np.zeros(3)] + [world.position(f"knot {k}") for k in range(1, 21)])
        lengths = np.linalg.norm(np.diff(knots, axis=0), axis=1)
        assert lengths.max() < 0.25 + 1e-4  # m: nobody sees 0.04 % of a piece
        # the added inertia is carried along: 1.3 % go to and fro in a swing
        assert abs(world.energy().total - start) < 0.03 * swing
    assert np.linalg.norm(knots[-1]) > 4.99
    assert not any(world.stats.guard.values())
