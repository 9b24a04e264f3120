"""How fast joints turn, and braking what turns too fast to be resolved.

Leapfrog follows a joint whose lever turns by little in a substep. What turns faster is known before
the substep: it is cut shorter, as far as the budget of the step goes. What is too fast even then is
braked to what can be followed, by a drag on the bodies that turn and on no others,

    (M + G) v' - Jᵀμ = M v,    J v' = 0,      G = M (h ω / SUBSTEP_TURN - 1)₊ per body

v' is the least change of v that costs (v', G v') as well, so it never has more energy than v; the
boom of a crane does not feel that the light links of its cable are stopped from whirling.
"""

import math

from physics.jit import kernel
from physics.linalg import rotate, row_velocity
from physics.params import MOST_SUBSTEPS, REDUNDANCY, SUBSTEP_TURN
from physics.schemes.shared import begin_rows, copy_jacobian, load_momentum, prescribed_speed
from physics.solver.assembly import assemble, zero_nodes
from physics.solver.ldu import factorise, solve_all
from physics.stabilization.clear import clear_added
from physics.state import DYNAMIC, FACTORISATIONS, TRANSLATES, VELOCITY


@kernel
def turning_rate(scene):
    """Of the joint that turns fastest, rad/s."""
    elements, fastest = scene.elements, 0.0
    for e in scene.system.bilateral:
        for side in range(2):
            fastest = max(fastest, _square_rate(scene.bodies, elements, e, side))
    return math.sqrt(fastest)


@kernel
def substeps_for(rate, h):
    """A power of 2, such that what turns at that rate turns by SUBSTEP_TURN at most."""
    n = 1
    while n < MOST_SUBSTEPS and h * rate > n * SUBSTEP_TURN:
        n *= 2
    return n


@kernel
def _square_rate(bodies, elements, e, side):
    """(rad/s)² of the lever from a body's centre to its joint; 0 where nothing turns."""
    if not elements.traits[e, 0] & TRANSLATES or elements.idle[e, 0]:
        return 0.0
    b = elements.body[e, side]
    if bodies.solved[2 * b + 1]:
        return _lever_rate(bodies, elements, e, side, b)
    return 0.0


@kernel
def _lever_rate(bodies, elements, e, side, b):
    """|ω × s|²/|s|² of the lever s from a body's centre to the joint, 1/s²."""
    x, y, z = rotate(bodies.rotation, b, elements.anchor, e, side)
    square = x * x + y * y + z * z
    if square < 1e-18:
        return 0.0
    w = bodies.velocity[2 * b + 1]
    cx, cy, cz = w[1] * z - w[2] * y, w[2] * x - w[0] * z, w[0] * y - w[1] * x
    return (cx * cx + cy * cy + cz * cz) / square


@kernel
def brake_turning(scene, h):
    """Brakes what turns by more than SUBSTEP_TURN in h; writes velocities, and v̄ = v."""
    bodies, elements, system = scene.bodies, scene.elements, scene.system
    begin_rows(bodies, elements, system)
    copy_jacobian(system, elements.J_start, elements.J)
    clear_added(elements, system)
    _add_drag(scene, h)
    _gather(bodies, system)
    for e in system.bilateral:
        for r in range(3):
            elements.sigma[e, r] = 1.0 if elements.idle[e, r] else 0.0
    assemble(system, elements, REDUNDANCY)
    factorise(system, True)
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
                    bodies.mean_velocity[node, c] = x[k, c]


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
                fastest[b] = max(fastest[b], _square_rate(bodies, elements, e, side))
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
