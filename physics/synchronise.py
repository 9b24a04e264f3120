"""Velocities of the moment of the positions, for those who read or set them.

Between steps a velocity lags behind its position by half a step. What is reported is synchronised:

    M̃ (v_n - v) = lag (f + Jᵀλ),      J v_n = 0

with the joints solved for, and contacts, limits, motors and springs pushing as they do now: half of
what the next step does. M̃ is its inertia, for what it cannot resolve is no motion: a load does not
fall freely for half a step because the light links of its cable are bent by a degree. It is asked
for lazily, and changes nothing of the state.
"""

import math

import numpy as np

from physics.energy import kinetic_energy
from physics.integrate import angular_momentum
from physics.jit import kernel
from physics.linalg import row_velocity
from physics.schemes.shared import begin_rows, copy_jacobian, load_momentum, prescribed_speed
from physics.solver.assembly import multiply_added, zero_nodes
from physics.solver.ldu import solve_all
from physics.solver.regularised import factorise_system
from physics.stabilization.adaptive import add_adaptive
from physics.state import DYNAMIC, VELOCITY


@kernel
def synchronise(scene, settings):
    """Writes bodies.reported; everything else it writes is scratch of a step."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    longest = 0.0
    for node in range(len(bodies.velocity)):
        for c in range(3):
            bodies.reported[node, c] = bodies.velocity[node, c]
    for b in system.bodies:
        longest = max(longest, bodies.lag[b])
    if longest == 0.0:
        return np.int64(0)
    begin_rows(bodies, elements, system)
    add_adaptive(bodies, elements, system, 2.0 * longest)
    copy_jacobian(system, elements.J_start, elements.J)
    _gather(scene, settings.gravity)
    _set_compliant(elements, system, True)
    for e in system.bilateral:
        for r in range(3):
            elements.sigma[e, r] = 1.0 if elements.idle[e, r] else 0.0
    factorise_system(system, elements)
    x = system.x
    load_momentum(system, x)
    for e in system.bilateral:
        for r in range(3):
            speed = 0.0
            if not elements.idle[e, r]:
                speed = prescribed_speed(bodies, elements, elements.J_start, e, r)
                if elements.mode[e, r] == VELOCITY:
                    speed -= elements.target[e, r]
                elif elements.drives[e]:  # a winch or servo goes on as it did
                    speed -= row_velocity(elements.node, elements.J_start, e, r, bodies.velocity)
            x[system.row_of[e], r] = speed
    solve_all(system, x)
    _set_compliant(elements, system, False)
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            k = system.position_of[node]
            if k >= 0 and bodies.lag[b] > 0.0:
                for c in range(3):
                    bodies.reported[node, c] = x[k, c]
    square = settings.gravity[0] ** 2 + settings.gravity[1] ** 2 + settings.gravity[2] ** 2
    islands = scene.islands
    _mark_pushed(scene)
    for i in range(islands.count[0]):
        _doubt(scene, islands.bodies[islands.body_start[i] : islands.body_start[i + 1]], square)
    return np.int64(0)


@kernel
def measure_rows(scene):
    """φ of all rows where the bodies are, for those who ask before a step was taken."""
    begin_rows(scene.bodies, scene.elements, scene.system)
    return np.int64(0)


@kernel
def _mark_pushed(scene):
    """Writes label[0]: 1 for bodies that a contact pushed, were it against another one."""
    mark, rows, bodies = scene.label[0], scene.contacts, scene.bodies
    for b in range(len(mark)):
        mark[b] = 0
        for c in range(3):
            if bodies.contact_force[2 * b, c] != 0.0:
                mark[b] = 1
    for c in scene.system.contacts:
        if rows.mu[c, 0] != 0.0:
            mark[rows.body_a[c]], mark[rows.body_b[c]] = 1, 1


@kernel
def _doubt(scene, island, square):
    """Where contacts push with other forces than they will, velocities are reported as they are.

    An impact between heavy things sends light ones between them anywhere within half a step: the
    forces of the last step do not balance in the next one. Gravity g adds no more than lag g to v,
    and joints and contacts hold that back: √T ≤ √T(v) + √T(lag g), for T is a square of a norm.
    `square` is g². Writes bodies.reported.
    """
    bodies = scene.bodies
    pushed, kinetic, before, pull = False, 0.0, 0.0, 0.0
    for b in island:
        pushed = pushed or scene.label[0][b] == 1
        kinetic += kinetic_energy(bodies, b, bodies.reported)
        before += kinetic_energy(bodies, b, bodies.velocity)
        pull += 0.5 * bodies.mass[b] * (bodies.gravity_scale[b] * bodies.lag[b]) ** 2 * square
    if pushed and kinetic > (math.sqrt(before) + math.sqrt(pull)) ** 2 * (1.0 + 1e-9):
        for b in island:
            for node in range(2 * b, 2 * b + 2):
                for c in range(3):
                    bodies.reported[node, c] = bodies.velocity[node, c]


@kernel
def _set_compliant(elements, system, out):
    """Takes springs out of the solve, or back: their forces are known.

    What is too stiff to ring within a step holds like a joint.
    """
    for e in system.bilateral:
        for r in range(3):
            if _is_known(elements, e, r) and elements.idle[e, r] != 1:
                elements.idle[e, r] = 2 if out else 0


@kernel
def _is_known(elements, e, r):
    """Whether the force of a row follows from where its bodies are."""
    return elements.compliance[e, r] > 0.0 and bool(elements.elastic[e, r])


@kernel
def _gather(scene, gravity):
    """Momentum of the velocities and lag·f of all known forces; writes system.momentum."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    p, v, late, known = system.momentum, bodies.velocity, bodies.late, bodies.contact_force
    zero_nodes(system, p)
    multiply_added(system, elements, v, v, p)
    for b in system.bodies:
        lag, mass = bodies.lag[b], bodies.mass[b]
        for c in range(3):
            pull = mass * bodies.gravity_scale[b] * gravity[c]
            pull += known[2 * b, c] + bodies.soft_force[2 * b, c]
            p[2 * b, c] += mass * v[2 * b, c] + lag * pull + late[2 * b, c]
        if bodies.kind[b] == DYNAMIC:
            n = 2 * b + 1
            L = angular_momentum(bodies, system.mass, b, v[n, 0], v[n, 1], v[n, 2], -lag)
            for c in range(3):
                p[n, c] += L[c] + lag * (known[n, c] + bodies.soft_force[n, c]) + late[n, c]
        if bodies.masked[b]:
            for c in range(3):
                p[2 * b, c] *= bodies.free[2 * b, c]
                p[2 * b + 1, c] *= bodies.free[2 * b + 1, c]
    for e in system.stiffness:
        if elements.tension_only[e] and elements.phi[e, 0] < 0.0:
            continue
        rate = row_velocity(elements.node, elements.J_start, e, 0, v)
        lam = -elements.stiffness[e] * elements.phi[e, 0] - elements.damper[e] * rate
        _push(bodies, elements, e, 0, lam, p)
    for e in system.unilateral:
        for r in range(3):
            _push(bodies, elements, e, r, lasting(elements.frame_lam[e, r], elements.lam[e, r]), p)
    for e in system.bilateral:
        for r in range(3):
            if _is_known(elements, e, r) and not elements.idle[e, r]:
                rate = row_velocity(elements.node, elements.J_start, e, r, v)
                lam = -elements.phi[e, r] / elements.compliance[e, r]
                _push(bodies, elements, e, r, lam - elements.damping[e, r] * rate, p)


@kernel
def lasting(before, now):
    """What of a force is no jerk: no more than in the step before."""
    if before > 0.0 and now > 0.0:
        return min(before, now)
    if before < 0.0 and now < 0.0:
        return max(before, now)
    return 0.0


@kernel
def _push(bodies, elements, e, r, lam, p):
    """p += lag·Jᵀλ of one row; writes p."""
    if lam == 0.0:
        return
    for s in range(4):
        node = elements.node[e, s]
        if bodies.solved[node]:
            lag = bodies.lag[node // 2]
            for c in range(3):
                p[node, c] += lag * elements.J_start[e, s, r, c] * lam
