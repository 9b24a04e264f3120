"""Right sides of the rows in a Newton iteration of the adaptive scheme, and what is left of them.

    round 0       J* v₊ + Σ μ = -g       g = Γ ((φ* - leave)/h - J* v)
    correction    J* δv + Σ δμ = -g      g = Γ (φ_k + C λ + C B' φ̇)/h

Elastic rows act at the start of the step and want a speed, as motors do. J* is the derivative of φ
by h v, not by the turn at the end: a body that turns by θ = h ω in the step ends turned by

    A(θ) h δω more,      A = 1 + (1 - cos θ)/θ² θ̂ + (θ - sin θ)/θ³ θ̂²

where ω is changed by δω; without A corrections shrink the error by θ/2 only.
"""

from physics.constraints.rows import fill_rows
from physics.integrate import turn_coefficients
from physics.jit import kernel
from physics.linalg import cross, row_velocity
from physics.params import CHORD_RATE
from physics.schemes.shared import mask_rows, prescribed_speed
from physics.state import POSITION, VELOCITY


@kernel
def fill_newton_rows(bodies, elements, system, h):
    """φ at the present positions and ∂φ/∂(h v); writes elements.phi, value and J."""
    fill_rows(bodies, elements, system.list_start, system.list_rows, elements.J)
    _follow_turning(bodies, elements, system, h)
    mask_rows(bodies, elements, system, elements.J, False)
    _keep_elastic_rows(elements, system)


@kernel
def _follow_turning(bodies, elements, system, h):
    """J ← J A(h ω) in the columns of turning; writes elements.J.

    Left out where it would change a correction by less than a good one leaves anyway. A ω = ω:
    speeds of rows stay what they are.
    """
    J, node, v = elements.J, elements.node, bodies.velocity
    least = (2.0 * CHORD_RATE * CHORD_RATE / h) ** 2
    for e in system.bilateral:
        for s in (1, 3):
            n = node[e, s]
            square = v[n, 0] * v[n, 0] + v[n, 1] * v[n, 1] + v[n, 2] * v[n, 2]
            if not square > least or not bodies.solved[n]:
                continue
            _, first, second = turn_coefficients(h * h * square)
            first, second = h * first, h * h * second
            x, y, z = v[n, 0], v[n, 1], v[n, 2]
            for r in range(3):
                ax, ay, az = cross(J[e, s, r, 0], J[e, s, r, 1], J[e, s, r, 2], x, y, z)
                bx, by, bz = cross(ax, ay, az, x, y, z)
                J[e, s, r, 0] += first * ax + second * bx
                J[e, s, r, 1] += first * ay + second * by
                J[e, s, r, 2] += first * az + second * bz


@kernel
def _keep_elastic_rows(elements, system):
    """An elastic row acts at the start positions; writes its J."""
    for e in system.bilateral:
        for r in range(3):
            if elements.elastic[e, r]:
                for s in range(4):
                    for c in range(3):
                        elements.J[e, s, r, c] = elements.J_start[e, s, r, c]


@kernel
def load_targets(scene, x, h):
    """Right side of the rows, linearised about the extrapolated positions; writes x."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    idle, mode, row_of, keyed = elements.idle, elements.mode, system.row_of, system.keyed
    node, J, gamma, phi = elements.node, elements.J, elements.gamma, elements.phi
    velocity, leave, elastic = bodies.velocity, elements.leave, elements.elastic
    for e in system.bilateral:
        k = row_of[e]
        for r in range(3):
            if idle[e, r]:
                x[k, r] = 0.0
            elif keyed[e] or mode[e, r] != POSITION or elastic[e, r]:
                x[k, r] = closing_speed(bodies, elements, e, r, h)
            else:
                ahead = row_velocity(node, J, e, r, velocity)
                x[k, r] = gamma[e, r] * ((phi[e, r] - leave[e, r]) / h - ahead)


@kernel
def closing_speed(bodies, elements, e, r, h):
    """g such that the row wants J v + Σ μ = -g, v of the unknown nodes."""
    moved = prescribed_speed(bodies, elements, elements.J, e, r)
    if elements.mode[e, r] == VELOCITY:
        return moved - elements.target[e, r]
    if elements.elastic[e, r]:
        return moved + elements.wanted[e, r]
    ahead = row_velocity(elements.node, elements.J, e, r, bodies.velocity)
    gap = (elements.phi[e, r] - elements.leave[e, r]) / h
    return moved + elements.gamma[e, r] * (gap - ahead)


@kernel
def load_correction_targets(scene, x, h):
    """Right side of a correction; writes x at the places of rows."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    idle, mode, row_of, elastic = elements.idle, elements.mode, system.row_of, elements.elastic
    gamma, sigma, phi, mu = elements.gamma, elements.sigma, elements.phi, elements.mu
    for e in system.bilateral:
        k = row_of[e]
        for r in range(3):
            if idle[e, r]:
                continue
            if mode[e, r] == POSITION and gamma[e, r] == 1.0 and not elastic[e, r]:
                x[k, r] = (phi[e, r] - elements.leave[e, r]) / h + sigma[e, r] * mu[e, r]
            else:
                x[k, r] = remaining_speed(bodies, elements, e, r, h)


@kernel
def remaining_speed(bodies, elements, e, r, h):
    """g such that the row wants J δv + Σ δμ = -g at the present positions and impulses."""
    gamma, sigma, mu = elements.gamma[e, r], elements.sigma[e, r], elements.mu[e, r]
    moving = row_velocity(elements.node, elements.J, e, r, bodies.velocity)
    if elements.mode[e, r] == VELOCITY:
        return moving - elements.target[e, r] + sigma * mu
    if elements.elastic[e, r]:
        return moving + elements.wanted[e, r] + sigma * mu
    # Γ(φ/h + C μ/(h kick) + C B' φ̇/h), as Σ = Γ C/(h kick) and 1 - Γ = Γ C B'/h
    return gamma * elements.phi[e, r] / h + sigma * mu + (1.0 - gamma) * moving


@kernel
def add_correction(bodies, elements, system, x):
    """Adds a solved correction to velocities and impulses; writes both."""
    velocity, mu = bodies.velocity, elements.mu
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            k = system.position_of[node]
            if k >= 0:
                for c in range(3):
                    velocity[node, c] += x[k, c]
    for e in system.bilateral:
        for c in range(3):
            mu[e, c] += x[system.row_of[e], c]


@kernel
def worst_error(elements, system):
    """Largest |φ + C λ| of bilateral rows, m or rad; NaN counts as worst."""
    worst = 0.0
    phi, mu, compliance = elements.phi, elements.mu, elements.compliance
    idle, mode, gamma = elements.idle, elements.mode, elements.gamma
    for e in system.bilateral:
        for r in range(3):
            # rows with damping end a little off φ + Cλ = 0: they are judged by the rows without
            if idle[e, r] or mode[e, r] != POSITION or gamma[e, r] != 1.0 or elements.elastic[e, r]:
                continue
            wanted = compliance[e, r] * mu[e, r] / elements.kick[e] - elements.leave[e, r]
            error = abs(phi[e, r] + wanted)
            if not error <= worst:
                worst = error
    return worst
