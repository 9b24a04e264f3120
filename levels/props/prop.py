"""What every prop is made of: a checked table of parameters and a build function.

A prop file declares a subclass of PropTable with its keys, and `build(self, site)`, which adds
bodies and joints through the `Site`. `@prop("rope")` enters it in PROPS; schema, reference and
loader read that registry.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, ValidationInfo

from levels.frames import IDENTITY, Frame, Quat, Vec, distance, vec
from levels.key_names import split_keys
from levels.level_tables import Appearance, Turned, Winch
from levels.mesh_input import MeshFile, MeshProblem
from levels.physics_options import BodyOptions, ParticleOptions
from levels.plain_data import TomlTable, TomlValue
from levels.plan import (
    EVERYTHING,
    Anchor,
    Collision,
    Drive,
    Group,
    Plan,
    PlannedBody,
    PlannedJoint,
    PlannedParticle,
    PlannedSoft,
    Reel,
)
from levels.problems import LevelError, Place, Problem
from levels.props.curves import laid, through
from levels.values import NotNegative, Positive, check_vector, complain, describe
from physics.shapes.base import Shape

Mesh = tuple[NDArray[np.float64], NDArray[np.int64]]  # nodes and cells
_NO_FRAMES: Mapping[str, Vec] = {}
_SHORTEST_PIECE = 1e-3  # m
SHORTEST = 1.8  # pieces of rope that always stay off a drum


class PropTable(Appearance):
    """Base of all props; the docstring and field descriptions are the documentation."""

    kind: str = Field(description="The prop is of this kind.")
    collides: ClassVar[str] = "default"

    def build(self, site: "Site") -> None:
        """Add the prop's parts through the site."""
        raise TypeError(f"{type(self).__name__} has no build function")


class PlacedProp(PropTable, Turned):
    """A prop with a place of its own."""


@dataclass(frozen=True)
class Route:
    """A line that a rope, cable or chain is laid along."""

    start: Vec
    end: Vec | None
    length: float | None
    points: tuple[Vec, ...] = ()
    smooth: bool = False

    def total(self, points: list[Vec]) -> float:
        """Length of the line, m; `points` are what was laid."""
        if self.points:
            return sum(map(distance, points, points[1:]))
        if self.end is None:
            return self.length or 1.0
        return distance(self.start, self.end) if self.length is None else self.length

    def laid(self, site: "Site", pieces: int) -> list[Vec]:
        """`pieces` + 1 points, equally far apart."""
        if self.points:
            found = through(list(self.points), self.smooth, pieces)
            check_length(site, 0.0, sum(map(distance, found, found[1:])), pieces)
            return found
        if self.end is None:
            x, y, z = self.start
            return laid(self.start, (x, y - self.total([]), z), self.total([]), pieces)
        apart, total = distance(self.start, self.end), self.total([])
        check_length(site, apart, total, pieces)
        return laid(self.start, self.end, total, pieces)


@dataclass(frozen=True)
class Prop:
    """A registry entry."""

    name: str
    model: type[PropTable]

    @property
    def doc(self) -> str:
        return (self.model.__doc__ or "").strip()


PROPS: dict[str, Prop] = {}


def prop(name: str) -> Callable[[type[PropTable]], type[PropTable]]:
    def register(model: type[PropTable]) -> type[PropTable]:
        PROPS[name] = Prop(name, model)
        return model

    return register


def _end(value: TomlValue, info: ValidationInfo) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return check_vector(value, info)
    raise complain(
        f'{{key}} must be the name of a body or frame like "boom.tip", or a point [x, y, z], '
        f"not {describe(value)}"
    )


End = Annotated[
    Any,
    BeforeValidator(_end),
    Field(
        json_schema_extra={
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 3},
            ]
        }
    ),
]


class Line(PropTable):
    """A prop that runs along a line: straight, sagging, or through points."""

    from_: End = Field(
        alias="from",
        description='The first end is here, at a frame like "boom.tip", a body or a point of the '
        "world in m.",
    )
    to: End | None = Field(
        default=None,
        description="The other end is here, at a frame, a body or a point of the world in m; left "
        "out, it hangs free.",
    )
    length: Positive | None = Field(
        default=None,
        description="It is this long, in m; left out, it is as long as the distance of its ends.",
    )
    through: Annotated[list[End], Field(max_length=200)] = Field(
        default=[],
        description="It runs by these points and frames between its ends; it is held only at its "
        "ends.",
    )
    smooth: bool = Field(
        default=False, description="If true, the corners at `through` are rounded."
    )
    friction: NotNegative = Field(
        default=0.5,
        description="Friction on its surface has this Coulomb coefficient; at 0 it slides freely.",
    )
    self_collision: bool = Field(
        default=False,
        description="If true, its pieces touch each other, and other ropes that say so, too.",
    )

    def route(self, site: "Site", start: Vec, end: Vec | None, length: float | None) -> Route:
        """The line from start to end; hanging down where there is no end."""
        if not self.through:
            return Route(start, end, length)
        if length is not None:
            message = "length and through both say how long it is"
            raise site.fail("length", message, "keep one of them")
        points = [site.anchor("through", point).point for point in self.through]
        whole = [start, *points, *([] if end is None else [end])]
        if any(distance(a, b) < 1e-6 for a, b in pairwise(whole)):
            raise site.fail("through", "two points that follow each other are the same")
        return Route(start, end, None, tuple(whole), self.smooth)


