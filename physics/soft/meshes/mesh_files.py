"""Meshes from files, through the optional library `meshio`.

A stranger's file may hold anything: only formats that are plain data are read, a file that is cut
off ends the reading, and whatever goes wrong is told in one line.
"""

import contextlib
import io
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.soft.meshes.mesh_topology import oriented
from physics.soft.meshes.primitives import TetMesh

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# meshio's name of the format, and the mode of the open file its reader has to be given: readers
# that would look for more lines for ever at the end of a cut-off file
FORMATS = {
    ".msh": ("gmsh", ""),
    ".obj": ("obj", ""),
    ".off": ("off", "r"),
    ".ply": ("ply", "rb"),
    ".stl": ("stl", ""),
    ".vtk": ("vtk", ""),
}
TETRAHEDRA = (".msh", ".vtk")  # formats that hold them
_EARLY = "the file ends too early"


class SurfaceOnly(ValueError):
    """A solid was asked for, but the file holds its skin alone."""


class _Bytes(io.BufferedReader):
    """A file that complains at its end."""

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        if not line:
            raise ValueError(_EARLY)
        return line


class _Text(io.TextIOWrapper):
    """The same for text."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        line = super().readline(size)
        if not line:
            raise ValueError(_EARLY)
        return line


def _read(path: Path) -> Any:
    try:
        import meshio
    except ImportError as error:
        raise RuntimeError(f"reading {path.name} needs meshio: pip install 'taut[mesh]'") from error
    if not path.is_file():
        raise ValueError(f"no mesh file {path}")
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{path.name} is no mesh that can be read; known: {', '.join(FORMATS)}")
    name, mode = FORMATS[path.suffix.lower()]
    said = io.StringIO()
    try:
        with (
            warnings.catch_warnings(action="ignore"),
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(said),
        ):
            if name == "gmsh":
                _check_sections(path)
            if not mode:
                return meshio.read(path, name)
            with _Bytes(io.FileIO(path)) as file:
                return meshio.read(file if mode == "rb" else _Text(file, "utf-8"), name)
    except (Exception, SystemExit) as error:  # meshio ends the program when a reader gives up
        reason = " ".join((said.getvalue() or str(error)).split()) or type(error).__name__
        wrapped = r"\s*".join(map(re.escape, str(path)))  # meshio breaks lines, also within names
        reason = re.sub(wrapped, "it", reason).removeprefix("Error: ")
        raise ValueError(f"{path.name} cannot be read: {reason[:200]}") from None


def _check_sections(path: Path) -> None:
    """Every section of a Gmsh file must end: $Nodes … $EndNodes."""
    words = [line.strip() for line in path.read_bytes().split(b"\n") if line.startswith(b"$")]
    ends = {word[4:] for word in words if word.startswith(b"$End")}
    if any(word[1:] not in ends for word in words if not word.startswith(b"$End")):
        raise ValueError(_EARLY)


def _cells(mesh: Any, kind: str) -> Ints:
    blocks = [block.data for block in mesh.cells if block.type == kind]
    return np.concatenate(blocks).astype(np.int64) if blocks else np.zeros((0, 0), np.int64)


def _compact(path: Path, mesh: Any, cells: Ints) -> tuple[Floats, Ints]:
    """Nodes that some element uses, those in the same place made one; no collapsed elements.

    Files for drawing (.stl, .obj with seams) repeat a corner for every face that meets there.
    """
    points = np.zeros((len(mesh.points), 3))
    points[:, : mesh.points.shape[1]] = mesh.points
    if cells.min() < 0 or cells.max() >= len(points):
        raise ValueError(f"{path.name} names nodes beyond its {len(points)}")
    if not np.isfinite(points[cells]).all():
        raise ValueError(f"{path.name} holds coordinates that are not finite")
    used = np.unique(cells)
    _, first, same = np.unique(points[used], axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # nodes stay in the order of the file
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    number = np.zeros(len(points), np.int64)
    number[used] = rank[same.ravel()]
    cells = number[cells]
    sorted_ = np.sort(cells, axis=1)
    whole = (sorted_[:, 1:] != sorted_[:, :-1]).all(axis=1)
    return np.ascontiguousarray(points[used[first[order]]]), cells[whole]


def _triangles(mesh: Any) -> Ints:
    cells, quads = _cells(mesh, "triangle"), _cells(mesh, "quad")
    if len(quads):
        halves = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
        cells = np.concatenate([cells, halves]) if len(cells) else halves
    return cells


def load_triangles(path: str | Path) -> tuple[Floats, Ints]:
    """Positions and triangles of a surface mesh; quadrilaterals are halved."""
    path = Path(path)
    mesh = _read(path)
    cells = _triangles(mesh)
    if not len(cells):
        held = ", ".join(sorted({block.type for block in mesh.cells})) or "no cells at all"
        raise ValueError(f"{path.name} holds no triangles but {held}")
    return _compact(path, mesh, cells)


def load_tetrahedra(path: str | Path) -> TetMesh:
    """The tetrahedra of a volume mesh."""
    path = Path(path)
    mesh = _read(path)
    cells = _cells(mesh, "tetra")
    if not len(cells):
        if len(_triangles(mesh)):
            raise SurfaceOnly(
                f"{path.name} holds a surface, no tetrahedra; "
                "physics.soft.meshes.fill fills it with them"
            )
        raise ValueError(f"{path.name} holds neither tetrahedra nor triangles")
    position, cells = _compact(path, mesh, cells)
    return TetMesh(position, oriented(position, cells))
