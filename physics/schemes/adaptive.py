"""The adaptive scheme, the default: one solve for contacts, then Newton on joints and positions.

    M̃ v₊ - J₀ᵀ μ = M v + h f + G (v - σ(v - v̄)),      φ(x ⊕ h v₊) + C λ + C B' φ̇ = 0

Force directions at the start of the step keep the energy; solving φ at its end keeps the joints
together. The first guess extrapolates, x* = x ⊕ h v, which is off by h² times the acceleration
only, so that *one* factorisation with J(x*) serves the whole step: the following corrections

    M̃ δv - J₀ᵀ δμ = 0,      J* δv + Σ δμ = -Γ (φ_k + C λ + C B' φ̇)/h

shrink the error by orders of magnitude each. Only where they do not is J taken anew.
"""

from physics.acceptance import accept_step, is_solved
from physics.constraints.limits import collect, forget_aims
from physics.constraints.rows import fill_rows
from physics.contact.contact_rows import add_impulses
from physics.contact.solver.restitution import restitution_pass
from physics.contact.solver.sliding import correct_sliding
from physics.energy import energies
from physics.integrate import advance
from physics.jit import kernel
from physics.jit.address import call
from physics.jit.clock import cycles
from physics.linalg import copy_rows, row_velocity, zero_rows
from physics.params import (
    BETA,
    CHORD_RATE,
    NEWTON_ITERATIONS,
    NEWTON_TOLERANCE,
    REDUNDANCY,
    RETRIES,
    SIGMA,
)
from physics.rollback import roll_back, save_start
from physics.schemes.shared import (
    begin_rows,
    gather_momentum,
    load_momentum,
    mark_broken,
    mask_rows,
    prepare_rows,
    prescribed_speed,
    store_forces,
    store_solution,
)
from physics.solver.assembly import assemble
from physics.solver.ldu import factorise, solve
from physics.stabilization.adaptive import add_adaptive
from physics.state import (
    BROKEN,
    CLOCK_FACTOR,
    CLOCK_ROWS,
    CLOCK_SOLVE,
    CLOCK_TREATMENT,
    ERROR,
    FACTORISATIONS,
    NEWTON,
    POSITION,
    REJECTED,
    RETRIED,
    SOLVE_IMPULSES,
    STEPS,
    VELOCITY,
    WRONG_PIVOTS,
)
from physics.validation import correct_targets


@kernel
def run_adaptive(scene, settings, n):
    """Takes up to n adaptive steps; returns how many were good.

    Stops early when something broke (counters[BROKEN]) or a step was not accepted
    (counters[REJECTED]); that step is rolled back.
    """
    counters = scene.counters
    counters[REJECTED] = 0
    for done in range(n):
        save_start(scene.bodies, scene.elements)
        before, kinetic = 0.0, 0.0
        for attempt in range(RETRIES + 1):
            begin_step(scene, settings.h)
            if attempt == 0:
                kinetic, potential, elastic = energies(scene, settings.gravity)
                before = kinetic + potential + elastic
            solve_step(scene, settings)
            solved = is_solved(scene)
            if attempt == RETRIES or not solved or not correct_targets(scene, settings.h):
                break
            counters[RETRIED] += 1
            roll_back(scene.bodies, scene.elements)
        forget_aims(scene.unilateral)
        restitution_pass(scene, settings.h)
        correct_sliding(scene, settings.h)
        if not accept_step(scene, settings, before, kinetic, True):
            roll_back(scene.bodies, scene.elements)
            counters[REJECTED] = 1
            return done
        store_forces(scene, settings.h)
        mark_broken(scene)
        counters[STEPS] += 1
        if counters[BROKEN] > 0:
            return done + 1
    return n


