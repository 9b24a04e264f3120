"""What every scheme needs: row coefficients, momentum, moving between places and nodes.

Forces act for a body's `kick`: lag + h/2 under leapfrog, h for the papers' schemes. Impulses are
μ = kick·λ, velocities move positions for h. A row of compliance C holds φ(x₊) + Cλ = 0 where the
step cannot resolve its ringing; otherwise it is elastic, a spring in the middle of the step,

    C λ = -(φ + (h²/4 kick) J (v₊ - v)) - C B' J (v₊ + v)/2

which is the trapezoidal rule: it neither gains nor loses energy but by the author's damping B'.
"""

import math

from physics.acceptance import largest_speed
from physics.constraints.rows import disable_singular_rows, fill_rows
from physics.integrate import (
    angular_momentum,
    free_spin,
    gyroscopic,
    refresh_mass,
    refresh_rotations,
)
from physics.jit import kernel
from physics.linalg import row_velocity
from physics.params import APART, RESOLVED, RUNAWAY_SPEED
from physics.rollback import roll_back
from physics.solver.assembly import inverse_mass_of_row, multiply_added, zero_nodes
from physics.solver.self_stress import remove_self_stress
from physics.state import BROKEN, DIVERGED, DYNAMIC, KEYFRAMED, POSITION, VELOCITY


@kernel
def set_kicks(bodies, elements, system, h, leapfrog):
    """For how long forces act in the coming step; writes kick of bodies and elements."""
    for b in system.bodies:
        bodies.kick[b] = bodies.lag[b] + 0.5 * h if leapfrog else h
    for listed in (system.bilateral, system.unilateral, system.stiffness):
        for e in listed:
            a, b = elements.body[e, 0], elements.body[e, 1]
            if bodies.solved[2 * a] and bodies.solved[2 * b]:
                elements.kick[e] = 0.5 * (bodies.kick[a] + bodies.kick[b])
            else:
                elements.kick[e] = bodies.kick[a] if bodies.solved[2 * a] else bodies.kick[b]


@kernel
def prepare_rows(bodies, elements, system, h, leapfrog):
    """Γ and Σ of every row, and what an elastic row wants; writes gamma, sigma, elastic, wanted."""
    for e in system.bilateral:
        _prepare(bodies, elements, system, e, h, leapfrog)
    for e in system.unilateral:
        _prepare(bodies, elements, system, e, h, False)


@kernel
def _prepare(bodies, elements, system, e, h, leapfrog):
    sigma, gamma, kick = elements.sigma, elements.gamma, elements.kick[e]
    hard = (
        elements.compliance[e, 0] == 0.0
        and elements.compliance[e, 1] == 0.0
        and elements.compliance[e, 2] == 0.0
    )
    for r in range(3):
        elements.elastic[e, r], elements.leave[e, r] = 0, 0.0
        if hard or elements.idle[e, r]:
            gamma[e, r] = 1.0
            sigma[e, r] = 1.0 if elements.idle[e, r] else 0.0
            continue
        C = elements.compliance[e, r]
        if elements.mode[e, r] == VELOCITY:
            # a speed has no elasticity: C is slip per force, m/s per N
            gamma[e, r] = 1.0
            sigma[e, r] = C / kick
        elif leapfrog and _rings(elements, system, e, r, h):
            _prepare_elastic(bodies, elements, e, r, h)
        else:
            B = elements.damping[e, r] + elements.added_damping[e, r]
            gamma[e, r] = 1.0 / (1.0 + C * B / h)
            sigma[e, r] = C / (h * kick) * gamma[e, r]


@kernel
def _rings(elements, system, e, r, h):
    """Whether a compliant row is a spring whose oscillation the step can resolve: hω ≤ 2."""
    C = elements.compliance[e, r]
    if C <= 0.0 or elements.mode[e, r] != POSITION or elements.drives[e]:
        return False
    return h * h * inverse_mass_of_row(system, elements, elements.J_start, e, r) <= RESOLVED * C


@kernel
def _prepare_elastic(bodies, elements, e, r, h):
    """Writes elastic, sigma, gamma and wanted: J v₊ + Σ μ = -wanted."""
    C, B, kick = elements.compliance[e, r], elements.damping[e, r], elements.kick[e]
    elements.elastic[e, r] = 1
    middle = h * h / (4.0 * kick)
    weight = middle + 0.5 * C * B
    moving = row_velocity(elements.node, elements.J_start, e, r, bodies.velocity)
    elements.gamma[e, r] = 1.0
    elements.sigma[e, r] = C / (kick * weight)
    elements.wanted[e, r] = (elements.phi[e, r] - (middle - 0.5 * C * B) * moving) / weight


