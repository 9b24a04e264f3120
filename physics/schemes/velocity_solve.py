"""The velocity solve at the start positions: joints exactly, contacts and bounded rows by sweeps.

    M̃ v₊ - Jᵀ μ = M v + h f,      J v₊ + Σ μ = -g

The matrix is symmetric. Schemes use it for the impulses of contacts and limits; recovery for the
forces of the moment (`find_forces`).
"""

import math

import numpy as np

from physics.constraints.limits import collect, is_limit, is_swing, swing_left
from physics.constraints.ropes import guess_taut
from physics.contact.contact_rows import set_bias
from physics.contact.responses import fill_responses
from physics.contact.solver.gauss_seidel import EVERYTHING, warm_start_contacts
from physics.contact.solver.reads import sort_places, tell_others
from physics.jit import kernel
from physics.jit.address import call
from physics.jit.clock import cycles
from physics.params import (
    LIMIT_PUSH_SPEED,
    LIMIT_RECOVERY,
    MAX_SWEEPS,
)
from physics.schemes.shared import (
    begin_rows,
    copy_jacobian,
    gather_momentum,
    is_apart,
    load_momentum,
    prepare_rows,
    prescribed_speed,
    set_kicks,
    store_forces,
    store_solution,
)
from physics.solver.assembly import multiply_system, zero_nodes
from physics.solver.ldu import solve_all
from physics.solver.projection import respond, warm_start
from physics.solver.regularised import factorise_system
from physics.stabilization.clear import clear_added
from physics.state import (
    CLOCK_FACTOR,
    CLOCK_PROJECT,
    CLOCK_SOLVE,
    FACTORISATIONS,
    RESIDUAL,
    SOLVE_GROUP,
    SOLVE_IMPULSES,
    SWEEPS,
    VELOCITY,
    WAITS,
    WRONG_PIVOTS,
)
from physics.validation import is_jammed


@kernel
def solve_velocity(scene, gravity, h):
    """Velocities and impulses at the start positions; writes system.x, elements.mu (bounded)."""
    zero_nodes(scene.system, scene.bodies.scratch)
    gather_momentum(scene, gravity, h, scene.bodies.scratch, False)
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
    copy_jacobian(system, elements.J_start, elements.J)
    began = cycles()
    scene.counters[WRONG_PIVOTS] = factorise_system(system, elements)
    scene.counters[FACTORISATIONS] += 1
    scene.clock[CLOCK_FACTOR] += cycles() - began
    began = cycles()
    load_right_side(scene, x, h)
    solve_all(system, x)
    _refine(scene, x, h)
    scene.clock[CLOCK_SOLVE] += cycles() - began
    if scene.unilateral.count[0] + len(system.contacts) > 0:
        began = cycles()
        _solve_bounded(scene, x, h)
        scene.clock[CLOCK_PROJECT] += cycles() - began
    return np.int64(0)  # what is called by address returns an int64


@kernel
def _solve_bounded(scene, x, h):
    """Brings x within what bounded rows and contacts allow; writes x and their impulses."""
    bodies, elements, rows = scene.bodies, scene.elements, scene.unilateral
    sort_places(scene)
    respond(scene, h)
    fill_responses(scene.system, scene.contacts)
    waits = scene.measures[WAITS] > 1.0
    for u in range(rows.count[0]):
        aim = rows.aim[rows.source[u]]
        e, r = rows.element[u], rows.row[u]
        rows.bias[u] = bounded_row_bias(bodies, elements, e, r, aim, h, waits)
    set_bias(scene.system, scene.contacts)
    warm_start(scene, x)
    warm_start_contacts(scene, x)
    sweep_contacts(scene, h, EVERYTHING)
    tell_others(scene, rows.count[0], x)


@kernel
def sweep_contacts(scene, h, what):
    """Contacts and bounded rows of the island together; writes x, their impulses, residual."""
    rows = scene.contacts
    rows.job[0], rows.job[1] = h, MAX_SWEEPS
    call(scene.addresses[SOLVE_GROUP], (scene, np.int64(0), np.int64(what), np.int64(0)))
    scene.counters[SWEEPS] += rows.swept[0]
    scene.measures[RESIDUAL] = rows.residual[0]


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
    if elements.elastic[e, r]:
        return moved + elements.wanted[e, r]
    return moved + elements.gamma[e, r] * (elements.phi[e, r] - elements.leave[e, r]) / h


@kernel
def bounded_row_bias(bodies, elements, e, r, aim, h, waits):
    """As `row_bias`, but a hard limit that is violated is taken back gently: no energy from it.

    `aim`: how far inside the limit the target is, m or rad. `waits`: for now it may only not grow.
    """
    phi, slope = elements.phi[e, r], 1.0
    if not is_limit(elements, elements.J_start, e, r):
        return row_bias(bodies, elements, e, r, h)
    if is_swing(elements, e, r):
        phi, slope = swing_left(bodies, elements, e, r, h)
    moved = prescribed_speed(bodies, elements, elements.J_start, e, r)
    if elements.lower[e, r] >= 0.0:
        moved -= slope * aim / h
        if phi < 0.0:
            return moved if waits else moved + max(LIMIT_RECOVERY * phi / h, -LIMIT_PUSH_SPEED)
    else:
        moved += slope * aim / h
        if phi > 0.0:
            return moved if waits else moved + min(LIMIT_RECOVERY * phi / h, LIMIT_PUSH_SPEED)
    return moved + phi / h


@kernel
def _refine(scene, x, h):
    """One step of iterative refinement against the unfactored matrix; writes x."""
    system = scene.system
    residual = system.residual
    load_right_side(scene, residual, h)
    multiply_system(system, scene.elements, x, residual)
    solve_all(system, residual)
    for at in range(0, len(system.ranges), 2):
        for k in range(system.ranges[at], system.ranges[at + 1]):
            for c in range(3):
                x[k, c] += residual[k, c]


@kernel
def find_forces(scene, settings, h):
    """λ that holds the joints together now, without any stabilization; writes elements.lam.

    Closing gaps and pushing overlaps out is no force. Velocities and positions stay as they are.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    begin_rows(bodies, elements, system)
    guess_taut(scene, h)
    clear_added(elements, system)
    set_kicks(bodies, elements, system, h, False)
    prepare_rows(bodies, elements, system, h, False)
    for e in system.bilateral:
        for r in range(3):
            if is_apart(elements, e, r):
                elements.leave[e, r] = elements.phi[e, r]
    for c in system.contacts:
        scene.contacts.target[c] = max(scene.contacts.target[c], 0.0)
    solve_velocity(scene, settings.gravity, h)
    store_solution(system, elements, system.x, bodies.scratch)
    _drop_senseless(scene, is_jammed(scene, settings.gravity, h))
    for e in system.bilateral:
        if elements.rope[e]:
            elements.mu[e, 0] = min(elements.mu[e, 0], 0.0)
    store_forces(scene)
    return np.int64(0)


@kernel
def _drop_senseless(scene, jammed):
    """No impulse that has no size is left for a warm start; writes impulses of all rows.

    `jammed`: contacts push with any force, and so does what they push against.
    """
    mu, pushes = scene.elements.mu, scene.contacts.mu
    for listed in (scene.system.bilateral, scene.system.unilateral):
        for e in listed:
            for r in range(3):
                if jammed or not math.isfinite(mu[e, r]):
                    mu[e, r] = 0.0
    for c in scene.system.contacts:
        for r in range(3):
            if jammed or not math.isfinite(pushes[c, r]):
                pushes[c, r] = 0.0
