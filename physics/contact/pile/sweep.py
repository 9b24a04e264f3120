"""One sweep over a pile, patch by patch: projected Gauss-Seidel on velocities.

With w = u_a - u_b at a point and S its own response:

    all points   μ_n += max(-least μ_n, -Σ(w_n + wanted)/S),     the same for each
    each point   μ_n ← max(0, μ_n - (w_n + wanted)/S_nn),        several times in a row
    friction     T - S_tt⁻¹ w_t and τ - w_τ/S_ττ                 if |T|² + (τ/ρ)² ≤ (μ_f Σμ_n)²
                 T - w_t/s and τ - ρ² w_τ/s, scaled to that       if it slips

Every update lowers the kinetic energy of the velocities, seen from what is wanted. Those of
the two bodies stay in registers while their patch is updated; along one normal linear motion is a
single number. Columns are those of `pile_rows.py`.
"""

import math

from physics.contact.pile.pile_rows import (
    ALONG,
    CARRIED,
    CENTRE,
    FRICTION,
    GAP,
    IMPULSE,
    LIGHT,
    MEAN,
    MOVED,
    NORMAL,
    OUT,
    PART,
    RADIUS,
    ROLL,
    ROLLING,
    RUB,
    SLIP,
    SPINS,
    SPUN,
    STICK,
    TOGETHER,
    WANTED,
)
from physics.jit import kernel
from physics.params import PATCH_UPDATES


@kernel
def sweep_patch(x, a, b, listed, start, end, firm, leak, P):
    """Updates the patch listed[start:end] of the bodies at a and b; writes x and impulses."""
    p = listed[start]
    nx, ny, nz = P[p, NORMAL], P[p, NORMAL + 1], P[p, NORMAL + 2]
    ax, ay, az, px, py, pz = x[a, 0], x[a, 1], x[a, 2], x[a, 3], x[a, 4], x[a, 5]
    bx, by, bz, qx, qy, qz = x[b, 0], x[b, 1], x[b, 2], x[b, 3], x[b, 4], x[b, 5]
    along, u = P[p, ALONG], nx * (ax - bx) + ny * (ay - by) + nz * (az - bz)
    given, pressed, count = 0.0, 0.0, end - start
    if count > 1:
        total, least = 0.0, math.inf
        for at in range(start, end):
            c = listed[at]
            w = P[c, 0] * px + P[c, 1] * py + P[c, 2] * pz
            w -= P[c, 3] * qx + P[c, 4] * qy + P[c, 5] * qz
            total += w + P[c, WANTED]
            least = min(least, P[c, IMPULSE])
        n = max(-firm * (total + count * u) * P[p, TOGETHER], -least)
        if n != 0.0:
            u += count * along * n
            given = count * n
            for at in range(start, end):
                c = listed[at]
                P[c, IMPULSE] += n
                px, py, pz = px + P[c, 6] * n, py + P[c, 7] * n, pz + P[c, 8] * n
                qx, qy, qz = qx - P[c, 9] * n, qy - P[c, 10] * n, qz - P[c, 11] * n
    for again in range(PATCH_UPDATES if count > 1 else 1):
        pressed = 0.0
        for at in range(start, end):
            c = listed[at]
            w = u + P[c, WANTED] + (P[c, 0] * px + P[c, 1] * py + P[c, 2] * pz)
            w -= P[c, 3] * qx + P[c, 4] * qy + P[c, 5] * qz
            old = P[c, IMPULSE]
            new = old - firm * w * P[c, LIGHT]
            if P[c, GAP] < 0.0:
                new -= leak * (old - P[c, MEAN])
            new = max(new, 0.0)
            n = new - old
            P[c, IMPULSE] = new
            pressed += new
            given += n
            u += along * n
            px, py, pz = px + P[c, 6] * n, py + P[c, 7] * n, pz + P[c, 8] * n
            qx, qy, qz = qx - P[c, 9] * n, qy - P[c, 10] * n, qz - P[c, 11] * n
    if a > 0:
        x[a, 0] = ax + x[a, 6] * nx * given
        x[a, 1] = ay + x[a, 7] * ny * given
        x[a, 2] = az + x[a, 8] * nz * given
        x[a, 3], x[a, 4], x[a, 5] = px, py, pz
    if b > 0:
        x[b, 0] = bx - x[b, 6] * nx * given
        x[b, 1] = by - x[b, 7] * ny * given
        x[b, 2] = bz - x[b, 8] * nz * given
        x[b, 3], x[b, 4], x[b, 5] = qx, qy, qz
    rub_patch(x, a, b, p, P[p, FRICTION] * pressed, P)
    if P[p, ROLLING] > 0.0:
        roll_patch(x, a, b, p, P[p, ROLLING] * pressed, P)


