"""Keeping the energy of smooth motion, where leapfrog alone would let it drift.

Leapfrog with joints keeps H̃ = H + h²(aᵀM a/24 - a·f/12) to higher order, a being all of the
acceleration and f gravity: H itself swings, by some per cent in a whip, and comes back. With
velocities of the middle of steps

    H̃ = (H₋ + H₊)/2 - h²(aᵀM a/12 - a·f/6)

is what the ledger asks. H̃ depends on h: where a substep is longer or shorter than the one before,
speeds are scaled so that H̃ stays, else every whip would cost energy, which is cut into substeps
when it is fast. What has been lost all the same comes back within CONSERVED_WITHIN. All this only
where nothing may take energy: joints without springs, ropes, motors, limits and contacts; while
inertia is added, nothing is paid back.
"""

import math

from physics.constraints.ropes import has_jerked
from physics.energy import kinetic_energy, kinetic_of_island, set_debt
from physics.jit import kernel
from physics.linalg import invert_block, row_velocity
from physics.params import CONSERVED_WITHIN
from physics.state import CARRIED, PAID, PARTICLE, TAKEN, VELOCITY


@kernel
def swing(scene, gravity):
    """(aᵀM a, a·f) of the substep just solved, kg m²/s⁴; writes bodies.scratch.

    f: gravity, and what motors push with.
    """
    bodies, elements, inertial, pulled = scene.bodies, scene.elements, 0.0, 0.0
    a = bodies.scratch
    for b in scene.system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                change = bodies.velocity[node, c] - bodies.start_velocity[node, c]
                a[node, c] = change / bodies.kick[b]
        inertial += 2.0 * kinetic_energy(bodies, b, a)
        for c in range(3):
            pulled += bodies.mass[b] * bodies.gravity_scale[b] * gravity[c] * a[2 * b, c]
    for e in scene.system.driven:
        for r in range(3):
            if not elements.idle[e, r]:
                force = elements.mu[e, r] / elements.kick[e]
                pulled += force * row_velocity(elements.node, elements.J_start, e, r, a)
    return inertial, pulled


@kernel
def is_smooth(scene):
    """Whether nothing in the island jumps or rings: joints, gravity and motors only.

    A rope that stays taut is a rod, one that stays slack is not there.
    """
    elements, system = scene.elements, scene.system
    if len(system.contacts) + len(system.stiffness) > 0 or has_jerked(scene):
        return False
    if len(system.bilateral) == 0:
        return False
    for u in range(scene.unilateral.count[0]):
        if elements.mode[scene.unilateral.element[u], scene.unilateral.row[u]] != VELOCITY:
            return False
    for e in system.bilateral:
        for r in range(3):
            if elements.compliance[e, r] > 0.0 and not elements.idle[e, r]:
                return False
    return True


@kernel
def is_conservative(scene):
    """Whether nothing can take or give energy, but gravity, in what moves smoothly."""
    if scene.unilateral.count[0] + len(scene.system.driven) > 0 or lag_of_start(scene) == 0.0:
        return False  # set velocities that joints do not allow are changed by them
    for b in scene.system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                if scene.bodies.force[node, c] != 0.0 or scene.bodies.soft_force[node, c] != 0.0:
                    return False
    return True


@kernel
def keep_energy(scene, h, debt, swings, jump, stiff):
    """Gives the island the energy it should have; writes velocities and the ledger.

    `debt` is that of H₊, `swings` what H₊ is above H̃, `jump` (aᵀM a/24 - a·f/12); `stiff`: inertia
    was added. Where smooth motion begins, what was lost before is gone. Returns what it gave.
    """
    lag, given = lag_of_start(scene), 0.0
    if not stiff and not was_conserved(scene, CARRIED):
        set_debt(scene, max(debt, swings))
        _note(scene, CARRIED)
    elif stiff:
        _note(scene, CARRIED if was_conserved(scene, CARRIED) else TAKEN)
    else:
        wanted = -(debt - swings) * min(h / CONSERVED_WITHIN, 1.0)
        wanted += (4.0 * lag * lag - h * h) * jump
        given = _give(scene, wanted)
        set_debt(scene, debt + given)
        _note(scene, PAID)
    return given


@kernel
def forget_energy(scene):
    """Something took energy, rightly; writes bodies.conserved."""
    _note(scene, TAKEN)


@kernel
def _note(scene, what):
    for b in scene.system.bodies:
        scene.bodies.conserved[b] = what


@kernel
def was_conserved(scene, least):
    """Whether the last substep of all bodies of the island was CARRIED at least, or PAID."""
    for b in scene.system.bodies:
        if scene.bodies.conserved[b] < least:
            return False
    return True


