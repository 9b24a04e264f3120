"""The tables of a level file that are the same for every registry content.

Bodies, joints and props get their remaining keys from the registries of shapes, joint kinds and
props: see `levels.kinds`. The `description` of a field is its documentation, its hint in editors
and its line in the reference.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from levels.document import SECTIONS
from levels.motion_tables import Motion
from levels.physics_options import BodyOptions, ParticleOptions, Surface, WorldOptions
from levels.plain_data import TomlValue
from levels.values import (
    Color,
    Fraction,
    Name,
    NotNegative,
    Number,
    Ornament,
    Pattern,
    Positive,
    Quaternion,
    Table,
    Text,
    Vector,
    complain,
    one_of,
)

ORIGIN: Any = (0.0, 0.0, 0.0)  # a tuple: pydantic copies a default list for every entry


class Header(Table):
    """The keys at the top of the file, before any [section]."""

    format: Literal[1] = Field(
        description="This is the version of the level format; it is always 1."
    )
    title: Text = Field(
        default="",
        description="This name is shown on the level wall and in the title of the window.",
    )
    hint: Text = Field(
        default="", description="This line is shown to the player when the level starts."
    )
    description: Text = Field(
        default="", description="This text says on the level wall what the level teaches."
    )
    author: Text = Field(default="", description="This is the name of whoever made the level.")
    dimension: Literal[2, 3] = Field(
        default=3,
        description="A level has 3 dimensions, or 2, and then every body is locked to the xy "
        "plane.",
    )
    include: list[Name] = Field(
        default=[],
        description="These files are merged under this one; where both say something, this file "
        "wins.",
    )
    without: list[Annotated[str, one_of("section", SECTIONS)]] = Field(
        default=[],
        description='These sections of the included files are left out, for example ["expect"].',
    )
    removed: list[Name] = Field(
        default=[],
        description="These bodies, joints, cloths and parts of props are left out; the game "
        'writes the list, for example ["rope.piece_3", "wall.4"].',
    )
    root: Name | None = Field(
        default=None,
        description="In a prefab, this body carries the prefab's name; left out, the first body "
        "does.",
    )


class Parameter(Table):
    """A number that can be changed: a slider in play, `--set name=value` on the command line."""

    default: Number = Field(description="The parameter has this value when nothing else is said.")
    min: Number | None = Field(
        default=None,
        description="No value may be smaller than this; left out, there is no lower bound.",
    )
    max: Number | None = Field(
        default=None,
        description="No value may be larger than this; left out, there is no upper bound.",
    )
    unit: Text = Field(
        default="", description='This unit is shown beside the slider, for example "kg".'
    )
    label: Text = Field(
        default="", description="The slider is called this; left out, it has the parameter's name."
    )
    scale: Annotated[str, one_of("scale", ("linear", "log"))] = Field(
        default="linear",
        description='A "linear" slider moves by equal steps, a "log" one by equal ratios, which '
        "suits values over several orders of magnitude.",
    )
    whole: bool = Field(
        default=False, description="If true, the parameter takes only whole numbers."
    )

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: TomlValue) -> Any:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return {"default": value} if is_number else value

    @model_validator(mode="after")
    def _in_range(self) -> "Parameter":
        if self.min is not None and self.max is not None and self.min > self.max:
            raise complain(f"min {self.min:g} is above max {self.max:g}", key="min")
        reason = self.refuses(self.default)
        if reason:
            raise complain(f"the default {reason}", key="default")
        if self.scale == "log" and (self.min is None or self.min <= 0):
            raise complain('scale = "log" needs a min above 0', key="scale")
        return self

    def refuses(self, value: float) -> str | None:
        """Why the value is not allowed, or None."""
        if not abs(value) < float("inf"):
            return f"{value} is not a finite number"
        if self.min is not None and value < self.min:
            return f"{value:g} is below the minimum {self.min:g}"
        if self.max is not None and value > self.max:
            return f"{value:g} is above the maximum {self.max:g}"
        if self.whole and value != int(value):
            return f"{value:g} is not a whole number"
        return None


class Simulation(WorldOptions):
    """How time is stepped."""

    seconds: Annotated[float, Field(gt=0, le=36_000)] | None = Field(
        default=None,
        description="A run without a window lasts this long, in s; left out, it lasts as long as "
        "the expectations need, or 10 s.",
    )


class Material(Surface):
    """Surface and density shared by several bodies."""

    density: Positive = Field(
        default=1000.0,
        description="Bodies of this material have this density, in kg/m³, if they say neither "
        "mass nor density.",
    )
    color: Color | None = Field(
        default=None,
        description="Bodies of this material that name no colour are drawn in this one.",
    )
    pattern: Pattern | None = Field(
        default=None,
        description="Bodies of this material that name no pattern have this one on their surface.",
    )


class Appearance(Table):
    """How one thing is drawn."""

    color: Color | None = Field(
        default=None,
        description='It is drawn in this colour, a name or "#rrggbb"; left out, the game chooses '
        "one.",
    )
    pattern: Pattern | None = Field(
        default=None,
        description="This pattern is drawn on its surface; left out, that of its material is.",
    )
    gloss: Fraction | None = Field(
        default=None,
        description="Its surface shines this much, from 0 like chalk to 1 like lacquer.",
    )
    hidden: bool = Field(
        default=False, description="If true, it is simulated as always but not drawn."
    )


class Dress(Appearance):
    """How a body is drawn."""

    ornament: Ornament | None = Field(
        default=None,
        description="The body is drawn as this ornament; its shape, and what it touches, stay as "
        "they are.",
    )


class Placed(Dress):
    """Something with a position and a motion."""

    position: Vector = Field(default=ORIGIN, description="Its centre is here at the start, in m.")
    velocity: Vector = Field(
        default=ORIGIN, description="Its centre moves this fast at the start, in m/s."
    )


class Turned(Placed):
    orientation: Quaternion | None = Field(
        default=None,
        description="It is turned by this quaternion [w, x, y, z] at the start; any length but "
        "zero will do.",
    )
    rotation: Vector | None = Field(
        default=None,
        description="It is turned by these angles, in degrees about x, then y, then z; this "
        "stands instead of a quaternion.",
    )
    angular_velocity: Vector = Field(
        default=ORIGIN,
        description="It spins this fast about the axes of the world at the start, in rad/s.",
    )

    @model_validator(mode="after")
    def _one_rotation(self) -> "Turned":
        if self.orientation is not None and self.rotation is not None:
            raise complain(
                "orientation and rotation both say how it is turned",
                "keep one of them",
                key="rotation",
            )
        return self


class Collides(Table):
    group: Name = Field(
        default="default",
        description="It belongs to this collision group, which others may ignore.",
    )
    ignores: list[Name] = Field(
        default=[], description="It passes through everything in these groups."
    )


class Body(BodyOptions, Turned, Collides):
    """A rigid body. The keys of its shape come on top."""

    mass: Positive | None = Field(
        default=None, description="It has this mass, in kg; give either this or a density."
    )
    density: Positive | None = Field(
        default=None,
        description="Its mass is this density, in kg/m³, times its volume; left out, its "
        "material's density holds, or 1000.",
    )
    material: Name | None = Field(
        default=None,
        description="It is made of this material, an entry of [materials.*] or a built-in one.",
    )
    origin: Vector | None = Field(
        default=None,
        description="The origin of its shape's coordinates is here, in m; this stands instead of "
        "`position`, which is that of its centre of mass.",
    )
    never_touches: list[Name] = Field(
        default=[], description="It passes through these bodies, props or prefabs."
    )
    frames: dict[Name, Vector] = Field(
        default={},
        description='These points on the body have names, so that "boom.tip" is a place.',
    )
    motion: Motion | None = Field(
        default=None,
        description="This moves it along a path or by formulas; nothing can push it then.",
    )

    @model_validator(mode="after")
    def _one_place(self) -> "Body":
        if self.origin is not None and "position" in self.model_fields_set:
            raise complain(
                "position and origin both say where it is", "keep one of them", key="origin"
            )
        return self

    @model_validator(mode="after")
    def _one_weight(self) -> "Body":
        if self.mass is not None and self.density is not None:
            raise complain(
                "mass and density both say how heavy it is", "keep one of them", key="density"
            )
        if self.motion is not None and self.fixed:
            raise complain("what is fixed has no motion", "keep one of them", key="motion")
        return self


class PartCommon(Table):
    """One shape of a compound body. The keys of its shape come on top."""

    shape: Name = Field(
        description="The part has this shape; every shape but a compound is allowed."
    )
    position: Vector = Field(
        default=ORIGIN, description="The origin of the part is here on the body, in m."
    )
    orientation: Quaternion | None = Field(
        default=None, description="The part is turned on the body by this quaternion [w, x, y, z]."
    )
    rotation: Vector | None = Field(
        default=None,
        description="The part is turned by these angles, in degrees about x, then y, then z; this "
        "stands instead of a quaternion.",
    )
    density: Positive | None = Field(
        default=None,
        description="The part has this density, in kg/m³; either all parts say theirs, or none "
        "does and the body says it.",
    )
    friction: NotNegative | None = Field(
        default=None,
        description="The part has this Coulomb coefficient of friction; left out, the body's "
        "holds.",
    )
    restitution: Fraction | None = Field(
        default=None,
        description="The part keeps this share of the speed in a bounce, from 0 to 1; left out, "
        "the body's holds.",
    )
    rolling_friction: NotNegative | None = Field(
        default=None,
        description="This torque per load brakes rolling on the part, in m; left out, the body's "
        "holds.",
    )


class PrefabUse(Turned):
    """A body that is really another file; its parts become name.part."""

    prefab: Name = Field(
        description="The body is what this other level file holds; its name comes without "
        '".toml", for example "vehicles/truck".'
    )
    mass: Positive | None = Field(
        default=None,
        description="All parts together have this mass, in kg; left out, each has its own.",
    )
    parameters: dict[Name, Number] = Field(
        default={},
        description="The parameters of the prefab take these values; those left out keep their "
        "defaults.",
    )


class Particle(ParticleOptions, Placed, Collides):
    """A point mass."""

    mass: Positive = Field(description="It has this mass, in kg.")


class Zone(Table):
    """A box in space that goals and triggers ask about. Nothing collides with it."""

    center: Vector = Field(description="The middle of the box is here, in m.")
    size: Annotated[Vector, Field()] = Field(
        description="The box has these full edge lengths, in m."
    )
    color: Color | None = Field(default=None, description="Its outline is drawn in this colour.")
    hidden: bool = Field(default=False, description="If true, the zone is not drawn.")
    label: Text = Field(default="", description="This text is written above the zone.")

    @model_validator(mode="after")
    def _has_size(self) -> "Zone":
        # a two-dimensional level leaves z out, which then does not matter
        if min(self.size[:2]) <= 0 or self.size[2] < 0:
            raise complain("size must be greater than 0 in every direction", key="size")
        return self


class Keys(Table):
    """Keys that drive a motor, servo or winch."""

    keys: Name | None = Field(
        default=None,
        description='These keys steer it, for example "a/d": the first drives forward, the second '
        "back.",
    )


class Winch(Keys):
    """A drum at the first end of a rope or cable. The first key winds in, the second pays out."""

    speed: Positive = Field(
        description="The drum winds in and pays out this fast while a key is held, in m/s."
    )
    min: Positive = Field(
        default=0.3, description="The drum stops winding in when this length is left, in m."
    )
    max: Positive | None = Field(
        default=None,
        description="The drum stops paying out at this length, in m; left out, at four times the "
        "first length.",
    )


class JointCommon(Appearance):
    """What every joint has, whatever its kind."""

    kind: str = Field(description="The joint is of this kind.")
    bodies: Annotated[list[Name], Field(min_length=1, max_length=2)] = Field(
        description="The joint holds these two bodies, or one body to the world; a frame like "
        '"boom.tip" also says where.'
    )
