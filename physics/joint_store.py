"""Joints and the elements they are made of."""

import copy
import math
from collections.abc import Mapping

import numpy as np

from physics.body_store import BodyStore
from physics.checks import direction, vector
from physics.constraints import JOINTS
from physics.constraints.coordinates import Parameters
from physics.constraints.registry import Element, Frame, JointKind, Row, perpendicular
from physics.constraints.rows import TRAITS
from physics.portable import dot, norm, transform
from physics.records import JointRecord
from physics.schema import allocate, grown, scratch_fields
from physics.snapshot import Saved, restored_arrays, saved_arrays
from physics.state import (
    BILATERAL,
    DEAD,
    KEEPS_TURN,
    LENGTH,
    NO_ROW,
    PARTICLE,
    TWIST,
    WORLD,
    Elements,
    Floats,
    VectorLike,
)

ANCHOR_TOLERANCE = 1e-3  # m; anchors further apart would snap together in the first step
_FIRST_CAPACITY = 16


class JointStore:
    """Owns the element arrays and the table of joints."""

    def __init__(self) -> None:
        self.arrays: Elements = allocate(Elements, m=_FIRST_CAPACITY)
        self.joints: dict[int, JointRecord] = {}
        self.generation: list[int] = []
        self._free: list[int] = []
        self._search_from = 0  # no element before this one is dead
        self._saved: dict[int, JointRecord] | None = None  # until the next change

    # --- joints -------------------------------------------------------------------------------

    def add(self, record: JointRecord, elements: list[Element]) -> int:
        """Stores a joint and its elements; returns the joint's slot."""
        slot = self._free.pop() if self._free else len(self.generation)
        if slot == len(self.generation):
            self.generation.append(0)
        for element in elements:
            index = self._take_element()
            self._write(index, slot, record, element)
            record.elements.append(index)
            record.parts.append(element.part)
        self.joints[slot] = record
        self._saved = None
        return slot

    def remove(self, slot: int) -> None:
        self._saved = None
        for index in self.joints.pop(slot).elements:
            self.arrays.role[index] = DEAD
            self._search_from = min(self._search_from, index)
        self.generation[slot] += 1
        self._free.append(slot)

    def of_body(self, body: int) -> list[int]:
        """Slots of the joints that hold a body."""
        return [slot for slot, record in self.joints.items() if body in (record.a, record.b)]

    def _take_element(self) -> int:
        """The lowest dead element; grows the arrays when there is none."""
        index, roles = self._search_from, self.arrays.role
        while index < len(roles) and roles[index] != DEAD:
            index += 1
        if index == len(roles):
            self.arrays = grown(self.arrays, m=2 * index)
        self._search_from = index
        return index

    def save(self) -> Saved:
        """Elements and the table of joints.

        A change gives a record new parameters and never alters the old ones, and its frame stays,
        so the records alone are copied; while nothing changes, every moment gets the same copy.
        """
        if self._saved is None:
            self._saved = {slot: copy.copy(record) for slot, record in self.joints.items()}
        return {
            "arrays": saved_arrays(self.arrays),
            "joints": self._saved,
            "generation": list(self.generation),
            "free": list(self._free),
        }

    def restore(self, saved: Saved) -> None:
        """All joints as they were when they were saved."""
        self.arrays = restored_arrays(self.arrays, saved["arrays"])
        self.joints = {slot: copy.copy(record) for slot, record in saved["joints"].items()}
        self._saved = saved["joints"]
        self.generation, self._free = list(saved["generation"]), list(saved["free"])
        self._search_from = 0

    def clear_scratch(self) -> None:
        """Blocks that a row does not write are zero: what another joint left there must go."""
        for name in scratch_fields(type(self.arrays)):
            getattr(self.arrays, name)[...] = 0

    def _write(self, e: int, slot: int, record: JointRecord, element: Element) -> None:
        arrays = self.arrays
        for array in arrays:
            array[e] = 0
        arrays.role[e] = element.role
        arrays.joint[e] = slot
        arrays.body[e] = (record.a, record.b)
        arrays.node[e] = (2 * record.a, 2 * record.a + 1, 2 * record.b, 2 * record.b + 1)
        arrays.anchor[e] = (record.frame.anchor_a, record.frame.anchor_b)
        arrays.stiffness[e] = element.stiffness
        arrays.damper[e] = element.damper
        arrays.grab_frequency[e] = element.grab_frequency
        arrays.grab_acceleration[e] = element.grab_acceleration
        arrays.tension_only[e] = element.tension_only
        arrays.drives[e] = element.drives
        breaks = element.part == "joint"
        arrays.breaks_at[e] = record.parameters.get("breaks_at", math.inf) if breaks else math.inf
        arrays.bootstrap[e] = element.role == BILATERAL
        arrays.idle[e] = 1
        arrays.lower[e] = -math.inf
        arrays.upper[e] = math.inf
        for r, row in enumerate(element.rows):
            self._write_row(e, r, row)
        arrays.rest_before[e] = arrays.rest[e]
        arrays.rope[e] = _is_rope(element)

    def _write_row(self, e: int, r: int, row: Row) -> None:
        arrays = self.arrays
        arrays.idle[e, r] = row.primitive == NO_ROW
        arrays.primitive[e, r] = row.primitive
        arrays.traits[e, r] = TRAITS[row.primitive]
        arrays.axis_a[e, r] = row.axis_a
        arrays.axis_b[e, r] = row.axis_b
        arrays.axis_c[e, r] = row.axis_c
        arrays.axis_d[e, r] = row.axis_d
        arrays.lever[e, r] = row.lever
        arrays.ground[e, r] = row.ground
        arrays.wheel[e, r] = row.wheel
        arrays.ratio[e, r] = row.ratio
        arrays.rest[e, r] = row.rest
        arrays.compliance[e, r] = row.compliance
        arrays.damping[e, r] = row.damping
        arrays.lower[e, r] = row.lower
        arrays.upper[e, r] = row.upper
        arrays.mode[e, r] = row.mode
        arrays.target[e, r] = row.target

    # --- parameters while running -------------------------------------------------------------

    def change(self, slot: int, given: Parameters) -> bool:
        """New parameters of a joint; keeps λ. Returns whether the topology changed."""
        record = self.joints[slot]
        kind = JOINTS[record.kind]
        if self._drive(record, kind, given):
            return False
        merged = dict(record.parameters)
        for name, value in given.items():
            both = isinstance(value, Mapping) and isinstance(merged.get(name), Mapping)
            merged[name] = {**merged[name], **value} if both else value
        parameters = kind.check(merged)
        for name in given:
            if kind.parameters[name].fixed:
                raise ValueError(
                    f'"{name}" of joint kind "{record.kind}" cannot be changed while running; '
                    "remove the joint and add it again"
                )
        elements = kind.build(record.frame, parameters)
        if len(elements) != len(record.elements):
            raise ValueError(
                f'joint kind "{record.kind}" cannot gain or lose a motor, servo or limit while '
                "running; remove the joint and add it again"
            )
        topology = False
        for index, element in zip(record.elements, elements, strict=True):
            topology |= self._rewrite(index, element, parameters)
        record.parameters = parameters
        self._saved = None
        return topology

    def _drive(self, record: JointRecord, kind: JointKind, given: Parameters) -> bool:
        """The quick way for what controllers do in every step: a motor or servo gets new numbers.

        Writes what `change` would; False, and nothing is done, where more than that changes.
        """
        name = next(iter(given), "")
        before, wanted = record.parameters.get(name), given.get(name)
        drives = len(given) == 1 and name in ("motor", "servo")
        if not drives or not before or not isinstance(wanted, Mapping):
            return False
        after = kind.check_one(name, {**before, **wanted})
        most = after["max_force"]
        if math.isinf(most) != math.isinf(before["max_force"]):
            return False
        e, arrays = record.elements[record.parts.index(name)], self.arrays
        arrays.lower[e, 0], arrays.upper[e, 0] = -most, most
        if name == "motor":
            arrays.target[e, 0] = after["speed"]
        else:
            arrays.rest[e, 0], arrays.damping[e, 0] = after["target"], after["damping"]
            arrays.compliance[e, 0] = 1.0 / after["stiffness"]
        record.parameters = {**record.parameters, name: after}
        self._saved = None
        return True

    def _rewrite(self, e: int, element: Element, parameters: Parameters) -> bool:
        arrays = self.arrays
        moved = any(arrays.rest[e, r] != row.rest for r, row in enumerate(element.rows))
        for r, row in enumerate(element.rows):
            self._write_row(e, r, row)
        changed = bool(arrays.role[e] != element.role) or (moved and not arrays.drives[e])
        changed |= bool(arrays.rope[e]) != _is_rope(element)
        changed |= bool(arrays.stiffness[e] != element.stiffness)  # see `stiff_springs.py`
        arrays.role[e], arrays.rope[e] = element.role, _is_rope(element)
        arrays.stiffness[e] = element.stiffness
        arrays.damper[e] = element.damper
        arrays.tension_only[e] = element.tension_only
        arrays.drives[e] = arrays.drives[e] or moved
        if element.part == "joint":
            limit = parameters.get("breaks_at", math.inf)
            changed |= math.isfinite(limit) != math.isfinite(arrays.breaks_at[e])
            arrays.breaks_at[e] = limit
        return changed


