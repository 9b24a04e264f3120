"""Energies, and the ledger: no island gains energy from nothing, however long it runs.

Velocities lag behind positions, so the energies that are compared are those of the moments of the
velocities before and after a substep, which free fall and elastic rows keep exactly. What moves
fast swings about its energy and comes back: a limit per step is the wrong question. The ledger of
an island is the energy it began with, plus the work done on it since, less what it lost; what it
has above that is its debt, which may be at most LEDGER_SHARE of the kinetic energy it has had of
late, for the errors of a step grow with that: never a share of what lies still, or of the world. As
much of what smooth motion loses may come back; what contacts and limits take is gone. Every body
keeps its share of the debt, so that islands can join and part.
"""

from physics.contact.packed import LIGHT
from physics.jit import kernel
from physics.linalg import row_velocity
from physics.params import (
    CONTACT_PUSH_SPEED,
    LEDGER_SHARE,
    LEDGER_TIME,
    NOT_ZERO,
)
from physics.state import BILATERAL, KINETIC, PAID, PARTICLE, POSITION


@kernel
def energies(scene, gravity):
    """(kinetic, potential, elastic) of everything that is awake, in joules, at this moment.

    The velocities are those of `bodies.reported` (`synchronise.py`).
    """
    bodies = scene.bodies
    kinetic = 0.0
    for b in scene.system.bodies:
        kinetic += kinetic_energy(bodies, b, bodies.reported)
    return kinetic, potential_energy(scene, gravity), _elastic_energy(scene)


@kernel
def potential_energy(scene, gravity):
    bodies = scene.bodies
    total = 0.0
    for b in scene.system.bodies:
        pull = bodies.mass[b] * bodies.gravity_scale[b]
        for c in range(3):
            total -= pull * gravity[c] * bodies.position[b, c]
    return total


@kernel
def _elastic_energy(scene):
    """Of springs and compliant rows; φ must be that of the present positions."""
    elements, system = scene.elements, scene.system
    total = 0.0
    for e in system.stiffness:
        total += _spring_energy(elements, e, elements.phi[e, 0])
    for e in system.bilateral:
        for r in range(3):
            C = elements.compliance[e, r]
            if C > 0.0 and elements.mode[e, r] == POSITION and not elements.idle[e, r]:
                total += 0.5 * elements.phi[e, r] ** 2 / C
    return total


@kernel
def _spring_energy(elements, e, phi):
    if elements.tension_only[e] and phi < 0.0:
        return 0.0
    return 0.5 * elements.stiffness[e] * phi * phi


@kernel
def note_start(scene):
    """Keeps what `energy_gained` compares with; writes start_phi and measures[KINETIC]."""
    elements = scene.elements
    for listed in (scene.system.bilateral, scene.system.stiffness):
        for e in listed:
            for r in range(3):
                elements.start_phi[e, r] = elements.phi[e, r]
    scene.measures[KINETIC] = kinetic_of_island(scene)


@kernel
def kinetic_of_island(scene):
    """½ vᵀM v of the stored velocities, J."""
    total = 0.0
    for b in scene.system.bodies:
        total += kinetic_energy(scene.bodies, b, scene.bodies.velocity)
    return total


@kernel
def energy_gained(scene, gravity, h, kinetic_before, kinetic):
    """What the substep just solved has gained from nothing, J.

    From the moment of the old velocities to that of the new ones, seen from where it began: free
    fall changes V by -m g·(lag v + (h/2) v₊), a spring its length by as much
    as its ends move.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    v, start, gain = bodies.velocity, bodies.start_velocity, kinetic - kinetic_before
    for b in system.bodies:
        lag, n = bodies.start_lag[b], 2 * b
        pull = bodies.mass[b] * bodies.gravity_scale[b]
        for c in range(3):
            way = lag * start[n, c] + 0.5 * h * v[n, c]
            gain -= pull * gravity[c] * way
    for e in system.stiffness:
        before, after = _phi_then(bodies, elements, e, 0, h)
        gain += _spring_energy(elements, e, after) - _spring_energy(elements, e, before)
    for e in system.bilateral:
        for r in range(3):
            C = elements.compliance[e, r]
            if C > 0.0 and elements.mode[e, r] == POSITION and not elements.idle[e, r]:
                before, after = _phi_then(bodies, elements, e, r, h)
                gain += 0.5 * (after * after - before * before) / C
    return gain - work_done(scene, h)


@kernel
def _phi_then(bodies, elements, e, r, h):
    """φ at the moment of the old velocities and at that of the new ones."""
    a, b = elements.body[e, 0], elements.body[e, 1]
    lag = bodies.start_lag[a] if bodies.solved[2 * a] else bodies.start_lag[b]
    phi, J, node = elements.start_phi[e, r], elements.J_start, elements.node
    if elements.role[e] == BILATERAL and not elements.elastic[e, r]:
        return phi, elements.phi[e, r]  # held at the end of the step
    start = row_velocity(node, J, e, r, bodies.start_velocity)
    end = row_velocity(node, J, e, r, bodies.velocity)
    return phi - lag * start, phi + 0.5 * h * end


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
def work_done(scene, h):
    """Work of external forces, motors, hands, winches and keyframed things in the substep, J."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    v, start, total = bodies.velocity, bodies.start_velocity, 0.0
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                mean = 0.5 * (v[node, c] + start[node, c])
                push = bodies.start_late[node, c] + 0.5 * h * bodies.force[node, c]
                total += (push + bodies.kick[b] * bodies.soft_force[node, c]) * mean
    for e in system.driven:
        for r in range(3):
            if elements.idle[e, r] or (
                elements.role[e] == BILATERAL
                and elements.mode[e, r] == POSITION
                and elements.compliance[e, r] > 0.0
            ):
                continue  # a spring: moving its rest was counted as elastic energy before the step
            total += elements.mu[e, r] * _mean_speed(bodies, elements, e, r)
    return total + _keyframed_work(scene)


