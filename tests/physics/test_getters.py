"""What can be read of a world: point velocities, axes, speeds of joints, forces of contacts."""

import math
from typing import Any

import numpy as np
import pytest

from physics import JOINTS, Box, Sphere, World
from tests.physics.scenes import about
from tests.physics.variants import label, two_bodies, variants


def _one(**given: Any) -> World:
    world = World(rate=240, gravity=(0, 0, 0), sleeping=False)
    turn = about((0.6, 0, 0.8), 1.1)
    world.add_body("a", Box((1, 2, 3)), mass=2, position=(1, 2, 3), orientation=turn, **given)
    return world


def test_local_and_world_points_are_each_others_inverse() -> None:
    world, point = _one(), np.array([0.3, -0.2, 0.7])
    there = world.to_world("a", point)
    np.testing.assert_allclose(world.to_local("a", there), point, rtol=0, atol=1e-14)
    assert np.linalg.norm(there - world.position("a")) == pytest.approx(np.linalg.norm(point))
    np.testing.assert_allclose(world.to_world("a", (0, 0, 0)), (1, 2, 3))


def test_the_velocity_of_a_point_is_how_fast_it_moves() -> None:
    world = _one(velocity=(0.5, -1, 2), angular_velocity=(0.7, 0.2, -0.4))
    point = world.to_world("a", (0.3, -0.2, 0.7))
    speed = world.point_velocity("a", point)
    before, h = point, world.h
    world.step()
    after = world.to_world("a", (0.3, -0.2, 0.7))
    np.testing.assert_allclose(speed, (after - before) / h, rtol=0, atol=2e-2)
    expected = np.array([0.5, -1, 2]) + np.cross((0.7, 0.2, -0.4), point - (1, 2, 3))
    np.testing.assert_allclose(speed, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("bad", [(1, 2), "x", (1, 2, math.nan), None])
def test_points_are_checked(bad: Any) -> None:
    world = _one()
    for read in (world.to_world, world.to_local, world.point_velocity):
        with pytest.raises(ValueError, match="point"):
            read("a", bad)


@pytest.mark.parametrize("variant", variants(), ids=label)
def test_joint_speed_is_the_rate_of_its_coordinate(variant: tuple[str, dict[str, Any]]) -> None:
    """Central differences of joint_value over poses moved by the velocities; free of the solver."""
    rng = np.random.default_rng(5)
    world = two_bodies(*variant, rng)
    joint = world.handles("joint")[0]
    motion = {}
    for name in "ab":
        motion[name] = rng.normal(size=3), rng.normal(size=3)
        world.set_velocity(name, motion[name][0])
        world.set_angular_velocity(name, motion[name][1])
    if variant[0] == "gear":  # measures a alone, and only once it has been stepped
        expected = motion["a"][1] @ world.joint(joint).axis
        assert world.joint_speed(joint) == pytest.approx(expected, abs=1e-9)
        return
    if JOINTS[variant[0]].carried:
        pytest.skip("it has a value once it has been stepped: test_epicyclic_gear.py asks it")
    speed, values, step = world.joint_speed(joint), [], 1e-5
    poses = {name: (world.position(name), world.orientation(name)) for name in "ab"}
    for sign in (1, -1):
        for name, (v, w) in motion.items():
            place, turn = poses[name]
            world.set_position(name, place + sign * step * v)
            size = float(np.linalg.norm(w))
            world.set_orientation(name, _product(about(w / size, sign * step * size), turn))
        values.append(world.joint_value(joint))
    assert speed == pytest.approx((values[0] - values[1]) / (2 * step), abs=1e-7)


def _product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    vector = p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *vector])


def test_motor_force_holds_an_arm_against_gravity() -> None:
    """A motor at rest bears m g l; a servo bears it by its deflection, k θ."""
    for drive in (
        {"motor": {"speed": 0.0}},
        {"motor": {"speed": 0.0, "max_force": 100.0}},
        {"servo": {"target": 0.0, "stiffness": 500.0, "damping": 50.0}},
    ):
        world = World(rate=120, sleeping=False)
        world.add_body("arm", Box((1, 0.1, 0.1)), mass=2, position=(0.5, 0, 0), mask=0)
        world.add_joint("hinge", "arm", at=(0, 0, 0), axis=(0, 0, 1), name="hinge", **drive)
        world.step(600)
        lever = world.position("arm")[0]
        assert world.motor_force("hinge") == pytest.approx(2 * 9.81 * lever, rel=1e-3)


def test_a_joint_without_a_motor_has_no_motor_force() -> None:
    world = _one()
    world.add_joint("hinge", "a", axis=(0, 0, 1), name="door")
    with pytest.raises(ValueError, match="neither motor nor servo"):
        world.motor_force("door")


def test_contact_forces_carry_what_lies_above() -> None:
    """Three boxes in a stack; the ground bears all of them, the middle one the topmost."""
    world = World(rate=120)
    world.add_body("ground", Box((10, 1, 10)), fixed=True, position=(0, -0.5, 0))
    masses = {"low": 5.0, "middle": 2.0, "top": 1.0}
    for i, (name, mass) in enumerate(masses.items()):
        world.add_body(name, Box((1, 1, 1)), mass=mass, position=(0, 0.5 + i, 0))
    for steps in (120, 240):  # awake, and asleep
        world.step(steps)
        g, up = 9.81, np.array([0.0, 1.0, 0.0])
        near = {"rtol": 0, "atol": 0.1}
        np.testing.assert_allclose(world.contact_force("top"), 1 * g * up, **near)
        np.testing.assert_allclose(world.contact_force("middle"), 2 * g * up, **near)
        np.testing.assert_allclose(world.contact_force("middle", "low"), 3 * g * up, **near)
        np.testing.assert_allclose(world.contact_force("low", "middle"), -3 * g * up, **near)
        np.testing.assert_allclose(world.contact_force("ground"), -8 * g * up, **near)
        np.testing.assert_allclose(world.contact_force("top", "ground"), 0, **near)


def test_contact_force_has_friction_in_it() -> None:
    """A box on a slope below its friction angle: the contacts bear its weight, all of it."""
    world = World(rate=120, gravity=(9.81 * math.sin(0.2), -9.81 * math.cos(0.2), 0))
    world.add_body("ground", Box((10, 1, 10)), fixed=True, position=(0, -0.5, 0))
    world.add_body("box", Box((1, 1, 1)), mass=3, position=(0, 0.5, 0), friction=0.8)
    world.step(120)
    np.testing.assert_allclose(world.contact_force("box"), -3 * world.gravity, rtol=0, atol=0.1)


def test_a_body_in_the_air_is_touched_by_nothing() -> None:
    world = World()
    world.add_body("ball", Sphere(0.1), mass=1, position=(0, 5, 0))
    world.step(5)
    np.testing.assert_array_equal(world.contact_force("ball"), 0)


def test_every_kind_that_can_be_driven_is_directed() -> None:
    """Otherwise one body alone would be driven the other way round."""
    assert all(kind.directed for kind in JOINTS.values() if "motor" in kind.parameters)
