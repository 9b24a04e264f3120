"""Looking at joints and changing them while running."""

from typing import Any

import numpy as np

from physics import state as st
from physics.constraints import JOINTS
from physics.joint_store import (
    angle_between,
    measured_angle,
)
from physics.portable import transform
from physics.records import Handle, JointInfo, JointRecord
from physics.state import Floats
from physics.world_base import WorldBase


class JointAccess(WorldBase):
    """What joints do."""

    def joint(self, handle: Handle | str) -> JointInfo:
        """Where a joint is now."""
        record = self._joints.joints[self._joint_slot(handle)]
        a = self._slot_handle(record.a)
        assert a is not None
        return JointInfo(
            kind=record.kind,
            a=a,
            b=self._slot_handle(record.b),
            anchor_a=self._bodies.to_world(record.a, record.frame.anchor_a),
            anchor_b=self._bodies.to_world(record.b, record.frame.anchor_b),
            axis=transform(self._bodies.arrays.rotation[record.a], record.frame.n_a),
            parameters=self._complete(record),
        )

    def _complete(self, record: JointRecord) -> dict[str, Any]:
        """The parameters, with the length a joint was given by where its ends were."""
        parameters = dict(record.parameters)
        if "length" in parameters and parameters["length"] is None:
            parameters["length"] = float(self._joints.arrays.rest[record.elements[0], 0])
        return parameters

    def set_joint(self, handle: Handle | str, **parameters: Any) -> None:
        """Changes parameters while running: motor speed, servo target, length, breaking force."""
        slot = self._joint_slot(handle)
        if self._joints.change(slot, parameters):
            self._stepper = None
        record = self._joints.joints[slot]
        self._wake_near(record.a, record.b)

    def joint_force(self, handle: Handle | str) -> tuple[Floats, Floats]:
        """Force (N) and torque about the anchor (N m) that the joint put on body a last step."""
        record = self._joints.joints[self._joint_slot(handle)]
        elements = self._joints.arrays
        force, torque = np.zeros(3), np.zeros(3)
        lever = transform(self._bodies.arrays.rotation[record.a], record.frame.anchor_a)
        for e in record.elements:
            linear = transform(elements.J_start[e, 0].T, elements.lam[e])
            force += linear
            torque += transform(elements.J_start[e, 1].T, elements.lam[e])
            torque -= np.cross(lever, linear)
        return force, torque

    def joint_value(self, handle: Handle | str) -> float:
        """Free coordinate: angle (rad), slide (m) or length (m); of a gear, the turn of body a."""
        record = self._joints.joints[self._joint_slot(handle)]
        coordinate = JOINTS[record.kind].coordinate
        if coordinate is not None:
            info = self.joint(handle)
            return coordinate(info.anchor_a, info.anchor_b, info.axis, info.parameters)
        angle = measured_angle(self._joints, record) if self._counters[st.STEPS] else None
        return angle_between(self._bodies, record) if angle is None else angle

    def joint_error(self, handle: Handle | str) -> float:
        """Largest |φ| of the joint's hard translational rows, m."""
        record = self._joints.joints[self._joint_slot(handle)]
        return self._translation_error(np.array(record.elements, np.int64))
