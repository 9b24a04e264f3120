"""The convex hull of given points: core its extreme points, radius zero."""

from dataclasses import dataclass, field
from typing import ClassVar

from physics.portable import norm
from physics.shapes.base import Array, MassProperties, ShapeField, check_density, check_rows
from physics.shapes.polyhedron import Index, convex_hull, surface_mass_properties


@dataclass(frozen=True, eq=False)
class Hull:
    """The convex hull of `points`, kept as given: the centre of mass need not be the origin."""

    points: Array
    vertices: Array = field(init=False, repr=False)  # extreme points only, order of `points`
    triangles: Index = field(init=False, repr=False)  # outward surface over `vertices`

    name: ClassVar[str] = "hull"
    finite_convex: ClassVar[bool] = True
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField("points", "The solid is the convex hull of these points, in m.", "m", "points"),
    )

    def __post_init__(self) -> None:
        points = check_rows("Hull", "points", self.points, minimum=4)
        vertices, triangles = convex_hull("Hull", points)
        for name, array in (("points", points), ("vertices", vertices), ("triangles", triangles)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @property
    def bounding_radius(self) -> float:
        return float(norm(self.vertices).max())

    def mass_properties(self, density: float) -> MassProperties:
        return surface_mass_properties(
            self.vertices, self.triangles, check_density("Hull", density)
        )

    def core(self) -> tuple[Array, float]:
        return self.vertices, 0.0
