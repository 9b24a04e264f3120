"""Energies of a scene, the work done on it in a step, and how much energy a step may gain."""

import math

from physics.jit import kernel
from physics.params import ENERGY_SHARE
from physics.state import BILATERAL, CONTACT_WORK, DYNAMIC, PARTICLE, POSITION, VELOCITY


@kernel
def energies(scene, gravity):
    """(kinetic, potential, elastic) of everything that moves, in joules."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    kinetic = 0.0
    potential = 0.0
    for b in range(len(bodies.kind)):
        if bodies.kind[b] < DYNAMIC:
            continue
        kinetic += kinetic_energy(bodies, b)
        pull = bodies.mass[b] * bodies.gravity_scale[b]
        for c in range(3):
            potential -= pull * gravity[c] * bodies.position[b, c]
    elastic = 0.0
    for e in system.stiffness:
        if not (elements.tension_only[e] and elements.phi[e, 0] < 0.0):
            elastic += 0.5 * elements.stiffness[e] * elements.phi[e, 0] ** 2
    for e in system.bilateral:
        for r in range(3):
            C = elements.compliance[e, r]
            if C > 0.0 and elements.mode[e, r] == POSITION:
                elastic += 0.5 * elements.phi[e, r] ** 2 / C
    return kinetic, potential, elastic


@kernel
def kinetic_energy(bodies, b):
    """½ m v² + ½ ωᵀ R I Rᵀ ω of one body."""
    v, R, inertia = bodies.velocity, bodies.rotation, bodies.inertia
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
def energy_scale(scene, gravity, kinetic):
    """What one step may gain: a share of Σ m g·(size of the component) + kinetic energy."""
    bodies = scene.bodies
    g = math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2)
    total = kinetic
    for b in range(len(bodies.kind)):
        if bodies.kind[b] >= DYNAMIC:
            total += bodies.mass[b] * g * abs(bodies.gravity_scale[b]) * scene.reach[b]
    return ENERGY_SHARE * total


@kernel
def work_done(scene, h):
    """Upper bound of the work of motors, grabs, external forces and contacts in the last step."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    total = 0.0
    for node in range(len(bodies.velocity)):
        for c in range(3):
            total += abs(bodies.force[node, c] * bodies.velocity[node, c]) * h
    for e in system.driven:
        for r in range(3):
            if (
                elements.role[e] == BILATERAL
                and elements.mode[e, r] == POSITION
                and elements.compliance[e, r] > 0.0
            ):
                continue  # a spring: moving its rest was counted as elastic energy before the step
            speed = 0.0
            for s in range(4):
                node = 2 * elements.body[e, s // 2] + s % 2
                for c in range(3):
                    speed += elements.J[e, s, r, c] * bodies.velocity[node, c]
            total += abs(elements.mu[e, r] * speed)
            if elements.mode[e, r] == VELOCITY:
                total += abs(elements.mu[e, r] * elements.target[e, r])
    rows = scene.unilateral
    for u in range(rows.count[0]):  # a violated limit is pushed back at the speed of its bias
        total += abs(elements.mu[rows.element[u], rows.row[u]] * rows.bias[u])
    return total + scene.measures[CONTACT_WORK]
