"""One visit of a contact: its impulse from the speeds at hand, projected, and what that moves.

With S = J A⁻¹ Jᵀ (3x3) and w = J x + bias:

    μ_n ← max(0, μ_n - w_n/S_nn),      then both tangents together, w_t after that change:
    stick   μ_t - S_tt⁻¹ w_t           if it lies in the disk |μ_t| ≤ μ_f μ_n
    slip    μ_t - w_t/s projected on the disk, s the largest eigenvalue of S_tt, so that at rest
            of the iteration friction opposes sliding exactly

and x += A⁻¹ Jᵀ Δμ. Two bodies without joints are 6-vectors each, and an impulse p at r gives them
p/m and I⁻¹(r × p). What visits read of a contact is a row of `packed`, four cache lines long,

    for these    0 n, 3 t1, 6 t2 | 9, 12 anchors on a and b
    for all      15 1/S_nn | 16 S_tn | 18, 19, 20 S_tt⁻¹, zero where it has none | 21 s, 22 1/s
                 23, 24, 25 S_tt | 26 upper half of S⁻¹ by rows, zero where it has none

and the inverse blocks of the bodies, which all their contacts share.
"""

import math

from physics.compiled import kernel

_LOCAL_TURNS = 8  # of normal and tangents within one visit
_LOCAL_SHARE = 0.01  # of the speeds it came with, at which a contact is left for the others


@kernel
def push(rows, c, n, t1, t2, x):
    """x += A⁻¹ Jᵀ (n, t1, t2); writes x."""
    if rows.simple[c]:
        _push_simple(rows.packed, rows.place, rows.inverse, c, n, t1, t2, x)
        return
    p = rows.offset[c]
    R = rows.response
    for half in range(2):
        for k in range(rows.span[c, 2 * half], rows.span[c, 2 * half + 1]):
            x[k, 0] += R[p, 0, 0] * n + R[p, 0, 1] * t1 + R[p, 0, 2] * t2
            x[k, 1] += R[p, 1, 0] * n + R[p, 1, 1] * t1 + R[p, 1, 2] * t2
            x[k, 2] += R[p, 2, 0] * n + R[p, 2, 1] * t1 + R[p, 2, 2] * t2
            p += 1


@kernel
def _push_simple(packed, place, inverse, c, n, t1, t2, x):
    px = packed[c, 0] * n + packed[c, 3] * t1 + packed[c, 6] * t2
    py = packed[c, 1] * n + packed[c, 4] * t1 + packed[c, 7] * t2
    pz = packed[c, 2] * n + packed[c, 5] * t1 + packed[c, 8] * t2
    k = place[c, 0]
    if k >= 0:
        light = inverse[k, 0, 0]
        x[k, 0] += light * px
        x[k, 1] += light * py
        x[k, 2] += light * pz
    k = place[c, 1]
    if k >= 0:
        rx, ry, rz = packed[c, 9], packed[c, 10], packed[c, 11]
        a, b, d = ry * pz - rz * py, rz * px - rx * pz, rx * py - ry * px
        x[k, 0] += inverse[k, 0, 0] * a + inverse[k, 0, 1] * b + inverse[k, 0, 2] * d
        x[k, 1] += inverse[k, 1, 0] * a + inverse[k, 1, 1] * b + inverse[k, 1, 2] * d
        x[k, 2] += inverse[k, 2, 0] * a + inverse[k, 2, 1] * b + inverse[k, 2, 2] * d
    k = place[c, 2]
    if k >= 0:
        light = inverse[k, 0, 0]
        x[k, 0] -= light * px
        x[k, 1] -= light * py
        x[k, 2] -= light * pz
    k = place[c, 3]
    if k >= 0:
        rx, ry, rz = packed[c, 12], packed[c, 13], packed[c, 14]
        a, b, d = ry * pz - rz * py, rz * px - rx * pz, rx * py - ry * px
        x[k, 0] -= inverse[k, 0, 0] * a + inverse[k, 0, 1] * b + inverse[k, 0, 2] * d
        x[k, 1] -= inverse[k, 1, 0] * a + inverse[k, 1, 1] * b + inverse[k, 1, 2] * d
        x[k, 2] -= inverse[k, 2, 0] * a + inverse[k, 2, 1] * b + inverse[k, 2, 2] * d