@kernel
def begin_step(scene, h):
    """Everything that depends on the start state: rotations, masses, rows, M̃."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    began = cycles()
    begin_rows(bodies, elements, system)
    middle = cycles()
    add_adaptive(bodies, elements, system, h)
    prepare_rows(elements, system, h)
    scene.clock[CLOCK_ROWS] += middle - began
    scene.clock[CLOCK_TREATMENT] += cycles() - middle


@kernel
def solve_step(scene, settings):
    """Velocities, impulses and positions at the end of the step; writes measures[ERROR]."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    h = settings.h
    x = system.x
    carry_momentum(scene, settings.gravity, h)
    update_mean(bodies)
    collect(scene, h)
    if scene.unilateral.count[0] + scene.contacts.count[0] > 0:
        solve_contacts(scene, h)
    advance(bodies, bodies.velocity, h)
    previous = 1e300
    error = 1e300
    # round 0 solves for the velocity itself, the following ones for its correction
    for correction in range(NEWTON_ITERATIONS + 1):
        began = cycles()
        fill_rows(bodies, elements, system.list_start, system.list_rows, elements.J)
        mask_rows(bodies, elements, system, elements.J, False)
        scene.clock[CLOCK_ROWS] += cycles() - began
        if correction > 0:
            scene.counters[NEWTON] += 1
            error = worst_error(elements, system, h)
            if error < NEWTON_TOLERANCE or not error < 1e6 or correction == NEWTON_ITERATIONS:
                break
        if correction == 0 or error > CHORD_RATE * previous:
            began = cycles()
            assemble(system, elements, REDUNDANCY)
            scene.counters[WRONG_PIVOTS] = factorise(system, False)
            scene.counters[FACTORISATIONS] += 1
            scene.clock[CLOCK_FACTOR] += cycles() - began
        previous = error
        if correction == 0:
            load_momentum(system, x)
            load_targets(scene, x, h)
        else:
            zero_rows(x)
            load_correction_targets(scene, x, h)
        began = cycles()
        solve(system, x, 0, system.size[0])
        scene.clock[CLOCK_SOLVE] += cycles() - began
        if correction == 0:
            store_solution(system, elements, x, bodies.velocity)
            copy_rows(bodies.start_position, bodies.position)
            copy_rows(bodies.start_orientation, bodies.orientation)
            advance(bodies, bodies.velocity, h)
        else:
            add_correction(bodies, elements, system, x)
            advance(bodies, bodies.change, h)
    scene.measures[ERROR] = error


@kernel
def solve_contacts(scene, h):
    """Impulses of contacts and bounded rows, found on the symmetric system at the start.

    They join the momentum, and the velocity they leave is what Newton extrapolates with. Writes
    bodies.velocity, system.momentum, elements.mu (bounded), contacts.mu.
    """
    bodies, elements, system, rows = scene.bodies, scene.elements, scene.system, scene.unilateral
    call(scene.addresses[SOLVE_IMPULSES], (scene, h))
    store_solution(system, elements, system.x, bodies.velocity)
    for u in range(rows.count[0]):
        e, r = rows.element[u], rows.row[u]
        for s in range(4):
            for c in range(3):
                push = elements.J_start[e, s, r, c] * elements.mu[e, r]
                system.momentum[elements.node[e, s], c] += push
    add_impulses(system, scene.contacts, 1.0, system.momentum)


@kernel
def carry_momentum(scene, gravity, h):
    """Added inertia keeps its momentum but for the fast part: v - σ(v - v̄)."""
    bodies = scene.bodies
    carried, velocity, mean = bodies.change, bodies.velocity, bodies.mean_velocity
    for node in range(len(carried)):
        for c in range(3):
            v = velocity[node, c]
            carried[node, c] = v - SIGMA * (v - mean[node, c])
    gather_momentum(scene, gravity, h, carried)


@kernel
def update_mean(bodies):
    """v̄ += β (v - v̄)."""
    velocity, mean = bodies.velocity, bodies.mean_velocity
    for node in range(len(velocity)):
        for c in range(3):
            mean[node, c] += BETA * (velocity[node, c] - mean[node, c])


