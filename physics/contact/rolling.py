"""Rolling friction: a torque against relative turning about the tangents, at most ρ times the load.

    ω_t = (1 - n nᵀ)(ω_a - ω_b),   τ ← τ - ω_t/s projected on |τ| ≤ ρ μ_n,   s ≥ |I_a⁻¹ + I_b⁻¹|

so that a ball rolls to rest within v²(1 + I/mr²) r/(2 ρ g) and stays on slopes below tan⁻¹(ρ/r).
"""

import math

from physics.compiled import kernel


@kernel
def brake(rows, inverse, c, x):
    """One visit; writes roll and x. Returns the change of turning, rad/s times the length ρ."""
    ka, kb = rows.place[c, 1], rows.place[c, 3]
    wx, wy, wz = 0.0, 0.0, 0.0
    bound = 0.0
    if ka >= 0:
        wx, wy, wz = x[ka, 0], x[ka, 1], x[ka, 2]
        bound += _row_norm(inverse, ka)
    if kb >= 0:
        wx -= x[kb, 0]
        wy -= x[kb, 1]
        wz -= x[kb, 2]
        bound += _row_norm(inverse, kb)
    if bound <= 0.0:
        return 0.0
    nx, ny, nz = rows.normal[c, 0], rows.normal[c, 1], rows.normal[c, 2]
    along = nx * wx + ny * wy + nz * wz
    ox, oy, oz = rows.roll[c, 0], rows.roll[c, 1], rows.roll[c, 2]
    tx = ox - (wx - along * nx) / bound
    ty = oy - (wy - along * ny) / bound
    tz = oz - (wz - along * nz) / bound
    size = math.sqrt(tx * tx + ty * ty + tz * tz)
    limit = rows.rolling[c] * rows.mu[c, 0]
    if size > limit:
        share = limit / size
        tx, ty, tz = tx * share, ty * share, tz * share
    rows.roll[c, 0], rows.roll[c, 1], rows.roll[c, 2] = tx, ty, tz
    tx, ty, tz = tx - ox, ty - oy, tz - oz
    if ka >= 0:
        _turn(inverse, ka, tx, ty, tz, x)
    if kb >= 0:
        _turn(inverse, kb, -tx, -ty, -tz, x)
    return math.sqrt(tx * tx + ty * ty + tz * tz) * bound * rows.rolling[c]


@kernel
def _row_norm(inverse, k):
    """An upper bound of the largest eigenvalue of the block; exact for a ball."""
    worst = 0.0
    for i in range(3):
        total = abs(inverse[k, i, 0]) + abs(inverse[k, i, 1]) + abs(inverse[k, i, 2])
        worst = max(worst, total)
    return worst


@kernel
def _turn(inverse, k, tx, ty, tz, x):
    """x += I⁻¹ τ; writes x."""
    for i in range(3):
        x[k, i] += inverse[k, i, 0] * tx + inverse[k, i, 1] * ty + inverse[k, i, 2] * tz
