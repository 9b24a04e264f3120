"""URDF: links and joints in a flat list, each joint placed in the axes of its parent."""

import math
from pathlib import Path
from xml.etree import ElementTree as ET

from levels.frames import Quat, Vec, multiply, unit
from levels.importers.mesh_hull import Meshes
from levels.importers.model_bodies import (
    WORLD,
    Articulation,
    Connection,
    Coupling,
    Geometry,
    Link,
    Pose,
    fix_roots,
)
from levels.importers.moments import Matrix, Moments, moved
from levels.importers.several_joints import add_in_plane

_FREEDOMS = {
    "revolute": "turn", "continuous": "turn", "prismatic": "slide", "fixed": "rigid",
    "floating": "free", "spherical": "point", "planar": "plane",
}  # fmt: skip
_UPRIGHT: Quat = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # our y axis along the format's z
_NOT_PHYSICS = {"material", "gazebo", "transmission", "visual", "ros2_control"}


def read_urdf(root: ET.Element, path: Path, meshes: Meshes, *, free: bool = False) -> Articulation:
    """The model; its root link is fixed to the world unless `free`."""
    model = Articulation(root.get("name") or path.stem)
    elements = {link.get("name", ""): link for link in root.iter("link")}
    joints = [joint for joint in root.findall("joint") if joint.find("child") is not None]
    parents = {_name(joint, "child"): joint for joint in joints}
    poses: dict[str, Pose] = {}

    def place(name: str) -> Pose:
        if name not in poses:
            joint = parents.get(name)
            if joint is None:
                poses[name] = Pose()
            else:
                poses[name] = place(_name(joint, "parent")).then(_origin(joint))
        return poses[name]

    for name, element in elements.items():
        model.links[name] = _link(model, name, element, place(name), path, meshes)
    for joint in joints:
        add_in_plane(model, _joint(model, joint, poses))
        _mimic(model, joint)
    _drop_unknown_leaders(model)
    for child in root:
        if child.tag not in ("link", "joint", *_NOT_PHYSICS):
            model.lacks(f"<{child.tag}>")
    if free:
        tops = [name for name in elements if name not in parents]
        model.joints += [Connection(f"{name}_free", "free", WORLD, name) for name in tops]
    fix_roots(model)
    return model


def _name(joint: ET.Element, role: str) -> str:
    found = joint.find(role)
    return "" if found is None else found.get("link", "")


def numbers(text: str | None, default: tuple[float, ...]) -> tuple[float, ...]:
    """As many as the default has."""
    words = text.replace(",", " ").split() if text else []
    if not words:
        return default
    if len(words) != len(default):
        raise ValueError(f'"{text}": {len(default)} numbers were expected')
    return tuple(float(word) for word in words)


def _origin(element: ET.Element) -> Pose:
    origin = element.find("origin")
    if origin is None:
        return Pose()
    x, y, z = numbers(origin.get("xyz"), (0.0, 0.0, 0.0))
    return Pose((x, y, z), _from_rpy(*numbers(origin.get("rpy"), (0.0, 0.0, 0.0))))


