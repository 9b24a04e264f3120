"""Hands: they take hold of a body or of a node of a soft one and draw it to a point."""

from dataclasses import dataclass

import numpy as np

from physics import state as st
from physics.body_store import BodyStore
from physics.constraints.registry import Frame, grab_element
from physics.joint_store import JointStore
from physics.records import JointRecord
from physics.snapshot import Saved
from physics.softs import Softs
from physics.state import Floats


@dataclass(frozen=True)
class Grab:
    """What a hand holds: the joint that draws a rigid body, or a hand of a soft one."""

    joint: int | None = None  # slot
    soft: int | None = None  # slot
    hand: int = 0  # of the soft body


class HandStore:
    """Owns the grabs; their numbers are never used twice."""

    def __init__(self, bodies: BodyStore, joints: JointStore, softs: Softs) -> None:
        self._bodies, self._joints, self._softs = bodies, joints, softs
        self._grabs: dict[int, Grab] = {}
        self._made = 0

    def take_body(self, slot: int, point: Floats) -> int:
        """Holds a body at a world point by a spring scaled by the mass it meets; the grab."""
        anchor = self._bodies.to_local(slot, point)
        if self._bodies.arrays.kind[slot] == st.PARTICLE:
            anchor = np.zeros(3)
        x, y, z = np.eye(3)
        frame = Frame(anchor, point, x, y, z, x, y, z, 0.0)
        record = JointRecord("grab", slot, st.WORLD, frame, {})
        return self._add(Grab(joint=self._joints.add(record, [grab_element()])))

    def take_soft(self, slot: int, point: Floats) -> int:
        """Holds the node of a soft body that is nearest to a world point; the grab."""
        return self._add(Grab(soft=slot, hand=self._softs.items[slot].take(point)))

    def _add(self, grab: Grab) -> int:
        number = self._made
        self._made += 1
        self._grabs[number] = grab
        return number

    def move(self, number: int, target: Floats) -> None:
        """Moves the hand to a world point."""
        grab = self._grabs[number]
        if grab.soft is not None:
            hands = self._softs.items[grab.soft].hands
            hands[grab.hand] = hands[grab.hand][0], target
        elif grab.joint is not None:
            element = self._joints.joints[grab.joint].elements[0]
            self._joints.arrays.anchor[element, 1] = target

    def point(self, number: int) -> Floats:
        """Where that which the hand holds is now, m."""
        grab = self._grabs[number]
        if grab.soft is not None:
            item = self._softs.items[grab.soft]
            return item.body.x[item.hands[grab.hand][0]].copy()
        assert grab.joint is not None
        record = self._joints.joints[grab.joint]
        return self._bodies.to_world(record.a, record.frame.anchor_a)

    def joint(self, number: int) -> int | None:
        """Slot of the joint that draws a rigid body."""
        return self._grabs[number].joint

    def body(self, number: int) -> int | None:
        """Slot of the rigid body that is held."""
        joint = self.joint(number)
        return None if joint is None else self._joints.joints[joint].a

    def release(self, number: int) -> None:
        grab = self._grabs.pop(number)
        if grab.joint is not None:
            self._joints.remove(grab.joint)
        elif grab.soft is not None and grab.soft in self._softs.items:
            self._softs.items[grab.soft].hands.pop(grab.hand)

    def on_body(self, slot: int) -> list[int]:
        """Grabs that hold a rigid body."""
        return [number for number in self._grabs if self.body(number) == slot]

    def on_soft(self, slot: int) -> list[int]:
        """Grabs that hold a soft body."""
        return [number for number, grab in self._grabs.items() if grab.soft == slot]

    def save(self) -> Saved:
        return {"grabs": dict(self._grabs), "made": self._made}

    def restore(self, saved: Saved) -> None:
        self._grabs, self._made = dict(saved["grabs"]), saved["made"]
