"""Jointed bodies as dense matrices: M, J, and the forces that give wanted accelerations.

For research and teaching; nothing here feeds a step. Degrees of freedom are those that may move,
body by body: velocity of the centre, then angular velocity, both in world axes.

    M a = f + Jᵀλ + Sᵀτ,      J a = -J̇ v,      S a = q̈ - Ṡ v

f: gravity, gyroscopic torque, applied forces, springs and compliant rows. J: the hard rows of the
joints. S: gradients of the coordinates that are driven, τ what drives them. J̇ v comes from central
differences of J along the motion, extrapolated once [Richardson].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics import state as st
from physics.body_store import BodyStore
from physics.checks import number
from physics.constraints import JOINTS
from physics.constraints.rows import fill_rows
from physics.jit import kernel
from physics.joint_store import JointStore
from physics.linalg import quaternion_to_matrix, turn_quaternion
from physics.names import BODIES
from physics.portable import dot, matmul, norm, semidefinite_solution, transform
from physics.readouts.world_joints import Motion
from physics.records import Handle, JointRecord
from physics.schema import copied
from physics.solver.graph import list_rows
from physics.state import Bodies, Elements, Floats
from physics.stores import Stores
from physics.structs import bodies_ref, elements_ref

_WAY = 1e-3  # m or rad that bodies are moved for J̇: leaves an error of its fourth power
_REACHED = 1e-6  # share of the largest acceleration by which a wanted one may be missed


@dataclass(frozen=True, slots=True, repr=False)
class Articulation:
    """Bodies that hang together by joints, as dense matrices at the present pose."""

    bodies: tuple[Handle, ...]
    joints: tuple[Handle, ...]
    freedoms: NDArray[np.int64]  # (k, 2): index in `bodies`, and 0-2 moving or 3-5 turning
    rows: NDArray[np.int64]  # (m,): index in `joints` of each row
    mass: Floats  # M (k, k), kg and kg m²
    jacobian: Floats  # J (m, k) of all rows, hard and compliant
    error: Floats  # φ (m,), m or rad
    compliance: Floats  # C (m,), m/N or rad/(N m)
    velocity: Floats  # v (k,)
    force: Floats  # f (k,): N, N m; without the forces of joints

    def __repr__(self) -> str:
        return (
            f"Articulation({len(self.bodies)} bodies, {len(self.joints)} joints, "
            f"{len(self.velocity)} degrees of freedom, {len(self.error)} rows)"
        )


class Assembly:
    """Copies of the bodies and rows of some joints, to be evaluated at poses near the present."""

    def __init__(
        self, bodies: BodyStore, joints: JointStore, chosen: Sequence[int], velocity: Floats
    ) -> None:
        """`velocity` (2n, 3) is that of the nodes; `chosen` are the slots of the joints."""
        self.chosen = list(chosen)
        self.bodies: Bodies = copied(bodies.arrays)
        self.bodies.velocity[...] = velocity
        self.store, self.rows = _own_rows(joints, self.chosen)
        self.drives: list[int] = []
        ends = [slot for j in self.chosen for slot in (joints.joints[j].a, joints.joints[j].b)]
        self.slots = [slot for slot in sorted(set(ends)) if bodies.arrays.solved[2 * slot]]
        self.columns = np.array(
            [
                6 * slot + c
                for slot in self.slots
                for c in range(6)
                if bodies.arrays.solved[2 * slot + c // 3]
                and bodies.arrays.free[2 * slot + c // 3, c % 3]
            ],
            np.int64,
        )

    @property
    def velocity(self) -> Floats:
        """Of the degrees of freedom that may move."""
        return self.bodies.velocity.reshape(-1)[self.columns]

    def drive(self, joint: int) -> None:
        """Adds the row of a joint's free coordinate."""
        record = self.store.joints[self.chosen.index(joint)]
        kind = JOINTS[record.kind]
        if "motor" not in kind.parameters:
            able = ", ".join(name for name, other in JOINTS.items() if "motor" in other.parameters)
            raise ValueError(
                f'joint kind "{record.kind}" has no coordinate to drive (have: {able})'
            )
        only = {"motor": {"speed": 0.0, "max_force": np.inf}, "limits": None, "servo": None}
        built = kind.build(record.frame, {**record.parameters, **only})
        motor = [element for element in built if element.part == "motor"]
        copy = JointRecord(record.kind, record.a, record.b, record.frame, record.parameters)
        self.store.add(copy, motor)
        self.drives.append(copy.elements[0])

    def evaluate(self, time: float = 0.0) -> tuple[Floats, Floats, Floats]:
        """J of the rows, their φ, and S, when everything has moved on for some time."""
        bodies, elements = copied(self.bodies), copied(self.store.arrays)
        _evaluate(bodies_ref(bodies), elements_ref(elements), bodies.velocity, time)
        size = 6 * len(bodies.kind)
        J = np.zeros((len(self.rows) + len(self.drives), size))
        drives = [(e, 0) for e in self.drives]
        for i, (e, r) in enumerate(self.rows + drives):
            for s in range(4):
                node = int(elements.node[e, s])
                J[i, 3 * node : 3 * node + 3] += elements.J[e, s, r]
        moving = J[:, self.columns]
        phi = np.array([elements.phi[e, r] for e, r in self.rows])
        return moving[: len(self.rows)], phi, moving[len(self.rows) :]

    def change_of_rows(self) -> Floats:
        """J̇ v, then Ṡ v: accelerations of the coordinates when no body accelerates."""
        fastest = float(np.abs(self.bodies.velocity).max(initial=0.0))
        if fastest == 0.0:
            return np.zeros(len(self.rows) + len(self.drives))
        step = _WAY / fastest
        coarse, fine = self._difference(2.0 * step), self._difference(step)
        return (4.0 * fine - coarse) / 3.0

    def _difference(self, step: float) -> Floats:
        bodies = self.bodies
        speeds = []
        for time in (step, -step):
            moved, elements = copied(bodies), copied(self.store.arrays)
            _evaluate(bodies_ref(moved), elements_ref(elements), bodies.velocity, time)
            v = bodies.velocity[elements.node]  # (m, 4, 3)
            rates = (elements.J * v[:, :, None, :]).sum(axis=(1, 3))
            speeds.append(
                np.array([rates[e, r] for e, r in self.rows + [(e, 0) for e in self.drives]])
            )
        return (speeds[0] - speeds[1]) / (2.0 * step)

    def mass(self) -> Floats:
        """M over the degrees of freedom."""
        size = 6 * len(self.bodies.kind)
        M = np.zeros((size, size))
        for slot in self.slots:
            at, R = 6 * slot, self.bodies.rotation[slot]
            M[at : at + 3, at : at + 3] = self.bodies.mass[slot] * np.eye(3)
            turned = matmul(matmul(R, self.bodies.inertia[slot]), R.T)
            M[at + 3 : at + 6, at + 3 : at + 6] = turned
        return M[np.ix_(self.columns, self.columns)]

    def force(self, gravity: Floats) -> Floats:
        """Gravity, applied forces and ω × Iω with its sign turned, over the degrees of freedom."""
        bodies = self.bodies
        f = bodies.force.copy()
        for slot in self.slots:
            f[2 * slot] += bodies.mass[slot] * bodies.gravity_scale[slot] * gravity
            if bodies.solved[2 * slot + 1]:
                R, w = bodies.rotation[slot], bodies.velocity[2 * slot + 1]
                spin = transform(R, transform(bodies.inertia[slot], transform(R.T, w)))
                f[2 * slot + 1] -= np.cross(w, spin)
        return f.reshape(-1)[self.columns]

    def compliance(self) -> Floats:
        """C of every row; of springs in stiffness form, 1/k."""
        elements, found = self.store.arrays, []
        for e, r in self.rows:
            if elements.role[e] == st.STIFFNESS:
                k = float(elements.stiffness[e])
                found.append(1.0 / k if k > 0.0 else np.inf)
            else:
                found.append(float(elements.compliance[e, r]))
        return np.array(found)

    def elastic(self, J: Floats, phi: Floats) -> Floats:
        """Force of the compliant rows and springs, -(φ/C + B' φ̇) along each."""
        elements, C = self.store.arrays, self.compliance()
        f = np.zeros(len(self.columns))
        for i, (e, r) in enumerate(self.rows):
            if C[i] == 0.0:
                continue
            spring = elements.role[e] == st.STIFFNESS
            damper = elements.damper[e] if spring else elements.damping[e, r]
            pull = -phi[i] / C[i] - damper * dot(J[i], self.velocity)
            if not (spring and elements.tension_only[e] and pull > 0.0):
                f += pull * J[i]
        return f


