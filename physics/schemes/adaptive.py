"""The adaptive scheme, the default: leapfrog with joints closed by Newton, in substeps of islands.

    M̃ v₊ - J₀ᵀ μ = M v + kick·f + G (v - σ(v - v̄)),      φ(x ⊕ h v₊) + C λ + C B' φ̇ = 0

v lags behind x by half a step, v₊ is ahead by half a step: the kick lasts from one to the other.
Force directions at the start of the step keep the energy; solving φ at its end keeps the joints
together. The first guess extrapolates, x* = x ⊕ h v, which is off by h² times the acceleration
only, so that *one* factorisation with J(x*) serves the whole step: the following corrections

    M̃ δv - J₀ᵀ δμ = -δN,      J* δv + Σ δμ = -Γ (φ_k + C λ + C B' φ̇)/h

shrink the error by orders of magnitude each; N is what turning within the step adds to I ω. Only
where they do not is J taken anew.
"""

import numpy as np

from physics.acceptance import is_solved
from physics.constraints.limits import collect, forget_aims
from physics.constraints.ropes import change_taut, guess_taut
from physics.contact.contact_forces import store_contact_forces
from physics.contact.contact_rows import add_impulses
from physics.contact.solver.restitution import restitution_pass
from physics.contact.solver.sliding import correct_sliding
from physics.energy import note_start
from physics.integrate import advance
from physics.jit import kernel
from physics.jit.address import call
from physics.jit.clock import cycles
from physics.linalg import row_velocity
from physics.params import (
    ACCEPTED_ERROR,
    BETA,
    CHORD_RATE,
    CLOSING_RATE,
    CLOSING_SPEED,
    NEWTON_ITERATIONS,
    NEWTON_TOLERANCE,
    REDUNDANCY,
    RETRIES,
    ROPE_ROUNDS,
    SIGMA,
    STIFFENINGS,
)
from physics.rollback import forget_acceleration, roll_back
from physics.schemes.newton_rows import (
    add_correction,
    fill_newton_rows,
    load_correction_targets,
    load_targets,
    worst_error,
)
from physics.schemes.shared import (
    begin_rows,
    copy_jacobian,
    gather_momentum,
    is_apart,
    load_momentum,
    prepare_rows,
    set_kicks,
    set_lag,
    store_solution,
)
from physics.schemes.swirl import add_turning, load_swirl, load_turning
from physics.solver.assembly import assemble
from physics.solver.ldu import factorise, solve_all
from physics.solver.regularised import ATTEMPTS, MORE, factorise_system
from physics.stabilization.adaptive import (
    add_adaptive,
    count_pulls,
    has_loop,
    is_stiff,
    keep_forces,
    outgrown,
    put_forces_back,
    stiffen,
)
from physics.state import (
    CLOCK_FACTOR,
    CLOCK_GUARD,
    CLOCK_ROWS,
    CLOCK_SOLVE,
    CLOCK_STABILIZATION,
    CUT,
    ERROR,
    FACTORISATIONS,
    NEWTON,
    READY,
    RETRIED,
    SOLVE_IMPULSES,
    VELOCITY,
    WRONG_PIVOTS,
)
from physics.validation import correct_targets
from physics.whips import is_worth_cutting

DONE, OUTGROWN, STALLED = range(3)  # what becomes of a solve


@kernel
def solve_substep(scene, settings, h):
    """One substep of the island whose lists are entered, from its saved start.

    Writes the state at its end, impulses, contacts and measures[ERROR]; whether it can be kept is
    asked afterwards (`acceptance.py`).
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    began = cycles()
    if scene.measures[READY] != h:
        begin_rows(bodies, elements, system)
    guess_taut(scene, h)
    note_start(scene)
    scene.measures[CUT] = 0.0
    scene.clock[CLOCK_GUARD] += cycles() - began
    for attempt in range(RETRIES + 1):
        for rounds in range(ROPE_ROUNDS + 1):
            known = attempt + rounds + len(system.ropes) == 0
            solve_stiffened(scene, settings, h, known)
            if scene.measures[CUT] > 0.0:
                return np.int64(0)
            if rounds == ROPE_ROUNDS or not change_taut(scene, rounds >= ROPE_ROUNDS // 2):
                break
            roll_back(scene)
        if attempt == RETRIES or not is_solved(scene) or not correct_targets(scene, h):
            break
        scene.counters[RETRIED] += 1
        roll_back(scene)
    forget_aims(scene)
    relax_closing(scene, h)
    if len(system.contacts) > 0:
        restitution_pass(scene, h)
        correct_sliding(scene, h)
        store_contact_forces(scene, settings.h)
    note_acceleration(scene)
    set_lag(bodies, system, 0.5 * h)
    return np.int64(0)  # what is called by address returns an int64


@kernel
def solve_stiffened(scene, settings, h, known):
    """A solution with as much added inertia as it takes; writes what `solve_step` does.

    A straight chain that is pulled taut straightens within the step only if its links resist: with
    too little G they overshoot, and no force holds the load. The forces of the last step say how
    much it takes as a rule; where they have grown within the step, it takes more, or, where that
    is a whip, a shorter substep: measures[CUT]. `known`: rows of the start are there already.
    """
    stalled = False
    for stiffened in range(STIFFENINGS + 1):
        begin_step(scene, h, True, known and stiffened == 0)
        scene.measures[READY] = 0.0
        if not stalled:
            keep_forces(scene.elements, scene.system)
        outcome = solve_step(scene, settings.gravity, h, stiffened)
        if outcome == DONE:
            break
        if outcome == OUTGROWN and is_worth_cutting(scene, h, settings.h):
            scene.measures[CUT] = 1.0
            break
        if outcome == STALLED:
            stalled = True
            stiffen(scene.elements, scene.system, 4.0)
        roll_back(scene)
        forget_acceleration(scene)
    if stalled and not is_solved(scene):
        put_forces_back(scene.elements, scene.system)


@kernel
def begin_step(scene, h, leapfrog, known):
    """Everything that depends on the start state: rotations, masses, rows, unless known, and M̃."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    began = cycles()
    if not known:
        begin_rows(bodies, elements, system)
    middle = cycles()
    set_kicks(bodies, elements, system, h, leapfrog)
    if not (known and scene.measures[READY] == h):
        add_adaptive(bodies, elements, system, h)
    prepare_rows(bodies, elements, system, h, leapfrog)
    allow_gaps(elements, system, h)
    scene.clock[CLOCK_ROWS] += middle - began
    scene.clock[CLOCK_STABILIZATION] += cycles() - middle


