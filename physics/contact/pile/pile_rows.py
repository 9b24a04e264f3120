"""What a pile's sweeps read, packed: a row for each body and a row for each contact.

A body's row (`bodies.pile`), by slot; the world's, slot 0, stands for all that does not move:

    0 v, ω | 6 1/m by axis | 9 I⁻¹ (xx xy xz yy yz zz) | 15 way since the start of the step
    18 turn since then, a matrix | 27 orientation at the start

A contact's row (`contacts.pile`):

    0 n, t1, t2 | 9 levers on a and b | 15 speed wanted along n, n·u, t1·u, t2·u of what is
    prescribed | 19 1/S_nn | 20 S_tn | 22 S_tt⁻¹ | 25 s | 26 μ_f | 27 impulse of the substep
    30 levers at the start of the step | 36 gap at its start, gap now | 38 speed of the touch
    39 acceleration along n without contacts | 40 ρ and its moment | 44 impulse of the step
    47 e | 48 prescribed relative spin | 51 impulse of the substep's impacts

S = J M⁻¹ Jᵀ of the contact alone (3x3), s the largest eigenvalue of its tangential part, as in
`contact/packed.py`. The geometry is found once per step: normals stay, levers turn with the bodies,

    gap = gap₀ + n·(way_a + (Q_a - 1) r_a - way_b - (Q_b - 1) r_b)      with turns Q.
"""

import math

from physics.jit import kernel
from physics.linalg import quaternion_to_matrix
from physics.state import DYNAMIC, KEYFRAMED, WORLD

PILE_BODY, PILE_CONTACT = 32, 56  # columns
SPIN, LIGHTNESS, INERTIA, WAY, TURN, ORIENTATION = 3, 6, 9, 15, 18, 27
ARM, WANTED, MOVED, LIGHT, ACROSS, STICK, SLIP, FRICTION, IMPULSE = 9, 15, 16, 19, 20, 22, 25, 26, 27
ARM_START, GAP_START, GAP, TOUCH, FALL, ROLLING, ROLL, TOTAL = 30, 36, 37, 38, 39, 40, 41, 44
RESTITUTION, SPUN, STRUCK = 47, 48, 51

_PLANAR = 1e-9  # det S_tt / s² below which there is one tangent only: two dimensions


@kernel
def load_world(rows):
    """The row of everything that does not move: no velocity, no lightness; writes rows[WORLD]."""
    for i in range(PILE_BODY):
        rows[WORLD, i] = 0.0
    for i in range(3):
        rows[WORLD, TURN + 4 * i] = 1.0


@kernel
def load_body(bodies, b, rows):
    """Velocity and lightness of body b, at the start of the step; writes rows[b]."""
    for i in range(3):
        rows[b, i] = bodies.velocity[2 * b, i]
        rows[b, SPIN + i] = bodies.velocity[2 * b + 1, i]
        rows[b, LIGHTNESS + i] = bodies.free[2 * b, i] / bodies.mass[b]
        rows[b, WAY + i] = 0.0
        for j in range(3):
            rows[b, TURN + 3 * i + j] = 1.0 if i == j else 0.0
    for i in range(4):
        rows[b, ORIENTATION + i] = bodies.orientation[b, i]
    if bodies.kind[b] == DYNAMIC:
        quaternion_to_matrix(bodies.orientation, b, bodies.rotation)
        set_lightness(bodies, b, rows)
    else:
        for i in range(6):
            rows[b, INERTIA + i] = 0.0


