"""Rows between a soft body and the rest of the world: contacts and attachments.

A row concerns the material point p = Σ w_a x_a of up to four nodes and a point q of a rigid body
(or of the world), which moves with u = v_b + ω × r. With the relative velocity w = ṗ - u its
impulse on the soft body is

    held        μ = m - κ (w + (p - q)/h)                          an attachment
    pressed     μ = n (m - κ (n·w + target)) - c (w - n n·w)       a contact, if m - κ(…) > 0

m is the impulse of the last step (the multiplier of an augmented Lagrangian: resting contacts and
loaded attachments have no error left), κ a stiffness times h² far above the masses involved, and
c = min(κ, f μ_n/|w_t|) the secant of Coulomb friction: below κ the row slides at exactly f μ_n.

So an active row is a symmetric positive semi-definite block B = κ nnᵀ + c(1 - nnᵀ) on the relative
velocity. It enters the matrix of the soft body on its own nodes, where it costs nothing, and rigid
bodies add six columns each, however many rows there are (physics/soft/coupling/coupled_solve.py).

Where two rigid bodies touch, p belongs to the other one, and no node has a weight: such rows are
there for the time of a solve only (physics/soft/coupling/resting.py).
"""

from math import sin, sqrt

import numpy as np

from physics.jit import kernel
from physics.params import CONTACT_PUSH_SPEED, CONTACT_RECOVERY, CONTACT_SLOP

HELD, PRESSED = 0, 1
OPEN, ACTIVE = 0, 1
MATTERS = 0.02  # of the largest load: a smaller one may be wrong for a step without being seen
NO_TURN = 1e-12  # rad: the chord of a smaller turn leaves out less than rounding


@kernel
def target_speed(gap, h):
    """Speed by which a contact wants n·w to exceed its negative, m/s."""
    if gap >= 0.0:
        return gap / h
    return -min(CONTACT_RECOVERY * max(-gap - CONTACT_SLOP, 0.0) / h, CONTACT_PUSH_SPEED)


@kernel
def _relative(rows, r, v, out):
    """w of row r for nodal velocities v. Written: out (3,)."""
    for d in range(3):
        out[d] = -rows.speed[r, d]
        for a in range(4):
            out[d] += rows.weight[r, a] * v[rows.node[r, a], d]


@kernel
def normal_load(rows, r, w, kappa, h):
    """m - κ(n·w + target): the normal impulse before it is cut off at zero."""
    n, m = rows.normal, rows.memory
    memory = n[r, 0] * m[r, 0] + n[r, 1] * m[r, 1] + n[r, 2] * m[r, 2]
    speed = n[r, 0] * w[0] + n[r, 1] * w[1] + n[r, 2] * w[2]
    return memory - kappa * (speed + target_speed(rows.gap[r], h))


@kernel
def evaluate(rows, v, kappa, h):
    """Impulses of all rows at nodal velocities v and body speeds rows.speed. Written: impulse."""
    w = np.empty(3)
    for r in range(rows.count[0]):
        _relative(rows, r, v, w)
        if rows.kind[r] == HELD:
            for d in range(3):
                rows.impulse[r, d] = rows.memory[r, d] - kappa * (w[d] + rows.error[r, d] / h)
        elif rows.state[r] == OPEN:
            for d in range(3):
                rows.impulse[r, d] = 0.0
        else:
            load = normal_load(rows, r, w, kappa, h)
            n = rows.normal
            along = n[r, 0] * w[0] + n[r, 1] * w[1] + n[r, 2] * w[2]
            for d in range(3):
                across = w[d] - along * n[r, d]
                rows.impulse[r, d] = load * n[r, d] - rows.stick[r] * across


@kernel
def potential(rows, v, way, share, kappa, h):
    """What the rows add to the incremental potential at v + share·way: load₊²/2κ each, J."""
    w, ahead = np.empty(3), np.empty(3)
    total = 0.0
    for r in range(rows.count[0]):
        _relative(rows, r, v, w)
        for d in range(3):
            ahead[d] = 0.0
            for a in range(4):
                ahead[d] += rows.weight[r, a] * way[rows.node[r, a], d]
            w[d] += share * ahead[d]
        if rows.kind[r] == HELD:
            for d in range(3):
                pull = rows.memory[r, d] - kappa * (w[d] + rows.error[r, d] / h)
                total += 0.5 * pull * pull / kappa
            continue
        load = normal_load(rows, r, w, kappa, h)
        if load > 0.0:
            n = rows.normal
            along = n[r, 0] * w[0] + n[r, 1] * w[1] + n[r, 2] * w[2]
            slide = w[0] * w[0] + w[1] * w[1] + w[2] * w[2] - along * along
            total += 0.5 * (load * load / kappa + rows.stick[r] * slide)
    return total