def connected(joints: JointStore, bodies: BodyStore, start: Sequence[int]) -> list[int]:
    """Slots of the joints that hang together with the bodies `start`, by what moves."""
    reached = {slot for slot in start if bodies.arrays.solved[2 * slot]}
    found: set[int] = set()
    grew = True
    while grew:
        grew = False
        for slot, record in joints.joints.items():
            if slot in found or record.kind not in JOINTS:
                continue
            ends = {end for end in (record.a, record.b) if bodies.arrays.solved[2 * end]}
            if ends & reached:
                found.add(slot)
                reached |= ends
                grew = True
    return sorted(found)


def _own_rows(
    joints: JointStore, chosen: Sequence[int]
) -> tuple[JointStore, list[tuple[int, int]]]:
    """Copies of the joints without motors, servos and limits, and their rows (element, row)."""
    store, rows = JointStore(), []
    for slot in chosen:
        record = joints.joints[slot]
        built = JOINTS[record.kind].build(record.frame, record.parameters)
        kept = [i for i, part in enumerate(record.parts) if part == "joint"]
        elements = joints.arrays
        kept = [i for i in kept if elements.role[record.elements[i]] != st.UNILATERAL]
        kept = [i for i in kept if not elements.rope[record.elements[i]]]
        copy = JointRecord(record.kind, record.a, record.b, record.frame, record.parameters)
        store.add(copy, [built[i] for i in kept])
        for mine, theirs in zip(copy.elements, (record.elements[i] for i in kept), strict=True):
            for field in Elements._fields:
                getattr(store.arrays, field)[mine] = getattr(joints.arrays, field)[theirs]
            used = [r for r in range(3) if store.arrays.primitive[mine, r] != st.NO_ROW]
            rows += [(mine, r) for r in used if not store.arrays.idle[mine, r]]
    return store, rows


