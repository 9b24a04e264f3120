"""One visit of a contact: its impulse from the speeds at hand, projected, and what that moves.

With S = J A⁻¹ Jᵀ (3x3) and w = J x + bias:

    μ_n ← max(0, μ_n - w_n/S_nn),      then both tangents together, w_t after that change:
    stick   μ_t - S_tt⁻¹ w_t           if it lies in the disk |μ_t| ≤ μ_f μ_n
    slip    μ_t - w_t/s projected on the disk, s the largest eigenvalue of S_tt, so that at rest
            of the iteration friction opposes sliding exactly

and x += A⁻¹ Jᵀ Δμ. Two bodies without joints are 6-vectors each. A row of `packed` holds

    for these    0 n, 3 t1, 6 t2 | 9, 18 J of both turns | 27, 36 their responses | 45, 46 1/m
    for all      47 1/S_nn | 48 S_tn | 50, 51, 52 S_tt⁻¹, zero where it has none | 53 s, 54 1/s
                 55, 56, 57 S_tt | 58 upper half of S⁻¹ by rows, zero where it has none
"""

import math

from physics.compiled import kernel

_LOCAL_TURNS = 8  # of normal and tangents within one visit
_LOCAL_SHARE = 0.01  # of the speeds it came with, at which a contact is left for the others


@kernel
def push(rows, c, n, t1, t2, x):
    """x += A⁻¹ Jᵀ (n, t1, t2); writes x."""
    if rows.simple[c]:
        _push_simple(rows.packed, rows.place, c, n, t1, t2, x)
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
def _push_simple(packed, place, c, n, t1, t2, x):
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
        x[k, 0] += packed[c, 36] * n + packed[c, 39] * t1 + packed[c, 42] * t2
        x[k, 1] += packed[c, 37] * n + packed[c, 40] * t1 + packed[c, 43] * t2
        x[k, 2] += packed[c, 38] * n + packed[c, 41] * t1 + packed[c, 44] * t2


@kernel
def speeds(rows, c, x):
    """w = J x + bias of the three rows."""
    w0, w1, w2 = rows.bias[c, 0], rows.bias[c, 1], rows.bias[c, 2]
    J, place = rows.J, rows.place
    if not rows.simple[c]:
        for s in range(4):
            k = place[c, s]
            if k >= 0:
                a, b, d = x[k, 0], x[k, 1], x[k, 2]
                w0 += J[c, s, 0, 0] * a + J[c, s, 0, 1] * b + J[c, s, 0, 2] * d
                w1 += J[c, s, 1, 0] * a + J[c, s, 1, 1] * b + J[c, s, 1, 2] * d
                w2 += J[c, s, 2, 0] * a + J[c, s, 2, 1] * b + J[c, s, 2, 2] * d
        return w0, w1, w2
    packed = rows.packed
    a, b, d = 0.0, 0.0, 0.0
    k = place[c, 0]
    if k >= 0:
        a, b, d = x[k, 0], x[k, 1], x[k, 2]
    k = place[c, 2]
    if k >= 0:
        a -= x[k, 0]
        b -= x[k, 1]
        d -= x[k, 2]
    w0 += packed[c, 0] * a + packed[c, 1] * b + packed[c, 2] * d
    w1 += packed[c, 3] * a + packed[c, 4] * b + packed[c, 5] * d
    w2 += packed[c, 6] * a + packed[c, 7] * b + packed[c, 8] * d
    k = place[c, 1]
    if k >= 0:
        a, b, d = x[k, 0], x[k, 1], x[k, 2]
        w0 += packed[c, 9] * a + packed[c, 10] * b + packed[c, 11] * d
        w1 += packed[c, 12] * a + packed[c, 13] * b + packed[c, 14] * d
        w2 += packed[c, 15] * a + packed[c, 16] * b + packed[c, 17] * d
    k = place[c, 3]
    if k >= 0:
        a, b, d = x[k, 0], x[k, 1], x[k, 2]
        w0 += packed[c, 18] * a + packed[c, 19] * b + packed[c, 20] * d
        w1 += packed[c, 21] * a + packed[c, 22] * b + packed[c, 23] * d
        w2 += packed[c, 24] * a + packed[c, 25] * b + packed[c, 26] * d
    return w0, w1, w2


@kernel
def visit(rows, c, x):
    """One contact; writes mu and x. Returns the change of its speed, m/s."""
    packed, mu = rows.packed, rows.mu
    if packed[c, 47] <= 0.0:
        return 0.0
    w0, w1, w2 = speeds(rows, c, x)
    d0, d1, d2 = _answer(packed, mu, rows.friction[c], c, w0, w1, w2)
    if d0 == 0.0 and d1 == 0.0 and d2 == 0.0:
        return 0.0
    push(rows, c, d0, d1, d2, x)
    return max(abs(d0) / packed[c, 47], max(abs(d1), abs(d2)) * packed[c, 53])


