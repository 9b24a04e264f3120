"""Reading and setting the motion of bodies."""

import math
from typing import Any

import numpy as np

from physics import state as st
from physics.body_store import rotation_matrix
from physics.checks import quaternion, vector
from physics.records import Handle
from physics.state import Floats
from physics.world_base import WorldBase


class StateAccess(WorldBase):
    """Where bodies are and how they move."""

    def position(self, handle: Handle | str) -> Floats:
        """Centre of mass, m."""
        return self._bodies.arrays.position[self._body_slot(handle)].copy()

    def orientation(self, handle: Handle | str) -> Floats:
        """Unit quaternion (w, x, y, z)."""
        return self._bodies.arrays.orientation[self._body_slot(handle)].copy()

    def velocity(self, handle: Handle | str) -> Floats:
        """Of the centre of mass, m/s."""
        return self._bodies.arrays.velocity[2 * self._body_slot(handle)].copy()

    def angular_velocity(self, handle: Handle | str) -> Floats:
        """World axes, rad/s."""
        return self._bodies.arrays.velocity[2 * self._body_slot(handle) + 1].copy()

    def set_position(self, handle: Handle | str, value: Any) -> None:
        slot = self._body_slot(handle)
        place = vector("position", value)
        self._wake_near(slot)
        self._bodies.arrays.position[slot] = place

    def set_orientation(self, handle: Handle | str, value: Any) -> None:
        slot = self._body_slot(handle)
        turn = quaternion("orientation", value)
        self._wake_near(slot)
        self._bodies.arrays.orientation[slot] = turn
        self._bodies.arrays.rotation[slot] = rotation_matrix(self._bodies.arrays.orientation[slot])

    def set_velocity(self, handle: Handle | str, value: Any) -> None:
        self._set_node(2 * self._body_slot(handle), vector("velocity", value))

    def set_angular_velocity(self, handle: Handle | str, value: Any) -> None:
        self._set_node(2 * self._body_slot(handle) + 1, vector("angular_velocity", value))

    def _set_node(self, node: int, value: Floats) -> None:
        bodies = self._bodies.arrays
        if not np.array_equal(value, bodies.velocity[node]):
            self._wake_near(node // 2)
        if bodies.kind[node // 2] == st.STATIC:
            raise ValueError("a fixed body has no velocity; make it keyframed to move it")
        bodies.velocity[node] = value * (bodies.free[node] if bodies.solved[node] else 1.0)
        bodies.mean_velocity[node] = bodies.velocity[node]

    def shape(self, handle: Handle | str) -> Any:
        return self._bodies.shapes[self._body_slot(handle)]

    def mass(self, handle: Handle | str) -> float:
        """kg; infinite for what is fixed or keyframed."""
        target = self._resolve(handle)
        if self._softs is not None and target.kind in ("cloth", "solid"):
            return self._softs.items[target.slot].mass()
        slot = self._body_slot(handle)
        return float(self._bodies.arrays.mass[slot]) or math.inf

    def is_fixed(self, handle: Handle | str) -> bool:
        return bool(self._bodies.arrays.kind[self._body_slot(handle)] == st.STATIC)

    def is_particle(self, handle: Handle | str) -> bool:
        return self._resolve(handle).kind == "particle"

    def poses(self) -> tuple[Floats, Floats]:
        """Positions (n, 3) and orientations (n, 4) of all slots; row = handle.slot."""
        return self._bodies.arrays.position.copy(), self._bodies.arrays.orientation.copy()