@kernel
def block(rows, r, kappa, B):
    """B of row r. Written: B (3, 3)."""
    c = kappa if rows.kind[r] == HELD else rows.stick[r]
    for i in range(3):
        for j in range(3):
            B[i, j] = (kappa - c) * rows.normal[r, i] * rows.normal[r, j] + (c if i == j else 0.0)


@kernel
def add_to_system(rows, kappa, diagonal, off, rhs):
    """Active rows into the matrix, their impulses into the right side. Written: the last three."""
    B = np.empty((3, 3))
    for r in range(rows.count[0]):
        if rows.state[r] == OPEN:
            continue
        block(rows, r, kappa, B)
        pair = 0
        for a in range(4):
            i, wa = rows.node[r, a], rows.weight[r, a]
            if wa != 0.0:
                for c in range(3):
                    rhs[i, c] += wa * rows.impulse[r, c]
                    for d in range(3):
                        diagonal[i, c, d] += wa * wa * B[c, d]
            for b in range(a + 1, 4):
                weight = wa * rows.weight[r, b]
                if weight != 0.0:
                    for c in range(3):
                        for d in range(3):
                            off[rows.slot[r, pair], c, d] += weight * B[c, d]
                pair += 1


@kernel
def update_active_set(rows, v, kappa, h, slide_too):
    """Which contacts press at velocities v; returns how many changed that matter. Written: state.

    `slide_too`: their friction secants as well, for which v must be a solution. Written: stick.
    """
    changed = 0
    w = np.empty(3)
    largest = 0.0
    for r in range(rows.held[0], rows.count[0]):
        _relative(rows, r, v, w)
        largest = max(largest, normal_load(rows, r, w, kappa, h))
    tolerance = MATTERS * largest
    for r in range(rows.held[0], rows.count[0]):
        _relative(rows, r, v, w)
        load = normal_load(rows, r, w, kappa, h)
        state = ACTIVE if load > 0.0 else OPEN
        changed += state != rows.state[r] and abs(load) > tolerance
        rows.state[r] = state
        if not slide_too:
            continue
        n = rows.normal
        along = n[r, 0] * w[0] + n[r, 1] * w[1] + n[r, 2] * w[2]
        slide = 0.0
        for d in range(3):
            slide += (w[d] - along * n[r, d]) ** 2
        most = rows.friction[r] * max(load, 0.0)
        slide = slide**0.5
        rows.stick[r] = min(kappa, most / slide) if most < kappa * slide else kappa
        if most == 0.0:
            rows.stick[r] = 0.0
    return changed


@kernel
def _arm_columns(x, P):
    """P maps (v_b, ω) to the speed at arm x. Written: P (3, 6)."""
    for d in range(3):
        P[d, d] = 1.0
    P[0, 4], P[0, 5] = x[2], -x[1]  # ω × r
    P[1, 3], P[1, 5] = -x[2], x[0]
    P[2, 3], P[2, 4] = x[1], -x[0]


@kernel
def body_columns(rows, column, kappa, T, D):
    """Σ B P over the nodes and Σ PᵀBP over the bodies; P maps (v_b, ω) to u.

    column[body] is the body's first column, or -1 if its motion is not an unknown. Written: T
    (n, 3, R), D (R, R).
    """
    B, P, BP = np.empty((3, 3)), np.zeros((3, 6)), np.empty((3, 6))
    for r in range(rows.count[0]):
        if rows.state[r] == OPEN:
            continue
        k, other = column[rows.body[r]], -1
        if rows.other[r] > 0:
            other = column[rows.other[r]]
        if k < 0 and other < 0:
            continue
        block(rows, r, kappa, B)
        if k >= 0:
            _arm_columns(rows.arm[r], P)
            _multiply_columns(B, P, BP)
            for a in range(4):
                weight = rows.weight[r, a]
                if weight != 0.0:
                    for c in range(3):
                        for j in range(6):
                            T[rows.node[r, a], c, k + j] += weight * BP[c, j]
            _add_square(P, BP, 1.0, k, k, D)
        if other >= 0:
            Q, BQ = np.zeros((3, 6)), np.empty((3, 6))
            _arm_columns(rows.other_arm[r], Q)
            _multiply_columns(B, Q, BQ)
            _add_square(Q, BQ, 1.0, other, other, D)
            if k >= 0:
                _add_square(P, BQ, -1.0, k, other, D)
                _add_square(Q, BP, -1.0, other, k, D)


