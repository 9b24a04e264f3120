"""Products a bᵀ of 12-vectors (blocks p_a, θ_a, p_b, θ_b) that K̃ of a row is a sum of.

[Andrews17, App. B], corrected against the printed appendix: the axial signs are those of a
right-handed (u, v, n); dot-1 needs λ(n·u)[-1 1; 1 -1] when n·u ≠ 0; dot-2 misses two vectors (d̄₄
and c̄₅). Each is checked against the matrices of the rows.
"""

import math

from physics.jit import kernel
from physics.linalg import zero_rows


@kernel
def clear_pairs(a, b):
    zero_rows(a)
    zero_rows(b)


@kernel
def basis(x, y, z, e, f):
    """Writes e, f with (e, f, s/|s|) right-handed and orthonormal; returns |s|."""
    norm = math.sqrt(x * x + y * y + z * z)
    if norm == 0.0:
        return 0.0
    x, y, z = x / norm, y / norm, z / norm
    if abs(x) < 0.6:
        ex, ey, ez = 0.0, z, -y
    else:
        ex, ey, ez = -z, 0.0, x
    scale = 1.0 / math.sqrt(ex * ex + ey * ey + ez * ez)
    e[0], e[1], e[2] = ex * scale, ey * scale, ez * scale
    f[0] = y * e[2] - z * e[1]
    f[1] = z * e[0] - x * e[2]
    f[2] = x * e[1] - y * e[0]
    return norm


@kernel
def ball_pairs(force, s, block, sign, r, t, a, b):
    """λ̂ŝ = ‖s‖[(λ_r s - λ_s r) rᵀ + (λ_t s - λ_s t) tᵀ], s a unit vector: two pairs.

    Writes a[:2], b[:2] (rank, 12) in angular block `block` (1 or 3) and the scratch vectors r, t.
    Returns the number of pairs.
    """
    clear_pairs(a, b)
    norm = basis(s[0], s[1], s[2], r, t)
    if norm == 0.0:
        return 0
    along = (force[0] * s[0] + force[1] * s[1] + force[2] * s[2]) / norm
    across_r = force[0] * r[0] + force[1] * r[1] + force[2] * r[2]
    across_t = force[0] * t[0] + force[1] * t[1] + force[2] * t[2]
    for c in range(3):
        unit = s[c] / norm
        a[0, 3 * block + c] = sign * norm * (across_r * unit - along * r[c])
        a[1, 3 * block + c] = sign * norm * (across_t * unit - along * t[c])
        b[0, 3 * block + c] = r[c]
        b[1, 3 * block + c] = t[c]
    return 2
