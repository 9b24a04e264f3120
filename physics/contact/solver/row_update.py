"""One Gauss-Seidel update of a contact: its impulse from the speeds at hand, projected on the
friction cone, and what that moves.

With S = J A⁻¹ Jᵀ (3x3) and w = J x + bias:

    μ_n ← max(0, μ_n - w_n/S_nn),      then both tangents together, w_t after that change:
    stick   μ_t - S_tt⁻¹ w_t           if it lies in the disk |μ_t| ≤ μ_f μ_n
    slip    μ_t - w_t/s projected on the disk, s the largest eigenvalue of S_tt, so that at rest
            of the iteration friction opposes sliding exactly

and x += A⁻¹ Jᵀ Δμ. Two bodies without joints are 6-vectors each, and all that is read of their
contact is its row of `packed` (`contact/packed.py` has the columns).
"""

import math

from physics.contact.solver.reads import tell_readers
from physics.jit import kernel

_LOCAL_ITERATIONS = 8  # of normal and tangents within one update
_LOCAL_SHARE = 0.01  # of the speeds it began with, at which a contact is left for the others


@kernel
def apply_impulse(rows, c, n, t1, t2, x):
    """x += A⁻¹ Jᵀ (n, t1, t2), at places that rows read (`reads.py`); writes x, given."""
    if rows.simple[c]:
        _apply_packed(rows.packed, rows.place, c, n, t1, t2, x)
        return
    rows.given[c, 0] += n
    rows.given[c, 1] += t1
    rows.given[c, 2] += t2
    tell_readers(rows, c, rows.offset[c], n, t1, t2, x)


@kernel
def _apply_packed(packed, place, c, n, t1, t2, x):
    px = packed[c, 0] * n + packed[c, 3] * t1 + packed[c, 6] * t2
    py = packed[c, 1] * n + packed[c, 4] * t1 + packed[c, 7] * t2
    pz = packed[c, 2] * n + packed[c, 5] * t1 + packed[c, 8] * t2
    k = place[c, 0]
    if k >= 0:
        light = packed[c, 45]
        x[k, 0] += light * px
        x[k, 1] += light * py
        x[k, 2] += light * pz
    k = place[c, 1]
    if k >= 0:
        x[k, 0] += packed[c, 27] * n + packed[c, 30] * t1 + packed[c, 33] * t2
        x[k, 1] += packed[c, 28] * n + packed[c, 31] * t1 + packed[c, 34] * t2
        x[k, 2] += packed[c, 29] * n + packed[c, 32] * t1 + packed[c, 35] * t2
    k = place[c, 2]
    if k >= 0:
        light = packed[c, 46]
        x[k, 0] -= light * px
        x[k, 1] -= light * py
        x[k, 2] -= light * pz
    k = place[c, 3]
    if k >= 0:
        x[k, 0] -= packed[c, 36] * n + packed[c, 39] * t1 + packed[c, 42] * t2
        x[k, 1] -= packed[c, 37] * n + packed[c, 40] * t1 + packed[c, 43] * t2
        x[k, 2] -= packed[c, 38] * n + packed[c, 41] * t1 + packed[c, 44] * t2


@kernel
def speeds(rows, c, x):
    """w = J x + bias of the three rows."""
    if rows.simple[c]:
        return _packed_speeds(rows.packed, rows.place, rows.bias, c, x)
    w0, w1, w2 = rows.bias[c, 0], rows.bias[c, 1], rows.bias[c, 2]
    J, place = rows.J, rows.place
    for s in range(4):
        k = place[c, s]
        if k >= 0:
            a, b, d = x[k, 0], x[k, 1], x[k, 2]
            w0 += J[c, s, 0, 0] * a + J[c, s, 0, 1] * b + J[c, s, 0, 2] * d
            w1 += J[c, s, 1, 0] * a + J[c, s, 1, 1] * b + J[c, s, 1, 2] * d
            w2 += J[c, s, 2, 0] * a + J[c, s, 2, 1] * b + J[c, s, 2, 2] * d
    return w0, w1, w2