@dataclass
class Site:
    """Where a prop is built: its name, its frame and the plan it adds to."""

    name: str
    plan: Plan
    place: Place
    frame: Frame = field(default_factory=Frame)
    scope: str = ""
    dimension: int = 3
    look: Appearance = field(default_factory=Appearance)
    meshes: Mapping[str, MeshFile] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.group = Group(self.name, "", look=self.look)

    def fail(self, key: str, message: str, hint: str = "") -> LevelError:
        return LevelError([Problem(message, self.place.child(key), hint)])

    def mesh(self, written: str, load: Callable[[MeshFile], Mesh]) -> Mesh:
        """Nodes and cells of the mesh file a prop names."""
        try:
            return load(self.meshes[written])
        except MeshProblem as problem:
            raise self.fail("mesh", str(problem), problem.hint) from None

    def anchor(self, key: str, end: Any) -> Anchor:
        """The world point of an `End`; a bare point is fixed to the world."""
        if isinstance(end, str):
            return self.plan.anchor(end, self.place.child(key), self.scope)
        return Anchor(self.frame.point(vec(end)))

    def body(
        self,
        part: str,
        shape: Shape,
        position: Sequence[float],
        orientation: Quat = IDENTITY,
        *,
        local: bool = False,
        mass: float | None = None,
        density: float | None = None,
        collision: Collision = EVERYTHING,
        look: Appearance | None = None,
        frames: Mapping[str, Vec] = _NO_FRAMES,
        **options: Any,
    ) -> str:
        """Add a rigid part; `local`: position and orientation are in the prop's own frame.

        `options` are those of `physics_options.BodyOptions`: friction, fixed …
        """
        frame = Frame(vec(position), orientation)
        if local:
            frame = frame.within(self.frame)
        name = f"{self.name}.{part}"
        self.plan.add_body(
            PlannedBody(
                name,
                shape,
                frame,
                self.place,
                mass,
                density,
                BodyOptions(**options),
                collision,
                look or self.look,
                frames,
            )
        )
        self.group.members.append(name)
        return name

    def particle(
        self,
        part: str,
        mass: float,
        position: Sequence[float],
        *,
        velocity: Vec = (0.0, 0.0, 0.0),
        collision: Collision = EVERYTHING,
        **options: Any,
    ) -> str:
        """Add a point mass; `options` are those of `physics_options.ParticleOptions`."""
        name, checked = f"{self.name}.{part}", ParticleOptions(**options)
        self.plan.add_particle(
            PlannedParticle(
                name, mass, vec(position), self.place, velocity, checked, collision, self.look
            )
        )
        self.group.members.append(name)
        return name

    def body_named(self, key: str, reference: str) -> str:
        """The full name of a body that the level refers to."""
        return self.plan.body(reference, self.place.child(key), self.scope)

    def soft(
        self,
        kind: str,
        *,
        collision: Collision,
        frame: Frame | None = None,
        sewn: Sequence[tuple[Sequence[int], str]] = (),
        held: Sequence[tuple[Sequence[Vec], str]] = (),
        air: TomlTable | None = None,
        edits: TomlTable | None = None,
        **options: Any,
    ) -> None:
        """Add the prop's cloth or solid, named as the prop; options are those of `add_cloth`."""
        self.plan.add_soft(
            PlannedSoft(
                self.name,
                kind,
                frame or self.frame,
                self.place,
                collision,
                options,
                list(sewn),
                list(held),
                air,
                self.look,
                edits or {},
            )
        )

    def joint(self, part: str, kind: str, a: str, b: str | None, **options: Any) -> str:
        """Add a joint; at, at_a, at_b and axis are in world axes, the rest are its parameters."""
        name = f"{self.name}.{part}"
        places = {key: options.pop(key, None) for key in ("at", "at_a", "at_b", "axis")}
        parameters = {key: value for key, value in options.items() if value is not None}
        self.plan.add_joint(
            PlannedJoint(name, kind, a, b, self.place, parameters=parameters, **places)
        )
        self.group.joints.append(name)
        return name

    def drive(self, drive: Drive) -> None:
        self.plan.drives.append(drive)

    def winch(self, winch: Winch, reel: Reel, total: float) -> None:
        """Keys wind `total` metres of rope on the reel in and out; one piece always stays off."""
        forward, back = split_keys(winch.keys or "w/s", self.place.child("winch", "keys"))
        pieces = round(total / reel.pitch)
        low = max(winch.min, SHORTEST * reel.pitch if pieces > 1 else 0.0)
        high = winch.max or 4 * total
        if not low <= total * (1 + 1e-9) <= high * (1 + 2e-9):
            key = "min" if low > total else "max"
            raise LevelError(
                [
                    Problem(
                        f"the length is {total:.4g} m at first, but the winch keeps it between "
                        f"{low:.4g} and {high:.4g} m",
                        self.place.child("winch", key),
                    )
                ]
            )
        self.drive(
            Drive(
                self.name,
                "winch",
                (reel.drum,),
                forward,
                back,
                winch.speed,
                low,
                high,
                start=total,
                reel=reel,
            )
        )


def check_length(site: Site, apart: float, total: float, pieces: int) -> None:
    """The ends must be within reach, and not in the same place."""
    if total < apart * (1 - 1e-9):
        raise site.fail(
            "length",
            f"the ends are {apart:.4g} m apart, but the length is {total:.4g} m",
            "make it longer, or leave length out",
        )
    if total < _SHORTEST_PIECE * pieces:
        raise site.fail(
            "to",
            f"the ends are only {apart:.3g} m apart: too short for {pieces} segments",
            "move the ends apart, or give a length",
        )


def ropes_collision(self_collision: bool) -> Collision:
    """Ropes feel the rest of the world, but neither each other nor themselves unless asked to."""
    return Collision("ropes", () if self_collision else ("ropes",))
