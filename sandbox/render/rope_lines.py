"""From the parts of a rope prop to the line that is drawn.

A rope is a row of particles (a span is the joint between two of them) or of rigid links (a span
is the link itself, and neighbours meet midway between their ends). Cut or broken joints split the
line. Ends hang on whatever body they are joined to. Ropes of pulley joints run over wheels.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from physics import JOINTS
from physics.shapes import Capsule
from sandbox.render import rotations
from sandbox.render.model import WORLD, Node, Poses, RopeStyle
from sandbox.render.ornaments import Groups, merged, wheel
from sandbox.render.prop_appearance import half_extents

if TYPE_CHECKING:
    from levels.level_tables import Appearance
    from levels.plan import Group
    from physics import Handle, JointInfo
    from sandbox.protocols import DrawnWorld

    # of a body, or None for the world: its joints and what is at their other end
    Links = dict[Handle | None, list[tuple[Handle, Handle | None]]]

Array = npt.NDArray[np.floating]

_LINES = {"line": RopeStyle(0.035, "cable", "plain"), "rope": RopeStyle(0.02, "rope", "plain")}
_PATTERN_OF = {"cable": "plain", "chain": "plain"}  # of other ropes: "rope"
_THICKEST = 0.06  # radius of a joint's line, of its length: ligaments are no hawsers
_THINNEST = 0.002  # m, or it is not seen
_WHEEL = np.array((0.14, 0.14, 0.05))  # m, half: the axle lies along z, towards the viewer


@dataclass
class Chain:
    nodes: list[Node] = field(default_factory=list)
    joints: "list[Handle | None]" = field(
        default_factory=list
    )  # one per span, None where none carries it
    members: "set[Handle]" = field(default_factory=set)


def line_style(drawn: str, look: "Appearance | None", span: Array) -> RopeStyle:
    """How the line of a joint looks, as long as that at the start."""
    style = _LINES[drawn]
    thickest = max(_THICKEST * float(np.linalg.norm(span)), _THINNEST)
    color = getattr(look, "color", None) or style.color
    return RopeStyle(min(style.radius, thickest), color, style.pattern)


def attach(world: "DrawnWorld", handle: "Handle | None", point: np.ndarray) -> Node:
    """A world point as seen from a body; of the world itself when there is none."""
    if handle is None:
        return Node(WORLD, _tuple(point))
    turn = np.asarray(world.orientation(handle), float)
    back = turn * np.array((1.0, -1.0, -1.0, -1.0))
    local = rotations.rotate(back, point - np.asarray(world.position(handle), float))
    return Node(handle.slot, (float(local[0]), float(local[1]), float(local[2])))


def rope_chains(world: "DrawnWorld", group: "Group") -> list[Chain]:
    """The drawn lines of a prop, split where they have been cut."""
    links = _links(world, group)
    own = {handle for name in group.members if (handle := find_or_none(world, name)) is not None}
    chains: list[Chain] = []
    for names in group.lines:
        members = [handle for name in names if (handle := find_or_none(world, name)) is not None]
        for run in _unbroken(members, links):
            rigid = not any(world.is_particle(handle) for handle in run)
            if rigid and group.segment_length:
                chain = _link_chain(world, run, links)
            else:
                chain = _particle_chain(world, run, links)
            _add_ends(world, chain, run, links)
            if len(chain.nodes) > 1:
                chain.members |= set(run) & own
                chains.append(chain)
    return chains


def find_or_none(world: "DrawnWorld", name: str) -> "Handle | None":
    """A thing by name, or None when the player has removed it."""
    try:
        return world.find(name)
    except (ValueError, KeyError):
        return None


def _links(world: "DrawnWorld", group: "Group") -> "Links":
    """For every body of the prop, its live joints and what is at their other end."""
    found: Links = {}
    for name in group.joints:
        joint = find_or_none(world, name)
        if joint is None or world.is_broken(joint):
            continue
        info = world.joint(joint)
        found.setdefault(info.a, []).append((joint, info.b))
        found.setdefault(info.b, []).append((joint, info.a))
    return found


def _joint_between(links: "Links", a: "Handle", b: "Handle") -> "Handle | None":
    return next((joint for joint, other in links.get(a, []) if other == b), None)


def _unbroken(members: "list[Handle]", links: "Links") -> "list[list[Handle]]":
    runs: list[list[Handle]] = []
    for handle in members:
        if runs and _joint_between(links, runs[-1][-1], handle) is not None:
            runs[-1].append(handle)
        else:
            runs.append([handle])
    return runs


def _particle_chain(world: "DrawnWorld", run: "list[Handle]", links: "Links") -> Chain:
    """Nodes at particles; where the rope is tied to a body, at the anchor of that joint."""
    joints = [_joint_between(links, a, b) for a, b in pairwise(run)]
    nodes = []
    for i, handle in enumerate(run):
        joint = joints[min(i, len(joints) - 1)] if joints else None
        if world.is_particle(handle) or joint is None:
            nodes.append(Node(handle.slot))
        else:
            info = world.joint(joint)
            anchor = info.anchor_a if info.a == handle else info.anchor_b
            nodes.append(attach(world, handle, np.asarray(anchor, float)))
    return Chain(nodes, joints)


def _half_axis(world: "DrawnWorld", handle: "Handle") -> np.ndarray:
    shape = world.shape(handle)
    if isinstance(shape, Capsule):
        return np.array((0.0, shape.length / 2, 0.0))
    half = half_extents(shape)
    return np.where(np.arange(3) == np.argmax(half), half, 0.0)


def _link_chain(world: "DrawnWorld", run: "list[Handle]", links: "Links") -> Chain:
    """Ends of rigid links; each link's sense along the rope follows from where its neighbour is."""
    axes = [_half_axis(world, handle) for handle in run]
    places = [np.asarray(world.position(handle), float) for handle in run]
    heads: list[np.ndarray] = []
    for i, (handle, axis) in enumerate(zip(run, axes, strict=True)):
        ahead = places[i + 1] - places[i] if i + 1 < len(run) else places[i] - places[max(i - 1, 0)]
        world_axis = rotations.rotate(np.asarray(world.orientation(handle), float), axis)
        heads.append(axis if float(world_axis @ ahead) >= 0 else -axis)
    nodes = [Node(run[0].slot, _tuple(-heads[0]))]
    for i in range(len(run) - 1):
        here, there = run[i].slot, run[i + 1].slot
        nodes.append(Node(here, _tuple(heads[i]), there, _tuple(-heads[i + 1])))
    nodes.append(Node(run[-1].slot, _tuple(heads[-1])))
    joints = [_joint_between(links, a, b) for a, b in pairwise(run)]
    return Chain(nodes, [*joints, joints[-1] if joints else None])


