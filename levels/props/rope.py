"""A rope of point masses: light, cheap, fully flexible.

N pieces of equal length, N − 1 free particles between the two ends, joined by distance joints. A
pushed rope folds at its particles, so the joints need not go slack themselves; two-sided joints are
solved exactly at any load, one-sided ones only by sweeps.
"""

from typing import Annotated

from pydantic import Field

from levels.frames import Vec, added, distance
from levels.level_tables import Winch
from levels.plan import Anchor, Reel
from levels.props.prop import Line, Site, prop, ropes_collision
from levels.values import NotNegative, Positive


@prop("rope")
class Rope(Line):
    """A rope of point masses between two ends, or hanging free from one."""

    segments: Annotated[int, Field(ge=1, le=2000)] = Field(
        default=20, description="The rope has this many pieces."
    )
    mass: Positive = Field(default=1.0, description="The whole rope has this mass, in kg.")
    radius: Positive = Field(
        default=0.03, description="The rope touches others and is drawn with this radius, in m."
    )
    axial_stiffness: Positive | None = Field(
        default=None,
        description="This force would double its length, in N; left out, the rope does not "
        "stretch.",
    )
    damping: NotNegative = Field(
        default=0.0,
        description="Stretching is damped by the axial stiffness times this, in s; at 0 it is not.",
    )
    slack: bool = Field(
        default=False,
        description="If true, pieces may become shorter instead of folding.",
    )
    breaks_at: Positive | None = Field(
        default=None, description="A piece tears at this force, in N; left out, none does."
    )
    winch: Winch | None = Field(
        default=None, description="This drum winds the rope in and out at its first end."
    )

    def build(self, site: Site) -> None:
        start = site.anchor("from", self.from_)
        points = self._points(site, start)
        piece = added(map(distance, points, points[1:])) / self.segments
        nodes = self._nodes(site, start, points)
        for i in range(self.segments):
            name = "drum" if self.winch and i == 0 else f"piece{i}"
            self._piece(site, name, nodes[i], nodes[i + 1], piece)
        group = site.group
        group.rest_length, group.radius = piece * self.segments, self.radius
        group.lines = [[node for _, node in nodes if node is not None]]
        group.root = group.members[-1] if group.members else None
        if self.winch:
            reel = Reel(site.name, f"{site.name}.drum", "piece", 1, piece)
            site.winch(self.winch, reel, piece * self.segments)

    def _points(self, site: Site, start: Anchor) -> list[Vec]:
        end = None if self.to is None else site.anchor("to", self.to).point
        return self.route(site, start.point, end, self.length).laid(site, self.segments)

    def _nodes(self, site: Site, start: Anchor, points: list[Vec]) -> list[tuple[Vec, str | None]]:
        """Every point with the body or particle that carries it."""
        share = self.mass / self.segments
        nodes: list[tuple[Vec, str | None]] = [(points[0], self._end(site, "from", start))]
        last = None if self.to is None else site.anchor("to", self.to)
        free = points[1:-1] if last else points[1:]
        for i, point in enumerate(free):
            weight = share if last or i < len(free) - 1 else share / 2
            nodes.append((point, self._particle(site, str(i + 1), weight, point)))
        if last:
            nodes.append((points[-1], self._end(site, "to", last)))
        return nodes

    def _particle(self, site: Site, name: str, mass: float, point: Vec, fixed: bool = False) -> str:
        return site.particle(
            name,
            mass,
            point,
            radius=self.radius,
            fixed=fixed,
            friction=self.friction,
            collision=ropes_collision(self.self_collision),
        )

    def _end(self, site: Site, name: str, anchor: Anchor) -> str:
        """The body the rope is tied to; for a bare point a fixed particle."""
        if anchor.body is not None:
            return anchor.body
        return self._particle(site, name, self.mass / self.segments, anchor.point, fixed=True)

    def _piece(
        self,
        site: Site,
        name: str,
        first: tuple[Vec, str | None],
        second: tuple[Vec, str | None],
        length: float,
    ) -> None:
        assert first[1] is not None
        stiffness = self.axial_stiffness / length if self.axial_stiffness else None
        site.joint(
            name,
            "distance",
            first[1],
            second[1],
            at_a=first[0],
            at_b=second[0],
            length=distance(first[0], second[0]),
            slack=self.slack or None,
            compliance=1.0 / stiffness if stiffness else None,
            damping=self.damping * stiffness if stiffness and self.damping else None,
            breaks_at=self.breaks_at,
        )
