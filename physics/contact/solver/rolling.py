"""Rolling and spinning friction: a torque against relative turning, at most ρ times the load.

A load rests on a patch, not on a point, so neither rolling nor spinning is free: ρ is about the
patch's radius. With ω = ω_a - ω_b and B the turning that a unit torque between the two gives,

    stick   τ - B⁻¹ ω      if it lies in the ball |τ| ≤ ρ μ_n
    slip    τ - ω/s        projected on the ball, s ≥ |B|

so that a ball rolls to rest within v²(1 + I/mr²) r/(2 ρ g) and stays on slopes below tan⁻¹(ρ/r).

Of bodies that hang on joints, responses to the three torques lie in `response` behind those to the
contact's own rows; of others they are the inverse blocks.
"""

import math

from physics.contact.contact_rows import torque_offset
from physics.contact.solver.reads import add_response, tell_readers
from physics.jit import kernel

_SINGULAR = 1e-9  # of the trace of B: what it is shifted by where something cannot turn


@kernel
def relative_spin(rows, c, x):
    """ω_a - ω_b."""
    wx, wy, wz = rows.turned[c, 0], rows.turned[c, 1], rows.turned[c, 2]
    k = rows.place[c, 1]
    if k >= 0:
        wx, wy, wz = wx + x[k, 0], wy + x[k, 1], wz + x[k, 2]
    k = rows.place[c, 3]
    if k >= 0:
        wx, wy, wz = wx - x[k, 0], wy - x[k, 1], wz - x[k, 2]
    return wx, wy, wz


@kernel
def apply_torque(rows, c, tx, ty, tz, x):
    """x += A⁻¹ Jᵀ τ, at places that rows read (`reads.py`); writes x and given."""
    if rows.simple[c]:
        k = rows.place[c, 1]
        if k >= 0:
            add_response(rows.inverse, k, tx, ty, tz, x, k)
        k = rows.place[c, 3]
        if k >= 0:
            add_response(rows.inverse, k, -tx, -ty, -tz, x, k)
        return
    rows.given[c, 3] += tx
    rows.given[c, 4] += ty
    rows.given[c, 5] += tz
    tell_readers(rows, c, torque_offset(rows, c), tx, ty, tz, x)


@kernel
def update_rolling(rows, c, x):
    """One update; writes roll and x. Returns the change of turning, rad/s times the length ρ."""
    limit = rows.rolling[c] * rows.mu[c, 0]
    ox, oy, oz = rows.roll[c, 0], rows.roll[c, 1], rows.roll[c, 2]
    if limit <= 0.0 and ox == 0.0 and oy == 0.0 and oz == 0.0:
        return 0.0
    ka, kb = rows.place[c, 1], rows.place[c, 3]
    wx, wy, wz = relative_spin(rows, c, x)
    simple, first = rows.simple[c], torque_offset(rows, c)
    R = rows.inverse if simple else rows.response
    a, b, d, e, f, g = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # upper half of B
    for side in range(2):
        k = ka if side == 0 else kb
        if k < 0:
            continue
        sign = 1.0 - 2.0 * side
        p = k
        if not simple:
            p = first + _block(rows, c, k)
        gain = 1.0 if simple else sign
        a += gain * R[p, 0, 0]
        b += gain * 0.5 * (R[p, 0, 1] + R[p, 1, 0])
        d += gain * 0.5 * (R[p, 0, 2] + R[p, 2, 0])
        e += gain * R[p, 1, 1]
        f += gain * 0.5 * (R[p, 1, 2] + R[p, 2, 1])
        g += gain * R[p, 2, 2]
    trace = a + e + g
    if trace <= 0.0:
        return 0.0
    tx, ty, tz = ox, oy, oz
    sa, se, sg = a + _SINGULAR * trace, e + _SINGULAR * trace, g + _SINGULAR * trace
    c0, c1, c2 = se * sg - f * f, d * f - b * sg, b * f - d * se
    det = sa * c0 + b * c1 + d * c2
    if det > 0.0:
        tx -= (c0 * wx + c1 * wy + c2 * wz) / det
        ty -= (c1 * wx + (sa * sg - d * d) * wy + (b * d - sa * f) * wz) / det
        tz -= (c2 * wx + (b * d - sa * f) * wy + (sa * se - b * b) * wz) / det
    size = math.sqrt(tx * tx + ty * ty + tz * tz)
    if det <= 0.0 or size > limit:
        most = max(a + abs(b) + abs(d), e + abs(b) + abs(f), g + abs(d) + abs(f))
        tx, ty, tz = ox - wx / most, oy - wy / most, oz - wz / most
        size = math.sqrt(tx * tx + ty * ty + tz * tz)
        if size > limit:
            share = limit / size
            tx, ty, tz = tx * share, ty * share, tz * share
    rows.roll[c, 0], rows.roll[c, 1], rows.roll[c, 2] = tx, ty, tz
    tx, ty, tz = tx - ox, ty - oy, tz - oz
    apply_torque(rows, c, tx, ty, tz, x)
    wx, wy, wz = a * tx + b * ty + d * tz, b * tx + e * ty + f * tz, d * tx + f * ty + g * tz
    return math.sqrt(wx * wx + wy * wy + wz * wz) * rows.rolling[c]


@kernel
def _block(rows, c, k):
    """Which of the blocks of a response belongs to place k."""
    start, stop = rows.span[c, 0], rows.span[c, 1]
    return k - start if start <= k < stop else stop - start + k - rows.span[c, 2]
