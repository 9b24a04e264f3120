"""Unit meshes whose vertices are a corner and a normal.

The vertex shader places a vertex at  p = corner ∘ (half − r) + normal · r.
With `corner` in {±1}³ and normals sweeping each octant, one mesh is every bevelled box
(r small), capsule (half = (r, l/2 + r, r)) and sphere (half = r). With `corner` on the unit circle
the same formula makes bevelled cylinders. With corner = position and r = 0 it draws any mesh.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Mesh:
    """corner and normal (n, 3); triangles (m, 3), counter-clockwise seen from outside."""

    corner: Floats
    normal: Floats
    triangles: Indices

    def packed(self) -> bytes:
        return np.hstack((self.corner, self.normal)).astype("f4").tobytes()


def _outward(corner: Floats, normal: Floats, triangles: Indices) -> Mesh:
    """Turn every triangle so that its winding agrees with its normals (a shape with r = half/2)."""
    points = corner * 0.5 + normal * 0.5
    a, b, c = (points[triangles[:, i]] for i in range(3))
    face = np.cross(b - a, c - a)
    area = np.linalg.norm(face, axis=1)
    inward = np.sum(face * normal[triangles].sum(axis=1), axis=1) < 0.0
    triangles = np.where(inward[:, None], triangles[:, ::-1], triangles)
    return Mesh(corner.astype("f4"), normal.astype("f4"), triangles[area > 1e-9].astype("u4"))


def rounded_box(divisions: int) -> Mesh:
    """A sphere cut along its three mirror planes: `divisions` segments per 90° of bevel.

    Longitude runs over four quarters and latitude over two, each with its own end vertices, so
    neighbouring quarters share a normal but differ in corner: the quads between them are the
    flat faces and the straight parts of the edges.
    """
    quarter = np.linspace(0.0, np.pi / 2, divisions + 1)
    longitude = np.concatenate([quarter + k * np.pi / 2 for k in range(4)])
    corner_xz = np.repeat(((1, 1), (-1, 1), (-1, -1), (1, -1)), divisions + 1, axis=0)
    latitude = np.concatenate((quarter - np.pi / 2, quarter))
    corner_y = np.repeat((-1, 1), divisions + 1)
    rows, columns = len(latitude), len(longitude)
    lat, lon = np.meshgrid(latitude, longitude, indexing="ij")
    normal = np.stack((np.cos(lat) * np.cos(lon), np.sin(lat), np.cos(lat) * np.sin(lon)), axis=-1)
    corner = np.empty((rows, columns, 3))
    corner[..., 0], corner[..., 2] = corner_xz[:, 0], corner_xz[:, 1]
    corner[..., 1] = corner_y[:, None]
    triangles = [*_grid_triangles(rows, columns), *_caps(rows, columns, divisions)]
    return _outward(
        corner.reshape(-1, 3).astype("f4"),
        normal.reshape(-1, 3).astype("f4"),
        np.array(triangles, dtype="u4"),
    )


def _grid_triangles(rows: int, columns: int) -> list[tuple[int, int, int]]:
    """Two triangles per cell of a grid that closes in its second direction."""
    triangles = []
    for i, j in product(range(rows - 1), range(columns)):
        k = (j + 1) % columns
        a, b = i * columns + j, i * columns + k
        c, d = a + columns, b + columns
        triangles += [(a, b, c), (b, d, c)]
    return triangles


def _caps(rows: int, columns: int, divisions: int) -> list[tuple[int, int, int]]:
    """The flat top and bottom: one quad through the four corners at each pole."""
    triangles = []
    for row in (0, rows - 1):
        a, b, c, d = (row * columns + k * (divisions + 1) for k in range(4))
        triangles += [(a, b, c), (a, c, d)]
    return triangles


def cylinder(sides: int, divisions: int) -> Mesh:
    """A bevelled cylinder along y: half = (radius, half length, radius)."""
    quarter = np.linspace(0.0, np.pi / 2, divisions + 1)
    latitude = np.concatenate((quarter - np.pi / 2, quarter))
    corner_y = np.repeat((-1.0, 1.0), divisions + 1)
    lon = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack((np.cos(lon), np.zeros(sides), np.sin(lon)), axis=-1)
    up = np.array((0.0, 1.0, 0.0))
    normal = np.cos(latitude)[:, None, None] * ring + np.sin(latitude)[:, None, None] * up
    corner = np.broadcast_to(ring, normal.shape) + corner_y[:, None, None] * up
    rows = len(latitude)
    triangles = _grid_triangles(rows, sides)
    for row in (0, rows - 1):
        first = row * sides
        triangles += [(first, first + i, first + i + 1) for i in range(1, sides - 1)]
    return _outward(
        corner.reshape(-1, 3).astype("f4"),
        normal.reshape(-1, 3).astype("f4"),
        np.array(triangles, dtype="u4"),
    )


def rod(sides: int) -> Mesh:
    """An open tube along y for struts: their ends are buried in other struts."""
    lon = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack((np.cos(lon), np.zeros(sides), np.sin(lon)), axis=-1)
    up = np.array((0.0, 1.0, 0.0))
    corner = np.concatenate((ring - up, ring + up)).astype("f4")
    normal = np.concatenate((ring, ring)).astype("f4")
    return _outward(corner, normal, np.array(_grid_triangles(2, sides), dtype="u4"))


def link(pieces: int, sides: int) -> Mesh:
    """An oval ring along y in the plane of x and y; the bevel radius is that of its wire."""
    turn = np.linspace(0.0, 2 * np.pi, pieces, endpoint=False)
    flat = np.stack((np.cos(turn), np.sin(turn), np.zeros(pieces)), axis=-1)
    corner = np.sign(flat) * np.sqrt(np.abs(flat))  # straighter sides than those of an ellipse
    out = np.sign(flat) * np.abs(flat) ** 1.5
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    around = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    normal = np.cos(around)[None, :, None] * out[:, None] + np.sin(around)[None, :, None] * (
        0,
        0,
        1,
    )
    triangles = [
        (a, b, d) if first else (a, d, c)
        for i, j, first in product(range(pieces), range(sides), (True, False))
        for a, b, c, d in [
            (
                i * sides + j,
                (i + 1) % pieces * sides + j,
                i * sides + (j + 1) % sides,
                (i + 1) % pieces * sides + (j + 1) % sides,
            )
        ]
    ]
    return Mesh(
        np.repeat(corner, sides, axis=0).astype("f4"),
        normal.reshape(-1, 3).astype("f4"),
        np.array(triangles, dtype="u4"),
    )


def cone(sides: int) -> Mesh:
    """Along y, the point up; every side has its own apex so that it is lit as a cone."""
    lon = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack((np.cos(lon), np.zeros(sides), np.sin(lon)), axis=-1)
    up = np.array((0.0, 1.0, 0.0))
    slope = (ring + 0.45 * up) / np.sqrt(1.0 + 0.45**2)
    middle = lon + np.pi / sides
    facing = np.stack((np.cos(middle), np.zeros(sides), np.sin(middle)), axis=-1)
    tips = (facing + 0.45 * up) / np.sqrt(1.0 + 0.45**2)
    corner = np.concatenate((ring - up, np.tile(up, (sides, 1)), ring - up))
    normal = np.concatenate((slope, tips, np.tile(-up, (sides, 1))))
    triangles = [(i, (i + 1) % sides, sides + i) for i in range(sides)]
    triangles += [(2 * sides, 2 * sides + i, 2 * sides + i + 1) for i in range(1, sides - 1)]
    return _outward(corner.astype("f4"), normal.astype("f4"), np.array(triangles, dtype="u4"))


def drape(columns: int, rows: int) -> Mesh:
    """A cloth hung by its upper corners, in folds that deepen downwards; both of its sides.

    Normals are those of a cloth with half extents in the ratio of `_DRAPE`, since a part carries
    none for its stretching.
    """
    s, t = np.meshgrid(np.linspace(-1.0, 1.0, columns + 1), np.linspace(0.0, 1.0, rows + 1))
    hanging = 1.0 - 0.14 * (1.0 - s * s)  # the upper edge sags, the lower one follows it less
    y = hanging - (1.92 - 0.07 * (1.0 - s * s) + 0.03 * np.cos(11.0 * s)) * t
    fold = 0.30 * np.cos(11.0 * s + 0.6) + 0.22 * np.sin(5.0 * s + 1.5 * t)
    z = (0.25 + 0.75 * t) * fold * (1.0 - s**6) + 0.45 * np.sin(np.pi * t) * (1.0 - s * s)
    points = np.stack((s, y, z), axis=-1)
    along, down = np.gradient(points * _DRAPE, axis=1), np.gradient(points * _DRAPE, axis=0)
    normal = np.cross(down, along)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    count, wide = points.shape[0] * points.shape[1], columns + 1
    cells = [i * wide + j for i, j in product(range(rows), range(columns))]
    front = [(a, a + wide, a + 1) for a in cells] + [(a + 1, a + wide, a + wide + 1) for a in cells]
    back = [(count + c, count + b, count + a) for a, b, c in front]
    corner, facing = points.reshape(-1, 3), normal.reshape(-1, 3)
    return Mesh(
        np.concatenate((corner, corner)).astype("f4"),
        np.concatenate((facing, -facing)).astype("f4"),
        np.array(front + back, dtype="u4"),
    )


_DRAPE = np.array((2.3, 1.7, 0.35))  # half extents of the cloth whose normals a drape has


def faceted(points: npt.NDArray[np.floating], triangles: npt.NDArray[np.integer]) -> Mesh:
    """A flat-shaded mesh from shared points: every triangle gets its own three vertices."""
    corner = np.asarray(points, "f4")[np.asarray(triangles)].reshape(-1, 3)
    a, b, c = corner[0::3], corner[1::3], corner[2::3]
    face = np.cross(b - a, c - a)
    face /= np.maximum(np.linalg.norm(face, axis=1, keepdims=True), 1e-12)
    order = np.arange(len(corner), dtype="u4").reshape(-1, 3)
    return Mesh(corner, np.repeat(face, 3, axis=0).astype("f4"), order)


def convex_hull(points: npt.NDArray[np.floating]) -> Mesh:
    """The faceted hull of a point cloud, wound outwards."""
    from scipy.spatial import ConvexHull

    points = np.asarray(points, float)
    hull = ConvexHull(points)
    triangles = hull.simplices.copy()
    a, b, c = (points[triangles[:, i]] for i in range(3))
    inward = np.sum(np.cross(b - a, c - a) * hull.equations[:, :3], axis=1) < 0.0
    triangles[inward] = triangles[inward][:, ::-1]
    return faceted(points, triangles)