@kernel
def set_lightness(bodies, b, rows):
    """I⁻¹ in world axes, without what is locked; writes rows[b]."""
    R, inertia = bodies.rotation, bodies.inertia
    if bodies.spherical[b] and not bodies.masked[b]:
        light = 1.0 / inertia[b, 0, 0]
        for i in range(6):
            rows[b, INERTIA + i] = 0.0
        rows[b, INERTIA], rows[b, INERTIA + 3], rows[b, INERTIA + 5] = light, light, light
        return
    xx, xy, xz, yy, yz, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(3):
        for j in range(3):
            m = inertia[b, i, j]
            xx += R[b, 0, i] * m * R[b, 0, j]
            xy += R[b, 0, i] * m * R[b, 1, j]
            xz += R[b, 0, i] * m * R[b, 2, j]
            yy += R[b, 1, i] * m * R[b, 1, j]
            yz += R[b, 1, i] * m * R[b, 2, j]
            zz += R[b, 2, i] * m * R[b, 2, j]
    fx, fy, fz = bodies.free[2 * b + 1, 0], bodies.free[2 * b + 1, 1], bodies.free[2 * b + 1, 2]
    xy, xz, yz = xy * fx * fy, xz * fx * fz, yz * fy * fz
    a, c, e = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    scale = 1.0 / (xx * a + xy * c + xz * e)
    rows[b, INERTIA] = scale * a * fx
    rows[b, INERTIA + 1] = scale * c * fx * fy
    rows[b, INERTIA + 2] = scale * e * fx * fz
    rows[b, INERTIA + 3] = scale * (xx * zz - xz * xz) * fy
    rows[b, INERTIA + 4] = scale * (xy * xz - xx * yz) * fy * fz
    rows[b, INERTIA + 5] = scale * (xx * yy - xy * xy) * fz


@kernel
def load_contact(bodies, given, c, share, rows):
    """Geometry, lightness and warm start of contact c; writes rows[c] and given.pair[c].

    `given` are the contact rows of the step; a substep begins with `share` of their impulse.
    """
    a, b = given.body_a[c], given.body_b[c]
    for i in range(3):
        rows[c, i] = given.normal[c, i]
        rows[c, 3 + i] = given.tangent1[c, i]
        rows[c, 6 + i] = given.tangent2[c, i]
        rows[c, ARM + i] = given.anchor_a[c, i]
        rows[c, ARM + 3 + i] = given.anchor_b[c, i]
        rows[c, ARM_START + i] = given.anchor_a[c, i]
        rows[c, ARM_START + 3 + i] = given.anchor_b[c, i]
        warm = share * given.mu[c, i]
        rows[c, IMPULSE + i] = warm if math.isfinite(warm) else 0.0
        rows[c, MOVED + i] = 0.0
        rows[c, ROLL + i] = 0.0
        rows[c, TOTAL + i] = 0.0
        rows[c, SPUN + i] = 0.0
    rows[c, FRICTION], rows[c, ROLLING] = given.friction[c], given.rolling[c]
    rows[c, RESTITUTION], rows[c, STRUCK] = given.restitution[c], 0.0
    rows[c, GAP_START], rows[c, GAP] = given.gap[c], given.gap[c]
    rows[c, TOUCH], rows[c, FALL] = 0.0, 0.0
    for side in range(2):
        moves = a if side == 0 else b
        if bodies.kind[moves] == KEYFRAMED:
            _add_prescribed(bodies.velocity, moves, 1.0 - 2.0 * side, c, ARM + 3 * side, rows)
    given.pair[c, 0] = a if bodies.solved[2 * a] else WORLD
    given.pair[c, 1] = b if bodies.solved[2 * b] else WORLD
    set_block(bodies.pile, given.pair[c, 0], given.pair[c, 1], c, rows)


@kernel
def _add_prescribed(velocity, b, sign, c, arm, rows):
    """Adds the speed of a keyframed body's point along n, t1, t2; writes rows[c]."""
    wx, wy, wz = velocity[2 * b + 1, 0], velocity[2 * b + 1, 1], velocity[2 * b + 1, 2]
    rx, ry, rz = rows[c, arm], rows[c, arm + 1], rows[c, arm + 2]
    vx = velocity[2 * b, 0] + wy * rz - wz * ry
    vy = velocity[2 * b, 1] + wz * rx - wx * rz
    vz = velocity[2 * b, 2] + wx * ry - wy * rx
    for r in range(3):
        along = rows[c, 3 * r] * vx + rows[c, 3 * r + 1] * vy + rows[c, 3 * r + 2] * vz
        rows[c, MOVED + r] += sign * along
        rows[c, SPUN + r] += sign * velocity[2 * b + 1, r]


