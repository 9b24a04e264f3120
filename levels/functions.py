"""What conditions can ask about a running level: `inside('truck', 'pad')`, `energy_gain()`.

Each function gets the session first. Names mean bodies, particles, or props and prefabs, which
stand for their main body. A new function is one entry here; loader, reference and messages follow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from levels import measures
from levels.expressions import ARITHMETIC, Function, Type
from levels.frames import rotate
from physics.portable import norm

if TYPE_CHECKING:
    from levels.runtime import Session

FUNCTIONS: dict[str, Function] = dict(ARITHMETIC)


def _function(name: str, *arguments: str, returns: Type = "number") -> Callable[[Any], Any]:
    def register(call: Callable[..., Any]) -> Callable[..., Any]:
        doc = " ".join((call.__doc__ or "").split())
        FUNCTIONS[name] = Function(name, doc, arguments, returns, call)
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