@kernel
def _multiply_columns(B, P, BP):
    for c in range(3):
        for j in range(6):
            BP[c, j] = B[c, 0] * P[0, j] + B[c, 1] * P[1, j] + B[c, 2] * P[2, j]


@kernel
def _add_square(P, BP, sign, k, m, D):
    """Adds sign·PᵀBP to the block of D at (k, m)."""
    for i in range(6):
        for j in range(6):
            part = P[0, i] * BP[0, j] + P[1, i] * BP[1, j] + P[2, i] * BP[2, j]
            D[k + i, m + j] += sign * part


@kernel
def _add_wrench(k, x, m, sign, total):
    """Adds sign·(m, x × m) to the six of a body that begin at k, if there are any."""
    if k < 0:
        return
    for d in range(3):
        total[k + d] += sign * m[d]
    total[k + 3] += sign * (x[1] * m[2] - x[2] * m[1])
    total[k + 4] += sign * (x[2] * m[0] - x[0] * m[2])
    total[k + 5] += sign * (x[0] * m[1] - x[1] * m[0])


@kernel
def body_impulses(rows, first, column, total):
    """Σ -Pᵀμ over the rows of each body from `first` on: what others give them. Written: total."""
    for r in range(first, rows.count[0]):
        if rows.state[r] == OPEN:
            continue
        _add_wrench(column[rows.body[r]], rows.arm[r], rows.impulse[r], -1.0, total)
        if rows.other[r] > 0:
            _add_wrench(column[rows.other[r]], rows.other_arm[r], rows.impulse[r], 1.0, total)


@kernel
def body_speeds(rows, column, motion, velocity):
    """u of every row: from `motion` (R,) for unknown bodies, from `velocity` (2n, 3) else.

    Less that of the other body, if there is one. Written: rows.speed.
    """
    for r in range(rows.count[0]):
        for d in range(3):
            rows.speed[r, d] = 0.0
        _add_speed(rows.body[r], rows.arm[r], 1.0, column, motion, velocity, rows.speed[r])
        if rows.other[r] > 0:
            _add_speed(
                rows.other[r], rows.other_arm[r], -1.0, column, motion, velocity, rows.speed[r]
            )


@kernel
def _add_speed(b, arm, sign, column, motion, velocity, speed):
    """Adds sign times the speed of body b at `arm`. Written: speed (3,)."""
    k = column[b]
    x, y, z = arm[0], arm[1], arm[2]
    if k >= 0:
        vx, vy, vz = motion[k], motion[k + 1], motion[k + 2]
        wx, wy, wz = motion[k + 3], motion[k + 4], motion[k + 5]
    else:
        vx, vy, vz = velocity[2 * b, 0], velocity[2 * b, 1], velocity[2 * b, 2]
        wx, wy, wz = velocity[2 * b + 1, 0], velocity[2 * b + 1, 1], velocity[2 * b + 1, 2]
    speed[0] += sign * (vx + wy * z - wz * y)
    speed[1] += sign * (vy + wz * x - wx * z)
    speed[2] += sign * (vz + wx * y - wy * x)


@kernel
def _turn_short(x, y, z, a, b, c, h, out):
    """exp(hω) r - r - hω × r, ω = (a, b, c): what the chord of a turn leaves out. Written: out."""
    size = sqrt(a * a + b * b + c * c)
    angle = h * size
    out[0] = out[1] = out[2] = 0.0
    if angle < NO_TURN:
        return
    a, b, c = a / size, b / size, c / size
    p, q, r = b * z - c * y, c * x - a * z, a * y - b * x
    s, t = sin(angle) - angle, 2.0 * sin(0.5 * angle) ** 2
    out[0] = s * p + t * (b * r - c * q)
    out[1] = s * q + t * (c * p - a * r)
    out[2] = s * r + t * (a * q - b * p)


