"""What belongs to more than one joint or to none of them: followers, rotors and torques.

A joint that follows another (`mimic` of URDF, equality of joints of MJCF) is a gear where both turn
on something that stands still: exact, and pushing back. Elsewhere a servo follows the leader's
value. A rotor (armature) on a hinge of something that stands still adds to the inertia of what it
turns.
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from levels.frames import cross, dot, inverse_rotate, subtract
from levels.importers.model_bodies import WORLD, Articulation, Connection, Coupling, Link
from levels.importers.moments import Moments, is_possible

_FOLLOWS = 60.0  # rad/s: how quickly a servo brings a follower to its place
FAST = 1e4  # rad/s or m/s: a motor that never gets there gives all of its force


def stands(model: Articulation, joint: Connection) -> bool:
    """Whether the joint sits on the world or on something fixed to it."""
    return joint.parent == WORLD or model.links[joint.parent].fixed


def geared(model: Articulation, pair: Coupling) -> bool:
    """Whether a gear says it."""
    both = [joint for joint in model.joints if joint.name in (pair.leader, pair.follower)]
    turning = all(joint.freedom == "turn" and stands(model, joint) for joint in both)
    return turning and pair.offset == 0.0 and pair.ratio != 0.0


def followers(model: Articulation) -> dict[str, Coupling]:
    """Joints that a servo must bring to their place, by name."""
    return {pair.follower: pair for pair in model.couplings if not geared(model, pair)}


def add_rotors(model: Articulation) -> None:
    """Armatures as inertia about the axis; those that cannot be are listed."""
    for joint in model.joints:
        if not joint.armature:
            continue
        link = model.links[joint.child]
        heavier = _with_rotor(link, joint)
        if joint.freedom == "turn" and stands(model, joint) and is_possible(heavier.inertia):
            model.links[joint.child] = replace(link, moments=heavier)
        else:
            model.lacks(f'joint "{joint.written or joint.name}": armature {joint.armature:g}')


def _with_rotor(link: Link, joint: Connection) -> Moments:
    """I + armature n nᵀ, n the axis of the joint in the axes of the link."""
    axis, own = inverse_rotate(link.pose.turn, joint.axis), link.moments
    rows: Any = tuple(
        tuple(own.inertia[i][k] + joint.armature * axis[i] * axis[k] for k in range(3))
        for i in range(3)
    )
    return Moments(own.mass, own.center, rows)


def list_followers(model: Articulation) -> None:
    for pair in followers(model).values():
        model.lacks(
            f'joint "{pair.follower}" follows "{pair.leader}" by a servo, which does not push back'
        )


def servo_of(model: Articulation, joint: Connection, pair: Coupling) -> str:
    """A servo whose target is a formula; stiff for the inertia that hangs on the joint."""
    inertia = _inertia(model, joint)
    leader = next(one for one in model.joints if one.name == pair.leader)
    reads = "angle" if leader.freedom == "turn" else "slide"
    target = f"={pair.offset!r} + {pair.ratio!r} * {reads}('{pair.leader}')"
    stiffness, damping = inertia * _FOLLOWS**2, 2.0 * inertia * _FOLLOWS
    return (
        f'servo = {{ target = "{target}", stiffness = {stiffness:.6g}, damping = {damping:.6g} }}'
    )


def _inertia(model: Articulation, joint: Connection) -> float:
    """About the axis of a hinge, kg m², or along that of a slide, kg, of all that hangs on it."""
    total = 0.0
    for name in _below(model, joint.child):
        link = model.links[name]
        own = link.moments
        if joint.freedom == "slide":
            total += own.mass
            continue
        away = cross(joint.axis, subtract(link.pose.point(own.center), joint.at))
        total += own.mass * dot(away, away) + max(own.inertia[i][i] for i in range(3))
    return max(total, 1e-9)


def _below(model: Articulation, top: str) -> Iterable[str]:
    yield top
    for joint in model.joints:
        if joint.parent == top and joint.child != top:
            yield from _below(model, joint.child)


def apply_control(world: Any, model: Articulation, name: str, control: float) -> None:
    """What an actuator of the file does for a control: a force on its joint during the next steps.

    The motor of the joint aims at a speed that it never reaches, with just this force.
    """
    actuator = model.actuators[name]
    if actuator.range is not None:
        control = min(max(control, actuator.range[0]), actuator.range[1])
    force = actuator.gear * control
    world.set_joint(
        actuator.joint, motor={"speed": math.copysign(FAST, force), "max_force": abs(force)}
    )