@kernel
def _packed_speeds(packed, place, bias, c, x):
    """The same from the velocities of both bodies at the point, d·v + (r × d)·ω."""
    a, b, d = 0.0, 0.0, 0.0
    k = place[c, 0]
    if k >= 0:
        a, b, d = x[k, 0], x[k, 1], x[k, 2]
    k = place[c, 2]
    if k >= 0:
        a -= x[k, 0]
        b -= x[k, 1]
        d -= x[k, 2]
    w0 = bias[c, 0] + (packed[c, 0] * a + packed[c, 1] * b + packed[c, 2] * d)
    w1 = bias[c, 1] + (packed[c, 3] * a + packed[c, 4] * b + packed[c, 5] * d)
    w2 = bias[c, 2] + (packed[c, 6] * a + packed[c, 7] * b + packed[c, 8] * d)
    k = place[c, 1]
    if k >= 0:
        a, b, d = x[k, 0], x[k, 1], x[k, 2]
        w0 += packed[c, 9] * a + packed[c, 10] * b + packed[c, 11] * d
        w1 += packed[c, 12] * a + packed[c, 13] * b + packed[c, 14] * d
        w2 += packed[c, 15] * a + packed[c, 16] * b + packed[c, 17] * d
    k = place[c, 3]
    if k >= 0:
        a, b, d = x[k, 0], x[k, 1], x[k, 2]
        w0 -= packed[c, 18] * a + packed[c, 19] * b + packed[c, 20] * d
        w1 -= packed[c, 21] * a + packed[c, 22] * b + packed[c, 23] * d
        w2 -= packed[c, 24] * a + packed[c, 25] * b + packed[c, 26] * d
    return w0, w1, w2


