"""Bodies and particles in their slots."""

from typing import Any

import numpy as np

from physics.mass import BodyMass
from physics.state import (
    DYNAMIC,
    FREE_SLOT,
    KEYFRAMED,
    PARTICLE,
    STATIC,
    WORLD,
    Bodies,
    Floats,
    grown,
    make_bodies,
)

_FIRST_CAPACITY = 16


class BodyStore:
    """Owns the body arrays; slots are reused, generations tell old handles from new ones."""

    def __init__(self) -> None:
        self.arrays: Bodies = make_bodies(_FIRST_CAPACITY)
        self.generation: list[int] = [0] * _FIRST_CAPACITY
        self.shapes: list[Any] = [None] * _FIRST_CAPACITY
        self.offsets: dict[int, Floats] = {}
        self.arrays.kind[WORLD] = STATIC
        self._reset_pose(WORLD)

    def _reset_pose(self, slot: int) -> None:
        bodies = self.arrays
        bodies.orientation[slot] = (1.0, 0.0, 0.0, 0.0)
        bodies.rotation[slot] = np.eye(3)

    def take_slot(self) -> int:
        """A free slot; grows the arrays when there is none."""
        free = np.flatnonzero(self.arrays.kind == FREE_SLOT)
        if len(free) == 0:
            old = len(self.generation)
            self.arrays = grown(self.arrays, make_bodies(2 * old))
            self.generation += [0] * old
            self.shapes += [None] * old
            return old
        return int(free[0])

    def fill(
        self,
        slot: int,
        kind: int,
        shape: Any,
        mass: BodyMass,
        position: Floats,
        orientation: Floats,
        velocity: Floats,
        angular_velocity: Floats,
        free: Floats,
    ) -> None:
        """Writes every field of a slot."""
        bodies = self.arrays
        nodes = slice(2 * slot, 2 * slot + 2)
        moves = kind in (DYNAMIC, PARTICLE)
        bodies.kind[slot] = kind
        bodies.mass[slot] = mass.mass
        bodies.inertia[slot] = mass.inertia
        bodies.inertia_max[slot] = mass.largest
        bodies.spherical[slot] = mass.spherical
        bodies.gravity_scale[slot] = 1.0
        bodies.position[slot] = position
        self._reset_pose(slot)
        bodies.orientation[slot] = orientation
        bodies.rotation[slot] = rotation_matrix(orientation)
        bodies.velocity[nodes] = np.stack([velocity, angular_velocity]) * (free if moves else 1.0)
        if kind == STATIC:
            bodies.velocity[nodes] = 0.0
        bodies.mean_velocity[nodes] = bodies.velocity[nodes]
        bodies.free[nodes] = free
        bodies.masked[slot] = moves and not bool(free[: 1 if kind == PARTICLE else 2].all())
        bodies.solved[nodes] = (moves, kind == DYNAMIC)
        bodies.force[nodes] = 0.0
        self.shapes[slot] = shape

    def release(self, slot: int) -> None:
        bodies = self.arrays
        bodies.kind[slot] = FREE_SLOT
        bodies.solved[2 * slot : 2 * slot + 2] = 0
        bodies.velocity[2 * slot : 2 * slot + 2] = 0.0
        bodies.mean_velocity[2 * slot : 2 * slot + 2] = 0.0
        bodies.force[2 * slot : 2 * slot + 2] = 0.0
        bodies.masked[slot] = 0
        self.shapes[slot] = None
        self.generation[slot] += 1

    def to_local(self, slot: int, point: Floats) -> Floats:
        """A world point in the body's axes."""
        bodies = self.arrays
        return bodies.rotation[slot].T @ (point - bodies.position[slot])

    def to_world(self, slot: int, local: Floats) -> Floats:
        bodies = self.arrays
        return bodies.position[slot] + bodies.rotation[slot] @ local

    def is_moving(self, slot: int) -> bool:
        return int(self.arrays.kind[slot]) in (DYNAMIC, PARTICLE, KEYFRAMED)


def rotation_matrix(q: Floats) -> Floats:
    """Rotation matrix of a unit quaternion."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
