"""A joint of one body with the world turns and slides like one with a fixed base."""

from typing import Any

import numpy as np
import pytest

from physics import Box, World
from physics.constraints import JOINTS
from tests.physics.scenes import about

AT = (0.3, -0.2, 0.1)
AXIS = (0.2, 1.0, -0.4)
DIRECTED = [name for name, kind in JOINTS.items() if kind.directed]
DRIVEN = [name for name in DIRECTED if "motor" in JOINTS[name].parameters]
NEEDED: dict[str, dict[str, Any]] = {
    "angular_spring": {"stiffness": 30.0, "angle": 0.4, "damper": 0.3},
    "pose_spring": {"stiffness": 30.0},
    "screw": {"pitch": 0.3},
    "cable": {"bend_stiffness": 40.0, "twist_stiffness": 20.0},
    "ball": {"twist_limits": (-0.2, 0.5), "swing_limit": 0.6},
}
DRIVES: list[dict[str, Any]] = [
    {"motor": {"speed": 0.8}},
    {"motor": {"speed": -0.5, "max_force": 20.0}},
    {"servo": {"target": 0.4, "stiffness": 300.0, "damping": 30.0}},
    {"servo": {"target": -0.3, "stiffness": 300.0, "damping": 30.0, "max_force": 25.0}},
    {"limits": (-0.05, 0.1)},
]


def _world(kind: str, based: bool, **parameters: Any) -> World:
    world = World(rate=240, gravity=(3.0, -5.0, 2.0), sleeping=False)
    world.add_body(
        "door", Box((1.0, 0.4, 0.2)), mass=3.0, position=(0.5, 0.1, 0.2),
        orientation=about((0, 0.6, 0.8), 0.7), velocity=(0.1, 0.2, -0.3), mask=0,
    )  # fmt: skip
    ends: tuple[str, ...] = ("door",)
    if based:
        world.add_body("base", Box((1.0, 1.0, 1.0)), fixed=True, mask=0)
        ends = ("base", "door")
    axis = AXIS if JOINTS[kind].needs_axis else None
    given = {**NEEDED.get(kind, {}), **parameters}
    world.add_joint(kind, *ends, at=AT, axis=axis, name="joint", **given)
    return world


def _assert_alike(kind: str, **parameters: Any) -> World:
    alone, based = _world(kind, False, **parameters), _world(kind, True, **parameters)
    for _ in range(4):
        alone.step(20)
        based.step(20)
        for read in ("position", "orientation", "velocity", "angular_velocity"):
            mine, other = getattr(alone, read)("door"), getattr(based, read)("door")
            np.testing.assert_allclose(mine, other, rtol=0, atol=1e-9)
        assert alone.joint_value("joint") == pytest.approx(based.joint_value("joint"), abs=1e-9)
        assert alone.joint_speed("joint") == pytest.approx(based.joint_speed("joint"), abs=1e-8)
    return alone


@pytest.mark.parametrize("kind", DIRECTED)
def test_it_moves_and_is_measured_as_with_a_fixed_base(kind: str) -> None:
    _assert_alike(kind)


@pytest.mark.parametrize("kind", DRIVEN)
@pytest.mark.parametrize("drive", DRIVES, ids=str)
def test_motors_servos_and_limits_act_as_with_a_fixed_base(kind: str, drive: Any) -> None:
    _assert_alike(kind, **drive)


@pytest.mark.parametrize("kind", ["hinge", "screw", "axial_lock"])
def test_a_motor_turns_the_body_about_the_axis_the_right_way(kind: str) -> None:
    """+1 rad/s is counter-clockwise seen against the axis, whatever is named first."""
    world = World(rate=120, gravity=(0, 0, 0))
    world.add_body("wheel", Box((1, 1, 0.2)), mass=2.0, mask=0)
    extra = {"pitch": 0.1} if kind == "screw" else {}
    world.add_joint(kind, "wheel", axis=(0, 0, 1), motor={"speed": 1.0}, name="axle", **extra)
    world.step(60)
    assert world.angular_velocity("wheel")[2] == pytest.approx(1.0, abs=1e-9)
    assert world.joint_value("axle") == pytest.approx(0.5, abs=1e-2)
    assert world.joint_speed("axle") == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("kind", ["prismatic", "point_on_line"])
def test_a_motor_slides_the_body_along_the_axis(kind: str) -> None:
    world = World(rate=120, gravity=(0, 0, 0))
    world.add_body("drawer", Box((1, 1, 0.2)), mass=2.0, mask=0)
    world.add_joint(kind, "drawer", axis=(1, 0, 0), motor={"speed": 0.4}, name="rail")
    world.step(60)
    assert world.velocity("drawer")[0] == pytest.approx(0.4, abs=1e-9)
    assert world.joint_value("rail") == pytest.approx(0.2, abs=1e-2)


def test_the_wire_of_a_single_bead_stays_in_the_world() -> None:
    """A bead that spins does not take the wire along."""
    world = World(rate=120, gravity=(0, 0, 0))
    world.add_body(
        "bead", Box((0.2, 0.2, 0.2)), mass=1.0, velocity=(0.5, 0, 0), angular_velocity=(0, 0, 3),
        mask=0,
    )  # fmt: skip
    world.add_joint("point_on_line", "bead", axis=(1, 0, 0))
    world.step(120)
    np.testing.assert_allclose(world.position("bead"), (0.5, 0, 0), rtol=0, atol=1e-8)


@pytest.mark.parametrize("kind", ["hinge", "ball", "prismatic", "fixed"])
def test_what_is_told_of_it_names_the_body_first(kind: str) -> None:
    """The body is a, the world is None, and the force is that on the body: it bears its weight."""
    world = World(rate=60)
    body = world.add_body("hung", Box((1, 1, 1)), mass=2.0, position=(0, -0.5, 0), mask=0)
    joint = world.add_joint(kind, "hung", at=(0, 0, 0), axis=(1, 0, 0))
    world.step(5)
    info = world.joint(joint)
    assert info.a == body
    assert info.b is None
    np.testing.assert_allclose(info.anchor_a, info.anchor_b, rtol=0, atol=1e-6)
    force, torque = world.joint_force(joint)
    np.testing.assert_allclose(force, (0, 2 * 9.81, 0), rtol=0, atol=1e-6)
    np.testing.assert_allclose(torque, 0, rtol=0, atol=1e-5)
