"""What a level will put into the world, before any world exists.

Bodies, props and prefabs all end up here as plain `Planned…` records; names are resolved, counts
and anchors are checked, and only then `levels.build` makes the `physics.World`. So everything that
can be wrong is found before anything moves, and props can be tested without stepping.
"""

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Literal

from levels.caps import MAX_BODIES, MAX_GROUPS, MAX_JOINTS, MAX_PARTICLES, MAX_SOFT
from levels.frames import Frame, Quat, Vec
from levels.level_tables import Appearance, Zone
from levels.motion_tables import Motion
from levels.physics_options import BodyOptions, ParticleOptions
from levels.plain_data import TomlTable
from levels.problems import LevelError, Place, Problem, did_you_mean, listing
from physics.shapes.base import Shape

PLAIN = Appearance()
PLAIN_BODY = BodyOptions()
PLAIN_PARTICLE = ParticleOptions()


@dataclass(frozen=True, slots=True)
class Collision:
    """Which group something collides as, and the groups it passes through."""

    group: str = "default"
    ignores: tuple[str, ...] = ()


EVERYTHING = Collision()  # collides with it


@dataclass(slots=True)
class PlannedBody:
    name: str
    shape: Shape
    frame: Frame
    place: Place
    mass: float | None = None  # kg; None: by density
    density: float | None = None  # kg/m³
    options: BodyOptions = PLAIN_BODY
    collision: Collision = EVERYTHING
    look: Appearance = PLAIN
    frames: Mapping[str, Vec] = field(default_factory=dict)  # named points, body axes
    never_touches: tuple[tuple[str, str], ...] = ()  # scope, and what it names

    @property
    def fixed(self) -> bool:
        return self.options.fixed

    def weight(self) -> float:
        """kg"""
        if self.mass is not None:
            return self.mass
        return float(self.shape.mass_properties(self.density or 0.0).mass)


@dataclass(slots=True)
class PlannedParticle:
    name: str
    mass: float
    position: Vec
    place: Place
    velocity: Vec = (0.0, 0.0, 0.0)
    options: ParticleOptions = PLAIN_PARTICLE
    collision: Collision = EVERYTHING
    look: Appearance = PLAIN

    @property
    def fixed(self) -> bool:
        return self.options.fixed


@dataclass(slots=True)
class PlannedJoint:
    """Between a and b (None: the world). All points and directions are in world axes."""

    name: str
    kind: str
    a: str
    b: str | None
    place: Place
    at: Vec | None = None
    at_a: Vec | None = None
    at_b: Vec | None = None
    axis: Vec | None = None
    parameters: TomlTable = field(default_factory=dict)
    look: Appearance = PLAIN


@dataclass(slots=True)
class PlannedSoft:
    """A cloth or solid: `options` are those of `World.add_cloth` or `add_solid`."""

    name: str
    kind: str
    frame: Frame
    place: Place
    collision: Collision
    options: TomlTable
    sewn: Sequence[tuple[Sequence[int], str]] = ()  # nodes and the body that holds them
    held: Sequence[tuple[Sequence[Vec], str]] = ()  # world points inside it, the same
    air: TomlTable | None = None
    look: Appearance = PLAIN
    edits: TomlTable = field(default_factory=dict)  # moved, pinned, cut, cut_out: as saved


@dataclass(frozen=True, slots=True)
class Reel:
    """A winch: whole pieces of a rope or cable disappear on its drum and come off it again.

    Pieces are called group.1, group.2 … away from the drum; what is paid out beyond the first one
    counts down: group.0, group.-1. Between two of them is the joint group.<seam><first of the two>.
    """

    group: str
    drum: str  # the distance joint between the drum and the first piece
    seam: str  # "joint" | "piece"
    first: int  # the piece nearest to the drum when the level begins
    pitch: float  # m of rope in one piece


@dataclass(frozen=True, slots=True)
class Drive:
    """Keys that steer joints: `forward` held means +speed, `back` −speed, neither stops.

    what: "motor" sets a velocity, "servo" moves a target, "winch" changes the length of the rope
    on its `reel` (the first key winds in, so it shortens), "button" is only asked for by
    conditions. `start` is the servo's first target or the rope's first length, m.
    """

    name: str
    what: Literal["motor", "servo", "winch", "button"]
    joints: tuple[str, ...]
    forward: str
    back: str
    speed: float
    low: float | None = None
    high: float | None = None
    settings: Mapping[str, float] = field(default_factory=dict)
    start: float = 0.0
    table: str = ""  # the joint parameter that is driven
    reel: Reel | None = None


@dataclass(frozen=True, slots=True)
class Formula:
    """A number that changes while the level runs: an expression, the numbers of the copy it is
    written in, and the prefab within which its names are looked for first."""

    text: str
    place: Place
    constants: Mapping[str, float] = field(default_factory=dict)
    scope: str = ""


Component = float | Formula