@kernel
def _mobility(x, b, P, c, p, q, arm):
    """d·M⁻¹·e of one body at its point, for the directions at p and q of the contact's row."""
    rx, ry, rz = P[c, arm], P[c, arm + 1], P[c, arm + 2]
    dx, dy, dz = P[c, p], P[c, p + 1], P[c, p + 2]
    ex, ey, ez = P[c, q], P[c, q + 1], P[c, q + 2]
    ux, uy, uz = ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx
    wx, wy, wz = ry * ez - rz * ey, rz * ex - rx * ez, rx * ey - ry * ex
    tx = x[b, 9] * wx + x[b, 10] * wy + x[b, 11] * wz
    ty = x[b, 10] * wx + x[b, 12] * wy + x[b, 13] * wz
    tz = x[b, 11] * wx + x[b, 13] * wy + x[b, 14] * wz
    moved = x[b, 6] * dx * ex + x[b, 7] * dy * ey + x[b, 8] * dz * ez
    return moved + ux * tx + uy * ty + uz * tz


@kernel
def _entry(x, a, b, P, c, p, q):
    return _mobility(x, a, P, c, p, q, ARM) + _mobility(x, b, P, c, p, q, ARM + 3)


@kernel
def set_block(x, a, b, c, P):
    """What an update needs of S, of the bodies at places a and b; writes P[c]."""
    nn, tn, bn = _entry(x, a, b, P, c, 0, 0), _entry(x, a, b, P, c, 3, 0), _entry(x, a, b, P, c, 6, 0)
    tt, tb, bb = _entry(x, a, b, P, c, 3, 3), _entry(x, a, b, P, c, 3, 6), _entry(x, a, b, P, c, 6, 6)
    half = 0.5 * (tt - bb)
    slip = 0.5 * (tt + bb) + math.sqrt(half * half + tb * tb)
    det = tt * bb - tb * tb
    P[c, LIGHT] = 1.0 / nn if nn > 0.0 else 0.0
    P[c, ACROSS], P[c, ACROSS + 1] = tn, bn
    P[c, STICK], P[c, STICK + 1], P[c, STICK + 2] = 0.0, 0.0, 0.0
    if det > _PLANAR * slip * slip:
        P[c, STICK], P[c, STICK + 1], P[c, STICK + 2] = bb / det, -tb / det, tt / det
    P[c, SLIP] = slip


@kernel
def update_geometry(x, a, b, c, moved, P):
    """Levers and gap where the bodies at places a and b are now; writes P[c].

    `moved`: s since the start of the step, for what keyframed bodies have moved.
    """
    opened = moved * P[c, MOVED]
    for side in range(2):
        k = a if side == 0 else b
        if k == WORLD:
            continue
        s, t = ARM_START + 3 * side, ARM + 3 * side
        rx, ry, rz = P[c, s], P[c, s + 1], P[c, s + 2]
        qx = x[k, 18] * rx + x[k, 19] * ry + x[k, 20] * rz
        qy = x[k, 21] * rx + x[k, 22] * ry + x[k, 23] * rz
        qz = x[k, 24] * rx + x[k, 25] * ry + x[k, 26] * rz
        P[c, t], P[c, t + 1], P[c, t + 2] = qx, qy, qz
        way = P[c, 0] * (x[k, 15] + qx - rx)
        way += P[c, 1] * (x[k, 16] + qy - ry) + P[c, 2] * (x[k, 17] + qz - rz)
        opened += way * (1.0 - 2.0 * side)
    P[c, GAP] = P[c, GAP_START] + opened


@kernel
def update_turn(orientation, b, x):
    """The turn from the orientation at the start to the present one; writes x[b]."""
    w, p, q, r = x[b, 27], -x[b, 28], -x[b, 29], -x[b, 30]
    a, i, j, k = orientation[b, 0], orientation[b, 1], orientation[b, 2], orientation[b, 3]
    s = a * w - i * p - j * q - k * r
    u = a * p + i * w + j * r - k * q
    v = a * q - i * r + j * w + k * p
    z = a * r + i * q - j * p + k * w
    x[b, 18], x[b, 19] = 1.0 - 2.0 * (v * v + z * z), 2.0 * (u * v - s * z)
    x[b, 20], x[b, 21] = 2.0 * (u * z + s * v), 2.0 * (u * v + s * z)
    x[b, 22], x[b, 23] = 1.0 - 2.0 * (u * u + z * z), 2.0 * (v * z - s * u)
    x[b, 24], x[b, 25] = 2.0 * (u * z - s * v), 2.0 * (v * z + s * u)
    x[b, 26] = 1.0 - 2.0 * (u * u + v * v)