def _add_ends(world: "DrawnWorld", chain: Chain, run: "list[Handle]", links: "Links") -> None:
    """Prolong a line to whatever its ends hang on by a piece of rope: a drum, a hook."""
    inside = set(run)
    for end, first in ((run[0], True), (run[-1], False)):
        for joint, other in links.get(end, []):
            info = world.joint(joint)
            kind = JOINTS[info.kind]
            if other in inside or kind.drawn != "line" or kind.anchors != "separate":
                continue
            anchor = np.asarray(info.anchor_b if info.a == end else info.anchor_a, float)
            node = attach(world, other, anchor)
            chain.nodes = [node, *chain.nodes] if first else [*chain.nodes, node]
            chain.joints = [joint, *chain.joints] if first else [*chain.joints, joint]
            break


def _tuple(v: np.ndarray) -> tuple[float, float, float]:
    return (float(v[0]), float(v[1]), float(v[2]))


def wheels_of(info: "JointInfo") -> list[Array]:
    """Where the wheels of a joint are that its rope runs over, if there are any."""
    given = (info.parameters[name] for name in JOINTS[info.kind].over)
    return [np.asarray(point, float) for point in given if point is not None]


def wheel_parts(wheels: list[Array]) -> Groups:
    """Wheels at these points."""
    groups = []
    for point in wheels:
        group = wheel(_WHEEL, "steel")
        for rows in group.values():
            rows["position"] += point
        groups.append(group)
    return merged(*groups)


def lowest_swing(world: "DrawnWorld", bodies: "list[Handle]", poses: Poses) -> float:
    """How low things get that hang on the nearest joint to something fixed, m."""
    anchors = []
    for handle in world.handles("joint"):
        info = world.joint(handle)
        if info.b is None or world.is_fixed(info.b) or world.is_fixed(info.a):
            anchors.append(np.asarray(info.anchor_a, float))
    free = [handle.slot for handle in bodies if not world.is_fixed(handle)]
    if not anchors or not free:
        return float("inf")
    points, pivots = poses.positions[free], np.array(anchors)
    gaps = np.linalg.norm(points[:, None] - pivots[None], axis=2)
    nearest = gaps.argmin(axis=1)
    return float((pivots[nearest, 1] - gaps.min(axis=1)).min())


def rope_style(group: "Group") -> RopeStyle:
    """How the rope of a prop looks."""
    look = group.look
    pattern = getattr(look, "pattern", None) or _PATTERN_OF.get(group.kind, "rope")
    links = group.kind == "chain" and pattern != "rope"  # a liana is a chain that looks like a rope
    color = getattr(look, "color", None) or ("cable" if group.kind == "cable" else "rope")
    gloss = getattr(look, "gloss", None)
    if gloss is None and group.kind == "cable":
        gloss = 0.1  # greased: a shiny wire would mirror the sky and turn blue
    return RopeStyle(group.radius, color, pattern, gloss, links)


def joints_of(world: "DrawnWorld", group: "Group") -> "set[Handle]":
    """Those of a prop that are there."""
    found = set()
    for name in group.joints:
        joint = find_or_none(world, name)
        if joint is not None:
            found.add(joint)
    return found
