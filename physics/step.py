"""One step of the world, as a table of contents.

    commands      are in bodies.force and the elements' targets when the step begins
    contacts      are detected and loaded as rows (physics.contact) when the step begins
    begin         positions → rotations, masses, φ and J at the start
    treat         λ of the last step → K̃ → what is added to the mass matrix
    strike        contacts and bounded rows, by projection with the joints solved exactly
    solve         joints and positions, by Newton
    aim again     limits or contacts of jointed bodies missed? the same step with better aims
    settle        contacts once more: bounce, and no speed from pushing overlaps out
    judge         finite? solved? no energy out of nothing? else go back and say so
    finish        λ for the next step, breaking, counters

The "adaptive" step, the default:

    M̃ v₊ - J₀ᵀ μ = M v + h f + G (v - σ(v - v̄)),      φ(x ⊕ h v₊) + C λ + C B' φ̇ = 0

Force directions at the start of the step keep the energy; solving φ at its end keeps the joints
together. The first guess extrapolates, x* = x ⊕ h v, which is off by h² times the acceleration
only, so that *one* factorisation with J(x*) serves the whole step: the following corrections

    M̃ δv - J₀ᵀ δμ = 0,      J* δv + Σ δμ = -Γ (φ_k + C λ + C B' φ̇)/h

shrink the error by orders of magnitude each. Only where they do not is J taken anew.
"""

from physics.constraints.limits import collect, forget_aims
from physics.constraints.rows import fill_rows
from physics.contact.foresight import aim_again, limits_hold, was_foreseen
from physics.contact.rows import add_impulses
from physics.contact.settle import settle
from physics.contact.sliding import carry_sliding
from physics.integrate import advance
from physics.jit import kernel
from physics.jit.clock import cycles
from physics.linalg import copy_rows, zero_rows
from physics.params import (
    ACCEPTED_ERROR,
    CHORD_RATE,
    LENIENT_ERROR,
    NEWTON_ITERATIONS,
    NEWTON_TOLERANCE,
    REDUNDANCY,
    RETAKES,
    RUNAWAY_SPEED,
)
from physics.schemes.adaptive import (
    add_correction,
    aim,
    aim_correction,
    carry_momentum,
    update_mean,
    worst_error,
)
from physics.schemes.linear import solve_impulses
from physics.schemes.shared import (
    begin_rows,
    go_back,
    load_momentum,
    mark_broken,
    mask_rows,
    prepare_rows,
    remember,
    store_forces,
    store_solution,
)
from physics.solver.assembly import assemble
from physics.solver.guard import energies, energy_scale, fastest, strayed, work_done
from physics.solver.ldu import factorise, solve
from physics.stabilization.adaptive import add_adaptive
from physics.state import (
    BROKEN,
    CLOCK_FACTOR,
    CLOCK_GUARD,
    CLOCK_ROWS,
    CLOCK_SOLVE,
    CLOCK_TREATMENT,
    ENERGY_GAIN,
    ERROR,
    FACTORISATIONS,
    LENIENT_UNTIL,
    NEWTON,
    REJECTED,
    RETAKEN,
    STEPS,
    WRONG_PIVOTS,
)


@kernel
def run_adaptive(scene, settings, n):
    """Takes up to n adaptive steps; returns how many were good.

    Stops early when something broke (counters[BROKEN]) or a step could not be believed
    (counters[REJECTED]); that step is undone.
    """
    counters = scene.counters
    counters[REJECTED] = 0
    for done in range(n):
        remember(scene.bodies, scene.elements)
        before, kinetic = 0.0, 0.0
        for attempt in range(RETAKES + 1):
            begin(scene, settings.h)
            if attempt == 0:
                kinetic, potential, elastic = energies(scene, settings.gravity)
                before = kinetic + potential + elastic
            solve_step(scene, settings)
            solved = is_solved(scene)
            if attempt == RETAKES or not solved or not aim_again(scene, settings.h):
                break
            counters[RETAKEN] += 1
            go_back(scene.bodies, scene.elements)
        held = limits_hold(scene)
        forget_aims(scene.unilateral)
        settle(scene, settings.h)
        carry_sliding(scene, settings.h)
        if not held or not believable(scene, settings, before, kinetic):
            go_back(scene.bodies, scene.elements)
            counters[REJECTED] = 1
            return done
        store_forces(scene, settings.h)
        mark_broken(scene)
        counters[STEPS] += 1
        if counters[BROKEN] > 0:
            return done + 1
    return n


@kernel
def begin(scene, h):
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
        strike(scene, h)
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
            aim(scene, x, h)
        else:
            zero_rows(x)
            aim_correction(scene, x, h)
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
def strike(scene, h):
    """Impulses of contacts and bounded rows, found on the symmetric system at the start.

    They join the momentum, and the velocity they leave is what Newton extrapolates with. Writes
    bodies.velocity, system.momentum, elements.mu (bounded), contacts.mu.
    """
    bodies, elements, system, rows = scene.bodies, scene.elements, scene.system, scene.unilateral
    solve_impulses(scene, h)
    store_solution(system, elements, system.x, bodies.velocity)
    for u in range(rows.count[0]):
        e, r = rows.element[u], rows.row[u]
        for s in range(4):
            for c in range(3):
                push = elements.J_start[e, s, r, c] * elements.mu[e, r]
                system.momentum[elements.node[e, s], c] += push
    add_impulses(system, scene.contacts, 1.0, system.momentum)


@kernel
def is_solved(scene):
    """Whether the joints are together at the end of the step."""
    lenient = scene.counters[STEPS] < scene.counters[LENIENT_UNTIL]
    return scene.measures[ERROR] < (LENIENT_ERROR if lenient else ACCEPTED_ERROR)


@kernel
def believable(scene, settings, before, kinetic_before):
    """Whether the step just solved can be kept."""
    began = cycles()
    if not is_solved(scene) or not fastest(scene.bodies) < RUNAWAY_SPEED:
        return False
    if not was_foreseen(scene, settings.h):
        return False
    if strayed(scene.bodies, settings.h):
        return False
    kinetic, potential, elastic = energies(scene, settings.gravity)
    gain = kinetic + potential + elastic - before
    scale = energy_scale(scene, settings.gravity, max(kinetic, kinetic_before))
    scene.measures[ENERGY_GAIN] = gain
    scene.clock[CLOCK_GUARD] += cycles() - began
    return gain <= scale + work_done(scene, settings.h)
