"""Speeds and contact forces of a running world, asked through its public calls alone."""

from collections.abc import Collection

import numpy as np

from physics.constraints import JOINTS
from physics.portable import dot
from physics.records import Handle
from physics.state import Floats
from physics.world import World

_DIFFERENCE = 1e-6  # s: half the span of the difference quotient; its error is O(dt²) and 1e-10


def point_velocity(world: World, body: Handle | str, point: Floats) -> Floats:
    """Velocity of the point of a body that is at a world point now, m/s."""
    arm = np.asarray(point, float) - world.position(body)
    moved: Floats = world.velocity(body) + np.cross(world.angular_velocity(body), arm)
    return moved


def joint_speed(world: World, joint: Handle | str) -> float:
    """Rate of change of `World.joint_value`, rad/s or m/s."""
    info = world.joint(joint)
    kind = JOINTS[info.kind]
    turn_a = world.angular_velocity(info.a)
    if kind.coordinate is None:
        turn_b = world.angular_velocity(info.b) if info.b is not None else np.zeros(3)
        if kind.anchors == "any":  # a gear counts the turns of its first body
            return float(dot(turn_a, info.axis))
        return float(dot(turn_b - turn_a, info.axis))
    v_a = point_velocity(world, info.a, info.anchor_a)
    v_b = point_velocity(world, info.b, info.anchor_b) if info.b is not None else np.zeros(3)
    along = np.cross(turn_a, info.axis)

    def at(dt: float) -> float:
        a, b = info.anchor_a + dt * v_a, info.anchor_b + dt * v_b
        return kind.coordinate(a, b, info.axis + dt * along, info.parameters)  # type: ignore[misc]

    return (at(_DIFFERENCE) - at(-_DIFFERENCE)) / (2 * _DIFFERENCE)


def contact_force(world: World, on: Collection[int], by: Collection[int] | None = None) -> Floats:
    """Sum of the contact forces, normal and friction, that the bodies in the slots `by` (or all
    others) put on those in the slots `on` in the last step, N."""
    total = np.zeros(3)
    for contact in world.contacts():
        a, b = int(contact["a"]), int(contact["b"])
        push = contact["impulse"] * contact["normal"] + contact["friction"]  # on a
        if a in on and b not in on and (by is None or b in by):
            total += push
        elif b in on and a not in on and (by is None or a in by):
            total -= push
    result: Floats = total / world.h
    return result


def contact_load(world: World, on: Collection[int], by: Collection[int] | None = None) -> float:
    """How hard they are pressed together, N: the sum of the sizes of the normal forces."""
    total = 0.0
    for contact in world.contacts():
        a, b = int(contact["a"]), int(contact["b"])
        first, second = (a in on, b in on)
        if first != second and (by is None or (b if first else a) in by):
            total += float(contact["impulse"])
    return total / world.h
