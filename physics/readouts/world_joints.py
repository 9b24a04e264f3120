"""Looking at joints: where they are, how they move, what they bear, how far they gape."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from physics.body_store import BodyStore
from physics.constraints import JOINTS
from physics.joint_store import JointStore, angle_between, measured_angle
from physics.names import BODIES, NameTable
from physics.portable import dot, transform
from physics.readouts.measure import translation_error
from physics.records import Handle, JointInfo, JointRecord
from physics.state import WORLD, Floats
from physics.step_records import StepRecords

# velocity of the centre and angular velocity of a body, m/s and rad/s
Motion = Callable[[Handle], tuple[Floats, Floats]]


class JointReader:
    """What joints do, asked by their slots."""

    def __init__(
        self, names: NameTable, bodies: BodyStore, joints: JointStore, records: StepRecords
    ) -> None:
        self._names, self._bodies, self._joints, self._records = names, bodies, joints, records

    def info(self, slot: int) -> JointInfo:
        """Where a joint is now; with one body that is a, whichever stands first in its rows."""
        record = self._joints.joints[slot]
        ends = [(record.a, record.frame.anchor_a), (record.b, record.frame.anchor_b)]
        (a, at_a), (b, at_b) = reversed(ends) if record.a == WORLD else ends
        first = self._body(a)
        assert first is not None
        return JointInfo(
            kind=record.kind,
            a=first,
            b=self._body(b),
            anchor_a=self._bodies.to_world(a, at_a),
            anchor_b=self._bodies.to_world(b, at_b),
            axis=self._axis(record),
            parameters=self._complete(record),
        )

    def _body(self, slot: int) -> Handle | None:
        if slot == WORLD:
            return None
        return self._names.at(BODIES, slot, self._bodies.generation[slot])

    def _axis(self, record: JointRecord) -> Floats:
        return transform(self._bodies.arrays.rotation[record.a], record.frame.n_a)

    def _anchors(self, record: JointRecord) -> tuple[Floats, Floats]:
        """In the order of its rows, world coordinates."""
        first = self._bodies.to_world(record.a, record.frame.anchor_a)
        return first, self._bodies.to_world(record.b, record.frame.anchor_b)

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
        body, anchor, node = record.a, record.frame.anchor_a, 0
        if record.a == WORLD:
            body, anchor, node = record.b, record.frame.anchor_b, 2
        lever = transform(self._bodies.arrays.rotation[body], anchor)
        for e in record.elements:
            linear = transform(elements.J_start[e, node].T, elements.lam[e])
            force += linear
            torque += transform(elements.J_start[e, node + 1].T, elements.lam[e])
            torque -= np.cross(lever, linear)
        return force, torque

    def motor_force(self, slot: int) -> float:
        """Of motor and servo along the free coordinate, last step: N or N m."""
        record = self._joints.joints[slot]
        driven = [
            e
            for e, part in zip(record.elements, record.parts, strict=True)
            if part in ("motor", "servo")
        ]
        if not driven:
            raise ValueError(f"this {record.kind} joint has neither motor nor servo")
        return float(sum(self._joints.arrays.lam[e, 0] for e in driven))

    def value(self, slot: int) -> float:
        """Free coordinate: see `World.joint_value`."""
        record = self._joints.joints[slot]
        coordinate = JOINTS[record.kind].coordinate
        if coordinate is not None:
            anchors, axis = self._anchors(record), self._axis(record)
            return coordinate(*anchors, axis, self._complete(record))
        angle = measured_angle(self._joints, record) if self._records.steps else None
        return angle_between(self._bodies, record) if angle is None else angle

    def speed(self, slot: int, motion: Motion) -> float:
        """Rate of the free coordinate: see `World.joint_speed`."""
        record = self._joints.joints[slot]
        still = np.zeros(3), np.zeros(3)
        moving = [
            still if handle is None else motion(handle)
            for handle in (self._body(record.a), self._body(record.b))
        ]
        kind, coordinate = JOINTS[record.kind], JOINTS[record.kind].coordinate
        if coordinate is None and not kind.carried:
            return self._twist_rate(record, moving[0][1], moving[1][1])
        anchors, axis = self._anchors(record), self._axis(record)
        if coordinate is None:
            return self._carried_rate(record, moving, anchors, axis)
        by_a, by_b, by_axis = coordinate.gradient(*anchors, axis, self._complete(record))
        rate = dot(by_axis, np.cross(moving[0][1], axis))
        for by, velocity in zip(
            (by_a, by_b), self._anchor_velocities(record, moving, anchors), strict=True
        ):
            rate += dot(by, velocity)
        return float(rate)

    def _anchor_velocities(
        self, record: JointRecord, moving: list[tuple[Floats, Floats]], anchors: tuple[Floats, ...]
    ) -> list[Floats]:
        position = self._bodies.arrays.position
        ends = zip((record.a, record.b), moving, anchors, strict=True)
        return [v + np.cross(w, at - position[body]) for body, (v, w), at in ends]

    def _carried_rate(
        self,
        record: JointRecord,
        moving: list[tuple[Floats, Floats]],
        anchors: tuple[Floats, Floats],
        axis: Floats,
    ) -> float:
        """Of the turn of a against the line of centres d: q·(ω_a × d - ḋ) of rows/teeth.py."""
        line = anchors[1] - anchors[0]
        across = np.cross(axis, line)
        first, second = self._anchor_velocities(record, moving, anchors)
        relative = np.cross(moving[0][1], line) - (second - first)
        return float(dot(across, relative) / max(dot(across, across), 1e-300))

    def _twist_rate(self, record: JointRecord, spin_a: Floats, spin_b: Floats) -> float:
        """g·(ω_b - ω_a) of rows/twist.py; of a gear the turn of a alone, g·ω_a."""
        n, o = (
            self._axis(record),
            transform(self._bodies.arrays.rotation[record.b], record.frame.n_b),
        )
        relative = spin_b - spin_a
        if not JOINTS[record.kind].directed:
            n, o, relative = record.frame.axes[2], n, spin_a
        d = 1.0 + dot(n, o)
        return float(dot(n + o, relative) / d) if d > 0.0 else 0.0

    def error(self, slot: int) -> float:
        """Largest |φ| of the joint's hard translational rows, m."""
        record = self._joints.joints[slot]
        if not self._records.steps:
            return 0.0
        return translation_error(self._joints.arrays, np.array(record.elements, np.int64))