def _is_rope(element: Element) -> bool:
    """Whether it holds only while it pulls: a length with an upper bound of its force."""
    first = element.rows[0]
    length = TRAITS[first.primitive] & LENGTH != 0
    return element.role == BILATERAL and length and first.upper <= 0.0


def make_frame(
    bodies: BodyStore,
    kind_name: str,
    a: int,
    b: int,
    at: VectorLike | None,
    axis: VectorLike | None,
    at_a: VectorLike | None,
    at_b: VectorLike | None,
) -> Frame:
    """Anchors and axes of a new joint from world points; ValueError if they do not fit.

    `a` and `b` as the user names them, b the world where there is one body; the frame is in the
    order of `JointKind.ends`.
    """
    kind = JOINTS[kind_name]
    _check_particles(bodies, kind_name, a, b)
    what = f'joint "{kind_name}"'
    if kind.needs_axis and axis is None:
        raise ValueError(f"{what} needs an axis, for example axis=(0, 0, 1)")
    first, second = _anchors(bodies, what, kind.anchors, a, b, at, at_a, at_b)
    n = direction(f"axis of {what}", (0.0, 1.0, 0.0) if axis is None else axis)
    u, v = perpendicular(n)
    if kind.ends(a, b) != (a, b):
        a, b, first, second = b, a, second, first
    turn_a, turn_b = bodies.arrays.rotation[a].T, bodies.arrays.rotation[b].T
    return Frame(
        anchor_a=bodies.to_local(a, first),
        anchor_b=bodies.to_local(b, second),
        u_a=transform(turn_a, u),
        v_a=transform(turn_a, v),
        n_a=transform(turn_a, n),
        u_b=transform(turn_b, u),
        v_b=transform(turn_b, v),
        n_b=transform(turn_b, n),
        length=float(norm(first - second)),
        point_a=first,
        point_b=second,
        axes=np.array([u, v, n]),
    )


