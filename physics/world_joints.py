"""Looking at joints: where they are, what they bear, how far they gape."""

import copy
from typing import Any

import numpy as np

from physics.body_store import BodyStore
from physics.constraints import JOINTS
from physics.joint_store import JointStore, angle_between, measured_angle
from physics.measure import translation_error
from physics.names import BODIES, NameTable
from physics.portable import transform
from physics.records import Handle, JointInfo, JointRecord
from physics.state import WORLD, Floats
from physics.step_records import StepRecords


class JointReader:
    """What joints do, asked by their slots."""

    def __init__(
        self, names: NameTable, bodies: BodyStore, joints: JointStore, records: StepRecords
    ) -> None:
        self._names, self._bodies, self._joints, self._records = names, bodies, joints, records

    def info(self, slot: int) -> JointInfo:
        """Where a joint is now."""
        record = self._joints.joints[slot]
        a = self._body(record.a)
        assert a is not None
        return JointInfo(
            kind=record.kind,
            a=a,
            b=self._body(record.b),
            anchor_a=self._bodies.to_world(record.a, record.frame.anchor_a),
            anchor_b=self._bodies.to_world(record.b, record.frame.anchor_b),
            axis=transform(self._bodies.arrays.rotation[record.a], record.frame.n_a),
            parameters=self._complete(record),
        )

    def _body(self, slot: int) -> Handle | None:
        if slot == WORLD:
            return None
        return self._names.at(BODIES, slot, self._bodies.generation[slot])

    def _complete(self, record: JointRecord) -> dict[str, Any]:
        """The parameters, with the length a joint was given by where its ends were."""
        parameters = {name: copy.copy(value) for name, value in record.parameters.items()}
        if "length" in parameters and parameters["length"] is None:
            parameters["length"] = float(self._joints.arrays.rest[record.elements[0], 0])
        return parameters

    def force(self, slot: int) -> tuple[Floats, Floats]:
        """Force (N) and torque about the anchor (N m) that the joint put on body a last step."""
        record = self._joints.joints[slot]
        elements = self._joints.arrays
        force, torque = np.zeros(3), np.zeros(3)
        lever = transform(self._bodies.arrays.rotation[record.a], record.frame.anchor_a)
        for e in record.elements:
            linear = transform(elements.J_start[e, 0].T, elements.lam[e])
            force += linear
            torque += transform(elements.J_start[e, 1].T, elements.lam[e])
            torque -= np.cross(lever, linear)
        return force, torque

    def value(self, slot: int) -> float:
        """Free coordinate: see `World.joint_value`."""
        record = self._joints.joints[slot]
        coordinate = JOINTS[record.kind].coordinate
        if coordinate is not None:
            info = self.info(slot)
            return coordinate(info.anchor_a, info.anchor_b, info.axis, info.parameters)
        angle = measured_angle(self._joints, record) if self._records.steps else None
        return angle_between(self._bodies, record) if angle is None else angle

    def error(self, slot: int) -> float:
        """Largest |φ| of the joint's hard translational rows, m."""
        record = self._joints.joints[slot]
        if not self._records.steps:
            return 0.0
        return translation_error(self._joints.arrays, np.array(record.elements, np.int64))
