"""Bounded rows: projected Gauss-Seidel on the Schur complement of the exactly solved joints.

Row u has the response r_u = A⁻¹ J_uᵀ, a solve with the factor over its component (two blocks for
a free body). One visit:

    w = J_u x + bias_u + Σ dμ_u,   Δ = -w / (J_u r_u + Σ),   project μ + Δ,   x += r_u Δ

where x is the velocity (or its correction), so every joint holds exactly during the sweeps and
the iteration sees only what can open, slide or saturate.
"""

import math

from physics.jit import kernel
from physics.params import (
    BLURRED_SWING,
    BLURRED_TWIST,
    IMMOVABLE,
    IMPACT_MARGIN,
    LIMIT_MARGIN,
    LIMIT_PUSH_SPEED,
    LIMIT_RECOVERY,
)
from physics.solver.assembly import row_velocity
from physics.solver.ldu import solve
from physics.state import ANGLE, DISTANCE, DOT1, GRAB, POSITION, PULLEY


@kernel
def collect(scene, h):
    """Lists the bounded rows that may act; writes `rows` but for their responses and aims."""
    bodies, elements, system, rows = scene.bodies, scene.elements, scene.system, scene.unilateral
    margin = IMPACT_MARGIN if scene.contacts.count[0] > 0 else LIMIT_MARGIN
    used = 0
    offset = 0
    for i in range(len(system.unilateral)):
        e = system.unilateral[i]
        for r in range(3):
            source = 3 * i + r
            rows.goal[source] = math.inf  # of what is no limit: it cannot be missed
            if is_limit(elements, elements.J_start, e, r):
                excess = max(limit_excess(elements, e, r), 0.0)
                rows.goal[source] = excess - min(LIMIT_RECOVERY * excess, LIMIT_PUSH_SPEED * h)
            near = rows.aim[source] > 0.0
            near = near or _may_act(elements, e, r, bodies.velocity, h, margin)
            near = near and not _is_blurred(elements, elements.J_start, e, r)
            near = near and not _is_straight(elements, e, r)
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
    if _is_blurred(elements, J, e, r):
        return False
    if elements.mode[e, r] != POSITION or elements.compliance[e, r] > 0.0 or elements.idle[e, r]:
        return False
    one_sided = elements.lower[e, r] >= 0.0 or elements.upper[e, r] <= 0.0
    kind = elements.primitive[e, r]
    return one_sided and kind != DISTANCE and kind != PULLEY


@kernel
def is_rope(elements, e, r):
    """Whether the row is a hard rope: a length that may only be less."""
    if elements.mode[e, r] != POSITION or elements.compliance[e, r] > 0.0 or elements.idle[e, r]:
        return False
    kind = elements.primitive[e, r]
    return elements.upper[e, r] <= 0.0 and (kind == DISTANCE or kind == PULLEY)


@kernel
def _is_blurred(elements, J, e, r):
    """Whether a twist limit means nothing here: the arm is turned over.

    The twist turns by 1/cos(swing/2) when b turns by one; at half a turn it is undefined.
    """
    if elements.primitive[e, r] != ANGLE or elements.mode[e, r] != POSITION:
        return False
    if elements.lower[e, r] < 0.0 and elements.upper[e, r] > 0.0:
        return False
    square = J[e, 1, r, 0] ** 2 + J[e, 1, r, 1] ** 2 + J[e, 1, r, 2] ** 2
    return square > BLURRED_TWIST * BLURRED_TWIST


@kernel
def _is_straight(elements, e, r):
    """Whether a limb is so far within its swing limit that no direction leads out of it.

    J = n × u is the sine of the swing: an impulse that should stop a limb there divides by it.
    """
    if elements.primitive[e, r] != DOT1 or elements.lower[e, r] < 0.0 or elements.phi[e, r] <= 0.0:
        return False
    J = elements.J_start
    square = J[e, 1, r, 0] ** 2 + J[e, 1, r, 1] ** 2 + J[e, 1, r, 2] ** 2
    return square < BLURRED_SWING * BLURRED_SWING


@kernel
def limit_excess(elements, e, r):
    """How far a limit is exceeded, m or rad; negative within it."""
    phi = elements.phi[e, r]
    if elements.primitive[e, r] == DOT1:
        rest = elements.rest[e, r]
        turned = math.acos(min(max(phi + rest, -1.0), 1.0)) - math.acos(min(max(rest, -1.0), 1.0))
        return turned if elements.lower[e, r] >= 0.0 else -turned
    return -phi if elements.lower[e, r] >= 0.0 else phi


@kernel
def forget_aims(rows):
    """Writes aim: the coming step aims at the limits themselves."""
    for k in range(len(rows.aim)):
        rows.aim[k] = 0.0


