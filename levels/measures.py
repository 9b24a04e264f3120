"""What can be measured of the named things of a running level: forces, lengths, zones, energy."""

from __future__ import annotations

import math

import numpy as np

from levels.name_table import NameTable, Positions
from physics import JOINTS
from physics.portable import norm

_FAR = 1e7  # m; a body beyond it has left every level


def in_zone(names: NameTable, point: Positions, zone: str) -> bool:
    box = names.plan.zones[zone]
    axes = (0, 1) if names.world.dimension == 2 else (0, 1, 2)
    return all(abs(point[i] - box.center[i]) <= box.size[i] / 2 for i in axes)


def touching(names: NameTable, a: str, b: str) -> bool:
    """Are two bodies, or any of their parts, in contact?"""
    first, second = slots(names, a), slots(names, b)
    for contact in names.world.contacts():
        pair = (int(contact["a"]), int(contact["b"]))
        if (pair[0] in first and pair[1] in second) or (pair[1] in first and pair[0] in second):
            return True
    return False


def slots(names: NameTable, name: str) -> set[int]:
    """Of a body, or of the parts of a prop, prefab or family that are there."""
    group = names.group(name)
    members = group.members if group else [name]
    return {names.handle(m).slot for m in members if group is None or m in names.handles}


def is_broken(names: NameTable, name: str) -> bool:
    """Has the joint, or any joint of the prop, gone; has the cloth torn?"""
    if name in names.softs:
        return names.world.is_torn(names.softs[name])
    return any(joint in names.gone for joint in names.plan.joints_of(name) or [name])


def tension(names: NameTable, name: str) -> float:
    """The largest force in a joint, rope or cloth, N."""
    if name in names.softs:
        return names.world.thread_force(names.softs[name])
    forces = [names.world.joint_force(names.joints[j])[0] for j in names.live_joints(name)]
    return max((float(norm(force)) for force in forces), default=0.0)


def stretch(names: NameTable, name: str) -> float:
    """Sum of what the joints have given way, as a share of the rest length; of a cloth the
    most that any thread is stretched."""
    world = names.world
    if name in names.softs:
        return world.strain(names.softs[name])
    longer = rest = 0.0
    for joint in names.live_joints(name):
        info = world.joint(names.joints[joint])
        measured = JOINTS[info.kind].inextensible
        wanted = info.parameters["length"] if measured else None
        span = (
            world.joint_value(names.joints[joint])
            if measured
            else float(norm(np.subtract(info.anchor_a, info.anchor_b)))
        )
        longer += span if wanted is None else max(0.0, span - wanted)
        rest += wanted or 0.0
    group = names.group(name)
    if group is not None and group.segment_length:
        rest += group.segment_length * len(group.members)
    return longer / rest if rest > 0 else longer


def rest_length(names: NameTable, name: str) -> float:
    """Of a rope or cable as far as it is paid out now, m."""
    group = names.plan.groups[name]
    total = group.segment_length * sum(member in names.handles for member in group.members)
    for joint in names.live_joints(name):
        info = names.world.joint(names.joints[joint])
        if JOINTS[info.kind].inextensible:
            total += info.parameters.get("length") or 0.0
    return total


def is_finite(names: NameTable) -> bool:
    """Is every position a finite number, and not absurdly far away?"""
    world = names.world
    nodes = [world.node_positions(handle) for handle in names.softs.values()]
    positions = np.concatenate([world.poses()[0], *nodes])
    near = np.abs(positions).max(initial=0.0) < _FAR  # false for nan as well
    return bool(near and not world.diverged)


def fall_energy(names: NameTable) -> float:
    """Energy everything movable would release falling through the height of the level, J."""
    world = names.world
    weights, heights = 0.0, [0.0]
    gravity = float(norm(world.gravity))
    for handle in names.handles.values():
        heights.append(float(world.position(handle)[1]))
        mass = float(world.mass(handle))
        weights += mass * gravity if math.isfinite(mass) else 0.0
    for handle in names.softs.values():
        heights += world.node_positions(handle)[:, 1].tolist()
        weights += gravity * world.mass(handle)
    return max(weights * (max(heights) - min(heights)), 1e-9)
