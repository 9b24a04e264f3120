"""Compiled parts of rigid_side.py, kept apart: an edit of the step must not compile them anew."""

from physics.jit import kernel
from physics.solver.ldu import solve
from physics.synchronise import lasting


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
