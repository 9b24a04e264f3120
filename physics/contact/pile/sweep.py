"""One sweep over the contacts of a pile, pair by pair: projected Gauss-Seidel on velocities.

With w = u_a - u_b at the point, and S of the contact alone:

    μ_n ← max(0, μ_n - (w_n + wanted)/S_nn),      then both tangents with what that changes
    stick   μ_t - S_tt⁻¹ w_t           if it lies in the disk |μ_t| ≤ μ_f μ_n
    slip    μ_t - w_t/s projected on the disk

Every update lowers the kinetic energy of the velocities seen from what is wanted. The velocities
of the two bodies stay in registers while the points of their pair are updated. Columns are those
of `pile_rows.py`, written as numbers where the compiler is to keep them.
"""

import math

from physics.contact.pile.pile_rows import ROLLING
from physics.jit import kernel


@kernel
def tangent_impulse(P, c, w1, w2, limit):
    """The impulse along both tangents at these speeds, within the disk of radius `limit`."""
    t1, t2 = P[c, 28], P[c, 29]
    if limit <= 0.0:
        return 0.0, 0.0
    n1 = t1 - (P[c, 22] * w1 + P[c, 23] * w2)
    n2 = t2 - (P[c, 23] * w1 + P[c, 24] * w2)
    if P[c, 22] == 0.0 or n1 * n1 + n2 * n2 > limit * limit:  # it slips
        s = P[c, 25]
        if s <= 0.0:
            return 0.0, 0.0
        n1, n2 = t1 - w1 / s, t2 - w2 / s
        size = n1 * n1 + n2 * n2
        if size > limit * limit:
            share = limit / math.sqrt(size)
            n1, n2 = n1 * share, n2 * share
    return n1, n2


@kernel
def sweep_pair(x, a, b, listed, start, end, P):
    """Updates the contacts listed[start:end] of the bodies at a and b; writes x and impulses.

    Returns the largest change of normal speed, m/s.
    """
    ax, ay, az, px, py, pz = x[a, 0], x[a, 1], x[a, 2], x[a, 3], x[a, 4], x[a, 5]
    bx, by, bz, qx, qy, qz = x[b, 0], x[b, 1], x[b, 2], x[b, 3], x[b, 4], x[b, 5]
    most = 0.0
    for at in range(start, end):
        c = listed[at]
        rx, ry, rz, sx, sy, sz = P[c, 9], P[c, 10], P[c, 11], P[c, 12], P[c, 13], P[c, 14]
        vx = ax - bx + (py * rz - pz * ry) - (qy * sz - qz * sy)
        vy = ay - by + (pz * rx - px * rz) - (qz * sx - qx * sz)
        vz = az - bz + (px * ry - py * rx) - (qx * sy - qy * sx)
        light, old = P[c, 19], P[c, 27]
        w = P[c, 0] * vx + P[c, 1] * vy + P[c, 2] * vz + P[c, 16] + P[c, 15]
        new = max(old - w * light, 0.0)
        if new == 0.0 and old == 0.0:
            continue
        n = new - old
        w1 = P[c, 3] * vx + P[c, 4] * vy + P[c, 5] * vz + P[c, 17] + P[c, 20] * n
        w2 = P[c, 6] * vx + P[c, 7] * vy + P[c, 8] * vz + P[c, 18] + P[c, 21] * n
        t1, t2 = tangent_impulse(P, c, w1, w2, P[c, 26] * new)
        d1, d2 = t1 - P[c, 28], t2 - P[c, 29]
        P[c, 27], P[c, 28], P[c, 29] = new, t1, t2
        if light > 0.0:
            most = max(most, abs(n) / light)
        ix = P[c, 0] * n + P[c, 3] * d1 + P[c, 6] * d2
        iy = P[c, 1] * n + P[c, 4] * d1 + P[c, 7] * d2
        iz = P[c, 2] * n + P[c, 5] * d1 + P[c, 8] * d2
        ax, ay, az = ax + x[a, 6] * ix, ay + x[a, 7] * iy, az + x[a, 8] * iz
        bx, by, bz = bx - x[b, 6] * ix, by - x[b, 7] * iy, bz - x[b, 8] * iz
        tx, ty, tz = ry * iz - rz * iy, rz * ix - rx * iz, rx * iy - ry * ix
        px += x[a, 9] * tx + x[a, 10] * ty + x[a, 11] * tz
        py += x[a, 10] * tx + x[a, 12] * ty + x[a, 13] * tz
        pz += x[a, 11] * tx + x[a, 13] * ty + x[a, 14] * tz
        tx, ty, tz = sy * iz - sz * iy, sz * ix - sx * iz, sx * iy - sy * ix
        qx -= x[b, 9] * tx + x[b, 10] * ty + x[b, 11] * tz
        qy -= x[b, 10] * tx + x[b, 12] * ty + x[b, 13] * tz
        qz -= x[b, 11] * tx + x[b, 13] * ty + x[b, 14] * tz
    if a > 0:
        x[a, 0], x[a, 1], x[a, 2], x[a, 3], x[a, 4], x[a, 5] = ax, ay, az, px, py, pz
    if b > 0:
        x[b, 0], x[b, 1], x[b, 2], x[b, 3], x[b, 4], x[b, 5] = bx, by, bz, qx, qy, qz
    return most


