"""Cloth of particles and distance joints [Lecture]: structural, shear and bending links.

Rows × columns of particles in the prop's own xy plane, row 0 on top. Structural links join
neighbours along the threads, shear links the diagonals, bending links every second particle. The
compliance of each kind is its softness in m/N: threads are almost rigid, the others give.
"""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from levels.frames import Vec, distance
from levels.plan import Collision
from levels.props.base import PlacedProp, Site, prop
from levels.values import NotNegative, Positive, one_of

_EDGES = (
    "top", "bottom", "left", "right", "corners", "all_edges",
    "top_left", "top_right", "bottom_left", "bottom_right",
)  # fmt: skip
Edge = Annotated[str, one_of("edge", _EDGES)]
Node = tuple[int, int]


@prop("cloth")
class Cloth(PlacedProp):
    """A sheet of cloth in its own xy plane; pinned where `pins` says."""

    size: Annotated[list[Positive], Field(min_length=2, max_length=2)] = Field(
        description="Width and height, m."
    )
    rows: Annotated[int, Field(ge=2, le=200)] = Field(
        default=20, description="Particles from top down."
    )
    columns: Annotated[int, Field(ge=2, le=200)] = Field(
        default=20, description="Particles across."
    )
    mass: Positive = Field(default=1.0, description="kg, of the whole cloth.")
    radius: Positive = Field(default=0.02, description="Contact radius of the particles, m.")
    pins: list[Edge] = Field(default=[], description="Edges and corners that are held in place.")
    stretch: NotNegative = Field(default=1e-8, description="m/N along the threads.")
    shear: NotNegative | None = Field(default=1e-4, description="m/N along diagonals.")
    bend: NotNegative | None = Field(default=1e-3, description="m/N across every second particle.")
    breaks_at: Positive | None = Field(default=None, description="N at which a thread tears.")
    friction: NotNegative = Field(default=0.5, description="Coulomb coefficient.")

    def build(self, site: Site) -> None:
        pinned = set(self._pinned())
        share = self.mass / (self.rows * self.columns)
        names: dict[Node, str] = {}
        places: dict[Node, Vec] = {}
        for node in self._nodes():
            place = site.frame.point(self._local(node))
            places[node] = place
            names[node] = site.particle(
                f"{node[0]}.{node[1]}",
                share,
                place,
                velocity=site.frame.velocity_at(self._local(node), (0.0, 0.0, 0.0)),
                radius=self.radius,
                fixed=node in pinned,
                collision=Collision(self.friction, 0.0, "cloth", ("cloth",)),
            )
        for kind, compliance, a, b in self._links():
            if a in pinned and b in pinned:
                continue
            self._join(site, kind, compliance, names, places, a, b)
        group = site.group
        group.root = names[self.rows // 2, self.columns // 2]
        group.sheets = [(self.rows, self.columns, list(names.values()))]

    def _join(
        self,
        site: Site,
        kind: str,
        compliance: float,
        names: dict[Node, str],
        places: dict[Node, Vec],
        a: Node,
        b: Node,
    ) -> None:
        site.joint(
            f"{kind}.{a[0]}.{a[1]}-{b[0]}.{b[1]}",
            "distance",
            names[a],
            names[b],
            at_a=places[a],
            at_b=places[b],
            length=distance(places[a], places[b]),
            compliance=compliance or None,
            breaks_at=self.breaks_at if kind == "thread" else None,
        )

    def _nodes(self) -> Iterator[Node]:
        return ((r, c) for r in range(self.rows) for c in range(self.columns))

    def _local(self, node: Node) -> Vec:
        width, height = self.size
        x = (node[1] / (self.columns - 1) - 0.5) * width
        y = (0.5 - node[0] / (self.rows - 1)) * height
        return (x, y, 0.0)

    def _links(self) -> Iterator[tuple[str, float, Node, Node]]:
        kinds: tuple[tuple[str, float | None, tuple[Node, ...]], ...] = (
            ("thread", self.stretch, ((0, 1), (1, 0))),
            ("shear", self.shear, ((1, 1), (1, -1))),
            ("bend", self.bend, ((0, 2), (2, 0))),
        )
        for kind, compliance, steps in kinds:
            if compliance is None:
                continue
            for r, c in self._nodes():
                for down, across in steps:
                    other = (r + down, c + across)
                    if other[0] < self.rows and 0 <= other[1] < self.columns:
                        yield kind, compliance, (r, c), other

    def _pinned(self) -> Iterator[Node]:
        for node in self._nodes():
            touched = {
                word
                for word, touches in (
                    ("top", node[0] == 0),
                    ("bottom", node[0] == self.rows - 1),
                    ("left", node[1] == 0),
                    ("right", node[1] == self.columns - 1),
                )
                if touches
            }
            corner = len(touched) == 2
            named = {*touched, *(f"{a}_{b}" for a in touched for b in touched)}
            named |= ({"corners"} if corner else set()) | ({"all_edges"} if touched else set())
            if named & set(self.pins):
                yield node
