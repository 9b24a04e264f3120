"""Closed polyhedra: exact mass properties, and the faces and edges that collision clips.

Mass properties by tetrahedra. A closed surface of outward triangles (a, b, c) splits the volume
into signed tetrahedra (0, a, b, c) with 6V = det[a b c]. Over one of them

    ∫ x dV = V (a + b + c)/4,      ∫ x xᵀ dV = V/20 (Σ vᵢvᵢᵀ + s sᵀ),   s = a + b + c,

which is exact, and the signs cancel what lies outside. With S = ∫ρ x xᵀ dV about the centre of mass
the inertia is tr(S) 1 - S.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.portable import dot, norm, symmetric_eigenvalues, weighted_sum
from physics.shapes.base import Array, MassProperties

if TYPE_CHECKING:
    from scipy.spatial import ConvexHull

Index = NDArray[np.int64]
_COPLANAR = 1e-7  # faces whose normals and offsets agree to this share (of the size) are one face


class Polyhedron(NamedTuple):
    """A convex polyhedron as face polygons and edges.

    Face f has the outward unit normal `normals[f]`, the plane n·x = offsets[f] and the corners
    `loop[start[f]:start[f+1]]`, counter-clockwise seen from outside. Edge e joins the vertices
    `edges[e, 0:2]` and lies between the faces `edges[e, 2:4]`.
    """

    vertices: Array
    normals: Array
    offsets: Array
    start: Index
    loop: Index
    edges: Index


def surface_mass_properties(vertices: Array, triangles: Index, density: float) -> MassProperties:
    """Mass, centre and inertia of the solid inside outward triangles [module docstring]."""
    origin = vertices.mean(axis=0)  # near the solid: the signed tetrahedra cancel less
    a, b, c = (vertices[triangles[:, k]] - origin for k in range(3))
    volume = dot(a, np.cross(b, c)) / 6.0
    total = float(volume.sum())
    s = a + b + c
    center = weighted_sum(volume, s) / (4.0 * total)
    second = sum(_spread(volume, v) for v in (a, b, c, s)) / 20.0
    second = density * (second - total * np.outer(center, center))
    inertia = np.trace(second) * np.eye(3) - second
    return MassProperties(density * total, origin + center, 0.5 * (inertia + inertia.T))


def _spread(weights: Array, points: Array) -> Array:
    """Σ wᵢ xᵢxᵢᵀ"""
    squares = (points[:, :, None] * points[:, None, :]).reshape(-1, 9)
    return weighted_sum(weights, squares).reshape(3, 3)


def convex_hull(shape: str, points: Array) -> tuple[Array, Index]:
    """Hull vertices and outward triangles; ValueError if the points span no volume."""
    from scipy.spatial import ConvexHull, QhullError  # a third of a second, for hulls only

    extent = float(np.ptp(points, axis=0).max())
    flat = f"{shape}.points are (nearly) flat or coincide; they must span a volume"
    if extent <= 0.0:
        raise ValueError(flat)
    try:
        hull = ConvexHull(points)
    except QhullError:
        raise ValueError(flat) from None
    spread = symmetric_eigenvalues(_spread(np.ones(len(points)), points - points.mean(axis=0)))
    if spread[0] < 1e-12 * spread[2]:  # squares of the sizes
        raise ValueError(flat)
    kept = np.sort(hull.vertices)
    renumber = np.full(len(points), -1, dtype=np.int64)
    renumber[kept] = np.arange(len(kept))
    return points[kept].copy(), _outward(hull, renumber)


def _outward(hull: "ConvexHull", renumber: Index) -> Index:
    """Qhull's triangles renumbered and turned so that (b-a)×(c-a) points out."""
    triangles = hull.simplices.astype(np.int64)
    a, b, c = (hull.points[triangles[:, k]] for k in range(3))
    inward = dot(np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
    triangles[inward] = triangles[inward][:, ::-1]
    return renumber[triangles]


def polyhedron(vertices: Array, triangles: Index) -> Polyhedron:
    """Merge coplanar triangles of a convex surface into polygons and list the edges."""
    size = float(np.ptp(vertices, axis=0).max())
    normals, offsets, members = _planes(vertices, triangles, size)
    loops = [_boundary_loop(triangles[group]) for group in members]
    start = np.zeros(len(loops) + 1, dtype=np.int64)
    start[1:] = np.cumsum([len(loop) for loop in loops])
    edges = _edges(loops)
    return Polyhedron(vertices, normals, offsets, start, np.concatenate(loops), edges)


def _planes(vertices: Array, triangles: Index, size: float) -> tuple[Array, Array, list[Index]]:
    """Group triangles by plane, largest first so that slivers never define a face's normal."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    cross = np.cross(b - a, c - a)
    area = norm(cross)
    beside = _neighbours(triangles)
    free = np.ones(len(triangles), dtype=bool)
    normals: list[Array] = []
    offsets: list[float] = []
    members: list[Index] = []
    for seed in np.argsort(-area, kind="stable"):
        if not free[seed]:
            continue
        if area[seed] > 0.0:
            normal = cross[seed] / area[seed]
        else:  # a line: as the face that its ends are nearest to
            ends = dot(np.array(normals)[:, None, :], np.stack([a[seed], b[seed], c[seed]])[None])
            normal = normals[np.abs(ends - np.array(offsets)[:, None]).max(axis=1).argmin()]
        offset = float(dot(normal, a[seed]))
        height = np.abs(dot(np.stack([a, b, c]), normal) - offset).max(axis=0)
        flat = free & (height < _COPLANAR * size) & (dot(cross, normal) >= 0.0)
        group = _patch(int(seed), flat, triangles, beside)
        free[group] = False
        normals.append(normal)
        offsets.append(offset)
        members.append(group)
    return np.array(normals), np.array(offsets), members


def _neighbours(triangles: Index) -> list[list[int]]:
    """Triangles that share an edge with each."""
    owner = {(int(t[k]), int(t[(k + 1) % 3])): i for i, t in enumerate(triangles) for k in range(3)}
    return [
        [owner[int(t[(k + 1) % 3]), int(t[k])] for k in range(3)
         if (int(t[(k + 1) % 3]), int(t[k])) in owner]
        for t in triangles
    ]  # fmt: skip


def _patch(seed: int, flat: NDArray[np.bool_], triangles: Index, beside: list[list[int]]) -> Index:
    """What of the flat triangles hangs together with the seed and has one outline.

    Of a mesh with slivers some that are flat enough lie elsewhere, or touch the face in a corner
    only. A triangle that shares two edges with the patch, or one edge and brings a new corner,
    leaves it a disc; every disc can be built up so, whatever the order [Danaraj & Klee 1978].
    """
    taken, corners, waiting = {seed}, set(triangles[seed].tolist()), list(beside[seed])
    while waiting:
        next_one = waiting.pop()
        if next_one in taken or not flat[next_one]:
            continue
        shared = sum(neighbour in taken for neighbour in beside[next_one])
        own = set(triangles[next_one].tolist())
        if shared >= 2 or not own <= corners:
            taken.add(next_one)
            corners |= own
            waiting += beside[next_one]
    return np.array(sorted(taken), dtype=np.int64)


def _boundary_loop(triangles: Index) -> Index:
    """The outline of a patch of consistently turned triangles, as one closed walk."""
    follower = {}
    edges = {(int(t[k]), int(t[(k + 1) % 3])) for t in triangles for k in range(3)}
    for tail, head in edges:
        if (head, tail) not in edges:
            follower[tail] = head
    loop = [min(follower)]
    while follower[loop[-1]] != loop[0]:
        loop.append(follower[loop[-1]])
    return np.array(loop, dtype=np.int64)


def _edges(loops: list[Index]) -> Index:
    """Each edge once: its two vertices and the faces on its left and right."""
    side = {
        (int(tail), int(head)): face
        for face, loop in enumerate(loops)
        for tail, head in zip(loop, np.roll(loop, -1), strict=True)
    }
    rows = [
        (tail, head, face, side[head, tail]) for (tail, head), face in side.items() if tail < head
    ]
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, 4)
