"""Both angles of a universal joint: measured, driven, limited and pulled to targets."""

import math
from typing import Any

import numpy as np
import pytest

from physics import Box, World

STIFF = {"stiffness": 4_000.0, "damping": 400.0}


def _arm(**parameters: Any) -> tuple[World, Any]:
    """A rod along -y under a fixed block: axis z, second axis x, so that it can swing both ways."""
    world = World(gravity=(0, 0, 0), rate=120, sleeping=False)
    world.add_body("block", Box((0.2, 0.2, 0.2)), fixed=True)
    world.add_body("rod", Box((0.1, 1.0, 0.2)), mass=2.0, position=(0, -0.6, 0))
    joint = world.add_joint(
        "universal",
        "block",
        "rod",
        at=(0, -0.1, 0),
        axis=(0, 0, 1),
        second_axis=(1, 0, 0),
        **parameters,
    )
    return world, joint


def _spin(world: World, turn: tuple[float, float, float]) -> None:
    """Turns the rod about the joint."""
    world.set_angular_velocity("rod", turn)
    world.set_velocity("rod", np.cross(turn, (0, -0.5, 0)))


def _direction(world: World) -> np.ndarray:
    """Where the rod points, from the joint to its middle."""
    reach = np.asarray(world.position("rod")) - (0, -0.1, 0)
    return np.asarray(reach / np.linalg.norm(reach), float)


def _pointing(alpha: float, beta: float) -> np.ndarray:
    """-y turned by β about x, then by α about z: Rz(α) Rx(β) (0, -1, 0)."""
    y, z = -math.cos(beta), -math.sin(beta)
    return np.array([-math.sin(alpha) * y, math.cos(alpha) * y, z])


@pytest.mark.parametrize(("alpha", "beta"), [(0.6, 0.0), (0.0, -0.8), (0.7, 1.1), (-1.2, 0.9)])
def test_two_servos_pull_to_two_targets(alpha: float, beta: float) -> None:
    world, joint = _arm(servo={"target": alpha, **STIFF}, second_servo={"target": beta, **STIFF})
    world.step(480)
    # nothing else acts: what is left decays as exp(-t k/c), e⁻⁴⁰ after 4 s
    assert _direction(world) == pytest.approx(_pointing(alpha, beta), abs=1e-6)
    assert world.joint_value(joint) == pytest.approx(alpha, abs=1e-6)


def test_servo_of_the_second_axis_alone_leaves_the_first_free() -> None:
    world, joint = _arm(second_servo={"target": 0.5, **STIFF})
    _spin(world, (0, 0, 1.0))
    world.step(120)
    assert world.joint_value(joint) > 0.5  # it turned on about z; the value is that angle


def test_limits_of_the_second_axis_hold() -> None:
    world, _ = _arm(second_limits=(-0.3, 0.3))
    _spin(world, (3.0, 0, 0))
    steepest = 0.0
    for _ in range(240):
        world.step()
        steepest = max(steepest, abs(math.asin(float(_direction(world)[2]))))
    assert 0.25 < steepest < 0.3 + math.radians(1.0)  # a limit may be passed by a degree in a step


def test_motor_turns_the_second_axis() -> None:
    world, _ = _arm(
        servo={"target": 0.0, **STIFF}, second_motor={"speed": 0.5, "max_force": 1_000.0}
    )
    world.step(120)
    assert _direction(world) == pytest.approx(_pointing(0.0, 0.5), abs=0.01)  # half a step's way


def test_second_axis_along_the_first_is_refused() -> None:
    world = World()
    for name in ("a", "b"):
        world.add_body(name, Box((0.2, 0.2, 0.2)), mass=1.0)
    with pytest.raises(ValueError, match="must not lie along its axis"):
        world.add_joint("universal", "a", "b", at=(0, 0, 0), axis=(0, 0, 1), second_axis=(0, 0, 2))