@kernel
def push(x, k, sign, ix, iy, iz, P, c, arm):
    """Velocity of the body at k from an impulse at the contact's point; writes x."""
    if k == 0:
        return
    rx, ry, rz = P[c, arm], P[c, arm + 1], P[c, arm + 2]
    ix, iy, iz = sign * ix, sign * iy, sign * iz
    x[k, 0] += x[k, 6] * ix
    x[k, 1] += x[k, 7] * iy
    x[k, 2] += x[k, 8] * iz
    turn(x, k, ry * iz - rz * iy, rz * ix - rx * iz, rx * iy - ry * ix)


@kernel
def turn(x, k, tx, ty, tz):
    """Spin of the body at k from a moment; writes x."""
    x[k, 3] += x[k, 9] * tx + x[k, 10] * ty + x[k, 11] * tz
    x[k, 4] += x[k, 10] * tx + x[k, 12] * ty + x[k, 13] * tz
    x[k, 5] += x[k, 11] * tx + x[k, 13] * ty + x[k, 14] * tz


@kernel
def apply(x, a, b, P, c, n, t1, t2):
    """Velocities from an impulse along n, t1, t2 of contact c; writes x."""
    ix = P[c, 0] * n + P[c, 3] * t1 + P[c, 6] * t2
    iy = P[c, 1] * n + P[c, 4] * t1 + P[c, 7] * t2
    iz = P[c, 2] * n + P[c, 5] * t1 + P[c, 8] * t2
    push(x, a, 1.0, ix, iy, iz, P, c, 9)
    push(x, b, -1.0, ix, iy, iz, P, c, 12)


@kernel
def point_speed(x, a, b, P, c, p):
    """Relative speed at the contact's point along the direction at p of its row, m/s."""
    rx, ry, rz, sx, sy, sz = P[c, 9], P[c, 10], P[c, 11], P[c, 12], P[c, 13], P[c, 14]
    vx = x[a, 0] - x[b, 0] + (x[a, 4] * rz - x[a, 5] * ry) - (x[b, 4] * sz - x[b, 5] * sy)
    vy = x[a, 1] - x[b, 1] + (x[a, 5] * rx - x[a, 3] * rz) - (x[b, 5] * sx - x[b, 3] * sz)
    vz = x[a, 2] - x[b, 2] + (x[a, 3] * ry - x[a, 4] * rx) - (x[b, 3] * sy - x[b, 4] * sx)
    return P[c, p] * vx + P[c, p + 1] * vy + P[c, p + 2] * vz + P[c, 16 + p // 3]


@kernel
def roll_contact(x, a, b, c, P):
    """Rolling and spinning friction: a moment of at most ρ μ_n that stops the relative spin.

    The spins give way to a moment τ by (I_a⁻¹ + I_b⁻¹) τ; its bound from above by row sums takes
    the place of its inverse, so the moment never overshoots. Writes x and the contact's moment.
    """
    limit = P[c, ROLLING] * P[c, 27]
    gx = _stiffest(x, a) + _stiffest(x, b)
    if gx <= 0.0:
        return
    ox, oy, oz = P[c, 41], P[c, 42], P[c, 43]
    tx = ox - (x[a, 3] - x[b, 3] + P[c, 48]) / gx
    ty = oy - (x[a, 4] - x[b, 4] + P[c, 49]) / gx
    tz = oz - (x[a, 5] - x[b, 5] + P[c, 50]) / gx
    size = math.sqrt(tx * tx + ty * ty + tz * tz)
    if size > limit:
        tx, ty, tz = tx * limit / size, ty * limit / size, tz * limit / size
    P[c, 41], P[c, 42], P[c, 43] = tx, ty, tz
    if a > 0:
        turn(x, a, tx - ox, ty - oy, tz - oz)
    if b > 0:
        turn(x, b, ox - tx, oy - ty, oz - tz)


@kernel
def _stiffest(x, k):
    """A bound of the largest eigenvalue of I⁻¹."""
    xy, xz, yz = abs(x[k, 10]), abs(x[k, 11]), abs(x[k, 13])
    return max(x[k, 9] + xy + xz, x[k, 12] + xy + yz, x[k, 14] + xz + yz)