@kernel
def push_out_patch(x, a, b, listed, start, end, P):
    """Updates velocities that push overlaps out, of the same kind but apart from the others.

    They move positions within the substep and are forgotten then: pushing gives no energy. Writes
    OUT of both bodies and PART of the points.
    """
    p, o = listed[start], OUT
    nx, ny, nz, along = P[p, NORMAL], P[p, NORMAL + 1], P[p, NORMAL + 2], P[p, ALONG]
    px, py, pz, qx, qy, qz = x[a, 34], x[a, 35], x[a, 36], x[b, 34], x[b, 35], x[b, 36]
    u = nx * (x[a, o] - x[b, o]) + ny * (x[a, o + 1] - x[b, o + 1]) + nz * (x[a, o + 2] - x[b, o + 2])
    given = 0.0
    for again in range(PATCH_UPDATES if end - start > 1 else 1):
        for at in range(start, end):
            c = listed[at]
            w = u + P[c, WANTED] + (P[c, 0] * px + P[c, 1] * py + P[c, 2] * pz)
            w -= P[c, 3] * qx + P[c, 4] * qy + P[c, 5] * qz
            n = max(-w * P[c, LIGHT], -P[c, PART])
            P[c, PART] += n
            given += n
            u += along * n
            px, py, pz = px + P[c, 6] * n, py + P[c, 7] * n, pz + P[c, 8] * n
            qx, qy, qz = qx - P[c, 9] * n, qy - P[c, 10] * n, qz - P[c, 11] * n
    if a > 0:
        x[a, o] += x[a, 6] * nx * given
        x[a, o + 1] += x[a, 7] * ny * given
        x[a, o + 2] += x[a, 8] * nz * given
        x[a, 34], x[a, 35], x[a, 36] = px, py, pz
    if b > 0:
        x[b, o] -= x[b, 6] * nx * given
        x[b, o + 1] -= x[b, 7] * ny * given
        x[b, o + 2] -= x[b, 8] * nz * given
        x[b, 34], x[b, 35], x[b, 36] = qx, qy, qz


@kernel
def rub_patch(x, a, b, p, limit, P):
    """Friction of a patch that may have this much; writes x and RUB."""
    o1, o2, o3 = P[p, RUB], P[p, RUB + 1], P[p, RUB + 2]
    if limit <= 0.0 and o1 == 0.0 and o2 == 0.0 and o3 == 0.0:
        return
    vx, vy, vz = slip_velocity(x, a, b, p, P)
    w1 = P[p, 35] * vx + P[p, 36] * vy + P[p, 37] * vz + P[p, CARRIED]
    w2 = P[p, 38] * vx + P[p, 39] * vy + P[p, 40] * vz + P[p, CARRIED + 1]
    w3 = P[p, 32] * (x[a, 3] - x[b, 3]) + P[p, 33] * (x[a, 4] - x[b, 4])
    w3 += P[p, 34] * (x[a, 5] - x[b, 5]) + P[p, CARRIED + 2]
    radius, s = P[p, RADIUS], P[p, SLIP]
    n1 = o1 - (P[p, STICK] * w1 + P[p, STICK + 1] * w2)
    n2 = o2 - (P[p, STICK + 1] * w1 + P[p, STICK + 2] * w2)
    n3 = o3 - P[p, SPINS] * w3 if radius > 0.0 else 0.0
    if P[p, STICK] == 0.0 and s > 0.0:
        n1, n2 = o1 - w1 / s, o2 - w2 / s
    size = n1 * n1 + n2 * n2
    if radius > 0.0:
        size += (n3 / radius) ** 2
    if size > limit * limit:  # it slips
        if P[p, SPINS] > 0.0:
            s += radius * radius / P[p, SPINS]  # no less than the largest eigenvalue of all three
        if s > 0.0:
            n1, n2, n3 = o1 - w1 / s, o2 - w2 / s, o3 - radius * radius * w3 / s
        size = n1 * n1 + n2 * n2
        if radius > 0.0:
            size += (n3 / radius) ** 2
        if size > limit * limit:
            share = limit / math.sqrt(size)
            n1, n2, n3 = n1 * share, n2 * share, n3 * share
    P[p, RUB], P[p, RUB + 1], P[p, RUB + 2] = n1, n2, n3
    push_along(x, a, b, p, n1 - o1, n2 - o2, n3 - o3, P)


@kernel
def slip_velocity(x, a, b, p, P):
    """Relative velocity at the centre of a patch."""
    rx, ry, rz, sx, sy, sz = P[p, 43], P[p, 44], P[p, 45], P[p, 46], P[p, 47], P[p, 48]
    vx = x[a, 0] - x[b, 0] + (x[a, 4] * rz - x[a, 5] * ry) - (x[b, 4] * sz - x[b, 5] * sy)
    vy = x[a, 1] - x[b, 1] + (x[a, 5] * rx - x[a, 3] * rz) - (x[b, 5] * sx - x[b, 3] * sz)
    vz = x[a, 2] - x[b, 2] + (x[a, 3] * ry - x[a, 4] * rx) - (x[b, 3] * sy - x[b, 4] * sx)
    return vx, vy, vz


