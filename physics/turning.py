"""How fast joints turn and springs ring, and braking what turns too fast to be resolved.

Leapfrog follows a joint whose lever turns by little in a substep, and a spring that goes through
little of its period. What is faster is known before the step, which is cut into substeps, as far as
its budget goes. What turns too fast even then is braked to what can be followed, by a drag on the
bodies that turn and on no others,

    (M + G) v' - Jᵀμ = M v,    J v' = 0,      G = M (h ω / SUBSTEP_TURN - 1)₊ per body

v' is the least change of v that costs (v', G v') as well, so it never has more energy than v; the
boom of a crane does not feel that the light links of its cable are stopped from whirling.
"""

import math

from physics.constraints.rows import fastest_way
from physics.energy import kinetic_of_island
from physics.jit import kernel
from physics.linalg import rotate, row_velocity
from physics.params import (
    MOST_SUBSTEPS,
    NO_DIRECTION,
    RESOLVED,
    SUBSTEP_SPIN,
    SUBSTEP_TURN,
)
from physics.schemes.shared import begin_rows, copy_jacobian, load_momentum, prescribed_speed
from physics.solver.assembly import inverse_mass_of_row, zero_nodes
from physics.solver.ldu import solve_all
from physics.solver.regularised import factorise_system
from physics.stabilization.clear import clear_added
from physics.stabilization.springs import mobility_of_spring
from physics.state import DYNAMIC, FACTORISATIONS, POSITION, TRANSLATES, VELOCITY


@kernel
def turning_rate(scene):
    """Of the joint that turns fastest, rad/s; of what spins about a joint as much less as it may.

    A body that is no ball turns its inertia along: its momentum is solved for by Newton.
    """
    elements, bodies, fastest = scene.elements, scene.bodies, 0.0
    for e in scene.system.bilateral:
        for side in range(2):
            fastest = max(fastest, _square_rate(bodies, elements, e, side, fastest))
    for e in scene.system.stiffness:
        if not (elements.tension_only[e] and elements.phi[e, 0] < 0.0):
            for side in range(2):
                fastest = max(fastest, _square_rate(bodies, elements, e, side, fastest))
    fastest = max(fastest, fastest_way(bodies, elements, scene.system))
    share = (SUBSTEP_TURN / SUBSTEP_SPIN) ** 2
    for b in scene.system.bodies:
        if not bodies.spherical[b] and not bodies.masked[b]:
            w = bodies.velocity[2 * b + 1]
            fastest = max(fastest, share * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]))
    return math.sqrt(fastest)


@kernel
def rate_of_step(scene):
    """How fast joints of the island turn in the coming step, rad/s; writes bodies.rate.

    The larger of its two ends, the later one extrapolated: forth and back in time the same steps
    are cut into the same substeps. Where they are longer or shorter leapfrog is off by other
    amounts, which cancel only if it is cut and uncut at the same speeds; else every whip would cost
    energy.
    """
    bodies, now, before = scene.bodies, turning_rate(scene), 0.0
    for b in scene.system.bodies:
        before = max(before, bodies.rate[b])
        bodies.rate[b] = now
    return max(now, 2.0 * now - before)


@kernel
def ringing_rate(scene, h):
    """Of the spring or compliant row that rings fastest and can be resolved, rad/s.

    What rings faster than the shortest substep can follow is held at its end length or slowed by
    added inertia, and what is damped within a period needs no care. J_start must be that of the
    start.
    """
    elements, system, fastest = scene.elements, scene.system, 0.0
    most = RESOLVED * (MOST_SUBSTEPS / h) ** 2
    for e in system.stiffness:
        if not (elements.tension_only[e] and elements.phi[e, 0] < 0.0):
            mobility = mobility_of_spring(elements, system, e)
            square = elements.stiffness[e] * mobility
            if square < most and (elements.damper[e] * mobility) ** 2 < square:
                fastest = max(fastest, square)
    for e in system.bilateral:
        for r in range(3):
            C = elements.compliance[e, r]
            if C <= 0.0 or elements.mode[e, r] != POSITION or elements.drives[e]:
                continue
            if not elements.idle[e, r]:
                mobility = inverse_mass_of_row(system, elements, elements.J_start, e, r)
                square = mobility / C
                if square < most and (elements.damping[e, r] * mobility) ** 2 < square:
                    fastest = max(fastest, square)
    return math.sqrt(fastest)


@kernel
def substeps_for(rate, h):
    """A power of 2, such that what turns or rings at that rate goes on by SUBSTEP_TURN at most."""
    n = 1
    while n < MOST_SUBSTEPS and h * rate > n * SUBSTEP_TURN:
        n *= 2
    return n


