"""Meshes as convex shapes: the hull of each, or several hulls by decomposition (CoACD).

Files are found beside the model; `package://name/…` is looked for below the model's folder and the
folders above it. Reading them needs the extra `mesh`, decomposing them the extra `decompose`.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from levels.frames import Vec
from levels.importers.model_bodies import Articulation, Geometry, Pose
from levels.importers.moments import Matrix, Moments, moved
from physics.portable import dot, norm, weighted_sum
from physics.shapes import Hull
from physics.shapes.compound import parts_of
from physics.shapes.decomposition import decompose

Floats = NDArray[np.float64]
Index = NDArray[np.int64]
_LARGE = 1000  # nodes of a mesh whose whole hull is not asked for
_MOST_CORNERS = 120  # of a hull in a level, which may have 256 faces; the furthest out are kept


@dataclass(frozen=True)
class Meshes:
    """How meshes become shapes."""

    decompose: bool = False

    def shapes(
        self,
        model: Articulation,
        owner: str,
        folder: Path,
        written: str,
        scale: tuple[float, ...],
        pose: Pose,
    ) -> list[Geometry]:
        """Hulls of a mesh; what cannot be had is listed."""
        path = found(folder, written)
        if path is None:
            model.lacks(f'{owner}: mesh "{written}" (the file is not there)')
            return []
        try:
            nodes, triangles = loaded(path, scale)
            pieces = self._pieces(nodes, triangles)
        except (ValueError, RuntimeError, ImportError) as problem:
            model.lacks(f'{owner}: mesh "{written}" ({problem})')
            return []
        return [Geometry("hull", (), pose, corners(piece)) for piece in pieces]

    def _pieces(self, nodes: Floats, triangles: Index) -> list[Floats]:
        if not self.decompose:
            return [nodes]
        pieces = parts_of(decompose(nodes, triangles))
        return [piece.shape.vertices for piece in pieces if isinstance(piece.shape, Hull)]


def hull_moments(shape: Geometry, mass: float | None, density: float) -> Moments:
    """Of a hull, in the axes of its link."""
    properties = Hull(np.array(shape.points)).mass_properties(1.0)
    share = density if mass is None else mass / float(properties.mass)
    x, y, z = (float(part) for part in properties.center)
    a, b, c = (tuple(float(part) * share for part in row) for row in properties.inertia)
    own = Moments(float(properties.mass) * share, (x, y, z), (a, b, c))  # type: ignore[arg-type]
    return moved(own, shape.pose.position, shape.pose.turn)


def mesh_moments(
    path: Path, scale: tuple[float, ...], how: str, mass: float | None, density: float, pose: Pose
) -> Moments | None:
    """What a mesh weighs as MuJoCo counts it, in the axes of its link; None if it has no volume.

    The tetrahedra from a point to all triangles (a, b, c) have the volume det[a b c]/6 and the
    moments of physics/shapes/polyhedron.py. how = "exact" counts them with their sign; "legacy",
    the default there, without it, from the middle of the surface for the centre of mass and from
    that for the rest: what is hollow weighs more.
    """
    nodes, triangles = loaded(path, scale)
    corners = nodes[triangles]
    areas = norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    if not areas.sum() > 0.0:
        return None
    middle = weighted_sum(areas, corners.sum(axis=1)) / (3.0 * areas.sum())
    volume, center, _ = _tetrahedra(corners, middle, how == "exact")
    if not volume > 1e-9 * float(np.ptp(nodes, axis=0).max()) ** 3:
        return None
    volume, _, second = _tetrahedra(corners, center, how == "exact")
    share = density if mass is None else mass / volume
    inertia = share * (np.trace(second) * np.eye(3) - second)
    x, y, z = center.tolist()
    rows: Matrix = tuple(tuple(row) for row in inertia.tolist())  # type: ignore[assignment]
    return moved(Moments(share * volume, (x, y, z), rows), pose.position, pose.turn)


def _tetrahedra(corners: Floats, apex: Floats, signed: bool) -> tuple[float, Floats, Floats]:
    """Volume, centre and second moments about the apex, of all of them together."""
    a, b, c = (corners[:, k] - apex for k in range(3))
    volumes = dot(a, np.cross(b, c)) / 6.0
    if not signed:
        volumes = np.abs(volumes)
    whole, s = float(volumes.sum()), a + b + c
    center = apex + weighted_sum(volumes, s) / (4.0 * whole or 1.0)
    squares = np.sum([v[:, :, None] * v[:, None, :] for v in (a, b, c, s)], axis=0)
    return whole, center, weighted_sum(volumes, squares.reshape(-1, 9)).reshape(3, 3) / 20.0


def found(folder: Path, written: str) -> Path | None:
    """The file that a model means."""
    name = written.removeprefix("file://")
    if name.startswith("package://"):
        name = name.removeprefix("package://")
        tails = [name, name.partition("/")[2]]
    else:
        tails = [name]
    for base in (folder, *list(folder.resolve().parents)[:4]):
        for tail in tails:
            if tail and (base / tail).is_file():
                return base / tail
    return None


def loaded(path: Path, scale: tuple[float, ...]) -> tuple[Floats, Index]:
    """Nodes and triangles. A mirroring scale turns the triangles, too."""
    nodes, triangles = _read(path)
    mirrored = scale[0] * scale[1] * scale[2] < 0.0
    return nodes * np.array(scale), triangles[:, ::-1] if mirrored else triangles


@lru_cache(maxsize=4)  # a mesh is asked for its shape and for its weight
def _read(path: Path) -> tuple[Floats, Index]:
    if path.suffix.lower() == ".obj":
        return _wavefront(path)
    from physics.soft.meshes import mesh_files

    return mesh_files.load_triangles(path)


def _wavefront(path: Path) -> tuple[Floats, Index]:
    """Nodes and triangles of an OBJ file, whatever its normals and textures are like: faces are
    lists of node/texture/normal, counted from one, or backwards from the last if negative."""
    nodes: list[tuple[float, ...]] = []
    triangles: list[tuple[int, int, int]] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            nodes.append(tuple(float(word) for word in words[1:4]))
        elif words[:1] == ["f"]:
            numbers = [int(word.split("/")[0]) for word in words[1:]]
            ring = [number - 1 if number > 0 else len(nodes) + number for number in numbers]
            triangles += [(ring[0], a, b) for a, b in pairwise(ring[1:])]
    found, faces = np.array(nodes, float), np.array(triangles, np.int64)
    if found.ndim != 2 or len(faces) == 0 or not 0 <= faces.min() <= faces.max() < len(found):
        raise ValueError(f"{path.name} has no triangles")
    return found, faces


def corners(nodes: Floats) -> tuple[Vec, ...]:
    """Corners of the hull, thinned to those furthest out in many directions.

    Of large meshes these are found at once: what is furthest out is a corner of the hull.
    """
    if len(nodes) > _LARGE:
        nodes = nodes[_extremes(nodes)]
    hull = Hull(nodes).vertices
    if len(hull) > _MOST_CORNERS:
        hull = hull[_extremes(hull)]
    return tuple((float(x), float(y), float(z)) for x, y, z in hull)


def _extremes(nodes: Floats) -> list[int]:
    """Indices of the furthest nodes along directions spread evenly (a spiral on the sphere)."""
    count = 2 * _MOST_CORNERS
    golden = 2.399963229728653  # rad
    chosen = []
    for i in range(count):
        height = 1.0 - (2 * i + 1) / count
        ring = math.sqrt(1.0 - height * height)
        angle = golden * i
        direction = (ring * math.cos(angle), ring * math.sin(angle), height)
        chosen.append(int((nodes * np.array(direction)).sum(axis=1).argmax()))
    return sorted(set(chosen))[:_MOST_CORNERS]
