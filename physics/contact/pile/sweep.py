"""One sweep over a pile, patch by patch: projected Gauss-Seidel on velocities.

With w = u_a - u_b at a point and S the response of its patch:

    up to four   μ_n ← μ_n - (S + ε D)⁻¹(w_n + wanted),     with D the diagonal of S; a point that
                 would pull gives nothing, and the others what is right without it
    else         μ_n += max(-least μ_n, -Σ(w_n + wanted)/Σ S),       the same for each, and then
                 μ_n ← max(0, μ_n - (w_n + wanted)/S_nn),            each, several times in a row
    friction     T - S_tt⁻¹ w_t and τ - w_τ/S_ττ                     if it lies in its ellipsoid
                 T - w_t/s and τ - ρ² w_τ/s, scaled to that          if it slips

Four points are one more than a plane needs: ε, small, makes S invertible, and what it leaves is for
the next sweep. Points of one patch are coupled most of all; solved one by one they rock.

A patch that overlaps is a spring with a strong damper, stepped implicitly: ε = leak/(1 - leak), and
an update also lets a share of the impulse go, as much as pushing out gives back. That is what damps
a pile: impulses that only add up what velocities want would let it swing for ever.

Columns are those of `pile_rows.py`, written as numbers where they are many.
"""

import math

from physics.contact.pile.coupling import HARDLY, MOST_POINTS, SOFTLY
from physics.contact.pile.pile_rows import (
    CARRIED,
    CENTRE,
    FRICTION,
    MOVED,
    NORMAL,
    OVERLAPS,
    RADIUS,
    ROLL,
    ROLLING,
    RUB,
    SLIP,
    SPINS,
    SPUN,
    STICK,
)
from physics.jit import kernel
from physics.params import PATCH_SHARE, PATCH_UPDATES


@kernel
def sweep_patch(x, a, b, listed, start, end, leak, P):
    """Updates the patch listed[start:end] of the bodies at a and b; writes x and impulses.

    `leak`: share of its impulse that a patch lets go if it overlaps.
    """
    p = listed[start]
    if P[p, OVERLAPS] == 0.0:
        leak = 0.0
    if end - start <= MOST_POINTS:
        pressed = _press_few(x, a, b, listed, start, end, leak, P)
    else:
        pressed = _press_many(x, a, b, listed, start, end, leak, P)
    rub_patch(x, a, b, p, P[p, FRICTION] * pressed, P)
    if P[p, ROLLING] > 0.0:
        roll_patch(x, a, b, p, P[p, ROLLING] * pressed, P)


@kernel
def _point_speed(P, c, u, px, py, pz, qx, qy, qz):
    """What the point's speed along the normal is beyond what is wanted."""
    w = u + P[c, 12] + (P[c, 0] * px + P[c, 1] * py + P[c, 2] * pz)
    return w - (P[c, 3] * qx + P[c, 4] * qy + P[c, 5] * qz)


@kernel
def _pressed(P, c, m, w, leak):
    """The impulse of a point at this speed."""
    return max(m - (1.0 - leak) * w * P[c, 13] - leak * m, 0.0)


