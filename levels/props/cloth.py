"""Cloth: a sheet of rows × columns nodes in the prop's own xy plane, row 0 on top.

Threads join neighbours, shear links the diagonals, bending links every second node [Lecture]. The
compliance of each kind is its softness in m/N: threads are almost rigid, the others give.
"""

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from levels.frames import Vec
from levels.mesh_input import MeshFile, named_nodes
from levels.physics_options import parameter_table
from levels.plan import Collision
from levels.props.prop import Site, prop
from levels.props.soft import SoftTable
from levels.values import Name, NotNegative, Positive, Vector, one_of
from physics.soft.models import CLOTH_MODELS, CLOTH_PARAMETERS, STEPPINGS, choices, described

_EDGES = (
    "top", "bottom", "left", "right", "corners", "all_edges",
    "top_left", "top_right", "bottom_left", "bottom_right",
)  # fmt: skip
Edge = Annotated[str, one_of("edge", _EDGES)]

if TYPE_CHECKING:
    _ClothTable = SoftTable
else:  # diagonals are stiffer than those of physics
    _ClothTable = parameter_table(SoftTable, "ClothTable", CLOTH_PARAMETERS, shear=0.02)


def edge_nodes(rows: int, columns: int, edges: Iterable[str]) -> Iterator[int]:
    """Nodes on the named edges and corners, in order."""
    for node in range(rows * columns):
        row, column = divmod(node, columns)
        touched = {
            word
            for word, touches in (
                ("top", row == 0),
                ("bottom", row == rows - 1),
                ("left", column == 0),
                ("right", column == columns - 1),
            )
            if touches
        }
        named = {*touched, *(f"{a}_{b}" for a in touched for b in touched)}
        named |= {"corners"} if len(touched) == 2 else set()
        named |= {"all_edges"} if touched else set()
        if named & set(edges):
            yield node


@prop("cloth")
class Cloth(_ClothTable):
    """A sheet of cloth in its own xy plane; held where `pins` and `sewn` say."""

    size: Annotated[list[Positive], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="The cloth has this width and height, in m; a mesh has its own."
    )
    mesh: Name | None = Field(
        default=None,
        description="The triangles come from this file beside the level (.obj, .ply, .stl …) "
        "instead of a grid.",
    )
    scale: Positive = Field(default=1.0, description="One unit of the mesh is this long, in m.")
    rows: Annotated[int, Field(ge=2, le=100)] = Field(
        default=20, description="The grid has this many nodes from top to bottom."
    )
    columns: Annotated[int, Field(ge=2, le=100)] = Field(
        default=20, description="The grid has this many nodes across."
    )
    mass: Positive = Field(default=1.0, description="The whole cloth has this mass, in kg.")
    radius: Positive = Field(
        default=0.02, description="The cloth keeps this distance from other surfaces, in m."
    )
    pins: list[Edge] = Field(default=[], description="These edges and corners are held in place.")
    sewn: dict[Edge, str] = Field(
        default={},
        description='These edges and corners are sewn to bodies, for example { top = "boom" }.',
    )
    sag: Annotated[float, Field(ge=0.0, lt=0.6)] = Field(
        default=0.0,
        description="The left and right edge begin nearer to each other than the width by this "
        "share of it; at 0 the cloth is flat.",
    )
    model: Annotated[str, one_of("model", tuple(CLOTH_MODELS))] = Field(
        default="links", description="It is made of this. " + described(CLOTH_MODELS)
    )
    stepping: Annotated[str, one_of("stepping", tuple(STEPPINGS))] = Field(
        default="conserving",
        description="Its deformation goes through a step like this. " + choices(STEPPINGS),
    )
    wind: Vector = Field(
        default=[0.0, 0.0, 0.0],
        description="The air around it moves this fast, in m/s; winds of the level come on top.",
    )
    drag: NotNegative = Field(
        default=1.2,
        description="Air across the cloth drags it with this coefficient; at 0 it does not.",
    )
    breaks_at: Positive | None = Field(
        default=None, description="A thread tears at this force, in N; left out, none does."
    )
    friction: NotNegative = Field(
        default=0.5,
        description="Friction on its surface has this Coulomb coefficient; at 0 it slides freely.",
    )
    self_collision: bool = Field(
        default=False,
        description="If true, the cloth touches itself, two radii thick, which is slower.",
    )

    def build(self, site: Site) -> None:
        if site.dimension == 2:
            raise site.fail(
                "kind",
                "a cloth needs a level of three dimensions",
                'in two, a strip of cloth seen from its edge is a rope: kind = "rope"',
            )
        model = CLOTH_MODELS[self.model]
        if self.breaks_at is not None and not model.has_threads:
            raise site.fail("breaks_at", "only a cloth of links tears", 'model = "links"')
        wrong = model.misplaced(vars(self))
        if wrong is not None:
            what = f'"{wrong.name}" means nothing to a cloth of model "{self.model}"'
            raise site.fail(wrong.name, what, "leave it out")
        if (self.size is None) == (self.mesh is None):
            raise site.fail("size", "give either size or mesh", "size = [2, 1]")
        if self.mesh is not None and self.sag > 0.0:
            raise site.fail("sag", "a cloth from a mesh hangs as the mesh is drawn", "leave it out")
        if self.mesh is not None and self.model == "quads":
            raise site.fail("model", "quads are cells of a grid", 'model = "membrane"')
        sheet = None if self.mesh is None else site.mesh(self.mesh, MeshFile.surface)

        def nodes(edges: list[str]) -> list[int]:
            if sheet is None:
                return list(edge_nodes(self.rows, self.columns, edges))
            return named_nodes(*sheet, edges)

        sewn = [
            (tuple(nodes([edge])), site.body_named("sewn", body))
            for edge, body in self.sewn.items()
        ]
        site.soft(
            "cloth",
            collision=Collision("cloth", ("cloth",)),
            friction=self.friction,
            sewn=sewn,
            held=self.held_points(site),
            edits=self.edits(),
            air={"wind": tuple(self.wind), "normal_drag": self.drag},
            size=tuple(self.size or ()),
            mesh=None if sheet is None else (self.scale * sheet[0], sheet[1]),
            rows=self.rows,
            columns=self.columns,
            mass=self.mass,
            radius=self.radius,
            pins=nodes(self.pins),
            start=self._start(),
            model=self.model,
            stepping=self.stepping,
            breaks_at=self.breaks_at,
            self_collision=self.self_collision,
            **{name: getattr(self, name) for name in CLOTH_PARAMETERS},
        )

    def _start(self) -> list[Vec] | None:
        """Nodes on an arc as long as the cloth is wide, over the shorter chord."""
        if self.sag == 0.0:
            return None
        assert self.size is not None
        width, height = self.size
        half = _arc_half_angle(1.0 - self.sag)
        radius = width / (2.0 * half)
        start: list[Vec] = []
        for row in range(self.rows):
            z = (0.5 - row / (self.rows - 1)) * height
            for column in range(self.columns):
                angle = (2.0 * column / (self.columns - 1) - 1.0) * half
                start.append((
                    radius * math.sin(angle), z, radius * (math.cos(half) - math.cos(angle))
                ))  # fmt: skip
        return start


def _arc_half_angle(chord: float) -> float:
    """Half the angle of an arc of length 1 over a chord: sin(a)/a = chord, by bisection."""
    low, high = 0.0, math.pi
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if math.sin(middle) / middle > chord else (low, middle)
    return 0.5 * (low + high)