@kernel
def respond(scene, h):
    """Responses and diagonals of the listed rows with the present factor.

    Writes unilateral.response and diagonal, and Σ, Γ of grab rows.
    """
    elements, system, rows = scene.elements, scene.system, scene.unilateral
    x = system.residual
    for u in range(rows.count[0]):
        e, r = rows.element[u], rows.row[u]
        for half in range(2):
            for k in range(rows.span[u, 2 * half], rows.span[u, 2 * half + 1]):
                x[k, 0] = 0.0
                x[k, 1] = 0.0
                x[k, 2] = 0.0
        for s in range(4):
            k = system.position_of[elements.node[e, s]]
            if k >= 0:
                for c in range(3):
                    x[k, c] += elements.J_start[e, s, r, c]
        target = rows.offset[u]
        for half in range(2):
            first, stop = rows.span[u, 2 * half], rows.span[u, 2 * half + 1]
            if stop > first:
                solve(system, x, first, stop)
            for k in range(first, stop):
                for c in range(3):
                    rows.response[target, c] = x[k, c]
                target += 1
        rows.diagonal[u] = row_at_places(elements, system, e, r, x)
        if rows.diagonal[u] < IMMOVABLE * _mobility_alone(elements, system, e, r):
            rows.diagonal[u] = 0.0
            continue
        if elements.mode[e, r] == GRAB:
            _scale_grab(elements, e, r, rows.diagonal[u], h)
        rows.diagonal[u] += elements.sigma[e, r]


@kernel
def _mobility_alone(elements, system, e, r):
    """Σ |J|²/tr M over the free nodes of a row: how far it gives way at least without joints."""
    total = 0.0
    for s in range(4):
        node = elements.node[e, s]
        if system.position_of[node] >= 0:
            J, M = elements.J_start[e, s, r], system.mass[node]
            square = J[0] * J[0] + J[1] * J[1] + J[2] * J[2]
            total += square / (M[0, 0] + M[1, 1] + M[2, 2])
    return total


@kernel
def row_at_places(elements, system, e, r, x):
    """J x of a row, x given at places."""
    total = 0.0
    for s in range(4):
        k = system.position_of[elements.node[e, s]]
        if k >= 0:
            for c in range(3):
                total += elements.J[e, s, r, c] * x[k, c]
    return total


@kernel
def _scale_grab(elements, e, r, mobility, h):
    """A spring of given frequency on the mass it meets, critically damped, of bounded force."""
    mass = 1.0 / max(mobility, 1e-12)
    omega = elements.stiffness[e]
    C = 1.0 / (mass * omega * omega)
    elements.gamma[e, r] = 1.0 / (1.0 + C * (2.0 * mass * omega) / h)
    elements.sigma[e, r] = C / (h * h) * elements.gamma[e, r]
    elements.upper[e, r] = mass * elements.damper[e]
    elements.lower[e, r] = -elements.upper[e, r]


@kernel
def warm_start(scene, x, h):
    """Begins with the previous step's impulses: x += r_u μ_u; writes x, elements.mu and change."""
    elements, rows = scene.elements, scene.unilateral
    for u in range(rows.count[0]):
        e, r = rows.element[u], rows.row[u]
        mu = 0.0
        if rows.diagonal[u] > 0.0:
            mu = min(max(elements.lam[e, r], elements.lower[e, r]), elements.upper[e, r]) * h
        elements.mu[e, r] = mu
        rows.change[u] = mu
        apply(rows, u, mu, x)


@kernel
def apply(rows, u, amount, x):
    """x += r_u · amount; writes x."""
    source = rows.offset[u]
    for half in range(2):
        for k in range(rows.span[u, 2 * half], rows.span[u, 2 * half + 1]):
            for c in range(3):
                x[k, c] += amount * rows.response[source, c]
            source += 1


@kernel
def visit_rows(scene, x, h):
    """One visit of every listed row; returns the largest change of speed, m/s.

    Writes x, elements.mu, unilateral.change.
    """
    elements, system, rows = scene.elements, scene.system, scene.unilateral
    worst = 0.0
    for u in range(rows.count[0]):
        e, r = rows.element[u], rows.row[u]
        if rows.diagonal[u] <= 0.0:
            continue
        w = row_at_places(elements, system, e, r, x) + rows.bias[u]
        w += elements.sigma[e, r] * rows.change[u]
        old = elements.mu[e, r]
        new = old - w / rows.diagonal[u]
        new = min(max(new, elements.lower[e, r] * h), elements.upper[e, r] * h)
        if new != old:
            elements.mu[e, r] = new
            rows.change[u] += new - old
            apply(rows, u, new - old, x)
            worst = max(worst, abs(new - old) * rows.diagonal[u])
    return worst