@dataclass(frozen=True, slots=True)
class PlannedMotion:
    """A body that moves by itself: offsets from `frame`, by formulas or along a path."""

    body: str
    frame: Frame  # where it would be without
    axes: Quat  # in which offsets are given
    position: tuple[Component, ...] = ()
    rotation: tuple[Component, ...] = ()  # degrees
    table: Motion | None = None  # with a path


@dataclass(frozen=True, slots=True)
class PlannedProgram:
    """A motor speed or servo target that follows a formula."""

    joint: str
    table: str  # the joint parameter that is driven
    key: str  # speed | target
    formula: Formula


@dataclass(frozen=True, slots=True)
class PlannedWind:
    """Moving air, in a zone or everywhere; of a single cloth, if it names one."""

    name: str
    velocity: tuple[Component, ...]
    axes: Quat
    place: Place
    zone: str | None = None
    soft: str | None = None
    density: float = 1.2  # kg/m³
    drag: float = 1.0


@dataclass(frozen=True, slots=True)
class Anchor:
    """A point of the world and the body it is fixed to (None: the world itself)."""

    point: Vec
    body: str | None = None


@dataclass(slots=True)
class Group:
    """The parts of a prop or prefab, and what the renderer and the functions need of them."""

    name: str
    kind: str
    root: str | None = None
    members: list[str] = field(default_factory=list)
    joints: list[str] = field(default_factory=list)
    rest_length: float | None = None  # m, of a rope or cable
    segment_length: float = 0.0  # m, of one rigid link
    lines: list[list[str]] = field(default_factory=list)  # ropes to draw, part by part
    sheets: list[tuple[int, int, list[str]]] = field(default_factory=list)  # rows, columns, nodes
    radius: float = 0.02  # m, of drawn ropes
    look: Appearance = PLAIN