def _check_particles(bodies: BodyStore, kind: str, a: int, b: int) -> None:
    particle = PARTICLE in (bodies.arrays.kind[a], bodies.arrays.kind[b])
    if particle and not JOINTS[kind].particles:
        known = ", ".join(name for name, spec in JOINTS.items() if spec.particles)
        raise ValueError(
            f'joint "{kind}" cannot hold a particle, which has no orientation (possible: {known})'
        )


def _anchors(
    bodies: BodyStore,
    what: str,
    style: str,
    a: int,
    b: int,
    at: VectorLike | None,
    at_a: VectorLike | None,
    at_b: VectorLike | None,
) -> tuple[Floats, Floats]:
    if style == "separate":
        if b == WORLD and at_b is None and at is None:
            raise ValueError(f"{what} to the world needs a world point: at_b=(x, y, z)")
        first = (
            bodies.arrays.position[a].copy() if at_a is None else vector(f"at_a of {what}", at_a)
        )
        given = at if at_b is None else at_b
        second = (
            bodies.arrays.position[b].copy() if given is None else vector(f"at_b of {what}", given)
        )
        return first, second
    if at_a is not None and at_b is not None:
        first, second = vector(f"at_a of {what}", at_a), vector(f"at_b of {what}", at_b)
        gap = float(norm(first - second))
        if gap > ANCHOR_TOLERANCE:
            raise ValueError(
                f"the anchors of {what} are {gap:.3g} m apart; at most {ANCHOR_TOLERANCE:g} m "
                "is allowed: move the bodies together first, or use a distance joint"
            )
        return first, second
    given = next((place for place in (at, at_a, at_b) if place is not None), None)
    point = _shared_point(bodies, what, style, a, b, given)
    return point, point.copy()


def _shared_point(
    bodies: BodyStore, what: str, style: str, a: int, b: int, at: VectorLike | None
) -> Floats:
    if at is not None:
        return vector(f"at of {what}", at)
    for slot in (a, b):
        if bodies.arrays.kind[slot] == PARTICLE:
            return bodies.arrays.position[slot].copy()
    if style == "any" or b == WORLD:
        return bodies.arrays.position[a].copy()
    raise ValueError(f"{what} needs the point it sits at: at=(x, y, z)")


def angle_between(bodies: BodyStore, record: JointRecord) -> float:
    """Turn of b about the joint's axis: its twist, as in rows/angle.py."""
    turn_a, turn_b = bodies.arrays.rotation[record.a], bodies.arrays.rotation[record.b]
    u_a, v_a = transform(turn_a, record.frame.u_a), transform(turn_a, record.frame.v_a)
    u_b, v_b = transform(turn_b, record.frame.u_b), transform(turn_b, record.frame.v_b)
    return float(math.atan2(dot(v_a, u_b) - dot(u_a, v_b), dot(u_a, u_b) + dot(v_a, v_b)))


def measured_angle(store: JointStore, record: JointRecord) -> float | None:
    """Unwrapped angle kept by a thread, gear, motor, servo or limit row, if the joint has one."""
    for e, part in zip(record.elements, record.parts, strict=True):
        for r in range(3):
            traits = store.arrays.traits[e, r]
            if traits & TWIST and not part.startswith("second_"):
                return float(store.arrays.value[e, r])
            if traits & KEEPS_TURN:
                return float(store.arrays.turn[e, 0])
    return None
