"""Backward Euler by Newton: the implicit fallback of recovery. Dissipative, and very robust.

    (M - h²K̃_k) v₊ - J_kᵀ μ₊ = M v₀ + h f - h²K̃_k v_k
    J_k v₊ + Σ μ₊ = J_k v_k - Γ (φ_k + C B' φ̇_k)/h

with -h²K̃ projected to its positive part. Everything is evaluated at the newest positions, force
directions too. Rotations are limited per iteration: Newton on rotations has a small basin.
"""

import math

from physics.constraints.rows import fill_rows
from physics.integrate import advance
from physics.jit import kernel
from physics.linalg import copy_rows, row_velocity, zero_rows
from physics.params import IMPLICIT_ITERATIONS, IMPLICIT_TOLERANCE, IMPLICIT_TURN, REDUNDANCY
from physics.rollback import save_start
from physics.schemes.adaptive import worst_error
from physics.schemes.shared import (
    begin_rows,
    copy_jacobian,
    gather_momentum,
    mask_rows,
    prepare_rows,
    prescribed_speed,
    store_forces,
)
from physics.solver.assembly import add_transpose, assemble, multiply_added
from physics.solver.ldu import factorise, solve
from physics.stabilization import GEOMETRIC, add_stabilization
from physics.stabilization.clear import clear_added
from physics.state import FACTORISATIONS, VELOCITY


@kernel
def implicit_step(scene, settings):
    """One backward Euler step.

    Writes bodies, elements.mu and lam. Returns the error left, m or rad. Bounded rows keep the
    λ of the previous step: for one recovered step that is near enough.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    h = settings.h
    save_start(bodies, elements)
    begin_rows(bodies, elements, system)
    prepare_rows(elements, system, h)
    clear_added(elements, system)
    zero_rows(bodies.change)
    gather_momentum(scene, settings.gravity, h, bodies.change)
    for e in system.unilateral:
        add_transpose(elements, elements.J_start, e, elements.lam, h, system.momentum)
    advance(bodies, bodies.velocity, h)
    error = 1e300
    for _ in range(IMPLICIT_ITERATIONS):
        fill_rows(bodies, elements, system.list_start, system.list_rows, elements.J_start)
        mask_rows(bodies, elements, system, elements.J_start, False)
        copy_jacobian(elements.J_start, elements.J)
        add_stabilization(GEOMETRIC, bodies, elements, system, h)
        _load(scene, h)
        assemble(system, elements, REDUNDANCY)
        factorise(system, True)
        scene.counters[FACTORISATIONS] += 1
        solve(system, system.x, 0, system.size[0])
        change = _move(scene, h)
        error = max(change, worst_error(elements, system, h))
        if error < IMPLICIT_TOLERANCE or not error < 1e6:
            break
    store_forces(scene, h)
    return error


@kernel
def _load(scene, h):
    """Right side at the present iterate; writes system.x."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    total = bodies.change
    copy_rows(system.momentum, total)
    multiply_added(system, elements, bodies.velocity, total)
    for k in range(system.size[0]):
        node = system.unknown[k]
        if node >= 0:
            for c in range(3):
                system.x[k, c] = total[node, c]
    for e in system.bilateral:
        for r in range(3):
            speed = 0.0
            if not elements.idle[e, r]:
                speed = prescribed_speed(bodies, elements, elements.J, e, r)
                if elements.mode[e, r] == VELOCITY:
                    speed -= elements.target[e, r]
                else:
                    ahead = row_velocity(elements.node, elements.J, e, r, bodies.velocity)
                    speed += elements.gamma[e, r] * (elements.phi[e, r] / h - ahead)
            system.x[system.row_of[e], r] = speed


@kernel
def _move(scene, h):
    """Takes the solved velocities, with limited rotation; returns the largest displacement."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    scale = 1.0
    for k in range(system.size[0]):
        node = system.unknown[k]
        if node >= 0 and node % 2 == 1:
            turn = 0.0
            for c in range(3):
                turn += (system.x[k, c] - bodies.velocity[node, c]) ** 2
            turn = h * math.sqrt(turn)
            if turn * scale > IMPLICIT_TURN:
                scale = IMPLICIT_TURN / turn
    largest = 0.0
    zero_rows(bodies.change)
    for k in range(system.size[0]):
        node = system.unknown[k]
        for c in range(3):
            if node >= 0:
                change = scale * (system.x[k, c] - bodies.velocity[node, c])
                bodies.velocity[node, c] += change
                bodies.change[node, c] = change
                if not abs(h * change) <= largest:
                    largest = abs(h * change)
            else:
                elements.mu[-1 - node, c] = system.x[k, c]
                elements.lam[-1 - node, c] = system.x[k, c] / h
    advance(bodies, bodies.change, h)
    return largest