@kernel
def visit_simple(packed, place, bias, mu, friction, c, x):
    """The same for two bodies without joints, on arrays that the caller keeps at hand."""
    a, b, d = 0.0, 0.0, 0.0
    k0, k1, k2, k3 = place[c, 0], place[c, 1], place[c, 2], place[c, 3]
    if k0 >= 0:
        a, b, d = x[k0, 0], x[k0, 1], x[k0, 2]
    if k2 >= 0:
        a -= x[k2, 0]
        b -= x[k2, 1]
        d -= x[k2, 2]
    w0 = bias[c, 0] + packed[c, 0] * a + packed[c, 1] * b + packed[c, 2] * d
    w1 = bias[c, 1] + packed[c, 3] * a + packed[c, 4] * b + packed[c, 5] * d
    w2 = bias[c, 2] + packed[c, 6] * a + packed[c, 7] * b + packed[c, 8] * d
    if k1 >= 0:
        a, b, d = x[k1, 0], x[k1, 1], x[k1, 2]
        w0 += packed[c, 9] * a + packed[c, 10] * b + packed[c, 11] * d
        w1 += packed[c, 12] * a + packed[c, 13] * b + packed[c, 14] * d
        w2 += packed[c, 15] * a + packed[c, 16] * b + packed[c, 17] * d
    if k3 >= 0:
        a, b, d = x[k3, 0], x[k3, 1], x[k3, 2]
        w0 += packed[c, 18] * a + packed[c, 19] * b + packed[c, 20] * d
        w1 += packed[c, 21] * a + packed[c, 22] * b + packed[c, 23] * d
        w2 += packed[c, 24] * a + packed[c, 25] * b + packed[c, 26] * d
    d0, d1, d2 = _answer(packed, mu, friction[c], c, w0, w1, w2)
    if d0 == 0.0 and d1 == 0.0 and d2 == 0.0:
        return 0.0
    _push_simple(packed, place, c, d0, d1, d2, x)
    return max(abs(d0) / packed[c, 47], max(abs(d1), abs(d2)) * packed[c, 53])


@kernel
def _answer(packed, mu, friction, c, w0, w1, w2):
    """The change of a contact's impulse for the speeds w; writes mu.

    What sticks is solved at once, anything else with normal and tangents by turns until the
    contact by itself is nearly right.
    """
    old0, old1, old2 = mu[c, 0], mu[c, 1], mu[c, 2]
    d0 = packed[c, 58] * w0 + packed[c, 59] * w1 + packed[c, 60] * w2
    d1 = packed[c, 59] * w0 + packed[c, 61] * w1 + packed[c, 62] * w2
    d2 = packed[c, 60] * w0 + packed[c, 62] * w1 + packed[c, 63] * w2
    n, t1, t2 = old0 - d0, old1 - d1, old2 - d2
    limit = friction * n
    if packed[c, 58] > 0.0 and n >= 0.0 and t1 * t1 + t2 * t2 <= limit * limit:
        mu[c, 0], mu[c, 1], mu[c, 2] = n, t1, t2
        return -d0, -d1, -d2
    n, t1, t2 = old0, old1, old2
    light, s1, s2 = packed[c, 47], packed[c, 48], packed[c, 49]
    enough = _LOCAL_SHARE * max(abs(w0), abs(w1), abs(w2))
    for _ in range(_LOCAL_TURNS):
        d = max(n - w0 * light, 0.0) - n
        n += d
        w1 += s1 * d
        w2 += s2 * d
        limit = friction * n
        new1 = t1 - (packed[c, 50] * w1 + packed[c, 51] * w2)
        new2 = t2 - (packed[c, 51] * w1 + packed[c, 52] * w2)
        if packed[c, 50] == 0.0 or new1 * new1 + new2 * new2 > limit * limit:  # it slips
            new1, new2 = t1 - w1 * packed[c, 54], t2 - w2 * packed[c, 54]
            size = math.sqrt(new1 * new1 + new2 * new2)
            if size > limit:
                new1 *= limit / size
                new2 *= limit / size
        d1, d2 = new1 - t1, new2 - t2
        t1, t2 = new1, new2
        w0 += d / light + s1 * d1 + s2 * d2
        w1 += packed[c, 55] * d1 + packed[c, 56] * d2
        w2 += packed[c, 56] * d1 + packed[c, 57] * d2
        if n == 0.0 or (abs(w0) <= enough and (abs(d1) + abs(d2)) * packed[c, 53] <= enough):
            break
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
