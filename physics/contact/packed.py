"""All that row updates read of a contact, side by side in one row of `packed`.

A contact between two bodies without joints has J = d and r × d with minus on b, and the response
1/m and I⁻¹(r × d), for d = n, t1, t2: eight cache lines one after the other. Reading levers and
what they turn is faster than making them anew in every update. Nothing else is written for such
contacts, and none of it is looked for elsewhere.

    for these    0 n, t1, t2 | 9, 18 levers on a and b | 27, 36 what they turn | 45, 46 1/m
                 47 friction
    for all      48 1/S_nn | 49 S_tn | 51, 52, 53 S_tt⁻¹, zero where it has none | 54 s
                 55, 56, 57 S_tt | 58 upper half of S⁻¹ by rows, zero where it has none

with S = J A⁻¹ Jᵀ and s the largest eigenvalue of S_tt.
"""

from physics.jit import kernel
from physics.state import KEYFRAMED

PACKED = 64  # columns of `packed`
LEVER_A, LEVER_B, TURN_A, TURN_B, MASS_A, MASS_B, FRICTION = 9, 18, 27, 36, 45, 46, 47
LIGHT, SLIP = 48, 54  # 1/S_nn and s


@kernel
def load_packed(bodies, c, rows):
    """Directions and levers of two bodies without joints; writes packed, moved, turned, approach.

    J of such a contact is never written: it is d and r × d of `packed`, with minus on b.
    """
    packed = rows.packed
    _load_levers(packed, c, 0, rows.normal, rows.lever_a, rows.lever_b)
    _load_levers(packed, c, 3, rows.tangent1, rows.lever_a, rows.lever_b)
    _load_levers(packed, c, 6, rows.tangent2, rows.lever_a, rows.lever_b)
    packed[c, FRICTION] = rows.friction[c]
    for r in range(3):
        rows.moved[c, r], rows.turned[c, r] = 0.0, 0.0
    speed = 0.0
    for side in range(2):
        b = rows.body_a[c] if side == 0 else rows.body_b[c]
        keyframed = bodies.kind[b] == KEYFRAMED
        sign, levers = 1.0 - 2.0 * side, LEVER_A + side * (LEVER_B - LEVER_A)
        if keyframed or rows.place[c, 2 * side] >= 0:
            speed += sign * _body_speed(packed, c, 0, bodies.velocity, 2 * b)
        if keyframed or rows.place[c, 2 * side + 1] >= 0:
            speed += sign * _body_speed(packed, c, levers, bodies.velocity, 2 * b + 1)
        if keyframed:
            for r in range(3):
                along = _body_speed(packed, c, 3 * r, bodies.velocity, 2 * b)
                along += _body_speed(packed, c, levers + 3 * r, bodies.velocity, 2 * b + 1)
                rows.moved[c, r] += sign * along
                rows.turned[c, r] += sign * bodies.velocity[2 * b + 1, r]
    rows.approach[c] = speed


@kernel
def _load_levers(packed, c, p, d, anchor_a, anchor_b):
    """One direction and its levers, all at p of their part of `packed`; writes packed."""
    x, y, z = d[c, 0], d[c, 1], d[c, 2]
    packed[c, p], packed[c, p + 1], packed[c, p + 2] = x, y, z
    rx, ry, rz = anchor_a[c, 0], anchor_a[c, 1], anchor_a[c, 2]
    packed[c, LEVER_A + p] = ry * z - rz * y
    packed[c, LEVER_A + 1 + p] = rz * x - rx * z
    packed[c, LEVER_A + 2 + p] = rx * y - ry * x
    rx, ry, rz = anchor_b[c, 0], anchor_b[c, 1], anchor_b[c, 2]
    packed[c, LEVER_B + p] = ry * z - rz * y
    packed[c, LEVER_B + 1 + p] = rz * x - rx * z
    packed[c, LEVER_B + 2 + p] = rx * y - ry * x


@kernel
def _body_speed(packed, c, p, velocity, node):
    """The vector at p of `packed` times the velocity of a node."""
    return (
        packed[c, p] * velocity[node, 0]
        + packed[c, p + 1] * velocity[node, 1]
        + packed[c, p + 2] * velocity[node, 2]
    )


@kernel
def fill_packed_response(rows, c):
    """A⁻¹ Jᵀ and J A⁻¹ Jᵀ of two bodies without joints; writes packed and block.

    Directions are orthonormal, so masses are on the diagonal and turns are all that is off it.
    """
    packed, block, inverse = rows.packed, rows.block, rows.inverse
    light = 0.0
    for side in range(2):
        k, column = rows.place[c, 2 * side], MASS_A + side * (MASS_B - MASS_A)
        packed[c, column] = inverse[k, 0, 0] if k >= 0 else 0.0
        light += packed[c, column]
    nn, nt, nb, tt, tb, bb = light, 0.0, 0.0, light, 0.0, light
    for side in range(2):
        k = rows.place[c, 2 * side + 1]
        p, q = LEVER_A + side * (LEVER_B - LEVER_A), TURN_A + side * (TURN_B - TURN_A)
        if k < 0:
            for i in range(q, q + 9):
                packed[c, i] = 0.0
            continue
        for r in range(0, 9, 3):
            a, b, d = packed[c, p + r], packed[c, p + r + 1], packed[c, p + r + 2]
            for i in range(3):
                turn = inverse[k, i, 0] * a + inverse[k, i, 1] * b + inverse[k, i, 2] * d
                packed[c, q + r + i] = turn
        nn += _product(packed, c, p, q)
        nt += _product(packed, c, p, q + 3)
        nb += _product(packed, c, p, q + 6)
        tt += _product(packed, c, p + 3, q + 3)
        tb += _product(packed, c, p + 3, q + 6)
        bb += _product(packed, c, p + 6, q + 6)
    block[c, 0, 0], block[c, 0, 1], block[c, 0, 2] = nn, nt, nb
    block[c, 1, 0], block[c, 1, 1], block[c, 1, 2] = nt, tt, tb
    block[c, 2, 0], block[c, 2, 1], block[c, 2, 2] = nb, tb, bb


@kernel
def _product(packed, c, p, q):
    """The vector at p of `packed` times that at q."""
    return (
        packed[c, p] * packed[c, q]
        + packed[c, p + 1] * packed[c, q + 1]
        + packed[c, p + 2] * packed[c, q + 2]
    )


@kernel
def add_packed_impulse(unknown, rows, c, scale, out):
    """The same of two bodies without joints; writes out."""
    P, n, t, b = rows.packed, scale * rows.mu[c, 0], scale * rows.mu[c, 1], scale * rows.mu[c, 2]
    if n == 0.0 and t == 0.0 and b == 0.0:
        return
    for s in range(4):
        k = rows.place[c, s]
        if k >= 0:
            p = 0
            if s == 1:
                p = LEVER_A
            elif s == 3:
                p = LEVER_B
            sign = 1.0 if s < 2 else -1.0
            for i in range(3):
                added = P[c, p + i] * n + P[c, p + 3 + i] * t + P[c, p + 6 + i] * b
                out[unknown[k], i] += sign * added
