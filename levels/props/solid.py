"""An elastic solid: a box or a ball of tetrahedra [Servin06]."""

from typing import Annotated

from pydantic import Field

from levels.plan import Collision
from levels.props.base import PlacedProp, Site, prop
from levels.values import NotNegative, Positive, one_of
from physics import SOFT_MATERIALS

Cells = Annotated[int, Field(ge=1, le=40)]


@prop("solid")
class Solid(PlacedProp):
    """A box or ball of rubber, jelly or steel about its own middle."""

    size: Annotated[list[Positive], Field(min_length=3, max_length=3)] | None = Field(
        default=None, description="Edges of a box, m."
    )
    radius: Positive | None = Field(default=None, description="Of a ball instead of a box, m.")
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
        if (self.size is None) == (self.radius is None):
            raise site.fail("size", "give either size or radius", "size = [1, 1, 1]")
        site.soft(
            "solid",
            collision=Collision(self.friction, 0.0, "solids", ("solids",)),
            size=tuple(self.size or (1.0, 1.0, 1.0)),
            ball=self.radius,
            cells=tuple(self.cells),
            young=self.young,
            poisson=self.poisson,
            density=self.density,
            material=self.material,
        )
