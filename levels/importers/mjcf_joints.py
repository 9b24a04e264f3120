"""Joints, actuators, tendons and equalities of an MJCF file.

A body may have several joints to its parent (several_joints.py); those that slide and turn in a
plane of the world become locked axes instead.
"""

import math
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

from levels.frames import Vec, add, subtract, unit
from levels.importers.mjcf_defaults import Settings, floats
from levels.importers.model_bodies import (
    WORLD,
    Actuator,
    Articulation,
    Connection,
    Coupling,
    Pose,
    Rope,
)
from levels.importers.several_joints import add_in_turn

Sites = dict[str, tuple[str, Vec]]  # name → link and world point

_FREEDOMS = {"hinge": "turn", "slide": "slide", "ball": "point", "free": "free"}
_STRAIGHT = 1.0 - 1e-6  # cosine of axes that count as parallel


def add_joints(
    model: Articulation,
    settings: Settings,
    element: ET.Element,
    inherited: str,
    parent: str,
    child: str,
) -> None:
    """All joints of a body, in the order of the file: the first is next to the parent."""
    found = [_read(model, settings, joint, inherited, child)
             for joint in element if joint.tag in ("joint", "freejoint")]  # fmt: skip
    if not found:
        model.joints.append(Connection(f"{child}_weld", "rigid", parent, child))
        return
    if parent == WORLD and _lock(model, found, child):
        return
    add_in_turn(model, found, parent, child)


def _read(
    model: Articulation, settings: Settings, element: ET.Element, inherited: str, child: str
) -> Connection:
    values = settings.attributes(element, inherited)
    written = "free" if element.tag == "freejoint" else values.get("type", "hinge")
    if written not in _FREEDOMS:
        model.lacks(f'joint of type {written} of body "{child}" (it is a hinge)')
        written = "hinge"
    name = _fresh(model, values.get("name", f"{child}_{written}"))
    pose = model.links[child].pose
    turns = written == "hinge"
    axis = Pose((0.0, 0.0, 0.0), pose.turn).point(floats(values.get("axis", "0 0 1")))
    at = pose.point(floats(values.get("pos", "0 0 0")))

    def number(key: str, default: str = "0") -> float:
        value = float(values.get(key, default).split()[0])
        return settings.angle(value) if turns and key in ("ref", "springref") else value

    limits = _limits(model, settings, values, turns, name)
    reference = number("ref")
    if limits is not None and written in ("hinge", "slide"):
        limits = (limits[0] - reference, limits[1] - reference)
    elif limits is not None:
        model.lacks(f'joint "{name}": limit of a {written} joint')
        limits = None
    along = unit(axis)
    return Connection(
        name, _FREEDOMS[written], "", child, at, along, limits, number("stiffness"),
        number("damping"), number("springref") - reference, number("frictionloss"),
        armature=number("armature"),
    )  # fmt: skip


def _limits(
    model: Articulation, settings: Settings, values: dict[str, str], turns: bool, name: str
) -> tuple[float, float] | None:
    limited = values.get("limited", "auto")
    if limited == "false" or "range" not in values:
        return None
    if limited == "auto" and not settings.auto_limits:
        return None
    low, high = floats(values["range"])
    if turns:
        low, high = settings.angle(low), settings.angle(high)
    return (low, high) if low < high else None


def _fresh(model: Articulation, name: str) -> str:
    known = {joint.name for joint in model.joints}
    return name if name not in known else f"{name}_{len(known)}"


# --- a body that moves in a plane of the world ----------------------------------------------------

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 0.0, 1.0), "z": (0.0, -1.0, 0.0)}  # level → file


def _lock(model: Articulation, joints: list[Connection], child: str) -> bool:
    """Whether the joints leave just some axes of the level free, which can be said in a word.

    One turn at the end needs no place of its own: the body turns about its centre of mass, and two
    slides across the axis carry it there.
    """
    freedoms = {joint.freedom for joint in joints}
    slides = [_axis_name(j) for j in joints if j.freedom == "slide"]
    turns = [_axis_name(j) for j in joints if j.freedom == "turn"]
    plain = all(j.limits is None and not (j.stiffness or j.damping or j.dry) for j in joints)
    if freedoms - {"slide", "turn"} or not plain or "" in slides + turns:
        return False
    across = {"x", "y", "z"} - set(turns)
    if len(slides) < 2 or len(turns) > 1 or (turns and set(slides) != across):
        return False
    for joint in joints:
        if joint.armature:
            model.lacks(f'joint "{joint.name}": armature {joint.armature:g}')
    free = {*slides, *(f"r{axis}" for axis in turns)}
    locked = " ".join(axis for axis in ("x", "y", "z", "rx", "ry", "rz") if axis not in free)
    model.links[child] = replace(model.links[child], locked=locked)
    model.joints.append(Connection(f"{child}_plane", "free", WORLD, child))
    return True


def _axis_name(joint: Connection) -> str:
    """x, y or z of the level; "" if the axis is none of them."""
    for name, axis in _AXES.items():
        if abs(sum(a * b for a, b in zip(joint.axis, axis, strict=True))) > _STRAIGHT:
            return name
    return ""


# --- actuators, tendons, equalities, exclusions ---------------------------------------------------