@dataclass
class Plan:
    """All of a level's things under their full names."""

    bodies: dict[str, PlannedBody] = field(default_factory=dict)
    particles: dict[str, PlannedParticle] = field(default_factory=dict)
    joints: dict[str, PlannedJoint] = field(default_factory=dict)
    softs: dict[str, PlannedSoft] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    families: dict[str, Group] = field(default_factory=dict)  # the copies of repeated entries
    motions: dict[str, PlannedMotion] = field(default_factory=dict)
    programs: list[PlannedProgram] = field(default_factory=list)
    winds: dict[str, PlannedWind] = field(default_factory=dict)
    drives: list[Drive] = field(default_factory=list)
    collision_groups: dict[str, int] = field(default_factory=lambda: {"default": 0})
    removed: list[str] = field(default_factory=list)  # things that are left out once all are built
    doubtful: set[str] = field(default_factory=set)  # written, but wrong: already reported
    full: bool = False  # more was written than a level may have

    def copy(self) -> "Plan":
        """A plan whose tables can be changed without changing this one's."""
        tables = {field.name: copy.copy(getattr(self, field.name)) for field in fields(self)}
        return Plan(**tables)

    def add_body(self, body: PlannedBody) -> None:
        self._claim(body.name, body.place)
        self._cap(len(self.bodies), MAX_BODIES, "bodies", body.place)
        self._collision_groups(body.collision, body.place)
        self.bodies[body.name] = body

    def add_particle(self, particle: PlannedParticle) -> None:
        self._claim(particle.name, particle.place)
        self._cap(len(self.particles), MAX_PARTICLES, "particles", particle.place)
        self._collision_groups(particle.collision, particle.place)
        self.particles[particle.name] = particle

    def add_joint(self, joint: PlannedJoint) -> None:
        if joint.name in self.joints:
            raise _error(f'there is already a joint "{joint.name}"', joint.place)
        if joint.name in self.bodies or joint.name in self.particles:
            raise _error(
                f'"{joint.name}" is the name of a body; a joint needs another', joint.place.key()
            )
        self._cap(len(self.joints), MAX_JOINTS, "joints", joint.place)
        self.joints[joint.name] = joint

    def add_soft(self, soft: PlannedSoft) -> None:
        self._claim(soft.name, soft.place)
        self._cap(len(self.softs), MAX_SOFT, "cloths and solids", soft.place)
        self._collision_groups(soft.collision, soft.place)
        self.softs[soft.name] = soft

    def take_over(self, other: "Plan") -> None:
        """Everything of a plan whose names are not taken here."""
        for table in ("bodies", "particles", "joints", "softs", "groups", "families"):
            getattr(self, table).update(getattr(other, table))
        self.drives += other.drives
        for name in other.collision_groups:
            self.collision_groups.setdefault(name, len(self.collision_groups))

    def movable(self, name: str) -> PlannedBody | PlannedParticle | None:
        return self.bodies.get(name) or self.particles.get(name)

    def find(self, reference: str, scope: str = "") -> str | None:
        """The full name of a body or particle: inside the scope first; a group means its root."""
        for name in dict.fromkeys((scope + reference, reference)):
            if name in self.bodies or name in self.particles:
                return name
            group = self.groups.get(name)
            if group is not None and group.root is not None:
                return group.root
        return None

    def members(self, reference: str, scope: str = "") -> list[str] | None:
        """The bodies that a name means: one, or all of a group; None: there is nothing."""
        for name in dict.fromkeys((scope + reference, reference)):
            if name in self.bodies or name in self.particles:
                return [name]
            if name in self.groups:
                return list(self.groups[name].members)
        return None

    def body(self, reference: str, place: Place, scope: str = "") -> str:
        found = self.find(reference, scope)
        if found is None:
            raise self._unknown(reference, place, scope)
        return found

    def anchor(self, reference: str, place: Place, scope: str = "") -> Anchor:
        """The point a reference means: a named frame of a body, or a body's centre."""
        name = self.find(reference, scope)
        if name is not None:
            return Anchor(self.center(name), name)
        owner, _, frame = reference.rpartition(".")
        name = self.find(owner, scope) if owner else None
        if name is None:
            raise self._unknown(reference, place, scope)
        body = self.bodies.get(name)
        frames = body.frames if body else {}
        if body is None or frame not in frames:
            note = f'frames of "{owner}": {listing(frames)}' if frames else ""
            hint = did_you_mean(frame, frames) or ("" if frames else f"frames.{frame} = [x, y, z]")
            raise _error(f'"{owner}" has no frame "{frame}"', place, hint, note)
        return Anchor(body.frame.point(frames[frame]), name)

    def center(self, name: str) -> Vec:
        body = self.bodies.get(name)
        return body.frame.position if body else self.particles[name].position

    def is_fixed(self, name: str | None) -> bool:
        if name is None:
            return True
        body = self.bodies.get(name)
        return body.fixed or body.options.keyframed if body else self.particles[name].fixed

    def mass_of(self, name: str | None) -> float | None:
        """kg; None for what does not move freely."""
        if name is None or self.is_fixed(name):
            return None
        body = self.bodies.get(name)
        return body.weight() if body else self.particles[name].mass

    def known_bodies(self) -> list[str]:
        roots = [name for name, group in self.groups.items() if group.root]
        return [*self.bodies, *self.particles, *roots]

    def joints_of(self, name: str) -> list[str]:
        """The joint of that name, or all joints of the prop or prefab."""
        if name in self.joints:
            return [name]
        group = self.group(name)
        return list(group.joints) if group else []

    def group(self, name: str) -> Group | None:
        """The parts of a prop or prefab, or the copies of a repeated entry."""
        return self.groups.get(name) or self.families.get(name)

    def is_doubtful(self, reference: str, scope: str = "") -> bool:
        """Is it, or what it is a part of, already reported as wrong?"""
        for name in (scope + reference, reference):
            parts = name.split(".")
            if any(".".join(parts[:i]) in self.doubtful for i in range(1, len(parts) + 1)):
                return True
        return False

    def _unknown(self, reference: str, place: Place, scope: str) -> LevelError:
        if self.is_doubtful(reference, scope):
            return LevelError([])
        known = [name.removeprefix(scope) for name in self.known_bodies()]
        note = f"known bodies: {listing(_short(known))}" if known else ""
        likely = [*known, *self.doubtful]
        base = re.split(r"[.\[({]", reference)[0]
        copies = [name for name in known if name.rpartition(".")[0] == base and _numbered(name)]
        if copies:
            note = ""
            written = "" if "." in reference else f', written "{base}.{{i}}"'
            hint = f"they are called {copies[0]} … {copies[-1]}{written}"
        else:
            hint = did_you_mean(reference, likely) or did_you_mean(base, likely)
        return _error(f'there is no body "{reference}"', place, hint, note)

    def _claim(self, name: str, place: Place) -> None:
        if name in self.bodies or name in self.particles or name in self.softs:
            raise _error(f'there is already a body "{name}"', place.key())

    def _cap(self, count: int, most: int, what: str, place: Place) -> None:
        if count >= most:
            self.full = True
            raise _error(f"the level has more than {most:,} {what}", place)

    def _collision_groups(self, collision: Collision, place: Place) -> None:
        for name in (collision.group, *collision.ignores):
            if name not in self.collision_groups:
                if len(self.collision_groups) >= MAX_GROUPS:
                    raise _error(f"the level has more than {MAX_GROUPS} collision groups", place)
                self.collision_groups[name] = len(self.collision_groups)


def _short(names: Sequence[str]) -> list[str]:
    """Names a person would type: without the numbered links of ropes."""
    return [name for name in names if not _numbered(name)] or list(names)


def _numbered(name: str) -> bool:
    return name.rpartition(".")[2].isdigit()


def _error(message: str, place: Place, hint: str = "", note: str = "") -> LevelError:
    return LevelError([Problem(message, place, hint, note)])