@kernel
def _press_few(x, a, b, listed, start, end, leak, P):
    """Normal impulses of up to four points, which see each other's changes through S.

    Points that are not there have neither speed nor response. Returns what is pressed; writes x and
    IMPULSE.
    """
    p, count = listed[start], end - start
    K = P[p]
    nx, ny, nz = P[p, 32], P[p, 33], P[p, 34]
    px, py, pz, qx, qy, qz = x[a, 3], x[a, 4], x[a, 5], x[b, 3], x[b, 4], x[b, 5]
    u = nx * (x[a, 0] - x[b, 0]) + ny * (x[a, 1] - x[b, 1]) + nz * (x[a, 2] - x[b, 2])
    c0 = p
    c1, c2, c3 = listed[min(start + 1, end - 1)], listed[min(start + 2, end - 1)], listed[end - 1]
    m0, m1, m2, m3 = P[c0, 14], 0.0, 0.0, 0.0
    w0, w1, w2, w3 = _point_speed(P, c0, u, px, py, pz, qx, qy, qz), 0.0, 0.0, 0.0
    if count > 1:
        m1, w1 = P[c1, 14], _point_speed(P, c1, u, px, py, pz, qx, qy, qz)
    if count > 2:
        m2, w2 = P[c2, 14], _point_speed(P, c2, u, px, py, pz, qx, qy, qz)
    if count > 3:
        m3, w3 = P[c3, 14], _point_speed(P, c3, u, px, py, pz, qx, qy, qz)
    o0, o1, o2, o3 = m0, m1, m2, m3
    if m0 + m1 + m2 + m3 == 0.0 and w0 >= 0.0 and w1 >= 0.0 and w2 >= 0.0 and w3 >= 0.0:
        return 0.0
    found, n0, n1, n2, n3 = balance(K, m0, m1, m2, m3, w0, w1, w2, w3, leak)
    if found or count == 1:
        m0, m1, m2, m3 = n0, n1, n2, n3
    else:
        m0, m1, m2, m3 = _share_out(
            P, K, count, c0, c1, c2, c3, m0, m1, m2, m3, w0, w1, w2, w3, leak
        )
    P[c0, 14] = m0
    d0, d1, d2, d3 = m0 - o0, 0.0, 0.0, 0.0
    if count > 1:
        P[c1, 14] = m1
        d1 = m1 - o1
    if count > 2:
        P[c2, 14] = m2
        d2 = m2 - o2
    if count > 3:
        P[c3, 14] = m3
        d3 = m3 - o3
    ax = P[c0, 0] * d0 + P[c1, 0] * d1 + (P[c2, 0] * d2 + P[c3, 0] * d3)
    ay = P[c0, 1] * d0 + P[c1, 1] * d1 + (P[c2, 1] * d2 + P[c3, 1] * d3)
    az = P[c0, 2] * d0 + P[c1, 2] * d1 + (P[c2, 2] * d2 + P[c3, 2] * d3)
    bx = P[c0, 3] * d0 + P[c1, 3] * d1 + (P[c2, 3] * d2 + P[c3, 3] * d3)
    by = P[c0, 4] * d0 + P[c1, 4] * d1 + (P[c2, 4] * d2 + P[c3, 4] * d3)
    bz = P[c0, 5] * d0 + P[c1, 5] * d1 + (P[c2, 5] * d2 + P[c3, 5] * d3)
    press_patch(x, a, b, p, d0 + d1 + d2 + d3, ax, ay, az, bx, by, bz, P)
    return m0 + m1 + m2 + m3


@kernel
def balance(K, m0, m1, m2, m3, w0, w1, w2, w3, leak):
    """(found, impulses) at which all points move as they should, or all but one, which lifts."""
    at = HARDLY
    if leak > 0.0:
        at, spring = SOFTLY, leak / (1.0 - leak)
        w0, w1 = w0 + spring * K[80] * m0, w1 + spring * K[85] * m1
        w2, w3 = w2 + spring * K[90] * m2, w3 + spring * K[95] * m3
    b00, b01, b02, b03 = K[at], K[at + 1], K[at + 2], K[at + 3]
    b11, b12, b13 = K[at + 4], K[at + 5], K[at + 6]
    b22, b23, b33 = K[at + 7], K[at + 8], K[at + 9]
    n0 = m0 - ((b00 * w0 + b01 * w1) + (b02 * w2 + b03 * w3))
    n1 = m1 - ((b01 * w0 + b11 * w1) + (b12 * w2 + b13 * w3))
    n2 = m2 - ((b02 * w0 + b12 * w1) + (b22 * w2 + b23 * w3))
    n3 = m3 - ((b03 * w0 + b13 * w1) + (b23 * w2 + b33 * w3))
    least = min(min(n0, n1), min(n2, n3))
    if least >= 0.0:
        return True, n0, n1, n2, n3
    if n0 == least:
        t = n0 / b00
        n0, n1, n2, n3 = 0.0, n1 - b01 * t, n2 - b02 * t, n3 - b03 * t
    elif n1 == least:
        t = n1 / b11
        n0, n1, n2, n3 = n0 - b01 * t, 0.0, n2 - b12 * t, n3 - b13 * t
    elif n2 == least:
        t = n2 / b22
        n0, n1, n2, n3 = n0 - b02 * t, n1 - b12 * t, 0.0, n3 - b23 * t
    else:
        t = n3 / b33
        n0, n1, n2, n3 = n0 - b03 * t, n1 - b13 * t, n2 - b23 * t, 0.0
    return n0 >= 0.0 and n1 >= 0.0 and n2 >= 0.0 and n3 >= 0.0, n0, n1, n2, n3