@kernel
def _keyframed_work(scene):
    """Work that keyframed bodies do on the island by contacts in the substep, J."""
    rows = scene.contacts
    total = 0.0
    for c in scene.system.contacts:
        for r in range(3):
            total -= rows.mu[c, r] * rows.moved[c, r] + rows.roll[c, r] * rows.turned[c, r]
    return total


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
def energy_of_impulses(scene):
    """Σ μ² J M⁻¹Jᵀ of all rows, M by its diagonal, J: its rounding is what a still thing gains."""
    bodies, elements, total = scene.bodies, scene.elements, 0.0
    for listed in (scene.system.bilateral, scene.system.unilateral):
        for e in listed:
            for s in range(4):
                node = elements.node[e, s]
                if not bodies.solved[node]:
                    continue
                for c in range(3):
                    for r in range(3):
                        push = elements.J_start[e, s, r, c] * elements.mu[e, r]
                        total += push * push / scene.system.mass[node, c, c]
    return total


@kernel
def credit(scene, gravity, h, kinetic):
    """How much debt the island may have, J: a share of the kinetic energy it has had of late.

    `kinetic` is what it has now. What its springs hold counts, too: half of what rings is there. At
    least that of falling for h, and of the speed with which overlaps are pushed apart, by what the
    contact has to move for that: a hub is not thrown because a light link of its chain lies within
    it.
    """
    bodies, elastic, least, peak = scene.bodies, _elastic_energy(scene), 0.0, 0.0
    square = gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2
    for b in scene.system.bodies:
        peak += bodies.peak[b]
        scale = bodies.gravity_scale[b]
        least += bodies.mass[b] * scale * scale * square * h * h
    rows = scene.contacts
    for c in scene.system.contacts:
        push = min(max(-rows.target[c], 0.0), CONTACT_PUSH_SPEED)
        least += rows.packed[c, LIGHT] * push * push
    return LEDGER_SHARE * (max(peak, kinetic) + elastic + least)


@kernel
def only_touches(scene):
    """Whether nothing but contacts holds the island: speeds may then be scaled at will."""
    system = scene.system
    held = len(system.bilateral) + len(system.unilateral) + len(system.stiffness)
    return held + len(system.ropes) == 0


@kernel
def note_kinetic(scene, h, now):
    """Energy counts as of late for LEDGER_TIME, and debts fade with it; writes peak and debt.

    `now` is the kinetic energy. Debts of conservative motion are paid instead (`conserve.py`). Of
    what has been kept only: a try that ran away has had no energy.
    """
    bodies, before = scene.bodies, 0.0
    fades = max(1.0 - h / LEDGER_TIME, 0.0)
    for b in scene.system.bodies:
        before += bodies.peak[b]
    if now > fades * before:
        for b in scene.system.bodies:
            bodies.peak[b] = kinetic_energy(bodies, b, bodies.velocity)
        fades = min(now / before, 1.0) if before > 0.0 else 1.0
    else:
        for b in scene.system.bodies:
            bodies.peak[b] *= fades
    for b in scene.system.bodies:
        if bodies.conserved[b] != PAID:
            bodies.debt[b] *= fades


@kernel
def debt_of_island(scene):
    """What the island has gained from nothing, and not lost since, J; negative: what it has
    lost."""
    total = 0.0
    for b in scene.system.bodies:
        total += scene.bodies.debt[b]
    return total


@kernel
def set_debt(scene, debt):
    """Shares the debt of the island out; writes debt of its bodies.

    By the energy that each has had, which its credit is a share of: what parts from a fast body
    does not take that one's debt along. By mass where nothing has moved.
    """
    bodies, total, mass = scene.bodies, 0.0, 0.0
    for b in scene.system.bodies:
        total += bodies.peak[b]
        mass += bodies.mass[b]
    for b in scene.system.bodies:
        share = bodies.peak[b] / total if total > NOT_ZERO else bodies.mass[b] / mass
        bodies.debt[b] = debt * share
