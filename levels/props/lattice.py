"""A two-dimensional elastic solid: point masses on a grid, joined by compliant distance joints.

Horizontal, vertical and diagonal links of stiffness k_x, k_y, k_d in cells of a x b give a sheet of
one metre depth the moduli (Σ k l² n n n n per area, L² = a² + b²)

    C₁₁ = k_x a/b + 2 k_d a³/(b L²)    C₂₂ = k_y b/a + 2 k_d b³/(a L²)    C₁₂ = C₆₆ = 2 k_d ab/L²

Isotropy, C₁₁ = C₂₂ = 3 C₁₂, leaves one number, Young's modulus E = (8/3) C₁₂; Poisson's ratio of
such a lattice is 1/3. Links on the border belong to one cell instead of two and are half as stiff.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from levels.plan import Collision
from levels.props.prop import Site

DEPTH = 1.0  # m
_SLENDEREST = math.sqrt(3.0)  # sides of a cell beyond this ratio would need links that push
_SKIN = 0.25  # contact radius as a share of the cell


@dataclass(frozen=True)
class Lattice:
    """Sizes and stiffness of the grid."""

    size: tuple[float, float]  # m
    cells: tuple[int, int]
    young: float  # Pa
    density: float  # kg/m³
    damping: float = 0.0  # s, in proportion to the stiffness

    def cell(self) -> tuple[float, float]:
        return self.size[0] / self.cells[0], self.size[1] / self.cells[1]

    def is_square_enough(self) -> bool:
        a, b = self.cell()
        return max(a / b, b / a) < 0.99 * _SLENDEREST

    def stiffness(self) -> tuple[float, float, float]:
        """k_x, k_y, k_d, N/m."""
        a, b = self.cell()
        shear = 3 / 8 * self.young * DEPTH
        along = shear * (3 * b / a - a / b)
        up = shear * (3 * a / b - b / a)
        return along, up, shear * (a * a + b * b) / (2 * a * b)

    def nodes(self) -> Iterator[tuple[int, int]]:
        """(row from the top, column)"""
        for row in range(self.cells[1] + 1):
            for column in range(self.cells[0] + 1):
                yield row, column

    def links(self) -> Iterator[tuple[tuple[int, int], tuple[int, int], float]]:
        """Two nodes and the stiffness between them."""
        along, up, diagonal = self.stiffness()
        columns, rows = self.cells
        for row, column in self.nodes():
            if column < columns:
                share = 0.5 if row in (0, rows) else 1.0
                yield (row, column), (row, column + 1), share * along
            if row < rows:
                share = 0.5 if column in (0, columns) else 1.0
                yield (row, column), (row + 1, column), share * up
            if row < rows and column < columns:
                yield (row, column), (row + 1, column + 1), diagonal
                yield (row, column + 1), (row + 1, column), diagonal

    def mass(self, row: int, column: int) -> float:
        """kg of one node: its share of the cells around it."""
        share = (0.5 if column in (0, self.cells[0]) else 1.0) * (
            0.5 if row in (0, self.cells[1]) else 1.0
        )
        a, b = self.cell()
        return share * self.density * a * b * DEPTH

    def on_side(self, row: int, column: int) -> set[str]:
        sides = (
            ("top", row == 0),
            ("bottom", row == self.cells[1]),
            ("left", column == 0),
            ("right", column == self.cells[0]),
        )
        return {word for word, touches in sides if touches}


def build_lattice(
    site: Site,
    lattice: Lattice,
    friction: float,
    pins: Sequence[str],
    sewn: Sequence[tuple[str, str]],
) -> None:
    """Particles and joints of the solid; `sewn`: sides and the bodies that hold them."""
    a, b = lattice.cell()
    width, height = lattice.size
    names: dict[tuple[int, int], str] = {}
    points = {}
    place: Callable[..., tuple[float, float, float]] = site.frame.point
    for row, column in lattice.nodes():
        point = place((column * a - width / 2, height / 2 - row * b, 0.0))
        sides = lattice.on_side(row, column)
        points[row, column] = point
        names[row, column] = site.particle(
            f"{row}.{column}",
            lattice.mass(row, column),
            point,
            radius=_SKIN * min(a, b),
            fixed=bool(sides & set(pins)),
            velocity=site.frame.velocity,
            friction=friction,
            collision=Collision("solids", ("solids",)),
        )
        for side, body in sewn:
            if side in sides:
                site.joint(f"seam{row}.{column}.{side}", "ball", names[row, column], body, at=point)
    for i, (first, second, stiffness) in enumerate(lattice.links()):
        site.joint(
            f"link{i}",
            "distance",
            names[first],
            names[second],
            length=math.dist(points[first], points[second]),
            compliance=1.0 / stiffness,
            damping=lattice.damping * stiffness,
        )
    order = [names[node] for node in lattice.nodes()]
    site.group.sheets = [(lattice.cells[1] + 1, lattice.cells[0] + 1, order)]
    site.group.root = names[lattice.cells[1] // 2, lattice.cells[0] // 2]
