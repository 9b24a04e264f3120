"""Bodies and particles in their slots."""

import numpy as np

from physics.definitions.body_keys import DEFAULTS
from physics.definitions.mass import POINT_INERTIA
from physics.definitions.new_body import Flags, NewBody, rotation_matrix
from physics.portable import transform
from physics.schema import allocate, grown
from physics.shapes.base import Shape
from physics.snapshot import Saved, restored_arrays, saved_arrays
from physics.state import (
    DYNAMIC,
    FREE_SLOT,
    PARTICLE,
    STATIC,
    WORLD,
    Bodies,
    Floats,
)

_FIRST_CAPACITY = 16


class BodyStore:
    """Owns the body arrays; slots are reused, generations tell old handles from new ones."""

    def __init__(self) -> None:
        self.arrays: Bodies = allocate(Bodies, n=_FIRST_CAPACITY)
        self.generation: list[int] = [0] * _FIRST_CAPACITY
        self.shapes: list[Shape | None] = [None] * _FIRST_CAPACITY
        self.centers: list[Floats | None] = [
            None
        ] * _FIRST_CAPACITY  # centre of mass, shape axes, m
        self._search_from = WORLD + 1  # no slot before this one is free
        self.arrays.kind[WORLD] = STATIC
        self.arrays.orientation[WORLD] = (1.0, 0.0, 0.0, 0.0)
        self.arrays.rotation[WORLD] = np.eye(3)

    def take_slot(self) -> int:
        """The lowest free slot; grows the arrays when there is none."""
        slot, kinds = self._search_from, self.arrays.kind
        while slot < len(kinds) and kinds[slot] != FREE_SLOT:
            slot += 1
        if slot == len(kinds):
            self.arrays = grown(self.arrays, n=2 * slot)
            self.generation += [0] * slot
            self.shapes += [None] * slot
            self.centers += [None] * slot
        self._search_from = slot
        return slot

    def save(self) -> Saved:
        return {
            "arrays": saved_arrays(self.arrays),
            "shapes": list(self.shapes),
            "centers": list(self.centers),
            "generation": list(self.generation),
        }

    def restore(self, saved: Saved) -> None:
        """All slots as they were when they were saved."""
        self.arrays = restored_arrays(self.arrays, saved["arrays"])
        self.shapes, self.generation = list(saved["shapes"]), list(saved["generation"])
        self.centers = list(saved["centers"])
        self._search_from = WORLD + 1

    def fill(self, slot: int, new: NewBody) -> None:
        """Writes every field of a slot."""
        kind, mass = new.kind, new.mass
        bodies = self.arrays
        nodes = slice(2 * slot, 2 * slot + 2)
        moves, turns = kind in (DYNAMIC, PARTICLE), kind == DYNAMIC
        bodies.kind[slot] = kind
        bodies.mass[slot] = mass.mass
        bodies.inertia[slot] = mass.inertia
        bodies.inertia_max[slot] = mass.largest
        bodies.spherical[slot] = mass.spherical
        for column, value in new.columns.body.items():
            getattr(bodies, column)[slot] = value
        bodies.position[slot] = new.position
        bodies.orientation[slot] = new.orientation
        bodies.rotation[slot] = rotation_matrix(new.orientation)
        bodies.free[nodes] = new.free
        speeds = bodies.velocity[nodes]
        if kind == STATIC:
            speeds[:] = 0.0
        else:
            speeds[0], speeds[1] = new.velocity, new.angular_velocity
            if moves:
                speeds *= new.free
        bodies.mean_velocity[nodes], bodies.mean_excess[nodes] = speeds, 0.0
        bodies.lag[slot], bodies.debt[slot], bodies.frozen[slot] = 0.0, 0.0, 0
        bodies.contact_force[nodes], bodies.peak[slot], bodies.rate[slot] = 0.0, 0.0, 0.0
        bodies.masked[slot] = moves and not bool(new.free[: 2 if turns else 1].all())
        bodies.solved[2 * slot], bodies.solved[2 * slot + 1] = moves, turns
        bodies.force[nodes] = bodies.late[nodes] = bodies.soft_force[nodes] = 0.0
        self.shapes[slot], self.centers[slot] = new.shape, new.mass.center

    def fill_particles(
        self, mass: Floats, held: Flags, position: Floats, velocity: Floats, free: Floats
    ) -> list[int]:
        """The slots of new particles; the world holds still those that are `held`."""
        slots = []
        for _ in range(len(mass)):
            slots.append(self.take_slot())
            self.arrays.kind[slots[-1]] = PARTICLE
        chosen, bodies, moves = np.array(slots, np.int64), self.arrays, ~held
        bodies.kind[chosen] = np.where(held, STATIC, PARTICLE)
        bodies.mass[chosen] = np.where(held, 0.0, mass)
        bodies.inertia[chosen] = np.where(held[:, None, None], 0.0, POINT_INERTIA)
        bodies.inertia_max[chosen] = moves
        bodies.spherical[chosen] = 1
        for column, value in DEFAULTS.body.items():
            getattr(bodies, column)[chosen] = value
        bodies.position[chosen] = position
        bodies.orientation[chosen] = (1.0, 0.0, 0.0, 0.0)
        bodies.rotation[chosen] = np.eye(3)
        for node in (2 * chosen, 2 * chosen + 1):
            bodies.force[node] = bodies.late[node] = bodies.soft_force[node] = 0.0
            bodies.contact_force[node] = 0.0
            bodies.velocity[node] = 0.0
            bodies.mean_velocity[node] = bodies.mean_excess[node] = 0.0
            bodies.solved[node] = 0
        bodies.free[2 * chosen], bodies.free[2 * chosen + 1] = free
        bodies.velocity[2 * chosen] = velocity * free[0] * moves[:, None]
        bodies.mean_velocity[2 * chosen] = bodies.velocity[2 * chosen]
        bodies.peak[chosen] = bodies.rate[chosen] = 0.0
        bodies.lag[chosen], bodies.debt[chosen], bodies.frozen[chosen] = 0.0, 0.0, 0
        bodies.solved[2 * chosen] = moves
        bodies.masked[chosen] = moves & (not free[0].all())
        return slots

    def release(self, slot: int) -> None:
        bodies = self.arrays
        bodies.kind[slot] = FREE_SLOT
        bodies.solved[2 * slot : 2 * slot + 2] = 0
        bodies.velocity[2 * slot : 2 * slot + 2] = 0.0
        bodies.mean_velocity[2 * slot : 2 * slot + 2] = 0.0
        bodies.mean_excess[2 * slot : 2 * slot + 2] = 0.0
        bodies.force[2 * slot : 2 * slot + 2] = 0.0
        bodies.masked[slot], bodies.frozen[slot], bodies.was_frozen[slot] = 0, 0, 0
        self.shapes[slot] = self.centers[slot] = None
        self.generation[slot] += 1
        self._search_from = min(self._search_from, slot)

    def to_local(self, slot: int, point: Floats) -> Floats:
        """A world point in the body's axes."""
        bodies = self.arrays
        return transform(bodies.rotation[slot].T, point - bodies.position[slot])

    def to_world(self, slot: int, local: Floats) -> Floats:
        bodies = self.arrays
        return bodies.position[slot] + transform(bodies.rotation[slot], local)