@kernel
def open_seams(rows, v, met, kappa, h, trial, push):
    """What is missing for attachments to be closed at the end of the step; their largest gap, m.

    The impulse found so far is kept as memory and grows by -κ times the gap over h: a round of the
    method of multipliers. Written: rows; added to trial (n, 3) and push (m,).
    """
    g = np.empty(3)
    worst = 0.0
    body_speeds(rows, met.column, met.motion, met.velocity)
    for r in range(rows.held[0]):
        k = met.column[rows.body[r]]
        w = met.motion[k + 3 : k + 6] if k >= 0 else met.velocity[2 * rows.body[r] + 1]
        x, y, z = rows.arm[r, 0], rows.arm[r, 1], rows.arm[r, 2]
        _turn_short(x, y, z, w[0], w[1], w[2], h, g)
        for d in range(3):
            rows.error[r, d] = rows.start[r, d] - g[d]
        _relative(rows, r, v, g)
        for d in range(3):
            g[d] += rows.error[r, d] / h
            worst = max(worst, h * abs(g[d]))
            g[d] *= -kappa
            rows.memory[r, d] = rows.impulse[r, d]
            for a in range(4):
                if rows.weight[r, a] != 0.0:
                    trial[rows.node[r, a], d] += rows.weight[r, a] * g[d]
        if k >= 0:
            for d in range(3):
                push[k + d] -= g[d]
            push[k + 3] -= y * g[2] - z * g[1]
            push[k + 4] -= z * g[0] - x * g[2]
            push[k + 5] -= x * g[1] - y * g[0]
    _press(rows, v, met, kappa, h, trial, push)
    return worst


@kernel
def recompute_memory(rows, v, kappa, h):
    """Memories with which `evaluate` finds the impulses as they are. Written: rows.memory."""
    w = np.empty(3)
    for r in range(rows.count[0]):
        _relative(rows, r, v, w)
        if rows.kind[r] == HELD:
            for d in range(3):
                rows.memory[r, d] = rows.impulse[r, d] + kappa * (w[d] + rows.error[r, d] / h)
        elif rows.state[r] != OPEN:
            n, m = rows.normal[r], rows.impulse[r]
            load = n[0] * m[0] + n[1] * m[1] + n[2] * m[2]
            speed = n[0] * w[0] + n[1] * w[1] + n[2] * w[2] + target_speed(rows.gap[r], h)
            for d in range(3):
                rows.memory[r, d] = (load + kappa * speed) * n[d]


@kernel
def _press(rows, v, met, kappa, h, trial, push):
    """The same of contacts that act: they push what lies too deep, and never pull."""
    w = np.empty(3)
    for r in range(rows.held[0], rows.count[0]):
        if rows.state[r] == OPEN:
            continue
        _relative(rows, r, v, w)
        n = rows.normal[r]
        load = normal_load(rows, r, w, kappa, h)
        speed = n[0] * w[0] + n[1] * w[1] + n[2] * w[2] + target_speed(rows.gap[r], h)
        deeper = speed
        if rows.gap[r] < 0.0:  # it need not come out, which links may forbid: just no deeper
            deeper = min(speed - target_speed(rows.gap[r], h), 0.0)
        change = max(-kappa * deeper, -load)
        for d in range(3):
            rows.memory[r, d] = (load + change + kappa * speed) * n[d]
            for a in range(4):
                if rows.weight[r, a] != 0.0:
                    trial[rows.node[r, a], d] += rows.weight[r, a] * change * n[d]
        _add_wrench(met.column[rows.body[r]], rows.arm[r], n, -change, push)
        if rows.other[r] > 0:
            _add_wrench(met.column[rows.other[r]], rows.other_arm[r], n, change, push)


@kernel
def keep_impulses(rows):
    """Keeps what the next step starts from. Written: memory of attachments, old_*."""
    held, count = rows.held[0], rows.count[0]
    for r in range(held):
        for d in range(3):
            rows.memory[r, d] = rows.impulse[r, d]
    rows.old_count[0] = count - held
    for r in range(held, count):
        n, m = rows.normal, rows.impulse
        load = n[r, 0] * m[r, 0] + n[r, 1] * m[r, 1] + n[r, 2] * m[r, 2]
        rows.old_key[r - held] = rows.key[r]
        rows.old_load[r - held] = max(load, 0.0) if rows.state[r] == ACTIVE else 0.0
        rows.old_stick[r - held] = rows.stick[r]


@kernel
def warm_start(rows):
    """Loads of the last step to the contacts of this one. Written: memory, stick, state."""
    held = rows.held[0]
    k, known = 0, rows.old_count[0]
    for r in range(held, rows.count[0]):
        while k < known and rows.old_key[k] < rows.key[r]:
            k += 1
        load = 0.0
        rows.stick[r] = 0.0
        if k < known and rows.old_key[k] == rows.key[r]:
            load = rows.old_load[k]
            rows.stick[r] = rows.old_stick[k]
        rows.state[r] = ACTIVE if load > 0.0 else OPEN
        for d in range(3):
            rows.memory[r, d] = load * rows.normal[r, d]
