"""The tables of a level file that are the same for every registry content.

Bodies, joints and props get their remaining keys from the registries of shapes, joint kinds and
props: see `levels.kinds`. The `description` of a field is its documentation, its hint in editors
and its line in the reference.
"""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from levels.caps import MAX_ACTIONS
from levels.document import SECTIONS
from levels.motion_tables import Motion
from levels.physics_options import BodyOptions, ParticleOptions, Surface, WorldOptions
from levels.plain_data import TomlValue
from levels.values import (
    Axis,
    Color,
    Fraction,
    Name,
    NotNegative,
    Number,
    OneOrMore,
    Ornament,
    Palette,
    Pattern,
    Positive,
    Quaternion,
    Seconds,
    Table,
    Text,
    Vector,
    complain,
    one_of,
)

ORIGIN: Any = (0.0, 0.0, 0.0)  # a tuple: pydantic copies a default list for every entry


class Header(Table):
    """The keys at the top of the file, before any [section]."""

    format: Literal[1] = Field(description="Version of the level format. Always 1.")
    title: Text = Field(default="", description="Shown on the level wall and in the window title.")
    hint: Text = Field(default="", description="One line shown when the level starts.")
    description: Text = Field(default="", description="What the level teaches, for the level wall.")
    author: Text = Field(default="", description="Who made it.")
    dimension: Literal[2, 3] = Field(default=3, description="2 locks every body to the xy plane.")
    include: list[Name] = Field(
        default=[], description="Files merged under this one; what this file says wins."
    )
    without: list[Annotated[str, one_of("section", SECTIONS)]] = Field(
        default=[], description='Sections of the included files that are left out: ["expect"].'
    )
    removed: list[Name] = Field(
        default=[],
        description="Bodies, joints, cloths and parts of props that are left out. The game writes "
        'this: ["rope.piece_3", "wall.4"].',
    )
    root: Name | None = Field(
        default=None,
        description="In a prefab: the body that carries the prefab's name. Default: the first.",
    )


class Parameter(Table):
    """A number that can be changed: a slider in play, `--set name=value` on the command line."""

    default: Number = Field(description="Value when nothing else is said.")
    min: Number | None = Field(default=None, description="Smallest value allowed.")
    max: Number | None = Field(default=None, description="Largest value allowed.")
    unit: Text = Field(default="", description="Shown beside the slider.")
    label: Text = Field(
        default="", description="Name of the slider; default: the parameter's name."
    )
    scale: Annotated[str, one_of("scale", ("linear", "log"))] = Field(
        default="linear", description='"log" for sliders over several orders of magnitude.'
    )
    whole: bool = Field(default=False, description="Only whole numbers.")

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
        description="Length of a headless run; default: what the expectations need, or 10.",
    )


class Material(Surface):
    """Surface and density shared by several bodies."""

    density: Positive = Field(default=1000.0, description="kg/m³.")
    color: Color | None = Field(default=None, description="Colour of bodies that do not name one.")
    pattern: Pattern | None = Field(default=None, description="Surface drawing.")


class Appearance(Table):
    """How one thing is drawn."""

    color: Color | None = Field(default=None, description='A colour name or "#rrggbb".')
    pattern: Pattern | None = Field(default=None, description="Surface drawing.")
    gloss: Fraction | None = Field(default=None, description="0 chalk … 1 lacquer.")
    hidden: bool = Field(default=False, description="Simulated but not drawn.")


class Dress(Appearance):
    """How a body is drawn."""

    ornament: Ornament | None = Field(
        default=None, description="What the body is drawn as; its shape stays what it is."
    )


class Placed(Dress):
    """Something with a position and a motion."""

    position: Vector = Field(default=ORIGIN, description="Centre, m.")
    velocity: Vector = Field(default=ORIGIN, description="m/s.")


class Turned(Placed):
    orientation: Quaternion | None = Field(default=None, description="Quaternion [w, x, y, z].")
    rotation: Vector | None = Field(
        default=None, description="Degrees about x, then y, then z; instead of a quaternion."
    )
    angular_velocity: Vector = Field(default=ORIGIN, description="rad/s, world axes.")

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
    group: Name = Field(default="default", description="Collision group this belongs to.")
    ignores: list[Name] = Field(default=[], description="Groups it passes through.")


