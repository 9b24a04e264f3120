"""Energies, and the ledger: no island gains energy from nothing, however long it runs.

Velocities lag behind positions, so the energy that is compared from substep to substep is that of
the moment of the velocities,

    E = ½ vᵀM v + V(x - lag v) + ½ (φ - lag φ̇)²/C

which free fall and elastic rows keep exactly. What moves fast swings about its energy and comes
back: a limit per step is the wrong question. The ledger of an island is the least energy it has had
plus the work done on it since; it may rise above that by LEDGER_SHARE of its own kinetic and
releasable energy, never of the world's. Every body keeps its share of what is left, its `slack`, so
that islands can join and part.
"""

import math

from physics.jit import kernel
from physics.linalg import row_velocity
from physics.params import LEDGER_SHARE
from physics.state import BILATERAL, CONTACT_WORK, PARTICLE, POSITION


@kernel
def energies(scene, gravity):
    """(kinetic, potential, elastic) of everything that is awake, in joules, at this moment.

    The velocities are those of `bodies.reported` (`synchronise.py`).
    """
    bodies = scene.bodies
    kinetic = 0.0
    for b in scene.system.bodies:
        kinetic += kinetic_energy(bodies, b, bodies.reported)
    return kinetic, potential_energy(scene, gravity, False), _elastic_energy(scene, scene.elements.J, False)


@kernel
def lagged_energy(scene, gravity, J):
    """Kinetic, and all, energy of the island at the moment of its velocities, J."""
    bodies = scene.bodies
    kinetic = 0.0
    for b in scene.system.bodies:
        kinetic += kinetic_energy(bodies, b, bodies.velocity)
    other = potential_energy(scene, gravity, True) + _elastic_energy(scene, J, True)
    return kinetic, kinetic + other


@kernel
def potential_energy(scene, gravity, lagged):
    bodies = scene.bodies
    total = 0.0
    for b in scene.system.bodies:
        pull = bodies.mass[b] * bodies.gravity_scale[b]
        lag = bodies.lag[b] if lagged else 0.0
        for c in range(3):
            total -= pull * gravity[c] * (bodies.position[b, c] - lag * bodies.velocity[2 * b, c])
    return total


@kernel
def _elastic_energy(scene, J, lagged):
    """Of springs and compliant rows; φ and J must be those of the present positions."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    total = 0.0
    for e in system.stiffness:
        phi = _lagged_phi(bodies, elements, J, e, 0, lagged)
        if not (elements.tension_only[e] and phi < 0.0):
            total += 0.5 * elements.stiffness[e] * phi * phi
    for e in system.bilateral:
        for r in range(3):
            C = elements.compliance[e, r]
            if C > 0.0 and elements.mode[e, r] == POSITION and not elements.idle[e, r]:
                phi = _lagged_phi(bodies, elements, J, e, r, lagged)
                total += 0.5 * phi * phi / C
    return total


@kernel
def _lagged_phi(bodies, elements, J, e, r, lagged):
    phi = elements.phi[e, r]
    if lagged:
        a, b = elements.body[e, 0], elements.body[e, 1]
        lag = bodies.lag[a] if bodies.solved[2 * a] else bodies.lag[b]
        phi -= lag * row_velocity(elements.node, J, e, r, bodies.velocity)
    return phi


@kernel
def kinetic_energy(bodies, b, v):
    """½ m v² + ½ ωᵀ R I Rᵀ ω of one body."""
    R, inertia = bodies.rotation, bodies.inertia
    total = 0.0
    for c in range(3):
        total += bodies.mass[b] * v[2 * b, c] ** 2
    if bodies.kind[b] != PARTICLE:
        w = 2 * b + 1
        x = R[b, 0, 0] * v[w, 0] + R[b, 1, 0] * v[w, 1] + R[b, 2, 0] * v[w, 2]
        y = R[b, 0, 1] * v[w, 0] + R[b, 1, 1] * v[w, 1] + R[b, 2, 1] * v[w, 2]
        z = R[b, 0, 2] * v[w, 0] + R[b, 1, 2] * v[w, 1] + R[b, 2, 2] * v[w, 2]
        total += x * (inertia[b, 0, 0] * x + 2.0 * inertia[b, 0, 1] * y)
        total += y * (inertia[b, 1, 1] * y + 2.0 * inertia[b, 1, 2] * z)
        total += z * (inertia[b, 2, 2] * z + 2.0 * inertia[b, 0, 2] * x)
    return 0.5 * total


@kernel
def work_done(scene):
    """Work of external forces, motors, hands, winches and keyframed things in the substep, J."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    v, start, total = bodies.velocity, bodies.start_velocity, 0.0
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                mean = 0.5 * (v[node, c] + start[node, c])
                total += bodies.kick[b] * bodies.force[node, c] * mean
    for e in system.driven:
        for r in range(3):
            if elements.idle[e, r] or (
                elements.role[e] == BILATERAL
                and elements.mode[e, r] == POSITION
                and elements.compliance[e, r] > 0.0
            ):
                continue  # a spring: moving its rest was counted as elastic energy before the step
            total += elements.mu[e, r] * _mean_speed(bodies, elements, e, r)
    return total + scene.measures[CONTACT_WORK]


@kernel
def _mean_speed(bodies, elements, e, r):
    """J v of a row over the bodies that are solved for, the mean of both ends of the substep."""
    total = 0.0
    for s in range(4):
        node = elements.node[e, s]
        if bodies.solved[node]:
            for c in range(3):
                mean = 0.5 * (bodies.velocity[node, c] + bodies.start_velocity[node, c])
                total += elements.J_start[e, s, r, c] * mean
    return total


@kernel
def energy_scale(scene, gravity, kinetic):
    """What the island has: kinetic energy and m g·(size of the component), J."""
    bodies = scene.bodies
    g = math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2)
    total = kinetic
    for b in scene.system.bodies:
        total += bodies.mass[b] * g * abs(bodies.gravity_scale[b]) * scene.reach[b]
    return total


@kernel
def slack_left(scene):
    """What the island may still gain, J."""
    total = 0.0
    for b in scene.system.bodies:
        total += scene.bodies.slack[b]
    return total


@kernel
def enter_gain(scene, slack, gain, scale):
    """The ledger after a substep that gained so much from nothing; writes slack of every body."""
    left = min(max(slack - gain, 0.0), LEDGER_SHARE * scale)
    bodies, total = scene.bodies, 0.0
    for b in scene.system.bodies:
        total += bodies.mass[b]
    for b in scene.system.bodies:
        bodies.slack[b] = left * bodies.mass[b] / total
