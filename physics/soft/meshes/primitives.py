"""Meshes made by us: grid cloth, boxes and beams of tetrahedra, balls.

Node order follows the grid (last axis fastest), so callers can address corners and edges by shape.
"""

from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.soft.meshes.mesh_topology import oriented

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class TetMesh(NamedTuple):
    """Nodes and positively oriented tetrahedra."""

    position: Floats  # (n, 3) m
    tetrahedra: Ints  # (m, 4)


class HexMesh(NamedTuple):
    """Nodes and hexahedra, corners 4x + 2y + z of each."""

    position: Floats  # (n, 3) m
    hexahedra: Ints  # (m, 8)


class Cloth(NamedTuple):
    """Grid of nodes with triangles and the pairs that distance cloth links."""

    position: Floats  # (rows * columns, 3) m
    shape: tuple[int, int]
    triangles: Ints  # (m, 3)
    structural: Ints  # (·, 2) along the grid
    shear: Ints  # (·, 2) across the cells
    bend: Ints  # (·, 2) over one node


def _pairs(a: Ints, b: Ints) -> Ints:
    return np.stack([a.ravel(), b.ravel()], axis=1)


def grid_links(rows: int, columns: int) -> tuple[Ints, Ints, Ints]:
    """Structural, shear and bend pairs of a grid [Lecture]."""
    i = np.arange(rows * columns).reshape(rows, columns)
    structural = [_pairs(i[:-1], i[1:]), _pairs(i[:, :-1], i[:, 1:])]
    shear = [_pairs(i[:-1, :-1], i[1:, 1:]), _pairs(i[:-1, 1:], i[1:, :-1])]
    bend = [_pairs(i[:-2], i[2:]), _pairs(i[:, :-2], i[:, 2:])]
    return np.concatenate(structural), np.concatenate(shear), np.concatenate(bend)


def grid_triangles(rows: int, columns: int, pattern: str = "alternating") -> Ints:
    """Two triangles per cell; diagonals all alike ("structured") or like a chequerboard."""
    if pattern not in ("structured", "alternating"):
        raise ValueError(f"pattern must be 'structured' or 'alternating', got {pattern!r}")
    i = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]
    cells = np.add.outer(np.arange(rows - 1), np.arange(columns - 1))
    flip = (cells % 2 == 1) & (pattern == "alternating")
    first = np.stack([a, b, np.where(flip, d, c)], axis=-1)
    second = np.stack([np.where(flip, b, a), c, d], axis=-1)
    return np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3)])


def cloth(
    rows: int,
    columns: int,
    size: tuple[float, float] = (1.0, 1.0),
    *,
    corner: tuple[float, float, float] = (0.0, 0.0, 0.0),
    along: tuple[float, float, float] = (1.0, 0.0, 0.0),
    down: tuple[float, float, float] = (0.0, 0.0, 1.0),
    pattern: str = "alternating",
) -> Cloth:
    """A rectangle: `columns` nodes over size[0] `along`, `rows` nodes over size[1] `down`."""
    u, v = np.meshgrid(
        np.linspace(0.0, size[0], columns), np.linspace(0.0, size[1], rows), indexing="xy"
    )
    where = np.asarray(corner) + u[..., None] * np.asarray(along) + v[..., None] * np.asarray(down)
    triangles = grid_triangles(rows, columns, pattern)
    return Cloth(where.reshape(-1, 3), (rows, columns), triangles, *grid_links(rows, columns))


# Corners of a cube numbered 4x + 2y + z. Five: four corner tetrahedra around a central one.
_FIVE = np.array([[0, 4, 2, 1], [6, 2, 4, 7], [5, 4, 1, 7], [3, 1, 2, 7], [1, 4, 2, 7]])
_MIRROR = np.array([1, 0, 3, 2, 5, 4, 7, 6])  # z ↔ 1 - z: odd cubes, so that diagonals meet


def _six() -> Ints:
    """Six tetrahedra along the main diagonal, one per order of the three axis steps [Kuhn]."""
    return np.array([[0, first, first + second, 7] for first, second, _ in permutations((4, 2, 1))])


def bricks(
    cells: tuple[int, int, int],
    size: tuple[float, float, float] = (1.0, 1.0, 1.0),
    *,
    corner: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> HexMesh:
    """A box or beam of hexahedra."""
    axes = [np.linspace(0.0, length, count + 1) for length, count in zip(size, cells, strict=True)]
    position = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    index = np.arange(len(position)).reshape(*(c + 1 for c in cells))
    corners = np.stack(
        [index[x : x + cells[0], y : y + cells[1], z : z + cells[2]]
         for x, y, z in product((0, 1), repeat=3)], axis=-1,
    )  # fmt: skip
    return HexMesh(position + np.asarray(corner), corners.reshape(-1, 8))


def in_tetrahedra(hexahedra: Ints) -> Ints:
    """Six tetrahedra for each hexahedron, (6m, 4)."""
    return np.asarray(hexahedra[:, _six()].reshape(-1, 4))


def box(
    cells: tuple[int, int, int],
    size: tuple[float, float, float] = (1.0, 1.0, 1.0),
    *,
    corner: tuple[float, float, float] = (0.0, 0.0, 0.0),
    split: int = 6,
) -> TetMesh:
    """A box or beam of cubes, each cut into 5 (neighbours mirrored) or 6 tetrahedra."""
    if split not in (5, 6):
        raise ValueError(f"split must be 5 or 6, got {split}")
    position, corners = bricks(cells, size)
    if split == 6:
        tetrahedra = in_tetrahedra(corners)
    else:
        odd = np.indices(cells).sum(axis=0).reshape(-1) % 2 == 1
        even_cubes = corners[~odd][:, _FIVE].reshape(-1, 4)
        odd_cubes = corners[odd][:, _MIRROR[_FIVE]].reshape(-1, 4)
        tetrahedra = np.concatenate([even_cubes, odd_cubes])
    return TetMesh(position + np.asarray(corner), oriented(position, tetrahedra))


def ball(
    cells: int, radius: float = 0.5, *, centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> TetMesh:
    """A cube of `cells` cubes per side, pulled out to a ball shell by shell.

    A point on the cube surface of half-width r goes to the sphere of radius r by the map that keeps
    areas nearly equal: x √(1 - y²/2 - z²/2 + y²z²/3), and cyclically.
    """
    cube = box((cells, cells, cells), (2.0, 2.0, 2.0), corner=(-1.0, -1.0, -1.0), split=5)
    position = _rounded(cube.position, radius)
    return TetMesh(position + np.asarray(centre), oriented(position, cube.tetrahedra))


def brick_ball(cells: int, radius: float = 0.5) -> HexMesh:
    """The same of hexahedra."""
    cube = bricks((cells, cells, cells), (2.0, 2.0, 2.0), corner=(-1.0, -1.0, -1.0))
    return HexMesh(_rounded(cube.position, radius), cube.hexahedra)


def _rounded(cube: Floats, radius: float) -> Floats:
    shell = np.abs(cube).max(axis=1, keepdims=True)
    unit = cube / np.where(shell > 0.0, shell, 1.0)
    square = unit**2
    y, z = np.roll(square, -1, axis=1), np.roll(square, -2, axis=1)
    return np.asarray(radius * shell * unit * np.sqrt(1.0 - y / 2.0 - z / 2.0 + y * z / 3.0))