@kernel
def normal_speed(rows, c, x):
    """J x of the normal row, without what is wanted of it."""
    total = 0.0
    for s in range(4):
        k = rows.place[c, s]
        if k < 0:
            continue
        if rows.simple[c]:
            p = 9 * ((s + 1) // 2)  # normal, lever on a, normal, lever on b
            if s == 2:
                p = 0
            sign = 1.0 if s < 2 else -1.0
            P = rows.packed
            total += sign * (P[c, p] * x[k, 0] + P[c, p + 1] * x[k, 1] + P[c, p + 2] * x[k, 2])
        else:
            J = rows.J
            total += J[c, s, 0, 0] * x[k, 0] + J[c, s, 0, 1] * x[k, 1] + J[c, s, 0, 2] * x[k, 2]
    return total


@kernel
def update_contact(rows, c, x):
    """One update; writes mu and x. Returns the largest change of speed, m/s."""
    packed, mu = rows.packed, rows.mu
    if packed[c, 48] <= 0.0:
        return 0.0
    w0, w1, w2 = speeds(rows, c, x)
    if w0 >= 0.0 and mu[c, 0] == 0.0 and mu[c, 1] == 0.0 and mu[c, 2] == 0.0:
        return 0.0
    d0, d1, d2 = _projected_change(packed, mu, rows.friction[c], c, w0, w1, w2)
    if d0 == 0.0 and d1 == 0.0 and d2 == 0.0:
        return 0.0
    apply_impulse(rows, c, d0, d1, d2, x)
    return max(abs(d0) / packed[c, 48], max(abs(d1), abs(d2)) * packed[c, 54])


@kernel
def update_pair(packed, place, bias, mu, order, start, end, repeats, enough, x):
    """Updates all points of one pair of bodies without joints; writes mu and x.

    Velocities of both bodies stay in registers meanwhile; what does not move has none, and nothing
    moves it. Repeats while the first update changed more than `enough`. Returns what that was.
    """
    c = order[start]
    i, j, k, m = place[c, 0], place[c, 1], place[c, 2], place[c, 3]
    ax, ay, az = _velocity(x, i)
    px, py, pz = _velocity(x, j)
    bx, by, bz = _velocity(x, k)
    qx, qy, qz = _velocity(x, m)
    most = 0.0
    for again in range(repeats if end - start > 1 else 1):
        if again > 0 and most <= enough:
            break
        for at in range(start, end):
            c = order[at]
            P = packed[c]
            if P[48] <= 0.0:
                continue
            a, b, d = ax - bx, ay - by, az - bz
            w0 = bias[c, 0] + (P[0] * a + P[1] * b + P[2] * d)
            w0 += (P[9] * px + P[10] * py + P[11] * pz) - (P[18] * qx + P[19] * qy + P[20] * qz)
            if w0 >= 0.0 and mu[c, 0] == 0.0 and mu[c, 1] == 0.0 and mu[c, 2] == 0.0:
                continue
            w1 = bias[c, 1] + (P[3] * a + P[4] * b + P[5] * d)
            w1 += (P[12] * px + P[13] * py + P[14] * pz) - (P[21] * qx + P[22] * qy + P[23] * qz)
            w2 = bias[c, 2] + (P[6] * a + P[7] * b + P[8] * d)
            w2 += (P[15] * px + P[16] * py + P[17] * pz) - (P[24] * qx + P[25] * qy + P[26] * qz)
            n, t, u = _projected_change(packed, mu, P[47], c, w0, w1, w2)
            a = P[0] * n + P[3] * t + P[6] * u
            b = P[1] * n + P[4] * t + P[7] * u
            d = P[2] * n + P[5] * t + P[8] * u
            ax, ay, az = ax + P[45] * a, ay + P[45] * b, az + P[45] * d
            bx, by, bz = bx - P[46] * a, by - P[46] * b, bz - P[46] * d
            px += P[27] * n + P[30] * t + P[33] * u
            py += P[28] * n + P[31] * t + P[34] * u
            pz += P[29] * n + P[32] * t + P[35] * u
            qx -= P[36] * n + P[39] * t + P[42] * u
            qy -= P[37] * n + P[40] * t + P[43] * u
            qz -= P[38] * n + P[41] * t + P[44] * u
            if again == 0:
                most = max(most, abs(n) / P[48], max(abs(t), abs(u)) * P[54])
    _store_velocity(x, i, ax, ay, az)
    _store_velocity(x, j, px, py, pz)
    _store_velocity(x, k, bx, by, bz)
    _store_velocity(x, m, qx, qy, qz)
    return most


@kernel
def _velocity(x, k):
    """The vector at place k, or nothing where there is no such place."""
    if k < 0:
        return 0.0, 0.0, 0.0
    return x[k, 0], x[k, 1], x[k, 2]


@kernel
def _store_velocity(x, k, a, b, c):
    if k >= 0:
        x[k, 0], x[k, 1], x[k, 2] = a, b, c


@kernel
def _projected_change(packed, mu, friction, c, w0, w1, w2):
    """The change of a contact's impulse for the speeds w; writes mu.

    What sticks is solved at once, anything else with normal and tangents in turn until the
    contact by itself is nearly right.
    """
    old0, old1, old2 = mu[c, 0], mu[c, 1], mu[c, 2]
    d0 = packed[c, 58] * w0 + packed[c, 59] * w1 + packed[c, 60] * w2
    d1 = packed[c, 59] * w0 + packed[c, 61] * w1 + packed[c, 62] * w2
    d2 = packed[c, 60] * w0 + packed[c, 62] * w1 + packed[c, 63] * w2
    n, t1, t2 = old0 - d0, old1 - d1, old2 - d2
    limit = friction * n
    iterations = 0
    if packed[c, 58] <= 0.0 or n < 0.0 or t1 * t1 + t2 * t2 > limit * limit:
        n, t1, t2 = old0, old1, old2
        iterations = _LOCAL_ITERATIONS
    light, s1, s2 = packed[c, 48], packed[c, 49], packed[c, 50]
    enough = _LOCAL_SHARE * max(abs(w0), abs(w1), abs(w2))
    while iterations > 0:
        d = max(n - w0 * light, 0.0) - n
        n += d
        w1 += s1 * d
        w2 += s2 * d
        limit = friction * n
        new1 = t1 - (packed[c, 51] * w1 + packed[c, 52] * w2)
        new2 = t2 - (packed[c, 52] * w1 + packed[c, 53] * w2)
        if packed[c, 51] == 0.0 or new1 * new1 + new2 * new2 > limit * limit:  # it slips
            new1, new2 = t1 - w1 / packed[c, 54], t2 - w2 / packed[c, 54]
            size = math.sqrt(new1 * new1 + new2 * new2)
            if size > limit:
                new1 *= limit / size
                new2 *= limit / size
        d1, d2 = new1 - t1, new2 - t2
        t1, t2 = new1, new2
        w0 += d / light + s1 * d1 + s2 * d2
        w1 += packed[c, 55] * d1 + packed[c, 56] * d2
        w2 += packed[c, 56] * d1 + packed[c, 57] * d2
        iterations -= 1
        if n == 0.0 or (abs(w0) <= enough and (abs(d1) + abs(d2)) * packed[c, 54] <= enough):
            iterations = 0
    mu[c, 0], mu[c, 1], mu[c, 2] = n, t1, t2
    return n - old0, t1 - old1, t2 - old2


@kernel
def project(rows, c):
    """The nearest impulse that friction allows; writes mu."""
    mu = rows.mu
    mu[c, 0] = max(mu[c, 0], 0.0)
    limit = rows.friction[c] * mu[c, 0]
    size = math.sqrt(mu[c, 1] * mu[c, 1] + mu[c, 2] * mu[c, 2])
    if size > limit:
        mu[c, 1] *= limit / size
        mu[c, 2] *= limit / size
