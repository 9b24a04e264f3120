"""What conditions can ask about a running level: `inside('truck', 'pad')`, `energy_gain()`.

Each function gets the session first. Names mean bodies, particles, or props and prefabs, which
stand for their main body. A new function is one entry here; loader, reference and messages follow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from levels import measures
from levels.arithmetic import ARITHMETIC, Function, Type, names_of
from levels.frames import Vec, rotate
from physics.portable import norm
from physics.readouts.probes import contact_force, contact_load
from physics.state import Floats

if TYPE_CHECKING:
    from levels.runtime import Session

FUNCTIONS: dict[str, Function] = dict(ARITHMETIC)


def _function(name: str, *arguments: str, returns: Type = "number") -> Callable[[Any], Any]:
    def register(call: Callable[..., Any]) -> Callable[..., Any]:
        doc = " ".join((call.__doc__ or "").split())
        FUNCTIONS[name] = Function(name, doc, arguments, returns, call, names_of(call))
        return call

    return register


@_function("time")
def _time(session: Session) -> float:
    """Seconds since the level started."""
    return session.time


@_function("x", "body")
def _x(session: Session, body: str) -> float:
    """First coordinate of the body's centre, m."""
    return float(session.position(body)[0])


@_function("y", "body")
def _y(session: Session, body: str) -> float:
    """Height of the body's centre, m."""
    return float(session.position(body)[1])


@_function("z", "body")
def _z(session: Session, body: str) -> float:
    """Third coordinate of the body's centre, m."""
    return float(session.position(body)[2])


@_function("speed", "body")
def _speed(session: Session, body: str) -> float:
    """Speed of the body's centre, m/s."""
    return float(norm(session.world.velocity(session.handle(body))))


@_function("spin", "body")
def _spin(session: Session, body: str) -> float:
    """Angular speed of the body, rad/s."""
    return float(norm(session.world.angular_velocity(session.handle(body))))


@_function("upright", "body")
def _upright(session: Session, body: str) -> float:
    """1 when the body's own y axis points up, 0 on its side, -1 upside down."""
    w, x, y, z = session.world.orientation(session.handle(body))
    return rotate((w, x, y, z), (0.0, 1.0, 0.0))[1]


@_function("distance", "body", "body")
def _distance(session: Session, a: str, b: str) -> float:
    """Distance of two bodies' centres, m."""
    return float(norm(session.position(a) - session.position(b)))


@_function("inside", "body", "zone", returns="truth")
def _inside(session: Session, body: str, zone: str) -> bool:
    """Is the body's centre inside the zone?"""
    return measures.in_zone(session.names, session.position(body), zone)


@_function("count_inside", "group", "zone")
def _count_inside(session: Session, group: str, zone: str) -> float:
    """How many parts of a prop or prefab have their centre inside the zone."""
    return float(sum(measures.in_zone(session.names, p, zone) for p in session.positions(group)))


@_function("count_above", "group", "number")
def _count_above(session: Session, group: str, height: float) -> float:
    """How many parts of a prop or prefab are higher than that, m."""
    return float(np.count_nonzero(session.positions(group)[:, 1] > height))


@_function("lowest", "group")
def _lowest(session: Session, group: str) -> float:
    """Height of the lowest part of a prop, prefab or body, m."""
    return float(session.positions(group)[:, 1].min())


@_function("highest", "group")
def _highest(session: Session, group: str) -> float:
    """Height of the highest part of a prop, prefab or body, m."""
    return float(session.positions(group)[:, 1].max())


@_function("free", "group")
def _free(session: Session, group: str) -> float:
    """How long no hand has held the body or any part of the prop, s; 0 while one does."""
    return session.free_for(group)


@_function("touching", "body", "body", returns="truth")
def _touching(session: Session, a: str, b: str) -> bool:
    """Are the two bodies (or any of their parts) in contact?"""
    return measures.touching(session.names, a, b)


@_function("angle", "joint")
def _angle(session: Session, joint: str) -> float:
    """Angle of a hinge, rad."""
    return float(session.world.joint_value(session.names.joint_handle(joint)))


@_function("slide", "joint")
def _slide(session: Session, joint: str) -> float:
    """Travel of a prismatic joint or length of a distance joint, m."""
    return float(session.world.joint_value(session.names.joint_handle(joint)))


@_function("tension", "joint")
def _tension(session: Session, joint: str) -> float:
    """Largest force in a joint, rope or cable, N."""
    return session.tension(joint)


@_function("broken", "joint", returns="truth")
def _broken(session: Session, joint: str) -> bool:
    """Has the joint, or any joint of the rope, cable or prop, broken or been cut?"""
    return session.is_broken(joint)


@_function("stretch", "joint")
def _stretch(session: Session, joint: str) -> float:
    """Elongation of a rope, cable or joint as a share of its length: 0.01 is one per cent."""
    return session.stretch(joint)


@_function("gap")
def _gap(session: Session) -> float:
    """Worst error of all joints, m."""
    return float(session.world.constraint_error())


@_function("finite", returns="truth")
def _finite(session: Session) -> bool:
    """Is every position a finite number?"""
    return session.is_finite()


@_function("energy")
def _energy(session: Session) -> float:
    """Total mechanical energy, J."""
    return float(session.world.energy().total)


@_function("energy_gain")
def _energy_gain(session: Session) -> float:
    """Energy gained since the start, as a share of what a fall through the level's height would
    release. Motors, winches and the player's hands also add energy."""
    return session.energy_gain()


