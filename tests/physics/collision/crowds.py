"""Crowds of shapes, written once for tests and benchmarks."""

import numpy as np

from physics.collision.arrays import Floats
from physics.collision.store import ShapeStore
from physics.shapes import Box, Capsule, Plane, Sphere

State = tuple[Floats, Floats, Floats, float]


def cloud(count: int) -> tuple[ShapeStore, State]:
    """Shapes at constant density, few of which touch."""
    rng = np.random.default_rng(0)
    side = 1.2 * count ** (1 / 3)
    return _fill(rng.uniform(0.0, side, size=(count, 3)), rng)


def bed(count: int) -> tuple[ShapeStore, State]:
    """Five layers of touching shapes."""
    rng = np.random.default_rng(0)
    wide = int(np.ceil(np.sqrt(count / 5)))
    cell = np.stack(np.unravel_index(np.arange(count), (5, wide, wide)), axis=1)
    at = cell[:, [1, 0, 2]] * 0.5 + np.array([0.0, 0.2499, 0.0])
    return _fill(at, rng)


def _fill(at: Floats, rng: np.random.Generator) -> tuple[ShapeStore, State]:
    store = ShapeStore()
    shapes = (Box((0.5, 0.5, 0.5)), Sphere(0.25), Box((0.5, 0.5, 0.5)), Capsule(0.15, 0.2))
    store.add(Plane(), 0, movable=False)
    for k in range(len(at)):
        store.add(shapes[k % 4], k + 1)
    count = len(at) + 1
    velocity = np.zeros((count, 6))
    velocity[1:, :3] = 0.1 * rng.normal(size=at.shape)
    orientation = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    position = np.ascontiguousarray(np.vstack([np.zeros(3), at]))  # as worlds hold them
    return store, (position, orientation, velocity, 1 / 60)
