"""A cable of rigid links [Andrews17, Fig. 1]: slender capsules joined by flexible cable joints.

The joints carry axial, bending and twisting stiffness as compliant rows; without stiffnesses they
are plain ball joints, and the cable neither stretches nor resists bending. With a winch the first
piece is a distance joint whose length the drum changes; see `levels.reels`.
"""

from itertools import pairwise
from typing import Annotated

from pydantic import Field

from levels.frames import Vec, along, distance, lerp, subtract
from levels.level_tables import Winch
from levels.plain_data import TomlTable
from levels.plan import Anchor, Reel
from levels.props.curves import tangent
from levels.props.prop import End, Line, Site, prop, ropes_collision
from levels.values import Positive
from physics import Capsule

_NO_BEND = 1e-3  # N m²: a thread; the flexible joint needs some bending stiffness


@prop("cable")
class Cable(Line):
    """A cable of rigid links between two ends; it can be wound, and it can break."""

    to: End = Field(
        description="The other end is here, at a frame, a body or a point of the world in m."
    )
    segments: Annotated[int, Field(ge=1, le=2000)] = Field(
        default=20, description="The cable has this many links."
    )
    segment_mass: Positive = Field(default=0.2, description="One link has this mass, in kg.")
    radius: Positive = Field(
        default=0.04, description="The cable touches others and is drawn with this radius, in m."
    )
    axial_stiffness: Positive | None = Field(
        default=None,
        description="This force would double its length, in N; left out, the cable does not "
        "stretch.",
    )
    bend_stiffness: Positive | None = Field(
        default=None,
        description="Bending moment times radius of curvature is this, in N m²; left out, bending "
        "meets no resistance.",
    )
    breaks_at: Positive | None = Field(
        default=None,
        description="A joint of the cable breaks at this force, in N; left out, none does.",
    )
    winch: Winch | None = Field(
        default=None, description="This drum winds the cable in and out at its first end."
    )

    def build(self, site: Site) -> None:
        start, end = site.anchor("from", self.from_), site.anchor("to", self.to)
        pieces = self.segments + (1 if self.winch else 0)
        route = self.route(site, start.point, end.point, self.length)
        points = route.laid(site, pieces)
        total = route.total(points)
        links = self._links(site, points[1:] if self.winch else points)
        self._join(site, start, end, points, links)
        group = site.group
        group.rest_length, group.radius = total, self.radius
        group.segment_length = total / pieces
        group.lines, group.root = [links], links[-1]
        if self.winch:
            reel = Reel(site.name, f"{site.name}.drum", "joint", 0, total / pieces)
            site.winch(self.winch, reel, total)

    def _links(self, site: Site, points: list[Vec]) -> list[str]:
        shape_length = distance(points[0], points[1])
        shape = Capsule(radius=self.radius, length=shape_length)
        return [
            site.body(
                str(i),
                shape,
                lerp(a, b, 0.5),
                along(subtract(b, a)),
                mass=self.segment_mass,
                friction=self.friction,
                collision=ropes_collision(self.self_collision),
            )
            for i, (a, b) in enumerate(pairwise(points))
        ]

    def _join(
        self, site: Site, start: Anchor, end: Anchor, points: list[Vec], links: list[str]
    ) -> None:
        if self.winch:
            self._drum(site, start, points, links[0])
            points = points[1:]
        else:
            self._tie(site, "top", links[0], start)
        for i, (a, b) in enumerate(pairwise(links)):
            self._link_joint(site, f"joint{i}", a, b, points[i], points[i + 1])
        self._tie(site, "bottom", links[-1], end)

    def _tie(self, site: Site, name: str, link: str, anchor: Anchor) -> None:
        site.joint(name, "ball", link, anchor.body, at=anchor.point, breaks_at=self.breaks_at)

    def _link_joint(self, site: Site, name: str, a: str, b: str, before: Vec, at: Vec) -> None:
        length, axis = distance(before, at), tangent(before, at)
        if self.axial_stiffness is None and self.bend_stiffness is None:
            site.joint(name, "ball", a, b, at=at, breaks_at=self.breaks_at)
            return
        bend = (self.bend_stiffness or _NO_BEND) / length
        stiffness: TomlTable = {
            # EA / l and EI / l: the joint stands for one link's worth of material
            "axial_stiffness": self.axial_stiffness and self.axial_stiffness / length,
            "bend_stiffness": bend,
            "twist_stiffness": bend,
        }
        site.joint(name, "cable", a, b, at=at, axis=axis, breaks_at=self.breaks_at, **stiffness)

    def _drum(self, site: Site, start: Anchor, points: list[Vec], link: str) -> None:
        a, b = (link, None) if start.body is None else (start.body, link)
        at_a, at_b = (points[1], points[0]) if start.body is None else (points[0], points[1])
        site.joint(
            "drum",
            "distance",
            a,
            b,
            at_a=at_a,
            at_b=at_b,
            length=distance(points[0], points[1]),
            breaks_at=self.breaks_at,
        )