@kernel
def _evaluate(bodies, elements, velocity, time):
    """φ and J after moving on for some time; writes the bodies' poses, elements.phi and J."""
    for b in range(len(bodies.kind)):
        if bodies.kind[b] == st.FREE_SLOT:
            continue
        for c in range(3):
            bodies.position[b, c] += time * velocity[2 * b, c]
        x, y, z = velocity[2 * b + 1, 0], velocity[2 * b + 1, 1], velocity[2 * b + 1, 2]
        turn_quaternion(bodies.orientation, b, time * x, time * y, time * z)
        quaternion_to_matrix(bodies.orientation, b, bodies.rotation)
    start, rows = list_rows(elements)
    fill_rows(bodies, elements, start, rows, elements.J)


def joint_of_rows(assembly: Assembly) -> NDArray[np.int64]:
    """Index of the joint of each row."""
    owner = {e: i for i, record in assembly.store.joints.items() for e in record.elements}
    return np.array([owner[e] for e, _ in assembly.rows], np.int64)


def driving_forces(assembly: Assembly, wanted: Mapping[int, float], gravity: Floats) -> Floats:
    """τ of every joint in `wanted` (slot → q̈), in its order; ValueError where it cannot be."""
    for slot in wanted:
        assembly.drive(slot)
    J, phi, S = assembly.evaluate()
    f = assembly.force(gravity) + assembly.elastic(J, phi)
    hard = assembly.compliance() == 0.0
    A = np.concatenate([J[hard], S])
    change = assembly.change_of_rows()
    target = np.concatenate([np.zeros(int(hard.sum())), np.array(list(wanted.values()), float)])
    target -= np.concatenate([change[: len(hard)][hard], change[len(hard) :]])
    M_inverse = _block_inverse(assembly.mass(), assembly.columns)
    AM = np.array([transform(M_inverse, row) for row in A]).reshape(A.shape)
    G = np.array([dot(A, row) for row in AM]).reshape(len(A), len(A))
    right = target - dot(AM, f)
    y, left = semidefinite_solution(G, right, int(hard.sum()))
    if norm(left) > _REACHED * max(float(norm(right)), float(norm(target)), 1.0):
        raise ValueError(
            "no forces give these accelerations: the joints hold what should move, or close a loop "
            "in which one coordinate follows from the others; drive fewer of them"
        )
    return y[int(hard.sum()) :]


