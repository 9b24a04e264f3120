"""The velocity solve at the start positions: joints exactly, contacts and bounded rows by sweeps.

    M̃ v₊ - Jᵀ μ = M v + h f,      J v₊ + Σ μ = -g

The matrix is symmetric. Schemes use it for the impulses of contacts and limits; recovery for the
forces of the moment (`find_forces`) and for a plastic impact (`stop_at_joints`).
"""

import numpy as np

from physics.constraints.limits import collect, is_limit, is_rope, is_swing, swing_left
from physics.contact.contact_rows import fill_responses, set_bias
from physics.contact.solver.gauss_seidel import EVERYTHING, warm_start_contacts
from physics.contact.solver.groups import group_contacts
from physics.jit import kernel
from physics.jit.address import call
from physics.jit.clock import cycles
from physics.linalg import zero_rows
from physics.params import (
    LIMIT_PUSH_SPEED,
    LIMIT_RECOVERY,
    MAX_SWEEPS,
    REDUNDANCY,
    ROPE_PULL_SPEED,
)
from physics.schemes.shared import (
    begin_rows,
    copy_jacobian,
    gather_momentum,
    load_momentum,
    prepare_rows,
    prescribed_speed,
    store_forces,
    store_solution,
)
from physics.solver.assembly import assemble, multiply_system
from physics.solver.ldu import factorise, solve
from physics.solver.projection import respond, warm_start
from physics.stabilization.clear import clear_added
from physics.state import (
    CLOCK_FACTOR,
    CLOCK_PROJECT,
    CLOCK_SOLVE,
    FACTORISATIONS,
    SOLVE_GROUPS,
    SOLVE_IMPULSES,
    SWEEPS,
    VELOCITY,
    WRONG_PIVOTS,
)


@kernel
def solve_velocity(scene, gravity, h):
    """Velocities and impulses at the start positions; writes system.x, elements.mu (bounded)."""
    zero_rows(scene.bodies.change)
    gather_momentum(scene, gravity, h, scene.bodies.change)
    collect(scene, h)
    call(scene.addresses[SOLVE_IMPULSES], (scene, h))


@kernel
def solve_impulses(scene, h):
    """Velocities and impulses for the momentum at hand, all directions at the start positions.

    The matrix is symmetric, so sweeps over bounded rows and contacts always converge. Writes
    system.x, elements.mu (bounded) and contacts.mu. Called through scene.addresses[SOLVE_IMPULSES],
    so that it is compiled once.
    """
    elements, system = scene.elements, scene.system
    x = system.x
    copy_jacobian(elements.J_start, elements.J)
    began = cycles()
    assemble(system, elements, REDUNDANCY)
    scene.counters[WRONG_PIVOTS] = factorise(system, True)
    scene.counters[FACTORISATIONS] += 1
    scene.clock[CLOCK_FACTOR] += cycles() - began
    began = cycles()
    load_right_side(scene, x, h)
    solve(system, x, 0, system.size[0])
    _refine(scene, x, h)
    scene.clock[CLOCK_SOLVE] += cycles() - began
    if scene.unilateral.count[0] + scene.contacts.count[0] > 0:
        began = cycles()
        _solve_bounded(scene, x, h)
        scene.clock[CLOCK_PROJECT] += cycles() - began
    return np.int64(0)  # what is called by address returns an int64


@kernel
def _solve_bounded(scene, x, h):
    """Brings x within what bounded rows and contacts allow; writes x and their impulses."""
    bodies, elements, rows = scene.bodies, scene.elements, scene.unilateral
    group_contacts(scene)
    respond(scene, h)
    fill_responses(scene.system, scene.contacts)
    for u in range(rows.count[0]):
        aim = rows.aim[rows.source[u]]
        rows.bias[u] = bounded_row_bias(bodies, elements, rows.element[u], rows.row[u], aim, h)
    set_bias(scene.contacts)
    warm_start(scene, x, h)
    warm_start_contacts(scene.contacts, x)
    arguments = (scene, h, np.int64(MAX_SWEEPS), np.int64(EVERYTHING))
    scene.counters[SWEEPS] += call(scene.addresses[SOLVE_GROUPS], arguments)


