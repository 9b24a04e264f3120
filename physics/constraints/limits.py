"""Limits: rows with bounds that only act where they are reached.

A one-sided row is a limit, unless it holds a length by pulling: then it is a rope (`ropes.py`).
`collect` lists those that may act in the coming step; the solver finds their impulses by
projection.
"""

import math

from physics.jit import kernel
from physics.linalg import row_velocity
from physics.params import (
    BLURRED_SWING,
    BLURRED_TWIST,
    IMPACT_MARGIN,
    LIMIT_MARGIN,
    LIMIT_PUSH_SPEED,
    LIMIT_RECOVERY,
    STRAIGHT_SWING,
)
from physics.state import COSINE, LENGTH, POSITION, TWIST, WAITS


@kernel
def collect(scene, h):
    """Lists the bounded rows that may act; writes `rows` but for their responses and aims."""
    bodies, elements, system, rows = scene.bodies, scene.elements, scene.system, scene.unilateral
    margin = IMPACT_MARGIN if len(system.contacts) > 0 else LIMIT_MARGIN
    used, offset, waits = 0, 0, scene.measures[WAITS] > 1.0
    for i in range(len(system.unilateral)):
        e = system.unilateral[i]
        for r in range(3):
            source = 3 * i + r
            rows.goal[source] = math.inf  # of what is no limit: it cannot be missed
            if is_limit(elements, elements.J_start, e, r):
                excess = max(limit_excess(elements, e, r), 0.0)
                taken = min(LIMIT_RECOVERY * excess, LIMIT_PUSH_SPEED * h)
                rows.goal[source] = excess - (0.0 if waits else taken)
            near = rows.aim[source] > 0.0
            near = near or _may_act(elements, e, r, bodies.velocity, h, margin)
            near = near and not _is_singular_twist(elements, elements.J_start, e, r)
            near = near and not _is_singular_swing(elements, e, r)
            if elements.idle[e, r] or not near:
                elements.mu[e, r] = 0.0
                continue
            rows.element[used] = e
            rows.row[used] = r
            rows.source[used] = source
            rows.offset[used] = offset
            a, b = elements.body[e, 0], elements.body[e, 1]
            rows.span[used, 0], rows.span[used, 1] = system.span[a, 0], system.span[a, 1]
            rows.span[used, 2], rows.span[used, 3] = system.span[b, 0], system.span[b, 1]
            if system.component[a] >= 0 and system.component[a] == system.component[b]:
                rows.span[used, 3] = rows.span[used, 2]
            offset += rows.span[used, 1] - rows.span[used, 0]
            offset += rows.span[used, 3] - rows.span[used, 2]
            used += 1
    rows.count[0] = used


@kernel
def _may_act(elements, e, r, velocity, h, margin):
    if elements.mode[e, r] != POSITION or elements.mu[e, r] != 0.0:
        return True
    near = margin + 2.0 * h * abs(row_velocity(elements.node, elements.J_start, e, r, velocity))
    if elements.lower[e, r] >= 0.0:
        return elements.phi[e, r] < near
    if elements.upper[e, r] <= 0.0:
        return elements.phi[e, r] > -near
    return True


@kernel
def is_limit(elements, J, e, r):
    """Whether the row is a hard limit of a joint: not a rope, a motor or a one-way spring."""
    if _is_singular_twist(elements, J, e, r):
        return False
    if elements.mode[e, r] != POSITION or elements.compliance[e, r] > 0.0 or elements.idle[e, r]:
        return False
    one_sided = elements.lower[e, r] >= 0.0 or elements.upper[e, r] <= 0.0
    pulls = elements.traits[e, r] & LENGTH and elements.lower[e, r] < 0.0
    return one_sided and not pulls


@kernel
def _is_singular_twist(elements, J, e, r):
    """Whether a twist limit means nothing here: the arm is turned over.

    The twist turns by 1/cos(swing/2) when b turns by one; at half a turn it is undefined.
    """
    if not elements.traits[e, r] & TWIST or elements.mode[e, r] != POSITION:
        return False
    if elements.lower[e, r] < 0.0 and elements.upper[e, r] > 0.0:
        return False
    square = J[e, 1, r, 0] ** 2 + J[e, 1, r, 1] ** 2 + J[e, 1, r, 2] ** 2
    return square > BLURRED_TWIST * BLURRED_TWIST


