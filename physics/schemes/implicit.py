"""Backward Euler by Newton: the implicit fallback of recovery. Dissipative, and very robust.

    (M - h²K̃_k) v₊ - J_kᵀ μ₊ = M v₀ + h f - h²K̃_k v_k
    J_k v₊ + Σ μ₊ = J_k v_k - Γ (φ_k + C B' φ̇_k)/h

with -h²K̃ projected to its positive part. Everything is evaluated at the newest positions, force
directions too. Rotations are limited per iteration: Newton on rotations has a small basin.
"""

import math

import numpy as np

from physics.constraints.rows import fill_rows
from physics.contact.contact_rows import add_impulses
from physics.energy import note_start
from physics.integrate import advance
from physics.jit import kernel
from physics.linalg import row_velocity
from physics.params import IMPLICIT_ITERATIONS, IMPLICIT_TOLERANCE, IMPLICIT_TURN
from physics.schemes.adaptive import allow_gaps, move_from_start
from physics.schemes.newton_rows import worst_error
from physics.schemes.shared import (
    begin_rows,
    copy_jacobian,
    gather_momentum,
    mask_rows,
    prepare_rows,
    prescribed_speed,
    set_kicks,
    set_lag,
    store_forces,
)
from physics.solver.assembly import add_transpose, multiply_added, zero_nodes
from physics.solver.ldu import solve_all
from physics.solver.regularised import factorise_system
from physics.stabilization import GEOMETRIC, add_stabilization
from physics.stabilization.clear import clear_added
from physics.state import (
    ERROR,
    FACTORISATIONS,
    VELOCITY,
)


@kernel
def implicit_step(scene, settings, h):
    """One backward Euler substep of the island.

    Writes bodies, elements.mu and lam, and measures[ERROR], m or rad. Bounded rows and contacts
    keep the forces of the velocity solve: for one recovered step that is near enough.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    begin_rows(bodies, elements, system)
    note_start(scene)
    set_kicks(bodies, elements, system, h, False)
    prepare_rows(bodies, elements, system, h, False)
    allow_gaps(elements, system, h)
    clear_added(elements, system)
    zero_nodes(system, bodies.scratch)
    gather_momentum(scene, settings.gravity, h, bodies.scratch, False)
    for e in system.unilateral:
        add_transpose(elements, elements.J_start, e, elements.lam, h, system.momentum)
    add_impulses(system, scene.contacts, 1.0, system.momentum)
    advance(bodies, system, bodies.velocity, h)
    error = 1e300
    for _ in range(IMPLICIT_ITERATIONS):
        fill_rows(bodies, elements, system.list_start, system.list_rows, elements.J_start)
        mask_rows(bodies, elements, system, elements.J_start, False)
        copy_jacobian(system, elements.J_start, elements.J)
        add_stabilization(GEOMETRIC, bodies, elements, system, h)
        _load(scene, h)
        factorise_system(system, elements)
        scene.counters[FACTORISATIONS] += 1
        solve_all(system, system.x)
        change = _move(scene, h)
        error = max(change, worst_error(elements, system))
        if error < IMPLICIT_TOLERANCE or not error < 1e6:
            break
    store_forces(scene)
    scene.measures[ERROR] = error
    set_lag(bodies, system, 0.5 * h)
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                bodies.mean_velocity[node, c] = bodies.velocity[node, c]
                bodies.mean_excess[node, c] = 0.0
    return np.int64(0)


@kernel
def _load(scene, h):
    """Right side at the present iterate; writes system.x."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    total = bodies.scratch
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                total[node, c] = system.momentum[node, c]
    multiply_added(system, elements, bodies.velocity, bodies.velocity, total)
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            k = system.position_of[node]
            if k >= 0:
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
                    gap = (elements.phi[e, r] - elements.leave[e, r]) / h
                    speed += elements.gamma[e, r] * (gap - ahead)
            system.x[system.row_of[e], r] = speed


@kernel
def _move(scene, h):
    """Takes the solved velocities, with limited rotation; returns the largest displacement."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    scale = 1.0
    for b in system.bodies:
        node = 2 * b + 1
        k = system.position_of[node]
        if k >= 0:
            turn = 0.0
            for c in range(3):
                turn += (system.x[k, c] - bodies.velocity[node, c]) ** 2
            turn = h * math.sqrt(turn)
            if turn * scale > IMPLICIT_TURN:
                scale = IMPLICIT_TURN / turn
    largest = 0.0
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            k = system.position_of[node]
            for c in range(3):
                change = 0.0
                if k >= 0:
                    change = scale * (system.x[k, c] - bodies.velocity[node, c])
                bodies.velocity[node, c] += change
                if not abs(h * change) <= largest:
                    largest = abs(h * change)
    for e in system.bilateral:
        for c in range(3):
            elements.mu[e, c] = system.x[system.row_of[e], c]
            elements.lam[e, c] = elements.mu[e, c] / h
    move_from_start(bodies, system, h)
    return largest