def _block_inverse(M: Floats, columns: NDArray[np.int64]) -> Floats:
    """M⁻¹, node by node: M couples the degrees of freedom of no two nodes."""
    inverse = np.zeros_like(M)
    for node in np.unique(columns // 3):
        at = np.flatnonzero(columns // 3 == node)
        block = M[np.ix_(at, at)]
        inverse[np.ix_(at, at)] = _small_inverse(block)
    return inverse


def _small_inverse(block: Floats) -> Floats:
    """Of a symmetric positive matrix of one to three rows."""
    columns = [semidefinite_solution(block, unit, len(block))[0] for unit in np.eye(len(block))]
    return np.array(columns)


def matrices(stores: Stores, handle: Handle | str, motion: Motion) -> Articulation:
    """What hangs together with a body: see `World.articulation`."""
    names, bodies, joints = stores.names, stores.bodies, stores.joints
    chosen = connected(joints, bodies, [names.body(handle)])
    if not chosen:
        raise ValueError(f'"{names.resolve(handle).name}" hangs on no joint')
    assembly = Assembly(bodies, joints, chosen, _velocities(stores, motion))
    J, phi, _ = assembly.evaluate()
    index = {slot: i for i, slot in enumerate(assembly.slots)}
    freedoms = [(index[c // 6], c % 6) for c in assembly.columns.tolist()]
    own = (names.at(BODIES, slot, bodies.generation[slot]) for slot in assembly.slots)
    held = (names.at(("joint",), slot, joints.generation[slot]) for slot in chosen)
    return Articulation(
        bodies=tuple(handle for handle in own if handle is not None),
        joints=tuple(handle for handle in held if handle is not None),
        freedoms=np.array(freedoms, np.int64).reshape(-1, 2),
        rows=joint_of_rows(assembly),
        mass=assembly.mass(),
        jacobian=J,
        error=phi,
        compliance=assembly.compliance(),
        velocity=assembly.velocity.copy(),
        force=assembly.force(stores.settings.gravity),
    )


def inverse_dynamics(
    stores: Stores, accelerations: Mapping[Any, float], motion: Motion
) -> dict[Handle, float]:
    """Forces that give joint coordinates accelerations: see `World.inverse_dynamics`."""
    if not isinstance(accelerations, Mapping) or not accelerations:
        raise ValueError('give the accelerations of joints, for example {"elbow": 2.0}')
    names, joints = stores.names, stores.joints
    handles = [names.resolve(joint) for joint in accelerations]
    slots = [names.joint(handle) for handle in handles]
    values = [number("acceleration", value) for value in accelerations.values()]
    ends = [end for slot in slots for end in (joints.joints[slot].a, joints.joints[slot].b)]
    chosen = connected(joints, stores.bodies, ends)
    for slot, handle in zip(slots, handles, strict=True):
        if slot not in chosen:
            raise ValueError(f'joint "{handle.name}" holds nothing that moves')
    assembly = Assembly(stores.bodies, joints, chosen, _velocities(stores, motion))
    wanted = dict(zip(slots, values, strict=True))
    forces = driving_forces(assembly, wanted, stores.settings.gravity)
    return dict(zip(handles, forces.tolist(), strict=True))


def _velocities(stores: Stores, motion: Motion) -> Floats:
    """Of all nodes (2n, 3), as the world tells them."""
    velocity = np.zeros_like(stores.bodies.arrays.velocity)
    for kind in BODIES:
        for handle in stores.names.handles(kind):
            velocity[2 * handle.slot : 2 * handle.slot + 2] = motion(handle)
    return velocity