@kernel
def allow_gaps(elements, system, h):
    """A joint that was found apart closes gently: what is left of its gap after h; writes leave.

    Not so what a winch or servo moves, nor a rope that is shorter than its length.
    """
    for e in system.bilateral:
        for r in range(3):
            phi = elements.phi[e, r]
            elements.leave[e, r] = 0.0
            if is_apart(elements, e, r):
                closed = h * min(CLOSING_RATE * abs(phi), CLOSING_SPEED)
                left = max(abs(phi) - closed, 0.0)
                elements.leave[e, r] = left if phi > 0.0 else -left


@kernel
def relax_closing(scene, h):
    """Closing gaps is a way, no speed: takes out what it gave, then J v = 0 where it did.

    Both are linear solves with J of the start on both sides: they never add energy. Writes
    velocities, impulses and J.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    found = False
    for e in system.bilateral:
        for r in range(3):
            found = found or elements.leave[e, r] != 0.0
    if not found:
        return
    copy_jacobian(system, elements.J_start, elements.J)
    factorise_system(system, elements)
    scene.counters[FACTORISATIONS] += 1
    for closing in (True, False):
        zero_places(system, system.x)
        for e in system.bilateral:
            for r in range(3):
                system.x[system.row_of[e], r] = _too_fast(bodies, elements, e, r, h, closing)
        solve_all(system, system.x)
        add_correction(bodies, elements, system, system.x)


@kernel
def _too_fast(bodies, elements, e, r, h, closing):
    """The speed of a row that is to go: what closing gave it, or all that joints do not allow."""
    if elements.idle[e, r] or elements.compliance[e, r] > 0.0:
        return 0.0
    if closing:
        apart = elements.leave[e, r] != 0.0
        return (elements.leave[e, r] - elements.start_phi[e, r]) / h if apart else 0.0
    speed = row_velocity(elements.node, elements.J, e, r, bodies.velocity)
    return speed - elements.target[e, r] * (elements.mode[e, r] == VELOCITY)


@kernel
def zero_places(system, x):
    """Zeroes the places of the lists; writes x."""
    for at in range(0, len(system.ranges), 2):
        for k in range(system.ranges[at], system.ranges[at + 1]):
            for c in range(3):
                x[k, c] = 0.0


@kernel
def solve_step(scene, gravity, h, stiffened):
    """Velocities, impulses and positions at the end of the step; writes measures[ERROR].

    `stiffened` is how often inertia was added before. Returns DONE; OUTGROWN if the forces, now in
    elements.lam, need more; STALLED if Newton does, and more may be added.
    """
    bodies, elements, system, x = scene.bodies, scene.elements, scene.system, scene.system.x
    collect(scene, h)
    bounded = scene.unilateral.count[0] + len(system.contacts) > 0
    carry_momentum(scene, gravity, h, True, bounded)
    update_mean(bodies, system)
    if bounded:
        solve_contacts(scene, h)
    else:
        extrapolate(bodies, system)
    advance(bodies, system, bodies.velocity, h)
    previous, error, fresh = 1e300, 1e300, False
    # round 0 solves for the velocity itself, the following ones for its correction
    for correction in range(NEWTON_ITERATIONS + 1):
        began = cycles()
        fill_newton_rows(bodies, elements, system, h)
        scene.clock[CLOCK_ROWS] += cycles() - began
        if correction > 0:
            scene.counters[NEWTON] += 1
            zero_places(system, x)
            gap = worst_error(elements, system)
            error = max(gap, load_swirl(bodies, system, x, h))
            if error < NEWTON_TOLERANCE:
                break
            stalls = fresh and gap == error and gap > 0.5 * previous
            stalls = stalls and stiffened < STIFFENINGS and gap > ACCEPTED_ERROR
            # where nothing is stiff nor pulls inertia is no help
            if stalls and (count_pulls(elements, system) or is_stiff(elements, system)):
                return STALLED
            if not error < 1e6 or correction == NEWTON_ITERATIONS:
                break
        fresh = correction == 0 or error > CHORD_RATE * previous
        if fresh:
            began = cycles()
            _factorise(scene, h)
            scene.counters[FACTORISATIONS] += 1
            scene.clock[CLOCK_FACTOR] += cycles() - began
        previous, began = error, cycles()
        if correction == 0:
            load_momentum(system, x)
            load_turning(bodies, system, x, h)
            load_targets(scene, x, h)
        else:
            load_correction_targets(scene, x, h)
        solve_all(system, x)
        scene.clock[CLOCK_SOLVE] += cycles() - began
        if correction == 0:
            store_solution(system, elements, x, bodies.velocity)
            # what bounded rows pass on to joints grows with the inertia: no reason for more of it
            free = scene.unilateral.count[0] == 0
            if stiffened == 0 and free and outgrown(bodies, elements, system, h):
                return OUTGROWN
        else:
            add_correction(bodies, elements, system, x)
        move_from_start(bodies, system, h)
    scene.measures[ERROR] = error
    return DONE


@kernel
def _factorise(scene, h):
    """The matrix of a Newton iteration, with as much ε in loops as it takes (`regularised.py`)."""
    system, epsilon = scene.system, REDUNDANCY
    for _ in range(ATTEMPTS):
        assemble(system, scene.elements, epsilon)
        add_turning(scene.bodies, system, h)
        scene.counters[WRONG_PIVOTS] = factorise(system, False)
        if scene.counters[WRONG_PIVOTS] == 0:
            break
        epsilon *= MORE


@kernel
def extrapolate(bodies, system):
    """The velocity of the step if nothing changes: v + kick·a, a of the step before; writes it."""
    v, a = bodies.velocity, bodies.acceleration
    for b in system.bodies:
        if bodies.lag[b] > 0.0:  # else it was set, and nothing is known
            kick = bodies.kick[b]
            for node in range(2 * b, 2 * b + 2):
                for c in range(3):
                    v[node, c] += kick * a[node, c]


@kernel
def note_acceleration(scene):
    """What changed the velocity goes on, but impacts, limits and ropes; writes acceleration."""
    bodies, system = scene.bodies, scene.system
    v, before, a = bodies.velocity, bodies.start_velocity, bodies.acceleration
    jumps = scene.unilateral.count[0] + len(system.contacts) + len(system.ropes) > 0
    for b in system.bodies:
        scale = 0.0 if jumps else 1.0 / bodies.kick[b]
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                a[node, c] = scale * (v[node, c] - before[node, c])


@kernel
def move_from_start(bodies, system, h):
    """x = x_start ⊕ h v; writes positions, orientations, rotations."""
    for listed in (system.bodies, system.keyframed):
        for b in listed:
            for c in range(3):
                bodies.position[b, c] = bodies.start_position[b, c]
            for c in range(4):
                bodies.orientation[b, c] = bodies.start_orientation[b, c]
    advance(bodies, system, bodies.velocity, h)


# --- contacts -------------------------------------------------------------------------------------


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


# --- momentum and right sides ---------------------------------------------------------------------


@kernel
def carry_momentum(scene, gravity, h, leapfrog, spins):
    """Added inertia keeps its momentum but for the fast part: v - σ(e - ē/2), e = v - v̄.

    What swings with ω loses speed as the part of that in phase with it: with e alone (τω)², τ being
    the time of the mean, with e - ē/2 only (τω)⁴. Closed loops keep to e: a net of a million to one
    needs the drag on its slow waves, too.
    """
    bodies, excess = scene.bodies, scene.bodies.mean_excess
    share = 0.0 if has_loop(scene.system) else 0.5
    carried, velocity, mean = bodies.scratch, bodies.velocity, bodies.mean_velocity
    for b in scene.system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                v = velocity[node, c]
                carried[node, c] = v - SIGMA * (v - mean[node, c] - share * excess[node, c])
    gather_momentum(scene, gravity, h, carried, leapfrog, spins)


@kernel
def update_mean(bodies, system):
    """ē += β (v - v̄ - ē), v̄ += β (v - v̄); writes both."""
    velocity, mean, excess = bodies.velocity, bodies.mean_velocity, bodies.mean_excess
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                now = velocity[node, c] - mean[node, c]
                excess[node, c] += BETA * (now - excess[node, c])
                mean[node, c] += BETA * now
