"""An elastic solid: a box or a ball of tetrahedra [Servin06]."""

from typing import Annotated

from pydantic import Field

from levels.meshes import MeshFile
from levels.plan import Collision
from levels.props.base import PlacedProp, Site, prop
from levels.values import Name, NotNegative, Positive, one_of
from physics import SOFT_MATERIALS

Cells = Annotated[int, Field(ge=1, le=40)]


@prop("solid")
class Solid(PlacedProp):
    """A box or ball of rubber, jelly or steel about its own middle."""

    size: Annotated[list[Positive], Field(min_length=3, max_length=3)] | None = Field(
        default=None, description="Edges of a box, m."
    )
    radius: Positive | None = Field(default=None, description="Of a ball instead of a box, m.")
    mesh: Name | None = Field(
        default=None,
        description="A file of tetrahedra beside the level instead of a box: .msh or .vtk.",
    )
    scale: Positive = Field(default=1.0, description="Metres per unit of the mesh.")
    cells: Annotated[list[Cells], Field(min_length=3, max_length=3)] = Field(
        default=[4, 4, 4], description="Cubes along each edge, each cut into tetrahedra."
    )
    young: Positive = Field(default=1e5, description="Young's modulus, Pa.")
    poisson: Annotated[float, Field(gt=-1.0, lt=0.5)] = Field(
        default=0.4, description="Poisson's ratio."
    )
    density: Positive = Field(default=1000.0, description="kg/m³.")
    material: Annotated[str, one_of("material", SOFT_MATERIALS)] = Field(
        default="corotational", description="corotational, stvk or neo_hookean."
    )
    friction: NotNegative = Field(default=0.5, description="Coulomb coefficient.")

    def build(self, site: Site) -> None:
        if [self.size, self.radius, self.mesh].count(None) != 2:
            raise site.fail("size", "give one of size, radius and mesh", "size = [1, 1, 1]")
        solid = None if self.mesh is None else site.mesh(self.mesh, MeshFile.volume)
        site.soft(
            "solid",
            collision=Collision(self.friction, 0.0, "solids", ("solids",)),
            size=tuple(self.size or (1.0, 1.0, 1.0)),
            ball=self.radius,
            mesh=None if solid is None else (self.scale * solid[0], solid[1]),
            cells=tuple(self.cells),
            young=self.young,
            poisson=self.poisson,
            density=self.density,
            material=self.material,
        )
