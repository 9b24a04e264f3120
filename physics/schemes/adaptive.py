"""The parts of the adaptive step: momentum carried along, right sides, corrections."""

from physics.jit import kernel
from physics.linalg import row_velocity
from physics.params import BETA, SIGMA
from physics.schemes.shared import gather_momentum, prescribed_speed
from physics.state import POSITION, VELOCITY


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
def aim(scene, x, h):
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
def aim_correction(scene, x, h):
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
