"""Forces, impulses, and the hand that grabs."""

from typing import Any

import numpy as np

from physics import state as st
from physics.checks import vector
from physics.constraints.registry import Frame, grab_element
from physics.portable import inverse, transform
from physics.records import Handle, JointRecord
from physics.state import Floats
from physics.world_base import WorldBase


class Hands(WorldBase):
    """What acts on bodies from outside."""

    def apply_force(self, handle: Handle | str, force: Any, at: Any = None) -> None:
        """A force in N at a world point (default: the centre), during the next call of step."""
        slot = self._body_slot(handle)
        push = vector("force", force)
        self._wake_near(slot)
        self._bodies.arrays.force[2 * slot] += push
        if at is not None:
            arm = vector("at", at) - self._bodies.arrays.position[slot]
            self._bodies.arrays.force[2 * slot + 1] += np.cross(arm, push)

    def apply_torque(self, handle: Handle | str, torque: Any) -> None:
        """A torque in N m, during the next call of step."""
        slot = self._body_slot(handle)
        turn = vector("torque", torque)
        self._wake_near(slot)
        self._bodies.arrays.force[2 * slot + 1] += turn

    def apply_impulse(self, handle: Handle | str, impulse: Any, at: Any = None) -> None:
        """An impulse in N s at a world point: changes the velocity at once.

        A cloth or solid takes it with the nodes around that point, which must be given.
        """
        target = self._resolve(handle)
        if self._softs is not None and target.kind in ("cloth", "solid"):
            push, place = vector("impulse", impulse), vector("at", at)
            return self._softs.items[target.slot].push(push, place)
        slot = self._body_slot(handle)
        bodies = self._bodies.arrays
        if not bodies.solved[2 * slot]:
            raise ValueError(f"{self._describe(handle)} does not move freely; it takes no impulse")
        push = vector("impulse", impulse)
        self._wake_near(slot)
        bodies.velocity[2 * slot] += push / bodies.mass[slot] * bodies.free[2 * slot]
        if at is not None and bodies.solved[2 * slot + 1]:
            arm = vector("at", at) - bodies.position[slot]
            R = bodies.rotation[slot]
            twist = transform(R.T, np.cross(arm, push))
            turn = transform(R, transform(inverse(bodies.inertia[slot]), twist))
            bodies.velocity[2 * slot + 1] += turn * bodies.free[2 * slot + 1]
        return None

    def grab(self, handle: Handle | str, point: Any) -> Handle:
        """Takes hold of a body at a world point with a spring scaled by the mass it meets.

        Of a cloth or solid it takes the nearest node.
        """
        target = self._resolve(handle)
        if self._softs is not None and target.kind in ("cloth", "solid"):
            hand = self._softs.items[target.slot].take(vector("point", point))
            held = Handle("soft_grab", target.slot, 0, hand)
            return self._register(self._fresh_name(f"hand {target.slot}.{hand}"), held)
        slot = self._body_slot(handle)
        place = vector("point", point)
        anchor = self._bodies.to_local(slot, place)
        if self._bodies.arrays.kind[slot] == st.PARTICLE:
            anchor = np.zeros(3)
        x, y, z = np.eye(3)
        frame = Frame(anchor, place, x, y, z, x, y, z, 0.0)
        record = JointRecord("grab", slot, st.WORLD, frame, {})
        index = self._joints.add(record, [grab_element()])
        self._wake_near(slot)
        return self._register(
            self._fresh_name("grab"), Handle("grab", index, self._joints.generation[index])
        )

    def move_grab(self, grab: Handle, target: Any) -> None:
        """Moves the hand to a world point."""
        if grab.kind == "soft_grab":
            hands = self._soft_hands(grab)
            hands[grab.hand] = hands[grab.hand][0], vector("target", target)
            return
        record = self._joints.joints[self._grab_slot(grab)]
        self._joints.arrays.anchor[record.elements[0], 1] = vector("target", target)

    def grab_point(self, grab: Handle) -> Floats:
        """Where that which the hand holds is now, m."""
        if grab.kind == "soft_grab":
            node = self._soft_hands(grab)[grab.hand][0]
            assert self._softs is not None
            return self._softs.items[grab.slot].body.x[node].copy()
        record = self._joints.joints[self._grab_slot(grab)]
        return self._bodies.to_world(record.a, record.frame.anchor_a)

    def _soft_hands(self, grab: Handle) -> dict[int, Any]:
        """Hands on the cloth or solid that a grab belongs to."""
        self._resolve(grab)
        items = {} if self._softs is None else self._softs.items
        if grab.slot not in items or grab.hand not in items[grab.slot].hands:
            raise ValueError(f"{grab} holds nothing any more")
        return items[grab.slot].hands

    def release_grab(self, grab: Handle) -> None:
        if grab.kind == "soft_grab":
            self._soft_hands(grab).pop(grab.hand)
            del self._names[self._labels.pop(grab)]
            return
        self._grab_slot(grab)
        self.remove(grab)
