"""What every scheme needs: row coefficients, momentum, moving between places and nodes."""

from physics.acceptance import largest_speed
from physics.constraints.rows import disable_singular_rows, fill_rows
from physics.integrate import gyroscopic, refresh_mass, refresh_rotations
from physics.jit import kernel
from physics.linalg import zero_rows
from physics.params import RUNAWAY_SPEED
from physics.rollback import roll_back
from physics.solver.assembly import multiply_added
from physics.state import BROKEN, DIVERGED, DYNAMIC, KEYFRAMED, STEPS, VELOCITY


@kernel
def prepare_rows(elements, system, h):
    """Γ = 1/(1 + C B'/h) and Σ = Γ C/h² of every row; writes gamma and sigma."""
    for e in system.bilateral:
        _prepare(elements, e, h)
    for e in system.unilateral:
        _prepare(elements, e, h)


@kernel
def _prepare(elements, e, h):
    sigma, gamma = elements.sigma, elements.gamma
    if (
        elements.compliance[e, 0] == 0.0
        and elements.compliance[e, 1] == 0.0
        and elements.compliance[e, 2] == 0.0
    ):
        for r in range(3):
            gamma[e, r] = 1.0
            sigma[e, r] = 1.0 if elements.idle[e, r] else 0.0
        return
    for r in range(3):
        C = elements.compliance[e, r]
        if elements.mode[e, r] == VELOCITY:
            # a speed has no elasticity: C is slip per force, m/s per N
            gamma[e, r] = 1.0
            sigma[e, r] = C / h
        else:
            B = elements.damping[e, r] + elements.added_damping[e, r]
            gamma[e, r] = 1.0 / (1.0 + C * B / h)
            sigma[e, r] = C / (h * h) * gamma[e, r]
        if elements.idle[e, r]:
            sigma[e, r] = 1.0


@kernel
def begin_rows(bodies, elements, system):
    """Rotations, masses, φ and J where the step begins; writes J_start."""
    refresh_rotations(bodies)
    refresh_mass(bodies, system)
    disable_singular_rows(bodies, elements, system.list_start, system.list_rows)
    fill_rows(bodies, elements, system.list_start, system.list_rows, elements.J_start)
    mask_rows(bodies, elements, system, elements.J_start, True)


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
def gather_momentum(scene, gravity, h, carried):
    """system.momentum = M v + h f + gyroscopic + (M̃ - M)·carried; writes system.momentum.

    `carried` is the velocity whose added momentum stays: zero for the papers' stabilizations.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    p, v, f = system.momentum, bodies.velocity, bodies.force
    kind, mass, scale, masked = bodies.kind, bodies.mass, bodies.gravity_scale, bodies.masked
    zero_rows(p)
    multiply_added(system, elements, carried, p)
    for b in range(len(kind)):
        if kind[b] < DYNAMIC:
            continue
        pull = h * scale[b]
        for c in range(3):
            p[2 * b, c] += mass[b] * (v[2 * b, c] + pull * gravity[c]) + h * f[2 * b, c]
        if kind[b] == DYNAMIC:
            _add_spin(bodies, system, b, h)
        if masked[b]:
            for c in range(3):
                p[2 * b, c] *= bodies.free[2 * b, c]
                p[2 * b + 1, c] *= bodies.free[2 * b + 1, c]
    for e in system.stiffness:
        _add_spring_force(elements, e, h, p)


@kernel
def _add_spin(bodies, system, b, h):
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
            + h * bodies.force[n, c]
        )


@kernel
def _add_spring_force(elements, e, h, p):
    """λ = -k φ at the start of the step; the rest of the spring is in M̃."""
    elements.lam[e, 0] = -elements.stiffness[e] * elements.phi[e, 0]
    if elements.tension_only[e] and elements.lam[e, 0] > 0.0:
        elements.lam[e, 0] = 0.0
    for s in range(4):
        node = elements.node[e, s]
        for c in range(3):
            p[node, c] += h * elements.J_start[e, s, 0, c] * elements.lam[e, 0]


@kernel
def load_momentum(system, x):
    """x at the places of nodes ← momentum; writes x."""
    unknown, momentum = system.unknown, system.momentum
    for k in range(system.size[0]):
        node = unknown[k]
        if node >= 0:
            for c in range(3):
                x[k, c] = momentum[node, c]


@kernel
def store_solution(system, elements, x, velocity):
    """Writes velocity at the unknown nodes and elements.mu of the bilateral elements."""
    unknown, mu = system.unknown, elements.mu
    for k in range(system.size[0]):
        node = unknown[k]
        for c in range(3):
            if node >= 0:
                velocity[node, c] = x[k, c]
            else:
                mu[-1 - node, c] = x[k, c]


@kernel
def store_forces(scene, h):
    """λ of the step just taken; writes elements.lam."""
    system = scene.system
    lam, mu, idle = scene.elements.lam, scene.elements.mu, scene.elements.idle
    for e in system.bilateral:
        for r in range(3):
            lam[e, r] = 0.0 if idle[e, r] else mu[e, r] / h
    for e in system.unilateral:
        for r in range(3):
            lam[e, r] = mu[e, r] / h


@kernel
def mark_broken(scene):
    """Counts elements whose force exceeds what they bear; writes broken and counters[BROKEN]."""
    elements = scene.elements
    scene.counters[BROKEN] = 0
    for e in scene.system.breakable:
        force = 0.0
        for r in range(3):
            force += elements.lam[e, r] ** 2
        if force > elements.breaks_at[e] ** 2:
            elements.broken[e] = 1
            scene.counters[BROKEN] += 1


@kernel
def finish_unguarded(scene, h):
    """Ends a step of a scheme without acceptance test; returns whether to stop."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    if not largest_speed(bodies) < RUNAWAY_SPEED:
        roll_back(bodies, elements)
        scene.counters[DIVERGED] += 1
        return True
    fill_rows(bodies, elements, system.list_start, system.list_rows, elements.J)
    store_forces(scene, h)
    mark_broken(scene)
    scene.counters[STEPS] += 1
    return scene.counters[BROKEN] > 0


@kernel
def copy_jacobian(source, target):
    """target[:] = source for (m, 4, 3, 3) arrays."""
    for e in range(len(source)):
        for s in range(4):
            for r in range(3):
                for c in range(3):
                    target[e, s, r, c] = source[e, s, r, c]
