"""Added inertia of stabilization "adaptive": G = (θh²k - αm)₊ where h²k exceeds what is there.

Stable for every h²k/m: with the momentum G v carried along, one mode needs θ > 1/4 only; θ = 1
leaves room for what a chain of modes does to each other. Point-like forces act on single bodies,
torques and distance rows on pairs, so that common motion is never slowed.
"""

import math

from physics.constraints.rows import add_lever_stiffness, add_pair_inertia, is_summed
from physics.jit import kernel
from physics.linalg import cross, rotate, symmetric_range
from physics.params import ALPHA, ON_THE_LINE, THETA
from physics.stabilization.clear import clear_added
from physics.stabilization.springs import add_spring
from physics.state import DYNAMIC, LENGTH, TRANSLATES, VECTOR


@kernel
def add_adaptive(bodies, elements, system, h):
    """Added inertia where h²k exceeds what is there; writes system.added and elements.K."""
    clear_added(elements, system)
    add_lever_stiffness(bodies, elements, system, h)
    _find_pivots(bodies, elements, system)
    _find_lines(bodies, elements, system)
    for b in system.bodies:
        if bodies.kind[b] == DYNAMIC:
            _add_inertia(b, bodies, system, h)
    add_pair_inertia(bodies, elements, system, h)
    for e in system.stiffness:
        add_spring(True, elements, system, e, h)


@kernel
def _find_pivots(bodies, elements, system):
    """The lever from a point that is held in space to the centre of a body; writes bodies.pivot.

    Zero where there is none; the longest of several.
    """
    pivot = bodies.pivot
    for b in system.bodies:
        for c in range(3):
            pivot[b, c] = 0.0
    for e in system.bilateral:
        if not elements.traits[e, 0] & VECTOR or elements.idle[e, 0]:
            continue
        for side in range(2):
            b = elements.body[e, side]
            if bodies.solved[2 * b + 1] and not bodies.solved[2 * elements.body[e, 1 - side]]:
                x, y, z = rotate(bodies.rotation, b, elements.anchor, e, side)
                longest = pivot[b, 0] ** 2 + pivot[b, 1] ** 2 + pivot[b, 2] ** 2
                if x * x + y * y + z * z > longest:
                    pivot[b, 0], pivot[b, 1], pivot[b, 2] = x, y, z


@kernel
def _find_lines(bodies, elements, system):
    """The line through a body's centre on which all its cable joints lie; writes bodies.line, a
    unit vector in body axes, or 0 where there is none or other joints hold it, too.

    Rows of cable joints hold the twist. On ball joints a slender link spins freely with next to no
    inertia: without G about its axis a chain of 20 links comes apart at 1e4 : 1.
    """
    line, lined = bodies.line, bodies.lined
    for b in system.bodies:
        lined[b] = True
        for c in range(3):
            line[b, c] = 0.0
    for e in system.bilateral:
        if not elements.traits[e, 0] & TRANSLATES or elements.idle[e, 0]:
            continue
        holds = is_summed(elements, e)
        for side in range(2):
            b = elements.body[e, side]
            if bodies.solved[2 * b + 1]:
                s = elements.anchor[e, side]
                lined[b] = lined[b] and holds and _extend_line(line[b], s[0], s[1], s[2])
    for b in system.bodies:
        if not lined[b]:
            for c in range(3):
                line[b, c] = 0.0


@kernel
def _extend_line(line, x, y, z):
    """Whether the point lies on the line, which it gives if there was none; writes line."""
    square = x * x + y * y + z * z
    if square == 0.0:
        return True
    ax, ay, az = cross(line[0], line[1], line[2], x, y, z)
    if line[0] == 0.0 and line[1] == 0.0 and line[2] == 0.0:
        length = math.sqrt(square)
        line[0], line[1], line[2] = x / length, y / length, z / length
        return True
    return ax * ax + ay * ay + az * az <= ON_THE_LINE * ON_THE_LINE * square


@kernel
def _add_inertia(b, bodies, system, h):
    """Turns the summed lever stiffness K of a body into G·(1 - uuᵀ), G = |θh²K - αI₀|₊.

    u is the line on which its joints lie: point forces have no torque about it, so that nothing
    is added about it, and a cable twists freely. Across it G is alike in all directions on purpose:
    the axes of K are not quite those of the body, and with a G of each of them torques across a
    slender link would turn it about its own axis, about which it has next to no inertia. So would
    a G about u where joints lie beside it: without such a line, G·1. What turns about a point in
    space at s has more inertia than about its centre: I₀ = I + m(s²1 - ssᵀ).
    """
    n = 2 * b + 1
    if _is_slack(system.added, n, THETA * h * h, ALPHA * bodies.inertia_max[b]):
        return
    block, s, m = system.added, bodies.pivot[b], ALPHA * bodies.mass[b]
    square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2]
    excess = 0.0
    for sign in (-1.0, 1.0):  # of what pulls, and of what pushes
        k = sign * THETA * h * h
        smallest, largest = symmetric_range(
            k * block[n, 0, 0] - m * (square - s[0] * s[0]),
            k * block[n, 1, 1] - m * (square - s[1] * s[1]),
            k * block[n, 2, 2] - m * (square - s[2] * s[2]),
            k * block[n, 0, 1] + m * s[0] * s[1],
            k * block[n, 0, 2] + m * s[0] * s[2],
            k * block[n, 1, 2] + m * s[1] * s[2],
        )
        excess = max(excess, largest)
        if square == 0.0:
            excess = max(excess, -smallest)
            break
    g = max(0.0, excess - ALPHA * bodies.inertia_max[b])
    R, line, u = bodies.rotation[b], bodies.line[b], system.scratch[0, 0]
    for i in range(3):
        u[i] = R[i, 0] * line[0] + R[i, 1] * line[1] + R[i, 2] * line[2]
    for i in range(3):
        for j in range(3):
            across = (1.0 if i == j else 0.0) - u[i] * u[j]
            block[n, i, j] = g * across * bodies.free[n, i] * bodies.free[n, j]