@_function("energy_loss")
def _energy_loss(session: Session) -> float:
    """Energy lost since the start, on the same scale as energy_gain()."""
    return -session.energy_gain()


@_function("guard")
def _guard(session: Session) -> float:
    """How often the solver's guard has had to step in so far."""
    return float(session.guard_count())


@_function("pressed", "key", returns="truth")
def _pressed(session: Session, key: str) -> bool:
    """Is that key held?"""
    return key in session.held


@_function("won", returns="truth")
def _won(session: Session) -> bool:
    """Has the goal been reached?"""
    return session.status == "won"


@_function("lost", returns="truth")
def _lost(session: Session) -> bool:
    """Has the level been lost?"""
    return session.status == "lost"


# --- motion -----------------------------------------------------------------------------------


def _component(name: str, read: Callable[[Session, str], Floats], axis: int, doc: str) -> None:
    def call(session: Session, body: str) -> float:
        return float(read(session, body)[axis])

    call.__doc__ = doc
    _function(name, "body")(call)


def _velocity(session: Session, body: str) -> Floats:
    return session.world.velocity(session.handle(body))


def _turning(session: Session, body: str) -> Floats:
    return session.world.angular_velocity(session.handle(body))


for _axis, _letter in enumerate("xyz"):
    _component(
        f"v{_letter}", _velocity, _axis, f"Velocity of the body's centre along {_letter}, m/s."
    )
    _component(f"w{_letter}", _turning, _axis, f"Angular velocity about {_letter}, rad/s.")


def _turned(session: Session, body: str, local: tuple[float, float, float]) -> Vec:
    w, x, y, z = session.world.orientation(session.handle(body))
    return rotate((w, x, y, z), local)


@_function("tilt", "body")
def _tilt(session: Session, body: str) -> float:
    """Angle between the body's own y axis and up, rad: 0 upright, pi upside down."""
    x, y, z = _turned(session, body, (0.0, 1.0, 0.0))
    return math.atan2(math.sqrt(x * x + z * z), y)


@_function("yaw", "body")
def _yaw(session: Session, body: str) -> float:
    """Heading about the vertical, rad: 0 where the body's own z axis looks along z, growing to
    the left."""
    x, _, z = _turned(session, body, (0.0, 0.0, 1.0))
    return math.atan2(x, z)


@_function("pitch", "body")
def _pitch(session: Session, body: str) -> float:
    """How far the body's own z axis points above the horizon, rad."""
    x, y, z = _turned(session, body, (0.0, 0.0, 1.0))
    return math.atan2(y, math.sqrt(x * x + z * z))


@_function("roll", "body")
def _roll(session: Session, body: str) -> float:
    """How far the body's own x axis points above the horizon, rad; the turn of a flat body."""
    x, y, z = _turned(session, body, (1.0, 0.0, 0.0))
    flat = x if session.world.dimension == 2 else math.sqrt(x * x + z * z)
    return math.atan2(y, flat)


@_function("facing", "body", "number", "number", "number")
def _facing(session: Session, body: str, x: float, y: float, z: float) -> float:
    """1 when the body's own z axis points along the direction x, y, z, 0 across, -1 against it."""
    a, b, c = _turned(session, body, (0.0, 0.0, 1.0))
    size = math.sqrt(x * x + y * y + z * z)
    return (a * x + b * y + c * z) / size


# --- forces -----------------------------------------------------------------------------------


@_function("contact_force", "group", "group")
def _contact_force(session: Session, a: str, b: str) -> float:
    """How hard two bodies, or any of their parts, are pressed together, N."""
    names = session.names
    return contact_load(session.world, measures.slots(names, a), measures.slots(names, b))


@_function("load", "group")
def _load(session: Session, body: str) -> float:
    """Size of the sum of all contact forces on a body or on the parts of a prop, N."""
    return float(norm(contact_force(session.world, measures.slots(session.names, body))))


@_function("joint_speed", "joint")
def _joint_speed(session: Session, joint: str) -> float:
    """How fast a hinge turns (rad/s), a slide moves or a length grows (m/s)."""
    return session.world.joint_speed(session.names.joint_handle(joint))


@_function("joint_force", "joint")
def _joint_force(session: Session, joint: str) -> float:
    """Force a single joint bears, N."""
    return float(norm(session.world.joint_force(session.names.joint_handle(joint))[0]))


@_function("joint_torque", "joint")
def _joint_torque(session: Session, joint: str) -> float:
    """Torque a single joint bears, motor and limits too, N m."""
    return float(norm(session.world.joint_force(session.names.joint_handle(joint))[1]))


# --- what a level counts ------------------------------------------------------------------------


@_function("counter", "counter")
def _counter(session: Session, name: str) -> float:
    """What a counter has come to; actions change it."""
    return session.tallies.counter(name)


@_function("timer", "timer")
def _timer(session: Session, name: str) -> float:
    """Seconds since a timer was started; 0 while it does not run."""
    return session.tallies.timer(name, session.time)


@_function("running", "timer", returns="truth")
def _running(session: Session, name: str) -> bool:
    """Does the timer run?"""
    return session.tallies.runs(name)


@_function("there", "group", returns="truth")
def _there(session: Session, name: str) -> bool:
    """Is the body, or any part of the prop, still there?"""
    return session.names.is_there(name)


@_function("spawned", "template")
def _spawned(session: Session, template: str) -> float:
    """How many things a template has brought that are still there."""
    return float(len(session.edits.spawned_from(template)))


LIVE: dict[str, Function] = {k: v for k, v in FUNCTIONS.items() if k not in ARITHMETIC}
