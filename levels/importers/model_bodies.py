"""What a robot is made of, whichever file it came from: links, joints, shapes.

Everything is placed in the world at the pose in which all joints are at their reference, with the
file's own axes (z up); `toml_text` turns it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from levels.frames import IDENTITY, Quat, Vec, add, multiply, rotate, subtract
from levels.importers.moments import Moments, moved, together

WORLD = ""  # the link that everything hangs on in the end


@dataclass(frozen=True)
class Pose:
    """Where something is: p = position + R(turn) p_local."""

    position: Vec = (0.0, 0.0, 0.0)
    turn: Quat = IDENTITY

    def then(self, inner: "Pose") -> "Pose":
        """Of what is placed by `inner` in these axes."""
        place = add(self.position, rotate(self.turn, inner.position))
        return Pose(place, multiply(self.turn, inner.turn))

    def point(self, local: Sequence[float]) -> Vec:
        return add(self.position, rotate(self.turn, local))

    def local(self, point: Vec) -> Vec:
        w, x, y, z = self.turn
        return rotate((w, -x, -y, -z), subtract(point, self.position))


@dataclass(frozen=True)
class Geometry:
    """A shape of a link. Round things lie along y.

    kind       sphere (radius), box (full edges), capsule and cylinder (radius, length between the
               centres of the caps or between the ends), ellipsoid (half axes), hull (points), plane
    """

    kind: str
    size: tuple[float, ...]
    pose: Pose = Pose()  # in the link
    points: tuple[Vec, ...] = ()
    friction: float = 0.5
    bits: tuple[int, int] = (1, 1)  # touches what has a bit of the first in its second, or so back


@dataclass(frozen=True)
class Link:
    """A rigid body with its shapes; moments in its own axes."""

    name: str
    pose: Pose  # in the world
    moments: Moments
    geometries: tuple[Geometry, ...] = ()
    fixed: bool = False
    locked: str = ""  # axes of the level that cannot move


@dataclass(frozen=True)
class Connection:
    """A joint between two links; "" is the world."""

    name: str
    freedom: str  # turn, slide, point (all turns), free, weld; rigid: becomes one body
    parent: str
    child: str
    at: Vec = (0.0, 0.0, 0.0)  # world
    axis: Vec = (1.0, 0.0, 0.0)  # world
    limits: tuple[float, float] | None = None
    stiffness: float = 0.0  # N m/rad or N/m
    damping: float = 0.0  # N m s/rad or N s/m
    rest: float = 0.0  # where the spring pulls to
    dry: float = 0.0  # N m or N of dry friction
    servo: tuple[float, float, float] | None = None  # stiffness, damping, most of an actuator
    armature: float = 0.0  # kg m² or kg of a rotor that turns with it
    written: str = ""  # its name in the file


@dataclass(frozen=True)
class Rope:
    """A tendon between two points: taut at `length`, or a spring."""

    name: str
    a: str
    b: str
    at_a: Vec
    at_b: Vec
    length: float | None = None  # longest
    stiffness: float = 0.0
    damping: float = 0.0


@dataclass(frozen=True)
class Coupling:
    """A joint that moves with another one: q = offset + ratio q_leader."""

    leader: str
    follower: str
    ratio: float
    offset: float = 0.0


@dataclass(frozen=True)
class Actuator:
    """A torque (N m) or force (N) on a joint: `gear` for every unit of control."""

    joint: str
    gear: float
    range: tuple[float, float] | None = None  # of the control


@dataclass
class Articulation:
    """A whole model, and what of the file is not in it."""

    name: str
    links: dict[str, Link] = field(default_factory=dict)
    joints: list[Connection] = field(default_factory=list)
    ropes: list[Rope] = field(default_factory=list)
    couplings: list[Coupling] = field(default_factory=list)
    actuators: dict[str, Actuator] = field(default_factory=dict)
    apart: list[tuple[str, str]] = field(default_factory=list)  # pairs that never touch
    gravity: Vec = (0.0, 0.0, -9.81)
    unsupported: dict[str, None] = field(default_factory=dict)  # in order, each once

    def lacks(self, what: str) -> None:
        """Something of the file that the level will not have."""
        self.unsupported[what] = None


def fused(model: Articulation) -> Articulation:
    """Without fixed joints: what is welded to a link becomes part of it, moments and shapes."""
    home = _homes(model)
    links: dict[str, Link] = {}
    for name, link in model.links.items():
        if home[name] == name:
            members = [other for other in model.links.values() if home[other.name] == name]
            links[name] = _welded(link, members)
    joints = [
        replace(joint, parent=home.get(joint.parent, WORLD), child=home[joint.child])
        for joint in model.joints
        if joint.freedom != "rigid"
    ]
    found = replace(model, links=links, joints=joints)
    found.apart = [(home[a], home[b]) for a, b in model.apart if home[a] != home[b]]
    found.ropes = [
        replace(rope, a=home.get(rope.a, WORLD), b=home.get(rope.b, WORLD)) for rope in model.ropes
    ]
    return found


def renamed(model: Articulation) -> Articulation:
    """With names that a level can have; its bodies and joints share them."""
    taken: set[str] = set()
    new = {WORLD: WORLD, **{name: _fresh(name, "body", taken) for name in model.links}}
    joints = []
    for joint in model.joints:
        name = _fresh(joint.name, "joint", taken)
        parent, child = new[joint.parent], new[joint.child]
        joints.append(replace(joint, name=name, written=joint.name, parent=parent, child=child))
    now = {joint.written: joint.name for joint in joints}
    return replace(
        model,
        links={new[name]: replace(link, name=new[name]) for name, link in model.links.items()},
        joints=joints,
        ropes=[
            replace(rope, name=_fresh(rope.name, "rope", taken), a=new[rope.a], b=new[rope.b])
            for rope in model.ropes
        ],
        apart=[(new[a], new[b]) for a, b in model.apart],
        couplings=[
            replace(pair, leader=now[pair.leader], follower=now[pair.follower])
            for pair in model.couplings
        ],
        actuators={
            name: replace(one, joint=now[one.joint]) for name, one in model.actuators.items()
        },
    )


def _fresh(name: str, kind: str, taken: set[str]) -> str:
    plain = "".join(c if (c.isalnum() and c.isascii()) or c in "_-" else "_" for c in name) or kind
    found, number = plain, 1
    while found in taken:
        number += 1
        found = f"{plain}_{kind}" if number == 2 else f"{plain}_{kind}_{number}"
    taken.add(found)
    return found


def _homes(model: Articulation) -> dict[str, str]:
    """Every link → the link it is welded to, itself if to none. What is welded to the world stays
    a body of its own, and is fixed."""
    welded = {j.child: j.parent for j in model.joints if j.freedom == "rigid" and j.parent != WORLD}

    def home(name: str) -> str:
        while name in welded:
            name = welded[name]
        return name

    return {name: home(name) for name in model.links}


def _welded(link: Link, members: list[Link]) -> Link:
    moments, shapes = [], []
    for member in members:
        place = Pose(link.pose.local(member.pose.position), _relative(link.pose.turn, member))
        moments.append(moved(member.moments, place.position, place.turn))
        shapes += [replace(shape, pose=place.then(shape.pose)) for shape in member.geometries]
    return replace(link, moments=together(moments), geometries=tuple(shapes))


def _relative(turn: Quat, member: Link) -> Quat:
    w, x, y, z = turn
    return multiply((w, -x, -y, -z), member.pose.turn)


def fix_roots(model: Articulation) -> None:
    """Links that no joint holds, directly, to the world and no free joint lets go."""
    held = {joint.child for joint in model.joints}
    for joint in model.joints:
        if joint.freedom == "rigid" and joint.parent == WORLD:
            model.links[joint.child] = replace(model.links[joint.child], fixed=True)
    for name, link in model.links.items():
        if name not in held:
            model.links[name] = replace(link, fixed=True)