class Body(BodyOptions, Turned, Collides):
    """A rigid body. The keys of its shape come on top."""

    mass: Positive | None = Field(default=None, description="kg. Or give a density.")
    density: Positive | None = Field(
        default=None, description="kg/m³; default: the material's, or 1000."
    )
    material: Name | None = Field(
        default=None, description="A [materials.*] entry or a built-in one."
    )
    origin: Vector | None = Field(
        default=None,
        description="m, instead of position: where the origin of its shape's coordinates is. "
        "`position` is that of its centre of mass.",
    )
    never_touches: list[Name] = Field(
        default=[], description="Bodies, props or prefabs that it passes through."
    )
    frames: dict[Name, Vector] = Field(
        default={}, description='Named points on the body: "boom.tip".'
    )
    motion: Motion | None = Field(
        default=None, description="Moves it along a path or by formulas; it is then keyframed."
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

    shape: Name = Field(description="Any shape but a compound.")
    position: Vector = Field(default=ORIGIN, description="Of its origin on the body, m.")
    orientation: Quaternion | None = Field(default=None, description="Quaternion [w, x, y, z].")
    rotation: Vector | None = Field(
        default=None, description="Degrees about x, then y, then z; instead of a quaternion."
    )
    density: Positive | None = Field(
        default=None, description="kg/m³; all parts have one, or none and the body says it."
    )
    friction: NotNegative | None = Field(default=None, description="Default: the body's.")
    restitution: Fraction | None = Field(default=None, description="Default: the body's.")
    rolling_friction: NotNegative | None = Field(default=None, description="m; the body's.")


class PrefabUse(Turned):
    """A body that is really another file; its parts become name.part."""

    prefab: Name = Field(description='Another level file without ".toml": "vehicles/truck".')
    mass: Positive | None = Field(default=None, description="kg, of all parts together.")
    parameters: dict[Name, Number] = Field(
        default={}, description="Values for the prefab's parameters."
    )


class Particle(ParticleOptions, Placed, Collides):
    """A point mass."""

    mass: Positive = Field(description="kg.")


class Zone(Table):
    """A box in space that goals and triggers ask about. Nothing collides with it."""

    center: Vector = Field(description="m.")
    size: Annotated[Vector, Field()] = Field(description="Full edge lengths, m.")
    color: Color | None = Field(default=None, description="Tint of its outline.")
    hidden: bool = Field(default=False, description="Not drawn.")
    label: Text = Field(default="", description="Written above it.")

    @model_validator(mode="after")
    def _has_size(self) -> "Zone":
        # a two-dimensional level leaves z out, which then does not matter
        if min(self.size[:2]) <= 0 or self.size[2] < 0:
            raise complain("size must be greater than 0 in every direction", key="size")
        return self


def _condition(value: TomlValue) -> Any:
    return {"when": value} if isinstance(value, str) else value


class Condition(Table):
    """An expression that has to stay true for a while."""

    when: Text = Field(description="A condition over the level's functions.")
    for_: Seconds = Field(default=0.0, alias="for", description="Seconds it must stay true.")
    say: Text = Field(default="", description="Shown when it comes true.")


When = Annotated[Condition, BeforeValidator(_condition)]
Three = Annotated[list[Number], Field(min_length=3, max_length=3)]


class Stars(Table):
    """Three thresholds, the best first."""

    time: Three | None = Field(default=None, description="Seconds until the win for 3, 2, 1 stars.")
    value: Text | None = Field(
        default=None, description="An expression to compare instead of the time."
    )
    at_most: Three | None = Field(default=None, description="value ≤ these gives 3, 2, 1 stars.")
    at_least: Three | None = Field(default=None, description="value ≥ these gives 3, 2, 1 stars.")

    @model_validator(mode="after")
    def _complete(self) -> "Stars":
        given = [n for n in ("time", "at_most", "at_least") if getattr(self, n) is not None]
        if len(given) != 1:
            raise complain("stars need exactly one of time, at_most, at_least")
        if (given[0] == "time") == (self.value is not None):
            raise complain(
                'stars by "at_most" or "at_least" need value = "…", stars by time do not'
            )
        return self


class Goal(Table):
    """How the level is won and lost."""

    win: When | None = Field(default=None, description="Won once this holds.")
    lose: When | None = Field(default=None, description="Lost once this holds.")
    stars: Stars | None = Field(default=None, description="Thresholds for three, two, one stars.")


class Trigger(Table):
    """Something that happens when a condition comes true."""

    when: Text = Field(description='A condition over the level\'s functions; "true" always holds.')
    for_: Seconds = Field(default=0.0, alias="for", description="Seconds it must stay true first.")
    then: Annotated[OneOrMore, Field(max_length=MAX_ACTIONS)] = Field(
        description="Actions: \"release('hook')\", or a list of them."
    )
    once: bool = Field(
        default=True, description="false: again each time the condition comes true anew."
    )
    every: Annotated[float, Field(gt=0, le=36_000)] | None = Field(
        default=None, description="s after which it happens again while the condition holds."
    )


class Expectation(Table):
    """Checked by `sandbox test`: one of always, eventually, or at + check."""

    name: Text = Field(default="", description="Name in reports.")
    always: Text | None = Field(default=None, description="Must hold after every step.")
    eventually: Text | None = Field(default=None, description="Must hold at some step.")
    by: Seconds | None = Field(default=None, description="Latest time for `eventually`, s.")
    at: Seconds | None = Field(default=None, description="Time of `check`, s.")
    check: Text | None = Field(default=None, description="Must hold at the time `at`.")

    @model_validator(mode="after")
    def _complete(self) -> "Expectation":
        chosen = [n for n in ("always", "eventually", "check") if getattr(self, n) is not None]
        if len(chosen) != 1:
            raise complain("an expectation has exactly one of: always, eventually, at + check")
        if self.at is not None and self.check is None:
            raise complain("at = … only goes with check = …", key="at")
        if self.check is not None and self.at is None:
            raise complain("check needs the time it is made", "add at = 10.0", key="check")
        if self.by is not None and self.eventually is None:
            raise complain("by = … only goes with eventually = …", key="by")
        return self

    @property
    def condition(self) -> str:
        return self.always or self.eventually or self.check or ""


class Input(Table):
    """Scripted input: what a player would do, so that a headless run can play."""

    at: Seconds = Field(description="When, s.")
    hold: Name | None = Field(default=None, description='Key to hold, as in motor keys: "d".')
    for_: Seconds = Field(default=0.0, alias="for", description="How long the key is held, s.")
    do: Text | None = Field(
        default=None, description="An action as in triggers: \"release('hook')\"."
    )
    command: list[Any] | None = Field(
        default=None, description="A recorded command, from a replay."
    )

    @model_validator(mode="after")
    def _complete(self) -> "Input":
        given = [n for n in ("hold", "do", "command") if getattr(self, n) is not None]
        if len(given) != 1:
            raise complain("an input has exactly one of: hold + for, do, command")
        if self.hold is not None and self.for_ <= 0:
            raise complain("hold needs how long", "add for = 2.0", key="hold")
        return self


class Camera(Table):
    """Where the player looks from at the start."""

    position: Vector | None = Field(
        default=None, description="Eye, m; default: the level is framed."
    )
    target: Vector | None = Field(default=None, description="Looked-at point, m.")
    field_of_view: Annotated[float, Field(ge=5, le=120)] = Field(
        default=45.0, description="Degrees."
    )
    follow: Name | None = Field(default=None, description="A body to keep in the middle.")
    height: Positive | None = Field(
        default=None, description="Metres shown from bottom to top (2-D)."
    )


class Scenery(Table):
    """Something to look at that takes no part in the physics."""

    ornament: Ornament = Field(description="What it is.")
    position: Vector = Field(description="Centre, m.")
    size: Vector = Field(description="Full extents, m.")
    turn: Number = Field(default=0.0, description="Degrees about the vertical.")
    color: Color | None = Field(default=None, description='A colour name or "#rrggbb".')
    on: Name | None = Field(
        default=None, description="A body that carries it; position and turn are in its axes then."
    )


class Look(Table):
    """Light and air."""

    palette: Palette | None = Field(default=None, description="Light, sky and ground together.")
    sky: Palette | None = Field(default=None, description="Sky of another palette.")
    sun: Axis | None = Field(default=None, description="Direction towards the sun.")
    fog: NotNegative | None = Field(default=None, description="Extinction per metre.")
    exposure: Positive | None = Field(default=None, description="Brightness of the picture.")
    grid: bool = Field(default=True, description="Draw the ground grid.")
    scenery: list[Scenery] = Field(default=[], description="Trees, rocks, people who watch.")


class Keys(Table):
    """Keys that drive a motor, servo or winch."""

    keys: Name | None = Field(
        default=None, description='"a/d": the first key drives forward, the second back.'
    )


class Winch(Keys):
    """A drum at the first end of a rope or cable. The first key winds in, the second pays out."""

    speed: Positive = Field(description="m/s.")
    min: Positive = Field(default=0.3, description="Shortest length left off the drum, m.")
    max: Positive | None = Field(
        default=None, description="Longest length off the drum, m; default: four times the first."
    )


class JointCommon(Appearance):
    """What every joint has, whatever its kind."""

    kind: str = Field(description="Which joint.")
    bodies: Annotated[list[Name], Field(min_length=1, max_length=2)] = Field(
        description='One body and the world, or two; a frame like "boom.tip" also says where.'
    )
