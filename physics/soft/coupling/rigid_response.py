"""Compiled parts of rigid_side.py, kept apart: an edit of the step must not compile them anew."""

from physics.jit import kernel
from physics.linalg import quaternion_to_matrix, turn_quaternion
from physics.solver.ldu import solve
from physics.stabilization.adaptive import add_adaptive
from physics.synchronise import lasting


@kernel
def add_inertia(scene, h):
    """What forces add to the inertia of bodies in substeps of h. Written: system.added, K."""
    add_adaptive(scene.bodies, scene.elements, scene.system, h)


@kernel
def hold_limits(scene):
    """Bounded rows push as they have for two steps, and are done. Written: momentum, count.

    A knock on a limit is over: repeated it would throw what was knocked, and be answered by more.
    """
    elements, system, rows = scene.elements, scene.system, scene.unilateral
    for u in range(rows.count[0]):
        e, r = rows.element[u], rows.row[u]
        push = lasting(elements.frame_lam[e, r], elements.lam[e, r]) * elements.kick[e]
        for s in range(4):
            for c in range(3):
                system.momentum[elements.node[e, s], c] += elements.J_start[e, s, r, c] * push
    rows.count[0] = 0


@kernel
def hold_ropes(scene):
    """Ropes pull as they did in the last step, too: they may let go. Written: momentum, idle."""
    elements, system = scene.elements, scene.system
    for e in system.ropes:
        if elements.idle[e, 0]:
            continue
        pull = min(elements.lam[e, 0], 0.0) * elements.kick[e]
        for s in range(4):
            for c in range(3):
                system.momentum[elements.node[e, s], c] += elements.J_start[e, s, 0, c] * pull
        elements.idle[e, 0], elements.sigma[e, 0] = 1, 1.0


@kernel
def joined_compliance(bodies, system, slots, C):
    """(6k, 6k) motion per impulse, the joints holding. Written: C, system.residual."""
    x = system.residual
    for column in range(6 * slots.size):
        b = slots[column // 6]
        node, axis = 2 * b + column % 6 // 3, column % 3
        place = system.position_of[node]
        if place < 0 or bodies.free[node, axis] == 0.0:
            continue
        first, stop = system.span[b, 0], system.span[b, 1]
        for k in range(first, stop):
            for c in range(3):
                x[k, c] = 0.0
        x[place, axis] = 1.0
        solve(system, x, first, stop)
        for row in range(6 * slots.size):
            other, c = slots[row // 6], row % 3
            target = 2 * other + row % 6 // 3
            there = system.position_of[target]
            if there >= 0 and system.component[other] == system.component[b]:
                C[row, column] = x[there, c] * bodies.free[target, c]


@kernel
def place(bodies, slots, position, orientation, motion, h):
    """Moves bodies from a pose by h·motion instead of what the rigid step did with them.

    Their velocity is that of the middle of the step. Written: pose, velocity, lag, soft_force.
    """
    for k in range(slots.size):
        b = slots[k]
        w = 2 * b + 1
        for c in range(4):
            bodies.orientation[b, c] = orientation[b, c]
        for c in range(3):
            bodies.velocity[2 * b, c], bodies.velocity[w, c] = motion[2 * b, c], motion[w, c]
            for node in range(2 * b, w + 1):  # for reports: what does not balance is over
                bodies.soft_force[node, c] = -bodies.contact_force[node, c]
            bodies.position[b, c] = position[b, c] + h * motion[2 * b, c]
        turn_quaternion(bodies.orientation, b, h * motion[w, 0], h * motion[w, 1], h * motion[w, 2])
        quaternion_to_matrix(bodies.orientation, b, bodies.rotation)
        bodies.lag[b] = 0.5 * h