@kernel
def _is_singular_swing(elements, e, r):
    """Whether a limb is so far within its swing limit that no direction leads out of it.

    J = n × u is the sine of the swing: an impulse that should stop a limb there divides by it.
    """
    swings = elements.traits[e, r] & COSINE
    if not swings or elements.lower[e, r] < 0.0 or elements.phi[e, r] <= 0.0:
        return False
    J = elements.J_start
    square = J[e, 1, r, 0] ** 2 + J[e, 1, r, 1] ** 2 + J[e, 1, r, 2] ** 2
    return square < BLURRED_SWING * BLURRED_SWING


@kernel
def limit_excess(elements, e, r):
    """How far a limit is exceeded, m or rad; negative within it."""
    phi = elements.phi[e, r]
    if elements.traits[e, r] & COSINE:
        rest = elements.rest[e, r]
        turned = math.acos(min(max(phi + rest, -1.0), 1.0)) - math.acos(min(max(rest, -1.0), 1.0))
        return turned if elements.lower[e, r] >= 0.0 else -turned
    return -phi if elements.lower[e, r] >= 0.0 else phi


@kernel
def forget_aims(scene):
    """Writes aim: the coming step aims at the limits themselves."""
    for k in range(3 * len(scene.system.unilateral)):
        scene.unilateral.aim[k] = 0.0


@kernel
def is_swing(elements, e, r):
    """Whether the row measures the cosine of an angle, whose limit bends: see `swing_left`."""
    return elements.traits[e, r] & COSINE != 0


@kernel
def swing_left(bodies, elements, e, r, h):
    """φ = n·u - cos θ_max of a swing limit, as its row at the present angle should see it, and
    its slope, sin θ.

    φ bends twice: over the angle θ that is left, and by turning Ω along the limit, which leaves
    the tangent plane by ½h²((Ω·n)(Ω·u) - Ω² cos θ). A limb that turns by 0.3 rad in a step would
    otherwise pass its limit by degrees.
    """
    a, b, v, R = elements.body[e, 0], elements.body[e, 1], bodies.velocity, bodies.rotation
    n, u = elements.axis_a[e, r], elements.axis_b[e, r]
    cosine, along, n_turn, u_turn, square = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(3):
        ni = R[a, i, 0] * n[0] + R[a, i, 1] * n[1] + R[a, i, 2] * n[2]
        ui = R[b, i, 0] * u[0] + R[b, i, 1] * u[1] + R[b, i, 2] * u[2]
        turn = v[2 * b + 1, i] - v[2 * a + 1, i]
        j, k = (i + 1) % 3, (i + 2) % 3
        nj = R[a, j, 0] * n[0] + R[a, j, 1] * n[1] + R[a, j, 2] * n[2]
        nk = R[a, k, 0] * n[0] + R[a, k, 1] * n[1] + R[a, k, 2] * n[2]
        uj = R[b, j, 0] * u[0] + R[b, j, 1] * u[1] + R[b, j, 2] * u[2]
        uk = R[b, k, 0] * u[0] + R[b, k, 1] * u[1] + R[b, k, 2] * u[2]
        along += turn * (nj * uk - nk * uj)  # Ω·(n × u): turning that changes θ itself
        cosine += ni * ui
        n_turn += turn * ni
        u_turn += turn * ui
        square += turn * turn
    angle = math.acos(min(max(cosine, -1.0), 1.0))
    limit = math.acos(min(max(elements.rest[e, r], -1.0), 1.0))
    sine = math.sin(angle)
    if sine > STRAIGHT_SWING:
        square -= along * along / (sine * sine)
    bend = 0.5 * h * h * (n_turn * u_turn - square * cosine)
    return sine * (limit - angle) + min(bend, 0.0), sine
