"""Rays against parts: pick what is seen, ornaments included, for all parts at once."""

import numpy as np
import numpy.typing as npt

from sandbox.render import rotations
from sandbox.render.scene import Parts

Array = npt.NDArray[np.floating]

_ROUND = 0.95  # a bevel of this share of the half extents makes a ball


def ray_parts(origin: Array, direction: Array, rows: Parts) -> Array:
    """Distances (n,) at which a ray enters the parts' boxes or balls; inf where it misses."""
    turn = rows["orientation"].astype(float) * np.array((1.0, -1.0, -1.0, -1.0))
    o = rotations.rotate(turn, np.asarray(origin, float) - rows["position"])
    d = rotations.rotate(turn, np.broadcast_to(np.asarray(direction, float), o.shape))
    half = rows["half"].astype(float)
    distance = _boxes(o, d, half)
    balls = rows["radius"] >= _ROUND * half.max(axis=1)
    if balls.any():
        distance[balls] = _balls(o[balls], d[balls], half[balls, 0])
    return distance


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