@kernel
def speeds(rows, c, x):
    """w = J x + bias of the three rows."""
    if rows.simple[c]:
        return _speeds_simple(rows.packed, rows.place, rows.bias, c, x)
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
def _speeds_simple(packed, place, bias, c, x):
    """The same from the velocities of both bodies at the point, v + ω × r."""
    a, b, d = 0.0, 0.0, 0.0
    k = place[c, 0]
    if k >= 0:
        a, b, d = x[k, 0], x[k, 1], x[k, 2]
    k = place[c, 1]
    if k >= 0:
        rx, ry, rz = packed[c, 9], packed[c, 10], packed[c, 11]
        a += x[k, 1] * rz - x[k, 2] * ry
        b += x[k, 2] * rx - x[k, 0] * rz
        d += x[k, 0] * ry - x[k, 1] * rx
    k = place[c, 2]
    if k >= 0:
        a -= x[k, 0]
        b -= x[k, 1]
        d -= x[k, 2]
    k = place[c, 3]
    if k >= 0:
        rx, ry, rz = packed[c, 12], packed[c, 13], packed[c, 14]
        a -= x[k, 1] * rz - x[k, 2] * ry
        b -= x[k, 2] * rx - x[k, 0] * rz
        d -= x[k, 0] * ry - x[k, 1] * rx
    return (
        bias[c, 0] + packed[c, 0] * a + packed[c, 1] * b + packed[c, 2] * d,
        bias[c, 1] + packed[c, 3] * a + packed[c, 4] * b + packed[c, 5] * d,
        bias[c, 2] + packed[c, 6] * a + packed[c, 7] * b + packed[c, 8] * d,
    )


@kernel
def visit(rows, c, x):
    """One visit; writes mu and x. Returns the largest change of speed, m/s."""
    packed, mu = rows.packed, rows.mu
    if packed[c, 15] <= 0.0:
        return 0.0
    w0, w1, w2 = speeds(rows, c, x)
    d0, d1, d2 = _answer(packed, mu, rows.friction[c], c, w0, w1, w2)
    if d0 == 0.0 and d1 == 0.0 and d2 == 0.0:
        return 0.0
    push(rows, c, d0, d1, d2, x)
    return max(abs(d0) / packed[c, 15], max(abs(d1), abs(d2)) * packed[c, 21])


@kernel
def visit_simple(packed, place, inverse, bias, mu, friction, c, x):
    """The same for two bodies without joints, on arrays that the caller keeps at hand."""
    w0, w1, w2 = _speeds_simple(packed, place, bias, c, x)
    d0, d1, d2 = _answer(packed, mu, friction[c], c, w0, w1, w2)
    if d0 != 0.0 or d1 != 0.0 or d2 != 0.0:
        _push_simple(packed, place, inverse, c, d0, d1, d2, x)
    return max(abs(d0) / packed[c, 15], max(abs(d1), abs(d2)) * packed[c, 21])


@kernel
def _answer(packed, mu, friction, c, w0, w1, w2):
    """The change of a contact's impulse for the speeds w; writes mu.

    What sticks is solved at once, anything else with normal and tangents by turns until the
    contact by itself is nearly right.
    """
    old0, old1, old2 = mu[c, 0], mu[c, 1], mu[c, 2]
    d0 = packed[c, 26] * w0 + packed[c, 27] * w1 + packed[c, 28] * w2
    d1 = packed[c, 27] * w0 + packed[c, 29] * w1 + packed[c, 30] * w2
    d2 = packed[c, 28] * w0 + packed[c, 30] * w1 + packed[c, 31] * w2
    n, t1, t2 = old0 - d0, old1 - d1, old2 - d2
    limit = friction * n
    turns = 0
    if packed[c, 26] <= 0.0 or n < 0.0 or t1 * t1 + t2 * t2 > limit * limit:
        n, t1, t2 = old0, old1, old2
        turns = _LOCAL_TURNS
    light, s1, s2 = packed[c, 15], packed[c, 16], packed[c, 17]
    enough = _LOCAL_SHARE * max(abs(w0), abs(w1), abs(w2))
    while turns > 0:
        d = max(n - w0 * light, 0.0) - n
        n += d
        w1 += s1 * d
        w2 += s2 * d
        limit = friction * n
        new1 = t1 - (packed[c, 18] * w1 + packed[c, 19] * w2)
        new2 = t2 - (packed[c, 19] * w1 + packed[c, 20] * w2)
        if packed[c, 18] == 0.0 or new1 * new1 + new2 * new2 > limit * limit:  # it slips
            new1, new2 = t1 - w1 * packed[c, 22], t2 - w2 * packed[c, 22]
            size = math.sqrt(new1 * new1 + new2 * new2)
            if size > limit:
                new1 *= limit / size
                new2 *= limit / size
        d1, d2 = new1 - t1, new2 - t2
        t1, t2 = new1, new2
        w0 += d / light + s1 * d1 + s2 * d2
        w1 += packed[c, 23] * d1 + packed[c, 24] * d2
        w2 += packed[c, 24] * d1 + packed[c, 25] * d2
        turns -= 1
        if n == 0.0 or (abs(w0) <= enough and (abs(d1) + abs(d2)) * packed[c, 21] <= enough):
            turns = 0
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
