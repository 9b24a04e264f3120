"""Rays against parts and triangles: pick what is seen, ornaments included, all at once."""

import numpy as np
import numpy.typing as npt

from sandbox.render import rotations
from sandbox.render.scene import Parts

Array = npt.NDArray[np.floating]

_ROUND = 0.95  # a bevel of this share of the half extents makes a ball


def ray_parts(origin: Array, direction: Array, rows: Parts, corners: Array | None = None) -> Array:
    """Distances (n,) at which a ray enters the parts' boxes or balls; inf where it misses. Parts
    with a mesh of their own give its corners, three for each triangle."""
    turn = rows["orientation"].astype(float) * np.array((1.0, -1.0, -1.0, -1.0))
    o = rotations.rotate(turn, np.asarray(origin, float) - rows["position"])
    d = rotations.rotate(turn, np.broadcast_to(np.asarray(direction, float), o.shape))
    if corners is not None:
        triangles = np.asarray(corners, float).reshape(-1, 3, 3)
        met = [ray_triangles(a, b, triangles).min() for a, b in zip(o, d, strict=True)]
        return np.array(met, float)
    half = rows["half"].astype(float)
    distance = _boxes(o, d, half)
    balls = rows["radius"] >= _ROUND * half.max(axis=1)
    if balls.any():
        distance[balls] = _balls(o[balls], d[balls], half[balls, 0])
    return distance


def ray_triangles(origin: Array, direction: Array, corners: Array) -> Array:
    """Distances (n,) at which a ray meets triangles (n, 3, 3) from either side; inf: it misses.

    o + t d = a + u (b - a) + v (c - a), solved by Cramer's rule [Moeller, Trumbore 1997].
    """
    a = corners[:, 0]
    e1, e2, s = corners[:, 1] - a, corners[:, 2] - a, np.asarray(origin, float) - a
    p = np.cross(direction, e2)
    det = np.einsum("ij,ij->i", e1, p)
    safe = np.where(np.abs(det) < 1e-15, 1e-15, det)
    q = np.cross(s, e1)
    u = np.einsum("ij,ij->i", s, p) / safe
    v = q @ direction / safe
    t = np.einsum("ij,ij->i", e2, q) / safe
    met = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t > 0.0) & (np.abs(det) > 1e-15)
    return np.where(met, t, np.inf)


def _boxes(o: Array, d: Array, half: Array) -> Array:
    """The slab test."""
    safe = np.where(np.abs(d) < 1e-12, 1e-12, d)
    a, b = (-half - o) / safe, (half - o) / safe
    enter = np.minimum(a, b).max(axis=1)
    leave = np.maximum(a, b).min(axis=1)
    return np.where((leave >= enter) & (leave > 0.0), np.maximum(enter, 0.0), np.inf)


def _balls(o: Array, d: Array, radius: Array) -> Array:
    along = -np.sum(o * d, axis=1)
    gap2 = np.sum(o * o, axis=1) - along**2
    inside = radius**2 - gap2
    hit = (inside > 0.0) & (along > 0.0)
    return np.where(hit, along - np.sqrt(np.maximum(inside, 0.0)), np.inf)
