"""An elastic solid: a box, a ball or a mesh [Servin06]; in a plane, a rectangle."""

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field

from levels.mesh_input import MeshFile, side_nodes
from levels.physics_options import parameter_table
from levels.plan import Collision
from levels.props.lattice import Lattice, build_lattice
from levels.props.prop import Mesh, Site, prop
from levels.props.soft import SoftTable
from levels.values import Name, NotNegative, Positive, one_of
from physics.soft.models import (
    ELEMENTS,
    SOFT_MATERIALS,
    SOLID_MATERIALS,
    SOLID_PARAMETERS,
    STEPPINGS,
    choices,
    described,
)

Cells = Annotated[int, Field(ge=1, le=40)]
SIDES = ("left", "right", "bottom", "top", "back", "front")
Side = Annotated[str, one_of("side", SIDES)]

if TYPE_CHECKING:

    class _SolidTable(SoftTable):
        """What is asked for by name here."""

        young: float
        poisson: float
        density: float
        damping: float
        yield_strain: float | None
else:
    _SolidTable = parameter_table(SoftTable, "SolidTable", SOLID_PARAMETERS, poisson=0.4)


@prop("solid")
class Solid(_SolidTable):
    """A box or ball of rubber, jelly or steel about its own middle. In two dimensions a rectangle
    one metre deep, of point masses and springs, with a Poisson's ratio of 1/3."""

    size: Annotated[list[Positive], Field(min_length=2, max_length=3)] | None = Field(
        default=None,
        description="The box, in two dimensions the rectangle, has these full edge lengths, in m.",
    )
    radius: Positive | None = Field(
        default=None, description="The solid is a ball of this radius instead of a box, in m."
    )
    mesh: Name | None = Field(
        default=None,
        description="The tetrahedra come from this file beside the level (.msh or .vtk) instead "
        "of a box.",
    )
    scale: Positive = Field(default=1.0, description="One unit of the mesh is this long, in m.")
    cells: Annotated[list[Cells], Field(min_length=2, max_length=3)] = Field(
        default=[4, 4, 4], description="The box is divided into this many cubes along each edge."
    )
    elements: Annotated[str, one_of("elements", tuple(ELEMENTS))] = Field(
        default="hexahedra", description="It is divided into these elements. " + choices(ELEMENTS)
    )
    stepping: Annotated[str, one_of("stepping", tuple(STEPPINGS))] = Field(
        default="conserving",
        description="Its deformation goes through a step like this. " + choices(STEPPINGS),
    )
    material: Annotated[str, one_of("material", SOFT_MATERIALS)] = Field(
        default="auto",
        description=f"It is made of this material. {described(SOLID_MATERIALS)} auto: stvk from "
        "0.1 GPa on, else corotational.",
    )
    pins: list[Side] = Field(default=[], description="These sides are held in place.")
    sewn: dict[Side, str] = Field(
        default={}, description='These sides are sewn to bodies, for example { left = "wall" }.'
    )
    friction: NotNegative = Field(
        default=0.5,
        description="Friction on its surface has this Coulomb coefficient; at 0 it slides freely.",
    )

    def build(self, site: Site) -> None:
        if site.dimension == 2:
            self._flat(site)
            return
        if self.elements == "volumes" and self.poisson < 0.25:
            raise site.fail("poisson", "volumes need at least 0.25", "poisson = 0.3")
        if self.elements in ("springs", "volumes") and self.yield_strain is not None:
            raise site.fail("yield_strain", f"{self.elements} do not yield", "leave it out")
        solid = self._cells(site)

        def nodes(side: str) -> list[int]:
            axis, end = divmod(SIDES.index(side), 2)
            return side_nodes(solid[0], axis, end == 1)

        sewn = [(nodes(side), site.body_named("sewn", body)) for side, body in self.sewn.items()]
        site.soft(
            "solid",
            collision=Collision("solids", ("solids",)),
            friction=self.friction,
            sewn=sewn,
            held=self.held_points(site),
            edits=self.edits(),
            mesh=solid,
            pins=sorted({node for side in self.pins for node in nodes(side)}),
            material=self.material,
            elements=self.elements,
            stepping=self.stepping,
            **{name: getattr(self, name) for name in SOLID_PARAMETERS},
        )

    def _cells(self, site: Site) -> Mesh:
        from physics.soft.meshes import primitives

        if [self.size, self.radius, self.mesh].count(None) != 2:
            raise site.fail("size", "give one of size, radius and mesh", "size = [1, 1, 1]")
        if self.mesh is not None:
            position, cells = site.mesh(self.mesh, MeshFile.volume)
            return self.scale * position, cells
        bricks = self.elements == "hexahedra"
        if len(self.cells) != 3:
            raise site.fail("cells", "a solid has three edges", "cells = [4, 4, 4]")
        if self.radius is not None:
            count, radius = self.cells[0], self.radius
            return (
                primitives.brick_ball(count, radius) if bricks else primitives.ball(count, radius)
            )
        size: Any = self.size
        if len(size) != 3:
            raise site.fail("size", "a solid has three edges", "size = [1, 1, 1]")
        make: Any = primitives.bricks if bricks else primitives.box
        position, cells = make(self.cells, size, corner=tuple(-0.5 * np.array(size)))
        return position, cells

    def _flat(self, site: Site) -> None:
        """Where everything lies in the xy plane."""
        if self.size is None:
            wrong = "radius" if self.radius is not None else "mesh"
            raise site.fail(
                wrong if getattr(self, wrong) is not None else "size",
                "in two dimensions a solid is a rectangle",
                "size = [1, 0.5]",
            )
        size, cells = (self.size[0], self.size[1]), (self.cells[0], self.cells[1])
        lattice = Lattice(size, cells, self.young, self.density, self.damping)
        if not lattice.is_square_enough():
            a, b = lattice.cell()
            raise site.fail(
                "cells", f"cells of {a:.3g} x {b:.3g} m are too slender", "make them nearly square"
            )
        for key in ("held", "yield_strain", "moved", "pinned", "cut", "cut_out"):
            if getattr(self, key):
                raise site.fail(key, f'"{key}" needs a level of three dimensions', "dimension = 3")
        flat = [side for side in (*self.pins, *self.sewn) if side in SIDES[4:]]
        if flat:
            raise site.fail("pins", f'there is no "{flat[0]}" in two dimensions', "left, right …")
        sewn = [(side, site.body_named("sewn", body)) for side, body in self.sewn.items()]
        build_lattice(site, lattice, self.friction, self.pins, sewn)
