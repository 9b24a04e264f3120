"""Speeds of points and joints against differences of positions; contact forces against weights."""

import numpy as np
import pytest

from physics import Box, Plane, Sphere, World
from physics.readouts.probes import contact_force, contact_load

_RATE = 100_000  # so that a difference over two steps is a derivative to 1e-5


def _pair(**motion: tuple[float, float, float]) -> World:
    world = World(rate=_RATE, gravity=(0, 0, 0))
    world.add_body("a", Box((1, 0.5, 0.3)), mass=2.0, position=(0, 0, 0))
    world.add_body("b", Box((0.4, 0.6, 0.2)), mass=1.0, position=(1, 0.2, 0.1))
    return world


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("hinge", {"at": (0.5, 0, 0), "axis": (0, 0.6, 0.8)}),
        ("prismatic", {"at": (0.5, 0, 0), "axis": (1, 0, 0)}),
        ("spring", {"stiffness": 10.0}),
        ("screw", {"at": (0.5, 0, 0), "axis": (1, 0, 0), "pitch": 0.3}),
        ("point_on_line", {"at": (0.5, 0, 0), "axis": (1, 0, 0)}),
    ],
)
@pytest.mark.parametrize("ends", [("a", "b"), ("b", "a"), ("b", None)])
def test_joint_speed_is_the_derivative_of_its_value(
    kind: str, options: dict[str, object], ends: tuple[str, str | None]
) -> None:
    world = _pair()
    given = dict(options)
    if ends[1] is None and kind == "spring":
        given["at_b"] = (3.0, 1.0, 0.0)
    joint = world.add_joint(kind, *ends, **given)
    world.set_velocity("b", (0.3, -0.2, 0.5))
    world.set_angular_velocity("b", (1.0, 2.0, -1.5))
    world.set_angular_velocity("a", (0.5, -1.0, 0.7))
    world.step(3)
    before = world.joint_value(joint)
    world.step()
    speed = world.joint_speed(joint)
    world.step()
    assert speed == pytest.approx((world.joint_value(joint) - before) * _RATE / 2, abs=2e-4)
    assert abs(speed) > 0.01


def test_point_velocity_is_that_of_a_rigid_body() -> None:
    world = _pair()
    world.set_velocity("b", (1, 2, 3))
    world.set_angular_velocity("b", (0, 0, 2))
    at = np.add(world.position("b"), (0.5, 0, 0))
    assert world.point_velocity("b", at) == pytest.approx([1, 3, 3])


def test_contact_forces_carry_the_weight_and_are_opposite() -> None:
    world = World()
    ground = world.add_body("ground", Plane((0, 1, 0)), fixed=True)
    low = world.add_body("low", Box((1, 1, 1)), mass=3.0, position=(0, 0.5, 0))
    high = world.add_body("high", Sphere(0.3), mass=2.0, position=(0, 1.3, 0))
    world.step(120)
    assert contact_force(world, {high.slot}) == pytest.approx([0, 2 * 9.81, 0], rel=1e-4)
    assert contact_force(world, {low.slot}) == pytest.approx([0, 3 * 9.81, 0], rel=1e-4)
    on, off = (contact_force(world, {a.slot}, {b.slot}) for a, b in ((low, high), (high, low)))
    assert np.abs(on + off).max() < 1e-9
    assert contact_load(world, {ground.slot}, {low.slot}) == pytest.approx(5 * 9.81, rel=1e-4)
    assert contact_load(world, {low.slot, high.slot}) == pytest.approx(5 * 9.81, rel=1e-4)
