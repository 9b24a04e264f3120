"""A static surface of triangles, solid to the touch from its front or both sides."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from physics.portable import norm
from physics.shapes.base import Array, MassProperties, ShapeField, check_rows
from physics.shapes.polyhedron import Index


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Triangles over shared vertices; counter-clockwise corners face outward."""

    vertices: Array
    triangles: Index
    two_sided: bool = False

    name: ClassVar[str] = "triangle_mesh"
    finite_convex: ClassVar[bool] = False
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField("vertices", "The corners of the triangles are here, in m.", "m", "points"),
        ShapeField(
            "triangles",
            "Each triangle has the corners with these three numbers, counter-clockwise seen from "
            "outside.",
            "",
            "triangles",
        ),
        ShapeField(
            "two_sided",
            "If true, the surface is touched from both sides; if false, from outside only.",
            "",
            "flag",
        ),
    )

    def __post_init__(self) -> None:
        vertices = check_rows("TriangleMesh", "vertices", self.vertices, minimum=3)
        triangles = _check_triangles(self.triangles, vertices)
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "triangles", triangles)
        if not isinstance(self.two_sided, bool):
            raise ValueError(f"TriangleMesh.two_sided is {self.two_sided!r}; it is True or False")

    @property
    def bounding_radius(self) -> float:
        return float(norm(self.vertices).max())

    def mass_properties(self, density: float) -> MassProperties:
        raise ValueError(
            "a TriangleMesh is a static surface without mass; use fixed=True or a Hull"
        )

    def core(self) -> tuple[Array, float]:
        raise ValueError("a TriangleMesh is not convex and has no core points; use a Hull")


def _check_triangles(value: object, vertices: Array) -> Index:
    given = check_rows("TriangleMesh", "triangles", value, minimum=1)  # type: ignore[arg-type]
    triangles = given.astype(np.int64)
    if not np.array_equal(triangles, given):
        raise ValueError("TriangleMesh.triangles must be whole numbers, indices into vertices")
    wrong = (triangles < 0) | (triangles >= len(vertices))
    if wrong.any():
        row = int(np.argmax(wrong.any(axis=1)))
        raise ValueError(
            f"TriangleMesh.triangles[{row}] is {triangles[row].tolist()};"
            f" indices must lie in 0 … {len(vertices) - 1}"
        )
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    longest = np.maximum.reduce([((u - v) ** 2).sum(axis=1) for u, v in ((a, b), (b, c), (c, a))])
    flat = norm(np.cross(b - a, c - a)) <= 1e-10 * longest
    if flat.any():
        raise ValueError(f"TriangleMesh.triangles[{int(np.argmax(flat))}] has no area; remove it")
    triangles.flags.writeable = False
    return triangles