def read_actuators(root: ET.Element, model: Articulation, settings: Settings) -> None:
    """Position actuators become servos, torques motors that are told; the others are listed."""
    by_name = {joint.name: i for i, joint in enumerate(model.joints)}
    for section in root.findall("actuator"):
        for element in section:
            values = settings.attributes(element, "")
            name = values.get("name") or values.get("joint") or element.tag
            target = by_name.get(values.get("joint", ""))
            servo = _servo(element.tag, values)
            if servo is not None and target is not None:
                model.joints[target] = replace(model.joints[target], servo=servo)
            elif target is not None and _is_torque(element.tag, values, model.joints[target]):
                model.actuators[name] = _torque(values, model.joints[target].name)
            else:
                model.lacks(f'{element.tag} actuator "{name}"')


def _servo(tag: str, values: dict[str, str]) -> tuple[float, float, float] | None:
    """Stiffness, damping and greatest force of what pulls a joint to its control."""
    if floats(values.get("gear", "1"))[0] != 1.0 or "dampratio" in values:
        return None
    most = max(floats(values.get("forcerange", "0 0")), default=0.0) or math.inf
    if tag == "position":
        return float(values.get("kp", "1")), float(values.get("kv", "0")), most
    if tag != "general" or values.get("biastype") != "affine":
        return None
    gain = floats(values.get("gainprm", "1"))[0]
    offset, stiffness, damping = (*floats(values.get("biasprm", "0 0 0")), 0.0, 0.0)[:3]
    pulls = offset == 0.0 and stiffness == -gain and values.get("dyntype", "none") == "none"
    return (gain, -damping, most) if pulls else None


def _is_torque(tag: str, values: dict[str, str], joint: Connection) -> bool:
    """A plain torque or force, on a joint whose motor is not its dry friction already."""
    plain = tag == "motor" or (tag == "general" and values.get("biastype", "none") == "none")
    dynamic = values.get("dyntype", "none") != "none"
    return plain and not dynamic and joint.freedom in ("turn", "slide") and not joint.dry


def _torque(values: dict[str, str], joint: str) -> Actuator:
    gain = floats(values.get("gainprm", "1"))[0]
    limits = None
    if "ctrlrange" in values and values.get("ctrllimited", "auto") != "false":
        low, high = floats(values["ctrlrange"])
        limits = (low, high)
    return Actuator(joint, gain * floats(values.get("gear", "1"))[0], limits)


@dataclass(frozen=True)
class _Tendon:
    """Attributes of a tendon."""

    values: dict[str, str]
    name: str


def read_rest(root: ET.Element, model: Articulation, settings: Settings, sites: Sites) -> None:
    for section in root.findall("tendon"):
        for number, element in enumerate(section):
            values = settings.attributes(element, "")
            tendon = _Tendon(values, values.get("name", f"tendon_{number}"))
            ends = [child.get("site", "") for child in element if child.tag == "site"]
            plain = element.tag == "spatial" and len(element) == len(ends) == 2
            if not plain or not set(ends) <= sites.keys():
                model.lacks(f'{element.tag} tendon "{tendon.name}"')
                continue
            _add_rope(model, tendon, sites[ends[0]], sites[ends[1]])
    for section in root.findall("equality"):
        for element in section:
            _equality(model, element)
    for section in root.findall("contact"):
        for element in section:
            a, b = element.get("body1", ""), element.get("body2", "")
            if element.tag == "exclude" and {a, b} <= model.links.keys():
                model.apart.append((a, b))
            else:
                model.lacks(f"<contact> {element.tag}")
    for tag in ("sensor", "deformable", "keyframe"):
        if root.find(tag) is not None:
            model.lacks(f"<{tag}>")


def _add_rope(model: Articulation, tendon: _Tendon, a: tuple[str, Vec], b: tuple[str, Vec]) -> None:
    values = tendon.values
    stiffness, damping = float(values.get("stiffness", "0")), float(values.get("damping", "0"))
    longest = None
    if "range" in values and values.get("limited", "auto") != "false":
        longest = floats(values["range"])[1]
    if longest is None and stiffness == 0.0:
        model.lacks(f'spatial tendon "{tendon.name}" (it neither limits nor pulls)')
        return
    if a[0] == WORLD:
        a, b = b, a
    model.ropes.append(Rope(tendon.name, a[0], b[0], a[1], b[1], longest, stiffness, damping))


def _equality(model: Articulation, element: ET.Element) -> None:
    """Points held together and bodies welded are joints; the rest is listed."""
    values = dict(element.attrib)
    if element.tag == "joint" and _follows(model, values):
        return
    a, b = values.get("body1", ""), values.get("body2", WORLD)
    known = a in model.links and (b == WORLD or b in model.links)
    if element.tag not in ("connect", "weld") or not known or values.get("active") == "false":
        called = values.get("name") or a or values.get("joint1", "")
        model.lacks(f'equality {element.tag} "{called}"')
        return
    pose = model.links[a].pose
    local = floats(values.get("anchor", "0 0 0")) if element.tag == "connect" else (0.0, 0.0, 0.0)
    at = add(pose.position, subtract(pose.point(local), pose.position))
    freedom = "point" if element.tag == "connect" else "weld"
    name = _fresh(model, values.get("name", f"{a}_{element.tag}"))
    model.joints.append(Connection(name, freedom, b, a, at))


def _follows(model: Articulation, values: dict[str, str]) -> bool:
    """joint1 as a straight line of joint2; whether that could be said."""
    known = {joint.name for joint in model.joints if joint.freedom in ("turn", "slide")}
    follower, leader = values.get("joint1", ""), values.get("joint2", "")
    offset, ratio, *higher = (*floats(values.get("polycoef", "0 1 0 0 0")), 0.0)
    if not {follower, leader} <= known or any(higher) or values.get("active") == "false":
        return False
    model.couplings.append(Coupling(leader, follower, ratio, offset))
    return True