@kernel
def _is_slack(block, n, scale, most):
    """Whether no eigenvalue of scale·K exceeds `most`, as its norm does not; if so, K ← 0."""
    square = 0.0
    for i in range(3):
        for j in range(3):
            square += block[n, i, j] ** 2
    if scale * scale * square > most * most:
        return False
    for i in range(3):
        for j in range(3):
            block[n, i, j] = 0.0
    return True


@kernel
def stiffen(elements, system, factor):
    """Added inertia of the next try as if of so many times the forces; writes elements.lam."""
    for e in system.bilateral:
        for r in range(3):
            elements.lam[e, r] *= factor


@kernel
def keep_forces(elements, system):
    """Writes start_lam."""
    for e in system.bilateral:
        for r in range(3):
            elements.start_lam[e, r] = elements.lam[e, r]


@kernel
def put_forces_back(elements, system):
    """What did not help is no measure for a shorter substep; writes lam."""
    for e in system.bilateral:
        for r in range(3):
            elements.lam[e, r] = elements.start_lam[e, r]


@kernel
def count_pulls(elements, system):
    """What pushed in the last step, and gave no inertia, pulls now: that counts; writes lam.

    Returns whether anything does.
    """
    found = False
    for e in system.bilateral:
        pulls = elements.traits[e, 0] & LENGTH and not elements.idle[e, 0]
        if pulls and elements.lam[e, 0] >= 0.0 and elements.mu[e, 0] < 0.0:
            elements.lam[e, 0] = elements.mu[e, 0] / elements.kick[e]
            found = True
    return found


@kernel
def outgrown(bodies, elements, system, h):
    """Whether forces of the step being solved need more inertia than those before it gave.

    Writes the new forces to elements.lam if so.
    """
    found = False
    for e in system.bilateral:
        # of loops only rods count: stiffer ones may press against each other until the step ends
        counts = not system.loops[e] or elements.traits[e, 0] & LENGTH
        if counts and _outgrew(bodies, elements, e, h):
            found = True
            break
    if found:
        for e in system.bilateral:
            for r in range(3):
                if not elements.idle[e, r]:
                    _count_force(elements, e, r)
    return found


@kernel
def _count_force(elements, e, r):
    """The force of the first round counts, but not as a push of what pulled; writes lam.

    Lengths that push get no inertia, so that the next try would have less of it.
    """
    force = elements.mu[e, r] / elements.kick[e]
    if elements.traits[e, r] & LENGTH:
        force = min(force, elements.lam[e, r])
    elements.lam[e, r] = force


@kernel
def _outgrew(bodies, elements, e, h):
    """Whether the force of an element has doubled, and h²k exceeds the inertia of a body it
    turns."""
    before, now = 0.0, 0.0
    for r in range(3):
        if not elements.idle[e, r]:
            before += elements.lam[e, r] ** 2
            now += elements.mu[e, r] ** 2
    if not now > 16.0 * before * elements.kick[e] ** 2:
        return False
    for side in range(2):
        b = elements.body[e, side]
        turned = 0.0
        for r in range(3):
            if not elements.idle[e, r]:
                arm = 0.0
                for c in range(3):
                    arm += elements.J_start[e, 2 * side + 1, r, c] ** 2
                turned += arm * elements.mu[e, r] ** 2
        if bodies.solved[2 * b + 1] and h * math.sqrt(turned) > 4.0 * bodies.inertia_max[b]:
            return True
        reach = bodies.mass[b] * elements.rest[e, 0]
        if not bodies.solved[2 * b] or not elements.traits[e, 0] & LENGTH:
            continue
        if h * -elements.mu[e, 0] > 4.0 * reach:  # lengths that push get none
            return True
    return False


@kernel
def is_stiff(elements, system):
    """Whether any inertia was added."""
    for b in system.bodies:
        for c in range(3):
            if system.added[2 * b + 1, c, c] > 0.0:
                return True
    for e in system.coupled:
        for c in range(3):
            if elements.K[e, 0, 0, c, c] > 0.0 or elements.K[e, 2, 2, c, c] > 0.0:
                return True
    return False


@kernel
def has_loop(system):
    """Whether joints of the island close a loop."""
    for e in system.bilateral:
        if system.loops[e]:
            return True
    return False