@kernel
def _share_out(P, K, count, c0, c1, c2, c3, m0, m1, m2, m3, w0, w1, w2, w3, leak):
    """Impulses of two to four points at these speeds: the same for all first, then each its own."""
    r0, r1 = K[80] + K[81] + K[82] + K[83], K[84] + K[85] + K[86] + K[87]
    r2, r3 = K[88] + K[89] + K[90] + K[91], K[92] + K[93] + K[94] + K[95]
    least, spring = min(m0, m1), leak / (1.0 - leak)
    give, w = spring * (K[80] + K[85]), w0 + w1 + w2 + w3 + spring * (K[80] * m0 + K[85] * m1)
    if count > 2:
        give, w, least = give + spring * K[90], w + spring * K[90] * m2, min(least, m2)
    if count > 3:
        give, w, least = give + spring * K[95], w + spring * K[95] * m3, min(least, m3)
    total = r0 + r1 + r2 + r3 + give
    n = max(-w / total, -least) if total > 0.0 else 0.0
    m0, m1, w0, w1 = m0 + n, m1 + n, w0 + r0 * n, w1 + r1 * n
    if count > 2:
        m2, w2 = m2 + n, w2 + r2 * n
    if count > 3:
        m3, w3 = m3 + n, w3 + r3 * n
    for _ in range(PATCH_UPDATES):
        new = _pressed(P, c0, m0, w0, leak)
        n, m0 = new - m0, new
        most, sum_ = abs(n), new
        w0, w1, w2, w3 = w0 + K[80] * n, w1 + K[81] * n, w2 + K[82] * n, w3 + K[83] * n
        new = _pressed(P, c1, m1, w1, leak)
        n, m1 = new - m1, new
        most, sum_ = max(most, abs(n)), sum_ + new
        w0, w1, w2, w3 = w0 + K[84] * n, w1 + K[85] * n, w2 + K[86] * n, w3 + K[87] * n
        if count > 2:
            new = _pressed(P, c2, m2, w2, leak)
            n, m2 = new - m2, new
            most, sum_ = max(most, abs(n)), sum_ + new
            w0, w1, w2, w3 = w0 + K[88] * n, w1 + K[89] * n, w2 + K[90] * n, w3 + K[91] * n
        if count > 3:
            new = _pressed(P, c3, m3, w3, leak)
            n, m3 = new - m3, new
            most, sum_ = max(most, abs(n)), sum_ + new
            w0, w1, w2, w3 = w0 + K[92] * n, w1 + K[93] * n, w2 + K[94] * n, w3 + K[95] * n
        if most <= PATCH_SHARE * sum_:
            break
    return m0, m1, m2, m3


@kernel
def _press_many(x, a, b, listed, start, end, leak, P):
    """The same of any number of points, one after the other."""
    p = listed[start]
    nx, ny, nz, along = P[p, 32], P[p, 33], P[p, 34], P[p, 42]
    px, py, pz, qx, qy, qz = x[a, 3], x[a, 4], x[a, 5], x[b, 3], x[b, 4], x[b, 5]
    u = nx * (x[a, 0] - x[b, 0]) + ny * (x[a, 1] - x[b, 1]) + nz * (x[a, 2] - x[b, 2])
    given, pressed = 0.0, 0.0
    for _ in range(PATCH_UPDATES):
        pressed = 0.0
        for at in range(start, end):
            c = listed[at]
            w, old = _point_speed(P, c, u, px, py, pz, qx, qy, qz), P[c, 14]
            new = _pressed(P, c, old, w, leak)
            n = new - old
            P[c, 14] = new
            pressed += new
            given += n
            u += along * n
            px, py, pz = px + P[c, 6] * n, py + P[c, 7] * n, pz + P[c, 8] * n
            qx, qy, qz = qx - P[c, 9] * n, qy - P[c, 10] * n, qz - P[c, 11] * n
    if a > 0:
        x[a, 0] += x[a, 6] * nx * given
        x[a, 1] += x[a, 7] * ny * given
        x[a, 2] += x[a, 8] * nz * given
        x[a, 3], x[a, 4], x[a, 5] = px, py, pz
    if b > 0:
        x[b, 0] -= x[b, 6] * nx * given
        x[b, 1] -= x[b, 7] * ny * given
        x[b, 2] -= x[b, 8] * nz * given
        x[b, 3], x[b, 4], x[b, 5] = qx, qy, qz
    return pressed


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
def press_patch(x, a, b, p, n, ax, ay, az, bx, by, bz, P):
    """Velocities from impulses along the normal of patch p: their sum and moments; writes x."""
    nx, ny, nz = P[p, NORMAL] * n, P[p, NORMAL + 1] * n, P[p, NORMAL + 2] * n
    if a > 0:
        x[a, 0] += x[a, 6] * nx
        x[a, 1] += x[a, 7] * ny
        x[a, 2] += x[a, 8] * nz
        turn(x, a, ax, ay, az)
    if b > 0:
        x[b, 0] -= x[b, 6] * nx
        x[b, 1] -= x[b, 7] * ny
        x[b, 2] -= x[b, 8] * nz
        turn(x, b, -bx, -by, -bz)


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
