"""Tables of what moves by itself and of what a level counts."""

import itertools
from typing import Annotated, Any

from pydantic import Field, model_validator

from levels.caps import MAX_PATH
from levels.plain_data import TomlValue
from levels.values import NotNegative, Number, Seconds, Table, Text, Vector, complain


class Motion(Table):
    """How a body moves by itself; nothing can push it. Formulas follow time() and whatever else
    conditions can ask for; a path is gone along from point to point."""

    position: Vector | None = Field(
        default=None,
        description="It is this far from the body's `position`, in m, for example [\"=2 * "
        'sin(time())", 0, 0].',
    )
    rotation: Vector | None = Field(
        default=None,
        description="It is turned by these angles, in degrees about x, then y, then z, on top of "
        "how it is turned at first.",
    )
    path: Annotated[list[Vector], Field(min_length=2, max_length=MAX_PATH)] | None = Field(
        default=None, description="It goes through these points, in m from the body's `position`."
    )
    turns: Annotated[list[Vector], Field(min_length=2, max_length=MAX_PATH)] | None = Field(
        default=None,
        description="At each point it is turned by these angles, in degrees as in `rotation`.",
    )
    times: Annotated[list[Seconds], Field(min_length=2, max_length=MAX_PATH)] | None = Field(
        default=None,
        description="It is at each point at these times, in s; left out, they are one second "
        "apart.",
    )
    loop: bool = Field(
        default=False,
        description="If true, it goes on from the last point to the first, for ever; if false, it "
        "stays at the last.",
    )
    smooth: bool = Field(
        default=True,
        description="If true, it goes through the points on a smooth curve; if false, straight "
        "from one to the next.",
    )

    @model_validator(mode="after")
    def _complete(self) -> "Motion":
        formulas = self.position is not None or self.rotation is not None
        points = self.path if self.path is not None else self.turns
        if formulas == (points is not None):
            raise complain("motion is either position and rotation, or a path and turns")
        if points is None:
            if self.times is not None:
                raise complain("times belong to a path", key="times")
            return self
        for name in ("turns", "times"):
            given = getattr(self, name)
            if given is not None and len(given) != len(points):
                raise complain(
                    f"{name} has {len(given)} entries for {len(points)} points", key=name
                )
        times = self.times
        if times is not None and any(b <= a for a, b in itertools.pairwise(times)):
            raise complain("times must grow from each point to the next", key="times")
        return self


class Wind(Table):
    """Air that moves and pushes whatever is in it: bodies by ½ ρ c A u², where A is their mean
    cross-section and u how fast the air moves past them; cloths and solids by their surface."""

    velocity: Vector = Field(
        description='The air moves this fast, in m/s, for example ["=6 + 4 * wave(time(), 3)", 0, '
        "0]."
    )
    zone: Text | None = Field(
        default=None, description="The wind blows only in this zone; left out, everywhere."
    )
    density: NotNegative = Field(default=1.2, description="The air has this density ρ, in kg/m³.")
    drag: NotNegative = Field(
        default=1.0,
        description="The drag of bodies has this coefficient c; at 0 the wind does not push them.",
    )


class Counter(Table):
    """A number that triggers change: `count('hits', 1)`, asked for by `counter('hits')`."""

    start: Number = Field(default=0.0, description="The counter begins at this number.")
    label: Text = Field(
        default="",
        description="The number is shown in play with this text beside it; left out, it is not "
        "shown.",
    )

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: TomlValue) -> Any:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return {"start": value} if is_number else value
