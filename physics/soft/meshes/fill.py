"""Fills a closed surface with tetrahedra and writes them as a volume mesh.

    python -m physics.soft.meshes.fill frog.obj frog.vtk --edge 0.08

Done once, beside the level: the tetrahedraliser takes seconds and its result differs from run to
run, while a level must load at once and move the same way every time.
"""

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from physics.soft.meshes.mesh_files import TETRAHEDRA, load_triangles
from physics.soft.meshes.mesh_topology import oriented
from physics.soft.meshes.primitives import TetMesh

EDGE = 0.1  # of the surface's diagonal: how long edges of the tetrahedra should be


def fill(
    name: str, position: NDArray[np.float64], triangles: NDArray[np.int64], edge: float = EDGE
) -> TetMesh:
    """Tetrahedra inside a closed surface [fTetWild]."""
    if not 0.0 < edge <= 1.0:
        raise ValueError(f"edge is {edge:g}, but must be a share of the diagonal, above 0 up to 1")
    sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    count = np.unique(sides, axis=0, return_counts=True)[1]
    open_edges = int((count % 2).sum())
    if open_edges:
        raise ValueError(
            f"the surface in {name} has {open_edges} open edges; only a closed one can be filled"
        )
    try:
        import pytetwild
    except ImportError as error:
        raise RuntimeError(
            f"filling {name} needs pytetwild: pip install 'taut[tetrahedra]'"
        ) from error
    try:
        # it leaves files where it runs
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            nodes, cells = pytetwild.tetrahedralize(
                position, triangles.astype(np.int32), edge_length_fac=edge, quiet=True
            )
    except Exception as error:
        raise ValueError(f"{name} cannot be filled with tetrahedra: {error}") from None
    if not len(cells):
        raise ValueError(f"{name} encloses no volume that tetrahedra could fill")
    nodes = np.ascontiguousarray(nodes, dtype=float)
    return TetMesh(nodes, oriented(nodes, np.asarray(cells, np.int64)))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m physics.soft.meshes.fill", description=__doc__)
    parser.add_argument("surface", type=Path, help="closed surface: .obj, .off, .ply, .stl")
    parser.add_argument("target", type=Path, help=f"volume mesh: {', '.join(TETRAHEDRA)}")
    parser.add_argument("--edge", type=float, default=EDGE, help="edge length over the diagonal")
    given = parser.parse_args(arguments)
    try:
        if given.target.suffix.lower() not in TETRAHEDRA:
            raise ValueError(f"{given.target.name} must end in one of {', '.join(TETRAHEDRA)}")
        solid = fill(given.surface.name, *load_triangles(given.surface), given.edge)
        _write(given.target, solid)
    except (ValueError, RuntimeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{given.target}: {len(solid.position)} nodes, {len(solid.tetrahedra)} tetrahedra")
    return 0


def _write(path: Path, solid: TetMesh) -> None:
    import meshio

    cells = [("tetra", solid.tetrahedra)]
    name = {".msh": "gmsh22", ".vtk": "vtk42"}[path.suffix.lower()]
    meshio.write(path, meshio.Mesh(solid.position, cells), file_format=name)


if __name__ == "__main__":
    sys.exit(main())
