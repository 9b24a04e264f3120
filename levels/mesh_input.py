"""Meshes that a level names: cloth from surfaces, solids from tetrahedra.

The file is found and read with the level's other files, so that it is watched for changes and is
part of the level's digest. It is only ever data, with caps on its size.
"""

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from levels.caps import MAX_MESH_BYTES, MAX_MESH_CELLS, MAX_MESH_NODES
from physics.portable import norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class MeshProblem(Exception):
    """Why a mesh cannot be used, and what would help."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True)
class MeshFile:
    """A file beside the level, as it was when the level was read."""

    path: Path
    modified: int  # ns
    digest: str

    @classmethod
    def read(cls, path: Path) -> "MeshFile":
        try:
            status = path.stat()
            if status.st_size > MAX_MESH_BYTES:
                raise MeshProblem(
                    f"{path.name} has {status.st_size:,} bytes; a mesh may have {MAX_MESH_BYTES:,}"
                )
            raw = path.read_bytes()
        except OSError as error:
            raise MeshProblem(f"cannot read {path.name}: {error.strerror or error}") from None
        return cls(path, status.st_mtime_ns, hashlib.sha256(raw).hexdigest())

    def surface(self) -> tuple[Floats, Ints]:
        """Nodes and triangles."""
        return _loaded(self, "triangles")

    def volume(self) -> tuple[Floats, Ints]:
        """Nodes and tetrahedra."""
        return _loaded(self, "tetrahedra")


@functools.lru_cache(maxsize=16)
def _loaded(file: MeshFile, cells: str) -> tuple[Floats, Ints]:
    from physics.soft.meshes import mesh_files

    try:
        load = mesh_files.load_triangles if cells == "triangles" else mesh_files.load_tetrahedra
        position, found = load(file.path)
    except mesh_files.SurfaceOnly as error:
        filled = file.path.with_suffix(".vtk").name
        raise MeshProblem(
            str(error).split(";")[0],
            f"fill it once: python -m physics.soft.meshes.fill {file.path.name} {filled}, "
            f'then mesh = "{filled}"',
        ) from None
    except (ValueError, RuntimeError) as error:
        raise MeshProblem(str(error)) from None
    for what, count, most in (
        ("nodes", len(position), MAX_MESH_NODES),
        (cells, len(found), MAX_MESH_CELLS),
    ):
        if count > most:
            raise MeshProblem(
                f"{file.path.name} has {count:,} {what}; a level may use {most:,}",
                "make it coarser where it was drawn",
            )
    return position, found


def named_nodes(position: Floats, triangles: Ints, words: list[str]) -> list[int]:
    """Nodes on the named edges and corners of a surface that lies roughly in its xy plane.

    An edge is where the surface ends towards that side (to 1e-6 of its size), a corner the node
    nearest to that corner of the rectangle around it, "all_edges" its whole border.
    """
    low, high = position.min(axis=0), position.max(axis=0)
    near = 1e-6 * float(norm(high - low))
    x, y = position[:, 0], position[:, 1]
    sides = {"left": x - low[0], "right": high[0] - x, "bottom": y - low[1], "top": high[1] - y}
    chosen: set[int] = set()
    for word in words:
        if word in sides:
            chosen.update(np.flatnonzero(sides[word] <= near).tolist())
        elif word == "all_edges":
            chosen.update(_border(triangles))
        else:
            corners = [word] if word != "corners" else [f"{v}_{h}" for v in _ENDS for h in _SIDES]
            for corner in corners:
                v, h = corner.split("_")
                chosen.add(int((sides[v] ** 2 + sides[h] ** 2).argmin()))
    return sorted(chosen)


def side_nodes(position: Floats, axis: int, upper: bool) -> list[int]:
    """Nodes where a body ends along an axis, to 1e-6 of its size."""
    along = position[:, axis] if upper else -position[:, axis]
    near = 1e-6 * float(norm(np.ptp(position, axis=0)))
    return np.flatnonzero(along >= along.max() - near).tolist()


_ENDS, _SIDES = ("top", "bottom"), ("left", "right")


def _border(triangles: Ints) -> list[int]:
    """Nodes of edges that belong to one triangle only."""
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    found, count = np.unique(edges, axis=0, return_counts=True)
    return np.unique(found[count == 1]).tolist()