@kernel
def begin_rows(bodies, elements, system):
    """Rotations, masses, φ and J where the step begins; writes J_start."""
    refresh_rotations(bodies, system)
    refresh_mass(bodies, system)
    disable_singular_rows(bodies, elements, system.list_start, system.list_rows)
    fill_rows(bodies, elements, system.list_start, system.list_rows, elements.J_start)
    mask_rows(bodies, elements, system, elements.J_start, True)
    for e in system.ropes:
        elements.idle[e, 0] = not elements.taut[e]


@kernel
def is_apart(elements, e, r):
    """Whether a joint gapes where the step begins, by more than it may."""
    phi = elements.phi[e, r]
    if not abs(phi) > APART or elements.mode[e, r] != POSITION or elements.idle[e, r]:
        return False
    if elements.compliance[e, r] > 0.0 or elements.drives[e]:
        return False
    return phi > 0.0 or not elements.rope[e]


@kernel
def mask_rows(bodies, elements, system, J, find_idle):
    """J of locked degrees of freedom becomes zero; writes J, and idle when asked to.

    Only elements of masked bodies are visited: in two dimensions a ball joint has no third row.
    """
    for e in system.masked:
        mask_columns(bodies, elements, e, J)
        if find_idle:
            find_idle_rows(bodies, elements, e, J)


@kernel
def find_idle_rows(bodies, elements, e, J):
    """Marks rows that no free degree of freedom can move; writes idle."""
    for r in range(3):
        norm = 0.0
        for s in range(4):
            if bodies.solved[elements.node[e, s]]:
                for c in range(3):
                    norm += J[e, s, r, c] ** 2
        elements.idle[e, r] = norm < 1e-20


@kernel
def mask_columns(bodies, elements, e, J):
    """J of locked degrees of freedom becomes zero; writes J."""
    for s in range(4):
        node = elements.node[e, s]
        for c in range(3):
            if bodies.free[node, c] == 0.0 and bodies.solved[node]:
                for r in range(3):
                    J[e, s, r, c] = 0.0


@kernel
def prescribed_speed(bodies, elements, J, e, r):
    """J v of the row over keyframed bodies, whose velocity is not an unknown."""
    total = 0.0
    for side in range(2):
        b = elements.body[e, side]
        if bodies.kind[b] == KEYFRAMED:
            for s in range(2 * side, 2 * side + 2):
                for c in range(3):
                    total += J[e, s, r, c] * bodies.velocity[elements.node[e, s], c]
    return total


