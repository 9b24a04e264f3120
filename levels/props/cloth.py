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
        default=None, description="Width and height, m; not with a mesh."
    )
    mesh: Name | None = Field(
        default=None,
        description="A file of triangles beside the level instead of a grid: .obj, .ply, .stl …",
    )
    scale: Positive = Field(default=1.0, description="Metres per unit of the mesh.")
    rows: Annotated[int, Field(ge=2, le=100)] = Field(
        default=20, description="Nodes from top down."
    )
    columns: Annotated[int, Field(ge=2, le=100)] = Field(default=20, description="Nodes across.")
    mass: Positive = Field(default=1.0, description="kg, of the whole cloth.")
    radius: Positive = Field(default=0.02, description="Distance kept from other surfaces, m.")
    pins: list[Edge] = Field(default=[], description="Edges and corners that are held in place.")
    sewn: dict[Edge, str] = Field(
        default={}, description='Edges and corners sewn to bodies: { top = "boom" }.'
    )
    sag: Annotated[float, Field(ge=0.0, lt=0.6)] = Field(
        default=0.0, description="Share by which left and right edge are nearer than the width."
    )
    model: Annotated[str, one_of("model", tuple(CLOTH_MODELS))] = Field(
        default="links", description=described(CLOTH_MODELS)
    )
    stepping: Annotated[str, one_of("stepping", tuple(STEPPINGS))] = Field(
        default="conserving", description=choices(STEPPINGS)
    )
    wind: Vector = Field(default=[0.0, 0.0, 0.0], description="m/s of the air around it.")
    drag: NotNegative = Field(default=1.2, description="Drag coefficient across the cloth.")
    breaks_at: Positive | None = Field(default=None, description="N at which a thread tears.")
    friction: NotNegative = Field(default=0.5, description="Coulomb coefficient.")
    self_collision: bool = Field(
        default=False, description="Whether it touches itself, 2 radius thick; slower."
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
