"""Meshes from files, through the optional library `meshio` (`.msh`, `.vtk`, `.obj`, …)."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from physics.soft.mesh import TetMesh, _oriented


def _read(path: Path) -> object:
    try:
        import meshio
    except ImportError as error:
        raise RuntimeError(f"reading {path.name} needs meshio: pip install 'taut[mesh]'") from error
    if not path.exists():
        raise ValueError(f"no mesh file {path}")
    return meshio.read(path)


def _cells(mesh: object, kind: str) -> NDArray[np.int64]:
    blocks = [block.data for block in mesh.cells if block.type == kind]  # type: ignore[attr-defined]
    return np.concatenate(blocks).astype(np.int64) if blocks else np.zeros((0, 0), np.int64)


def _compact(
    position: NDArray[np.float64], nodes: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Drop nodes that no element uses."""
    used, renumbered = np.unique(nodes, return_inverse=True)
    return np.ascontiguousarray(position[used], dtype=float), renumbered.reshape(nodes.shape)


def load_tetrahedra(path: str | Path) -> TetMesh:
    """The tetrahedra of a volume mesh."""
    mesh = _read(Path(path))
    cells = _cells(mesh, "tetra")
    if not len(cells):
        raise ValueError(f"{path} holds no tetrahedra; load_triangles reads surfaces")
    position, cells = _compact(mesh.points, cells)  # type: ignore[attr-defined]
    return TetMesh(position, _oriented(position, cells))


def load_triangles(path: str | Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Positions and triangles of a surface mesh; quadrilaterals are halved."""
    mesh = _read(Path(path))
    cells, quads = _cells(mesh, "triangle"), _cells(mesh, "quad")
    if len(quads):
        halves = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
        cells = np.concatenate([cells, halves]) if len(cells) else halves
    if not len(cells):
        raise ValueError(f"{path} holds no triangles")
    points = np.zeros((len(mesh.points), 3))  # type: ignore[attr-defined]
    points[:, : mesh.points.shape[1]] = mesh.points  # type: ignore[attr-defined]
    return _compact(points, cells)