@kernel
def load_targets(scene, x, h):
    """Right side of the rows, linearised about the extrapolated positions; writes x."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    idle, mode, row_of, keyed = elements.idle, elements.mode, system.row_of, system.keyed
    node, J, gamma, phi = elements.node, elements.J, elements.gamma, elements.phi
    velocity = bodies.velocity
    for e in system.bilateral:
        k = row_of[e]
        for r in range(3):
            if idle[e, r]:
                x[k, r] = 0.0
            elif keyed[e] or mode[e, r] != POSITION:
                x[k, r] = closing_speed(bodies, elements, e, r, h)
            else:
                ahead = row_velocity(node, J, e, r, velocity)
                x[k, r] = gamma[e, r] * (phi[e, r] / h - ahead)


@kernel
def closing_speed(bodies, elements, e, r, h):
    """g such that the row wants J v + Σ μ = -g, v of the unknown nodes."""
    moved = prescribed_speed(bodies, elements, elements.J, e, r)
    if elements.mode[e, r] == VELOCITY:
        return moved - elements.target[e, r]
    ahead = row_velocity(elements.node, elements.J, e, r, bodies.velocity)
    return moved + elements.gamma[e, r] * (elements.phi[e, r] / h - ahead)


@kernel
def load_correction_targets(scene, x, h):
    """Right side of a correction; writes x."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    idle, mode, row_of = elements.idle, elements.mode, system.row_of
    gamma, sigma, phi, mu = elements.gamma, elements.sigma, elements.phi, elements.mu
    for e in system.bilateral:
        k = row_of[e]
        for r in range(3):
            if idle[e, r]:
                continue
            if mode[e, r] == POSITION and gamma[e, r] == 1.0:
                x[k, r] = phi[e, r] / h + sigma[e, r] * mu[e, r]
            else:
                x[k, r] = remaining_speed(bodies, elements, e, r, h)


@kernel
def remaining_speed(bodies, elements, e, r, h):
    """g such that the row wants J δv + Σ δμ = -g at the present positions and impulses."""
    gamma, sigma, mu = elements.gamma[e, r], elements.sigma[e, r], elements.mu[e, r]
    moving = row_velocity(elements.node, elements.J, e, r, bodies.velocity)
    if elements.mode[e, r] == VELOCITY:
        return moving - elements.target[e, r] + sigma * mu
    # Γ(φ/h + C μ/h² + C B' φ̇/h), as Σ = Γ C/h² and 1 - Γ = Γ C B'/h
    return gamma * elements.phi[e, r] / h + sigma * mu + (1.0 - gamma) * moving


@kernel
def add_correction(bodies, elements, system, x):
    """Adds a solved correction to velocities and impulses; writes bodies.change for the move."""
    velocity, change, mu, unknown = bodies.velocity, bodies.change, elements.mu, system.unknown
    for node in range(len(change)):
        for c in range(3):
            change[node, c] = 0.0
    for k in range(system.size[0]):
        node = unknown[k]
        for c in range(3):
            if node >= 0:
                velocity[node, c] += x[k, c]
                change[node, c] = x[k, c]
            else:
                mu[-1 - node, c] += x[k, c]


@kernel
def worst_error(elements, system, h):
    """Largest |φ + C λ| of bilateral rows, m or rad; NaN counts as worst."""
    worst = 0.0
    phi, mu, compliance = elements.phi, elements.mu, elements.compliance
    idle, mode, gamma = elements.idle, elements.mode, elements.gamma
    for e in system.bilateral:
        for r in range(3):
            # rows with damping end a little off φ + Cλ = 0: they are judged by the rows without
            if idle[e, r] or mode[e, r] != POSITION or gamma[e, r] != 1.0:
                continue
            error = abs(phi[e, r] + compliance[e, r] * mu[e, r] / h)
            if not error <= worst:
                worst = error
    return worst