@kernel
def push_along(x, a, b, p, t1, t2, spin, P):
    """Velocities from friction at a patch's centre; writes x."""
    ix = P[p, 35] * t1 + P[p, 38] * t2
    iy = P[p, 36] * t1 + P[p, 39] * t2
    iz = P[p, 37] * t1 + P[p, 40] * t2
    mx, my, mz = P[p, 32] * spin, P[p, 33] * spin, P[p, 34] * spin
    if a > 0:
        rx, ry, rz = P[p, CENTRE], P[p, CENTRE + 1], P[p, CENTRE + 2]
        x[a, 0] += x[a, 6] * ix
        x[a, 1] += x[a, 7] * iy
        x[a, 2] += x[a, 8] * iz
        turn(x, a, mx + ry * iz - rz * iy, my + rz * ix - rx * iz, mz + rx * iy - ry * ix)
    if b > 0:
        rx, ry, rz = P[p, CENTRE + 3], P[p, CENTRE + 4], P[p, CENTRE + 5]
        x[b, 0] -= x[b, 6] * ix
        x[b, 1] -= x[b, 7] * iy
        x[b, 2] -= x[b, 8] * iz
        turn(x, b, rz * iy - ry * iz - mx, rx * iz - rz * ix - my, ry * ix - rx * iy - mz)


@kernel
def turn(x, k, tx, ty, tz):
    """Spin of the body at k from a moment; writes x."""
    x[k, 3] += x[k, 9] * tx + x[k, 10] * ty + x[k, 11] * tz
    x[k, 4] += x[k, 10] * tx + x[k, 12] * ty + x[k, 13] * tz
    x[k, 5] += x[k, 11] * tx + x[k, 13] * ty + x[k, 14] * tz


@kernel
def press(x, a, b, p, c, n, P):
    """Velocities from an impulse along the normal of contact c of patch p; writes x."""
    nx, ny, nz = P[p, NORMAL] * n, P[p, NORMAL + 1] * n, P[p, NORMAL + 2] * n
    if a > 0:
        x[a, 0] += x[a, 6] * nx
        x[a, 1] += x[a, 7] * ny
        x[a, 2] += x[a, 8] * nz
        for i in range(3):
            x[a, 3 + i] += P[c, 6 + i] * n
    if b > 0:
        x[b, 0] -= x[b, 6] * nx
        x[b, 1] -= x[b, 7] * ny
        x[b, 2] -= x[b, 8] * nz
        for i in range(3):
            x[b, 3 + i] -= P[c, 9 + i] * n


@kernel
def normal_speed(x, a, b, p, c, P):
    """Speed at which contact c of patch p opens, m/s."""
    w = P[c, MOVED]
    for i in range(3):
        w += P[p, NORMAL + i] * (x[a, i] - x[b, i])
        w += P[c, i] * x[a, 3 + i] - P[c, 3 + i] * x[b, 3 + i]
    return w


@kernel
def roll_patch(x, a, b, p, limit, P):
    """Rolling and spinning friction: a moment of at most ρ μ_n that stops the relative spin.

    Spins give way to a moment by I_a⁻¹ + I_b⁻¹; a bound of that from above, by row sums, is taken
    for it, so that the moment never overshoots. Writes x and ROLL.
    """
    gives = _lightest(x, a) + _lightest(x, b)
    if gives <= 0.0:
        return
    ox, oy, oz = P[p, ROLL], P[p, ROLL + 1], P[p, ROLL + 2]
    tx = ox - (x[a, 3] - x[b, 3] + P[p, SPUN]) / gives
    ty = oy - (x[a, 4] - x[b, 4] + P[p, SPUN + 1]) / gives
    tz = oz - (x[a, 5] - x[b, 5] + P[p, SPUN + 2]) / gives
    size = math.sqrt(tx * tx + ty * ty + tz * tz)
    if size > limit:
        tx, ty, tz = tx * limit / size, ty * limit / size, tz * limit / size
    P[p, ROLL], P[p, ROLL + 1], P[p, ROLL + 2] = tx, ty, tz
    if a > 0:
        turn(x, a, tx - ox, ty - oy, tz - oz)
    if b > 0:
        turn(x, b, ox - tx, oy - ty, oz - tz)


@kernel
def _lightest(x, k):
    """A bound of the largest eigenvalue of I⁻¹."""
    xy, xz, yz = abs(x[k, 10]), abs(x[k, 11]), abs(x[k, 13])
    return max(x[k, 9] + xy + xz, x[k, 12] + xy + yz, x[k, 14] + xz + yz)