@kernel
def load_right_side(scene, x, h):
    """x ← (M v + h f, Γφ/h): the right side of A x; writes x."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    load_momentum(system, x)
    for e in system.bilateral:
        for r in range(3):
            speed = 0.0 if elements.idle[e, r] else row_bias(bodies, elements, e, r, h)
            x[system.row_of[e], r] = speed


@kernel
def row_bias(bodies, elements, e, r, h):
    """g such that the row wants J v + Σ μ = -g at the start positions."""
    moved = prescribed_speed(bodies, elements, elements.J_start, e, r)
    if elements.mode[e, r] == VELOCITY:
        return moved - elements.target[e, r]
    return moved + elements.gamma[e, r] * elements.phi[e, r] / h


@kernel
def bounded_row_bias(bodies, elements, e, r, aim, h):
    """As `row_bias`, but a hard limit that is violated is taken back gently: no energy from it.

    Not so a rope (a distance that only pulls): its winch must get all it takes in. `aim`: how far
    inside the limit the target is, m or rad.
    """
    phi, slope = elements.phi[e, r], 1.0
    if not is_limit(elements, elements.J_start, e, r):
        excess = phi - ROPE_PULL_SPEED * h
        if is_rope(elements, e, r) and excess > 0.0:
            return row_bias(bodies, elements, e, r, h) - excess / h
        return row_bias(bodies, elements, e, r, h)
    if is_swing(elements, e, r):
        phi, slope = swing_left(bodies, elements, e, r, h)
    moved = prescribed_speed(bodies, elements, elements.J_start, e, r)
    if elements.lower[e, r] >= 0.0:
        moved -= slope * aim / h
        if phi < 0.0:
            return moved + max(LIMIT_RECOVERY * phi / h, -LIMIT_PUSH_SPEED)
    else:
        moved += slope * aim / h
        if phi > 0.0:
            return moved + min(LIMIT_RECOVERY * phi / h, LIMIT_PUSH_SPEED)
    return moved + phi / h


@kernel
def _refine(scene, x, h):
    """One step of iterative refinement against the unfactored matrix; writes x."""
    system = scene.system
    residual = system.residual
    load_right_side(scene, residual, h)
    multiply_system(system, scene.elements, x, residual)
    solve(system, residual, 0, system.size[0])
    for k in range(system.size[0]):
        for c in range(3):
            x[k, c] += residual[k, c]


@kernel
def find_forces(scene, settings):
    """λ that holds the joints together now, without any stabilization; writes elements.lam.

    Velocities and positions stay as they are.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    begin_rows(bodies, elements, system)
    clear_added(elements, system)
    prepare_rows(elements, system, settings.h)
    solve_velocity(scene, settings.gravity, settings.h)
    store_solution(system, elements, system.x, bodies.change)
    store_forces(scene, settings.h)


@kernel
def stop_at_joints(scene, h):
    """A plastic impact: velocities become what the joints allow, momentum is kept.

    The nearest velocity in the norm of M with J v = 0; writes bodies.velocity.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    begin_rows(bodies, elements, system)
    clear_added(elements, system)
    prepare_rows(elements, system, h)
    copy_jacobian(elements.J_start, elements.J)
    assemble(system, elements, REDUNDANCY)
    factorise(system, True)
    x, velocity, mass = system.x, bodies.velocity, system.mass
    zero_rows(x)
    for k in range(system.size[0]):
        node = system.unknown[k]
        if node >= 0:
            for r in range(3):
                for c in range(3):
                    x[k, r] += mass[node, r, c] * velocity[node, c]
    for e in system.bilateral:
        for r in range(3):
            if not elements.idle[e, r]:
                x[system.row_of[e], r] = prescribed_speed(bodies, elements, elements.J, e, r)
    solve(system, x, 0, system.size[0])
    store_solution(system, elements, x, velocity)