@kernel
def lag_of_start(scene):
    longest = 0.0
    for b in scene.system.bodies:
        longest = max(longest, scene.bodies.start_lag[b])
    return longest


@kernel
def _give(scene, wanted):
    """Scales all motion but that of a floating island as a whole; returns the energy it gave.

    Speeds that joints allow stay so. Writes velocities and their mean.
    """
    bodies = scene.bodies
    v, mean, rigid = bodies.velocity, bodies.mean_velocity, bodies.scratch
    for b in scene.system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                rigid[node, c] = 0.0
    kinetic = kinetic_of_island(scene)
    if _floats(scene):
        kinetic -= _rigid_motion(scene)
    # less is rounding; more, and there is little but rigid motion: nothing to scale
    if not 1e-10 * kinetic < abs(wanted) < 0.1 * kinetic:
        return 0.0
    share = math.sqrt(1.0 + wanted / kinetic)
    for b in scene.system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                change = (share - 1.0) * (v[node, c] - rigid[node, c])
                v[node, c] += change
                mean[node, c] += change
    return wanted


@kernel
def _floats(scene):
    """Whether no joint holds the island to anything outside."""
    bodies, elements = scene.bodies, scene.elements
    for e in scene.system.bilateral:
        if not bodies.solved[2 * elements.body[e, 0]] or not bodies.solved[2 * elements.body[e, 1]]:
            return False
    for b in scene.system.bodies:  # in a plane it floats, too
        free = bodies.free
        if not free[2 * b, 0] or not free[2 * b, 1] or not free[2 * b + 1, 2]:
            return False
    return True


@kernel
def _rigid_motion(scene):
    """The motion of the island as if it were one body; writes bodies.scratch, returns its energy.

    It has all of the momentum and of the angular momentum.
    """
    bodies, v = scene.bodies, scene.bodies.velocity
    mass, (x, y, z), (vx, vy, vz) = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for b in scene.system.bodies:
        m, p, u = bodies.mass[b], bodies.position[b], v[2 * b]
        mass += m
        x, y, z = x + m * p[0], y + m * p[1], z + m * p[2]
        vx, vy, vz = vx + m * u[0], vy + m * u[1], vz + m * u[2]
    x, y, z, vx, vy, vz = x / mass, y / mass, z / mass, vx / mass, vy / mass, vz / mass
    wx, wy, wz, turning = _rigid_turning(scene, x, y, z)
    for b in scene.system.bodies:
        p, u = bodies.position[b], bodies.scratch
        rx, ry, rz = p[0] - x, p[1] - y, p[2] - z
        u[2 * b, 0] = vx + wy * rz - wz * ry
        u[2 * b, 1] = vy + wz * rx - wx * rz
        u[2 * b, 2] = vz + wx * ry - wy * rx
        if bodies.kind[b] != PARTICLE:
            u[2 * b + 1, 0], u[2 * b + 1, 1], u[2 * b + 1, 2] = wx, wy, wz
    return 0.5 * mass * (vx * vx + vy * vy + vz * vz) + turning


@kernel
def _rigid_turning(scene, x, y, z):
    """ω of the island about its centre of mass (x, y, z), and ½ ω·L."""
    bodies, system, v = scene.bodies, scene.system, scene.bodies.velocity
    A, L, w = system.scratch[0], system.scratch[2, 0], system.scratch[2, 1]
    for i in range(3):
        L[i], w[i] = 0.0, 0.0
        for c in range(3):
            A[i, c] = 0.0
    for b in system.bodies:
        m, p, u, own = bodies.mass[b], bodies.position[b], v[2 * b], system.mass[2 * b + 1]
        r = (p[0] - x, p[1] - y, p[2] - z)
        square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            L[i] += m * (r[j] * u[k] - r[k] * u[j])
            for c in range(3):
                A[i, c] += m * ((square if i == c else 0.0) - r[i] * r[c])
                if bodies.kind[b] != PARTICLE:
                    A[i, c] += own[i, c]
                    L[i] += own[i, c] * v[2 * b + 1, c]
    least = 1e-12 * (A[0, 0] + A[1, 1] + A[2, 2])  # of points on a line
    for i in range(3):
        A[i, i] += least
    invert_block(system.scratch, 0, system.scratch, 1)
    for i in range(3):
        for c in range(3):
            w[i] += system.scratch[1, i, c] * L[c]
    return w[0], w[1], w[2], 0.5 * (w[0] * L[0] + w[1] * L[1] + w[2] * L[2])