@kernel
def _square_rate(bodies, elements, e, side, known):
    """(rad/s)² of the lever from a body's centre to its joint; 0 where nothing turns.

    What turns by less than `known` at most, whatever its lever, is not looked at: 0, too.
    """
    if not elements.traits[e, 0] & TRANSLATES or elements.idle[e, 0]:
        return 0.0
    b = elements.body[e, side]
    if bodies.solved[2 * b + 1]:
        w = bodies.velocity[2 * b + 1]
        if w[0] * w[0] + w[1] * w[1] + w[2] * w[2] > known:
            return _lever_rate(bodies, elements, e, side, b)
    return 0.0


@kernel
def _lever_rate(bodies, elements, e, side, b):
    """|ω × s|²/|s|² of the lever s from a body's centre to the joint, 1/s²."""
    x, y, z = rotate(bodies.rotation, b, elements.anchor, e, side)
    square = x * x + y * y + z * z
    if square < NO_DIRECTION * NO_DIRECTION:
        return 0.0
    w = bodies.velocity[2 * b + 1]
    cx, cy, cz = w[1] * z - w[2] * y, w[2] * x - w[0] * z, w[0] * y - w[1] * x
    return (cx * cx + cy * cy + cz * cz) / square


@kernel
def brake_turning(scene, h):
    """Brakes what turns by more than SUBSTEP_TURN in h; writes velocities, and v̄ = v.

    Where joints are all but redundant rounding may give what a brake must take: v stays then.
    """
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    before = kinetic_of_island(scene)
    begin_rows(bodies, elements, system)
    copy_jacobian(system, elements.J_start, elements.J)
    clear_added(elements, system)
    _add_drag(scene, h)
    _gather(bodies, system)
    for e in system.bilateral:
        for r in range(3):
            elements.sigma[e, r] = 1.0 if elements.idle[e, r] else 0.0
    factorise_system(system, elements)
    scene.counters[FACTORISATIONS] += 1
    x = system.x
    load_momentum(system, x)
    _load_rows(bodies, elements, system, x)
    solve_all(system, x)
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            k = system.position_of[node]
            if k >= 0:
                for c in range(3):
                    bodies.velocity[node, c] = x[k, c]
    brakes = kinetic_of_island(scene) <= before
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for c in range(3):
                if not brakes:
                    bodies.velocity[node, c] = bodies.start_velocity[node, c]
                bodies.mean_velocity[node, c] = bodies.velocity[node, c]
                bodies.mean_excess[node, c] = 0.0


@kernel
def _add_drag(scene, h):
    """Writes system.added of the turning nodes."""
    bodies, elements, system, fastest = (
        scene.bodies,
        scene.elements,
        scene.system,
        scene.bodies.fastest,
    )
    for b in system.bodies:
        fastest[b] = 0.0
    for e in system.bilateral:
        for side in range(2):
            b = elements.body[e, side]
            if bodies.solved[2 * b + 1]:
                rate = _square_rate(bodies, elements, e, side, fastest[b])
                fastest[b] = max(fastest[b], rate)
    for b in system.bodies:
        excess = h * math.sqrt(fastest[b]) / SUBSTEP_TURN - 1.0
        if excess > 0.0:
            for r in range(3):
                for c in range(3):
                    system.added[2 * b + 1, r, c] = excess * system.mass[2 * b + 1, r, c]


@kernel
def _gather(bodies, system):
    """M v; writes system.momentum."""
    p, v, mass = system.momentum, bodies.velocity, system.mass
    zero_nodes(system, p)
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 1 + (bodies.kind[b] == DYNAMIC)):
            for r in range(3):
                for c in range(3):
                    p[node, r] += mass[node, r, c] * v[node, c]
                p[node, r] *= bodies.free[node, r]


@kernel
def _load_rows(bodies, elements, system, x):
    """Joints go on as they do: hard rows hold, motors turn, springs stretch; writes x."""
    for e in system.bilateral:
        for r in range(3):
            speed = 0.0
            if not elements.idle[e, r]:
                speed = prescribed_speed(bodies, elements, elements.J_start, e, r)
                if elements.mode[e, r] == VELOCITY:
                    speed -= elements.target[e, r]
                elif elements.compliance[e, r] > 0.0 or elements.drives[e]:
                    speed -= row_velocity(elements.node, elements.J_start, e, r, bodies.velocity)
            x[system.row_of[e], r] = speed