def _from_rpy(roll: float, pitch: float, yaw: float) -> Quat:
    """About the fixed x, then y, then z axis."""
    x: Quat = (math.cos(roll / 2), math.sin(roll / 2), 0.0, 0.0)
    y: Quat = (math.cos(pitch / 2), 0.0, math.sin(pitch / 2), 0.0)
    z: Quat = (math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
    return multiply(z, multiply(y, x))


def _link(
    model: Articulation, name: str, element: ET.Element, pose: Pose, path: Path, meshes: Meshes
) -> Link:
    shapes = []
    for collision in element.findall("collision"):
        shapes += _shapes(model, name, collision, path, meshes)
    return Link(name, pose, _inertial(element), tuple(shapes))


def _inertial(element: ET.Element) -> Moments:
    inertial = element.find("inertial")
    if inertial is None:
        return Moments(0.0, (0.0, 0.0, 0.0), ((0.0,) * 3,) * 3)
    mass, tensor = inertial.find("mass"), inertial.find("inertia")
    weight = float(mass.get("value", "0")) if mass is not None else 0.0

    def entry(key: str) -> float:
        return float(tensor.get(key, "0")) if tensor is not None else 0.0

    rows: Matrix = (
        (entry("ixx"), entry("ixy"), entry("ixz")),
        (entry("ixy"), entry("iyy"), entry("iyz")),
        (entry("ixz"), entry("iyz"), entry("izz")),
    )
    place = _origin(inertial)
    return moved(Moments(weight, (0.0, 0.0, 0.0), rows), place.position, place.turn)


def _shapes(
    model: Articulation, link: str, element: ET.Element, path: Path, meshes: Meshes
) -> list[Geometry]:
    pose, geometry = _origin(element), element.find("geometry")
    if geometry is None or len(geometry) == 0:
        return []
    shape = geometry[0]
    upright = pose.then(Pose((0.0, 0.0, 0.0), _UPRIGHT))
    if shape.tag == "sphere":
        return [Geometry("sphere", (float(shape.get("radius", "0")),), pose)]
    if shape.tag == "box":
        return [Geometry("box", numbers(shape.get("size"), (0.0, 0.0, 0.0)), pose)]
    if shape.tag in ("cylinder", "capsule"):
        size = (float(shape.get("radius", "0")), float(shape.get("length", "0")))
        return [Geometry(shape.tag, size, upright)]
    if shape.tag == "mesh":
        file, scale = shape.get("filename", ""), numbers(shape.get("scale"), (1.0, 1.0, 1.0))
        return meshes.shapes(model, f"link {link}", path.parent, file, scale, pose)
    model.lacks(f"<{shape.tag}> of link {link}")
    return []


def _joint(model: Articulation, element: ET.Element, poses: dict[str, Pose]) -> Connection:
    name, written = element.get("name", ""), element.get("type", "fixed")
    child, parent = _name(element, "child"), _name(element, "parent")
    freedom = _FREEDOMS.get(written, "")
    if not freedom:
        model.lacks(f'joint "{name}" of type {written} (left free)')
        freedom = "free"
    axis_element = element.find("axis")
    x, y, z = numbers(axis_element.get("xyz") if axis_element is not None else None, (1.0, 0, 0))
    pose = poses[child]
    axis: Vec = unit(_turned(pose, (x, y, z))) if (x, y, z) != (0.0, 0.0, 0.0) else (1.0, 0, 0)
    dynamics = element.find("dynamics")
    damping = float(dynamics.get("damping", "0")) if dynamics is not None else 0.0
    dry = float(dynamics.get("friction", "0")) if dynamics is not None else 0.0
    limits = _limits(model, name, element) if written in ("revolute", "prismatic") else None
    return Connection(
        name, freedom, parent, child, pose.position, axis, limits, damping=damping, dry=dry
    )


def _mimic(model: Articulation, element: ET.Element) -> None:
    found = element.find("mimic")
    if found is not None:
        ratio, offset = float(found.get("multiplier", "1")), float(found.get("offset", "0"))
        pair = Coupling(found.get("joint", ""), element.get("name", ""), ratio, offset)
        model.couplings.append(pair)


def _drop_unknown_leaders(model: Articulation) -> None:
    known = {joint.name for joint in model.joints if joint.freedom in ("turn", "slide")}
    for pair in list(model.couplings):
        if not {pair.leader, pair.follower} <= known:
            model.couplings.remove(pair)
            model.lacks(f'joint "{pair.follower}": mimic of "{pair.leader}" (it moves freely)')


def _turned(pose: Pose, axis: Vec) -> Vec:
    return Pose((0.0, 0.0, 0.0), pose.turn).point(axis)


def _limits(model: Articulation, name: str, element: ET.Element) -> tuple[float, float] | None:
    limit = element.find("limit")
    if limit is None:
        return None
    if float(limit.get("effort", "0")) or float(limit.get("velocity", "0")):
        model.lacks("effort and velocity limits of joints (they belong to a controller)")
    low, high = float(limit.get("lower", "0")), float(limit.get("upper", "0"))
    return (low, high) if low < high else None