@kernel
def gather_momentum(scene, gravity, h, carried, leapfrog, spins=True):
    """system.momentum = momentum + kick·f + (M̃ - M)·carried; writes system.momentum.

    `carried` is the velocity whose added momentum stays: zero for the papers' stabilizations. What
    torques add between bodies stays whole under leapfrog: nothing there wants to be braked.
    `spins`: less what free spin adds to I ω, for a linear solve; Newton takes it where it solves.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    p, v = system.momentum, bodies.velocity
    mass, scale = bodies.mass, bodies.gravity_scale
    zero_nodes(system, p)
    multiply_added(system, elements, carried, v if leapfrog else carried, p)
    for b in system.bodies:
        kick = bodies.kick[b]
        pull = kick * scale[b]
        for c in range(3):
            push = outer_impulse(bodies, b, 2 * b, c, leapfrog)
            p[2 * b, c] += mass[b] * (v[2 * b, c] + pull * gravity[c]) + push
        if bodies.kind[b] == DYNAMIC:
            if leapfrog:
                _add_turning_momentum(bodies, system, b, h, spins)
            else:
                _add_spin(bodies, system, b, h)
        if bodies.masked[b]:
            for c in range(3):
                p[2 * b, c] *= bodies.free[2 * b, c]
                p[2 * b + 1, c] *= bodies.free[2 * b + 1, c]
    for e in system.stiffness:
        _add_spring_force(elements, e, carried, p)


@kernel
def outer_impulse(bodies, b, node, c, leapfrog):
    """Of external forces, which last for whole steps, and of soft bodies, which act at x; N s.

    The kick of leapfrog reaches over two steps: the last `lag` seconds belong to the one before.
    """
    kick, force = bodies.kick[b], bodies.force[node, c]
    push = bodies.late[node, c] + (kick - bodies.lag[b]) * force if leapfrog else kick * force
    return push + kick * bodies.soft_force[node, c]


@kernel
def set_lag(bodies, system, lag):
    """Velocities are those of `lag` before the positions; writes lag and late."""
    for b in system.bodies:
        bodies.lag[b] = lag
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                bodies.late[node, c] = lag * bodies.force[node, c]


@kernel
def _add_turning_momentum(bodies, system, b, h, spins):
    """L + kick·torque, less what turning within the step adds to I ω; writes swirl, momentum."""
    n, p = 2 * b + 1, system.momentum
    x, y, z = bodies.velocity[n, 0], bodies.velocity[n, 1], bodies.velocity[n, 2]
    lx, ly, lz = angular_momentum(bodies, system.mass, b, x, y, z, -bodies.lag[b])
    lx += outer_impulse(bodies, b, n, 0, True)
    ly += outer_impulse(bodies, b, n, 1, True)
    lz += outer_impulse(bodies, b, n, 2, True)
    sx, sy, sz = 0.0, 0.0, 0.0
    if spins:
        sx, sy, sz = free_spin(bodies, system.mass, b, lx, ly, lz, h)
    bodies.swirl[b, 0], bodies.swirl[b, 1], bodies.swirl[b, 2] = sx, sy, sz
    p[n, 0] += lx - sx
    p[n, 1] += ly - sy
    p[n, 2] += lz - sz


@kernel
def _add_spin(bodies, system, b, h):
    """M ω with the gyroscopic change over h, and h·torque; writes momentum."""
    n = 2 * b + 1
    x, y, z = bodies.velocity[n, 0], bodies.velocity[n, 1], bodies.velocity[n, 2]
    if not bodies.spherical[b] and not bodies.masked[b]:
        dx, dy, dz = gyroscopic(bodies, b, h)
        x += dx
        y += dy
        z += dz
    for c in range(3):
        system.momentum[n, c] += (
            system.mass[n, c, 0] * x
            + system.mass[n, c, 1] * y
            + system.mass[n, c, 2] * z
            + outer_impulse(bodies, b, n, c, False)
        )


@kernel
def _add_spring_force(elements, e, carried, p):
    """λ = -k φ - c φ̇ at the start of the step; the rest of the spring is in M̃.

    M̃ carries the momentum of its damper along, too: φ̇ is that of the carried velocity.
    """
    elements.lam[e, 0] = -elements.stiffness[e] * elements.phi[e, 0]
    if elements.tension_only[e] and elements.phi[e, 0] < 0.0:
        elements.lam[e, 0] = 0.0
    else:
        rate = row_velocity(elements.node, elements.J_start, e, 0, carried)
        elements.lam[e, 0] -= elements.damper[e] * rate
    for s in range(4):
        node = elements.node[e, s]
        for c in range(3):
            p[node, c] += elements.kick[e] * elements.J_start[e, s, 0, c] * elements.lam[e, 0]


@kernel
def load_momentum(system, x):
    """x at the places of nodes ← momentum; writes x."""
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            k = system.position_of[node]
            if k >= 0:
                for c in range(3):
                    x[k, c] = system.momentum[node, c]


@kernel
def store_solution(system, elements, x, velocity):
    """Writes velocity at the unknown nodes and elements.mu of the bilateral elements."""
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            k = system.position_of[node]
            if k >= 0:
                for c in range(3):
                    velocity[node, c] = x[k, c]
    for e in system.bilateral:
        for c in range(3):
            elements.mu[e, c] = x[system.row_of[e], c]


@kernel
def store_forces(scene):
    """λ of the step just taken, of least norm where loops leave a choice; writes elements.lam.

    Uses the matrix of the system: its factor is gone.
    """
    system, elements = scene.system, scene.elements
    lam, mu, idle = elements.lam, elements.mu, elements.idle
    loops = False
    for e in system.bilateral:
        loops = loops or system.loops[e]
        for r in range(3):
            lam[e, r] = 0.0 if idle[e, r] else _force(mu[e, r], elements.kick[e])
    if loops:
        remove_self_stress(elements, system, lam)
    for e in system.unilateral:
        for r in range(3):
            lam[e, r] = _force(mu[e, r], elements.kick[e])


@kernel
def _force(impulse, kick):
    """The force of an impulse; none if it is not finite: the next step would begin with it."""
    return impulse / kick if math.isfinite(impulse / kick) else 0.0


@kernel
def mark_broken(scene):
    """Counts elements whose force exceeds what they bear; writes broken and counters[BROKEN]."""
    elements = scene.elements
    for e in scene.system.breakable:
        force = 0.0
        for r in range(3):
            force += elements.lam[e, r] ** 2
        if force > elements.breaks_at[e] ** 2:
            elements.broken[e] = 1
            scene.counters[BROKEN] += 1


@kernel
def finish_unguarded(scene):
    """Ends a step of a scheme without acceptance test; returns whether it can be kept."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    if not largest_speed(bodies, system) < RUNAWAY_SPEED:
        roll_back(scene)
        scene.counters[DIVERGED] += 1
        return False
    set_lag(bodies, system, 0.0)
    fill_rows(bodies, elements, system.list_start, system.list_rows, elements.J)
    store_forces(scene)
    mark_broken(scene)
    return True


@kernel
def copy_jacobian(system, source, target):
    """target = source of (m, 4, 3, 3) arrays, for the elements of the lists; writes target."""
    for listed in (system.bilateral, system.unilateral):
        for e in listed:
            for s in range(4):
                for r in range(3):
                    for c in range(3):
                        target[e, s, r, c] = source[e, s, r, c]
