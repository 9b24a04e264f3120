"""A body with several joints to its parent, which turn and slide one after the other.

Between two of them a link of a ten-thousandth of the body's mass stands, so that each keeps its own
axis, limits and spring.
"""

from dataclasses import replace

from levels.frames import Vec, cross, unit
from levels.importers.model_bodies import Articulation, Connection, Link, Pose
from levels.importers.moments import Moments, diagonal

_BETWEEN = 1e-4  # share of a body's mass and inertia in a link between two of its joints


def add_in_turn(model: Articulation, joints: list[Connection], parent: str, child: str) -> None:
    """The first is next to the parent."""
    previous = parent
    for joint in joints[:-1]:
        own = _between(model, child, joint)
        model.joints.append(replace(joint, parent=previous, child=own))
        previous = own
    model.joints.append(replace(joints[-1], parent=previous, child=child))


def add_in_plane(model: Articulation, joint: Connection) -> None:
    """A joint; a planar one as two slides across its axis and a turn about it."""
    if joint.freedom != "plane":
        model.joints.append(joint)
        return
    first, second = _across(joint.axis)
    parts = [
        replace(joint, name=f"{joint.name}_first", freedom="slide", axis=first),
        replace(joint, name=f"{joint.name}_second", freedom="slide", axis=second),
        replace(joint, freedom="turn"),
    ]
    add_in_turn(model, parts, joint.parent, joint.child)


def _across(axis: Vec) -> tuple[Vec, Vec]:
    other: Vec = (1.0, 0.0, 0.0) if abs(axis[0]) < 0.9 else (0.0, 1.0, 0.0)
    first = unit(cross(axis, other))
    return first, cross(axis, first)


def _between(model: Articulation, child: str, joint: Connection) -> str:
    """A light link at a joint, taken off the body's own mass."""
    link = model.links[child]
    own = link.moments
    mass = _BETWEEN * own.mass
    largest = max(own.inertia[i][i] for i in range(3))
    name = f"{child}_{joint.name}"
    part = Moments(mass, (0.0, 0.0, 0.0), diagonal(*(_BETWEEN * largest,) * 3))
    model.links[name] = Link(name, Pose(joint.at, link.pose.turn), part)
    lighter = Moments(own.mass - mass, own.center, own.inertia)
    model.links[child] = replace(link, moments=lighter)
    model.lacks(
        f'body "{child}" has several joints: a link of {_BETWEEN:g} of its mass stands between '
        f'"{joint.name}" and the next'
    )
    return name
