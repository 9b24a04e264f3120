"""Boxes to topple: walls, pyramids, towers and rows. The prop's position is the middle of its foot,
that of a row is the foot of its first stone."""

import math
from typing import Annotated

from pydantic import Field

from levels.frames import about
from levels.level_tables import ORIGIN
from levels.props.prop import PlacedProp, Site, prop
from levels.values import Fraction, NotNegative, Positive, Vector
from physics import Box


class _Pile(PlacedProp):
    """Boxes of one size, laid in courses."""

    block: Vector = Field(
        default=[0.6, 0.3, 0.3], description="One block has these full edge lengths, in m."
    )
    density: Positive = Field(default=600.0, description="The blocks have this density, in kg/m³.")
    gap: NotNegative = Field(
        default=0.002, description="Neighbours in a course begin this far apart, in m."
    )
    friction: NotNegative = Field(
        default=0.6,
        description="Friction on its surface has this Coulomb coefficient; at 0 it slides freely.",
    )
    restitution: Fraction = Field(
        default=0.0,
        description="The blocks keep this share of their speed in a bounce, from 0 to 1.",
    )

    def block_size(self, site: Site) -> tuple[float, float, float]:
        width, height, depth = self.block
        depth = depth or 1.0  # left out in a two-dimensional level
        if min(width, height, depth) <= 0:
            raise site.fail("block", '"block" must be greater than 0 in every direction')
        return width, height, depth

    def lay(self, site: Site, courses: list[tuple[int, float]]) -> None:
        """`courses`: how many blocks, and how far the course is shifted, from the ground up."""
        width, height, depth = self.block_size(site)
        shape = Box((width, height, depth))
        for row, (count, shift) in enumerate(courses):
            for i in range(count):
                x = (i - (count - 1) / 2) * (width + self.gap) + shift
                site.body(
                    f"{row}.{i}",
                    shape,
                    (x, (row + 0.5) * height, 0.0),
                    density=self.density,
                    friction=self.friction,
                    restitution=self.restitution,
                    local=True,
                )
        site.group.root = site.group.members[-1]


@prop("wall")
class Wall(_Pile):
    """A brick wall: every second course is shifted."""

    rows: Annotated[int, Field(ge=1, le=100)] = Field(
        default=6, description="The wall has this many courses."
    )
    columns: Annotated[int, Field(ge=1, le=200)] = Field(
        default=6, description="A course has this many blocks."
    )
    staggered: bool = Field(default=True, description="If true, every second course is shifted.")
    shift: Fraction = Field(
        default=0.5,
        description="A course is shifted by this share of a block; at 0.5 the end of the top "
        "course has no hold and tips.",
    )

    def build(self, site: Site) -> None:
        way = (self.block_size(site)[0] + self.gap) * self.shift * self.staggered
        shifts = [way * (0.5 if row % 2 else -0.5) for row in range(self.rows)]
        self.lay(site, [(self.columns, shift) for shift in shifts])


@prop("pyramid")
class Pyramid(_Pile):
    """A pyramid: each course has one block less."""

    base: Annotated[int, Field(ge=1, le=60)] = Field(
        default=8, description="The lowest course has this many blocks."
    )

    def build(self, site: Site) -> None:
        self.lay(site, [(count, 0.0) for count in range(self.base, 0, -1)])


@prop("tower")
class Tower(_Pile):
    """Blocks on top of each other."""

    rows: Annotated[int, Field(ge=1, le=100)] = Field(
        default=8, description="The tower has this many blocks."
    )

    def build(self, site: Site) -> None:
        self.lay(site, [(1, 0.0)] * self.rows)


@prop("dominoes")
class Dominoes(PlacedProp):
    """Stones on edge, one behind the other along the prop's x axis or round a curve."""

    count: Annotated[int, Field(ge=1, le=500)] = Field(
        default=20, description="The row has this many stones."
    )
    spacing: Positive = Field(
        default=0.35, description="One stone stands this far from the next, in m."
    )
    curve: Annotated[float, Field(ge=-3600, le=3600)] = Field(
        default=0.0,
        description="The whole row turns by this angle to the left, in degrees; a negative one "
        "turns it to the right.",
    )
    stone: Vector = Field(
        default=ORIGIN,
        description="One stone has these full edge lengths, in m; left out, they are 0.12, 0.8 "
        "and 0.4.",
    )
    density: Positive = Field(default=700.0, description="The stones have this density, in kg/m³.")
    friction: NotNegative = Field(
        default=0.4,
        description="Friction on its surface has this Coulomb coefficient; at 0 it slides freely.",
    )

    def build(self, site: Site) -> None:
        size = tuple(edge or usual for edge, usual in zip(self.stone, _STONE, strict=True))
        if min(size) <= 0:
            raise site.fail("stone", '"stone" must be greater than 0 in every direction')
        if self.spacing <= size[0]:
            raise site.fail(
                "spacing", f"stones {size[0]:g} m thick do not fit {self.spacing:g} m apart"
            )
        x, z, heading = 0.0, 0.0, 0.0
        turn = math.radians(self.curve) / max(self.count - 1, 1)
        for i in range(self.count):
            site.body(
                str(i),
                Box((size[0], size[1], size[2])),
                (x, size[1] / 2, z),
                about((0.0, 1.0, 0.0), heading),
                density=self.density,
                friction=self.friction,
                local=True,
            )
            heading += turn / 2  # each step goes along the chord
            x, z = x + self.spacing * math.cos(heading), z - self.spacing * math.sin(heading)
            heading += turn / 2
        site.group.root = site.group.members[0]


_STONE = (0.12, 0.8, 0.4)  # m
