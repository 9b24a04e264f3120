"""Low-rank forms of K̃ and the inverse of M̃ = M - h²K̃ they give [Andrews17, §3 and App. B].

K̃ of a row is a sum of products a bᵀ of 12-vectors (blocks p_a, θ_a, p_b, θ_b). Corrected against
the printed appendix: the Sherman-Morrison denominator is 1 - h² bᵀM⁻¹a; the axial signs are those
of a right-handed (u, v, n); dot-1 needs λ(n·u)[-1 1; 1 -1] when n·u ≠ 0; dot-2 misses two vectors
(d̄₄ and c̄₅). Each is checked against the matrices of `constraints/rows`.
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


@kernel
def dot1_pairs(lam, n, u, a, b):
    """λ(ū' n̄ᵀ + n̄' ūᵀ) and, where n·u ≠ 0, λ(n·u)[-1 1; 1 -1] on the angular blocks."""
    clear_pairs(a, b)
    inner = n[0] * u[0] + n[1] * u[1] + n[2] * u[2]
    for c in range(3):
        a[0, 3 + c], a[0, 9 + c] = -lam * u[c], lam * u[c]
        b[0, 9 + c] = n[c]
        a[1, 3 + c], a[1, 9 + c] = -lam * n[c], lam * n[c]
        b[1, 3 + c] = -u[c]
    if inner == 0.0:
        return 2
    for c in range(3):
        a[2 + c, 3 + c], a[2 + c, 9 + c] = lam * inner, -lam * inner
        b[2 + c, 3 + c], b[2 + c, 9 + c] = -1.0, 1.0
    return 5


@kernel
def _hat_times_hat(scale, s, n, v, row, column, first, a, b):
    """scale · ŝû as two pairs: (s × n) vᵀ - (s × v) nᵀ."""
    for c in range(3):
        i, j = (c + 1) % 3, (c + 2) % 3
        a[first, 3 * row + c] = scale * (s[i] * n[j] - s[j] * n[i])
        a[first + 1, 3 * row + c] = -scale * (s[i] * v[j] - s[j] * v[i])
        b[first, 3 * column + c] = v[c]
        b[first + 1, 3 * column + c] = n[c]


@kernel
def _times_hat(scale, s, n, v, row, column, first, a, b):
    """scale · ûŝ as two pairs: n (v × s)ᵀ - v (n × s)ᵀ."""
    for c in range(3):
        i, j = (c + 1) % 3, (c + 2) % 3
        a[first, 3 * row + c] = scale * n[c]
        a[first + 1, 3 * row + c] = -scale * v[c]
        b[first, 3 * column + c] = v[i] * s[j] - v[j] * s[i]
        b[first + 1, 3 * column + c] = n[i] * s[j] - n[j] * s[i]


@kernel
def dot2_pairs(lam, u, s_b, r, v, n, a, b):
    """K̃ of d·u_a [Andrews17, Eq. 27] in pairs, from û = n vᵀ - v nᵀ, (v, n, u) right-handed.

    Grouped by the columns and rows they share: linear-angular (4), -r̂û (2), ûŝ_b and its negative
    below (2), ŝ_bû (2): ten pairs, as in App. B with its two missing vectors.
    """
    clear_pairs(a, b)
    basis(u[0], u[1], u[2], v, n)
    for c in range(3):
        # columns θ_a of the linear rows: -λû in p_a, +λû in p_b
        a[0, c], a[0, 6 + c], b[0, 3 + c] = -lam * n[c], lam * n[c], v[c]
        a[1, c], a[1, 6 + c], b[1, 3 + c] = lam * v[c], -lam * v[c], n[c]
        # row θ_a: +λû in column p_a, -λû in column p_b
        a[2, 3 + c], b[2, c], b[2, 6 + c] = lam * n[c], v[c], -v[c]
        a[3, 3 + c], b[3, c], b[3, 6 + c] = -lam * v[c], n[c], -n[c]
    _hat_times_hat(-lam, r, n, v, 1, 1, 4, a, b)
    _times_hat(lam, s_b, n, v, 1, 3, 6, a, b)
    for c in range(3):
        a[6, 9 + c] = -a[6, 3 + c]
        a[7, 9 + c] = -a[7, 3 + c]
    _hat_times_hat(lam, s_b, n, v, 3, 1, 8, a, b)
    return 10


@kernel
def sherman_morrison(inverse, a, b, scale, left, right):
    """inverse ← (inverse⁻¹ + scale·a bᵀ)⁻¹ for full-length a, b; writes inverse, left, right.

    Entries of a and b that are zero cost nothing. Returns the denominator 1 + scale·bᵀM⁻¹a.
    """
    n = len(a)
    for i in range(n):
        left[i] = 0.0
        right[i] = 0.0
    for j in range(n):
        if a[j] != 0.0:
            for i in range(n):
                left[i] += inverse[i, j] * a[j]
    for i in range(n):
        if b[i] != 0.0:
            for j in range(n):
                right[j] += b[i] * inverse[i, j]
    denominator = 1.0
    for i in range(n):
        denominator += scale * b[i] * left[i]
    factor = scale / denominator
    for i in range(n):
        if left[i] != 0.0:
            for j in range(n):
                inverse[i, j] -= factor * left[i] * right[j]
    return denominator


@kernel
def angle_pairs(lam, n_a, n_b, u, v, a, b):
    """K̃ of the angle row: n̂_a, n̂_b and the product of gradients, see rows/angle.py.

    n̂ = v uᵀ - u vᵀ for a right-handed (u, v, n): five pairs.
    """
    clear_pairs(a, b)
    d = max(1.0 + n_a[0] * n_b[0] + n_a[1] * n_b[1] + n_a[2] * n_b[2], 1e-6)
    scale = lam / d
    for side in range(2):
        n = n_a if side == 0 else n_b
        basis(n[0], n[1], n[2], u, v)
        for c in range(3):
            column = 3 + 6 * side + c
            a[2 * side, 3 + c], a[2 * side, 9 + c] = scale * v[c], -scale * v[c]
            b[2 * side, column] = u[c]
            a[2 * side + 1, 3 + c], a[2 * side + 1, 9 + c] = -scale * u[c], scale * u[c]
            b[2 * side + 1, column] = v[c]
    for c in range(3):
        i, j = (c + 1) % 3, (c + 2) % 3
        g = (n_a[c] + n_b[c]) / d
        m = n_a[i] * n_b[j] - n_a[j] * n_b[i]
        a[4, 3 + c], a[4, 9 + c] = scale * g, -scale * g
        b[4, 3 + c], b[4, 9 + c] = m, -m
    return 5


@kernel
def distance_pairs(lam, length, s_a, s_b, u, e, f, a, b):
    """(λ/l) Tᵀ(e eᵀ + f fᵀ)T and the two levers f̂ŝ: six pairs at most."""
    clear_pairs(a, b)
    basis(u[0], u[1], u[2], e, f)
    for k in range(2):
        t = e if k == 0 else f
        for i in range(3):
            j, m = (i + 1) % 3, (i + 2) % 3
            b[k, i], b[k, 6 + i] = t[i], -t[i]
            b[k, 3 + i] = s_a[j] * t[m] - s_a[m] * t[j]
            b[k, 9 + i] = -(s_b[j] * t[m] - s_b[m] * t[j])
        for i in range(12):
            a[k, i] = lam / length * b[k, i]
    force = (lam * u[0], lam * u[1], lam * u[2])
    used = 2
    used += ball_pairs(force, s_a, 1, 1.0, e, f, a[used:], b[used:])
    used += ball_pairs(force, s_b, 3, -1.0, e, f, a[used:], b[used:])
    return used


@kernel
def leg_pairs(lam, length, s, u, side, e, f, a, b):
    """(λ/l) Tᵀ(e eᵀ + f fᵀ)T and the lever f̂ŝ of one leg of a pulley: four pairs at most."""
    clear_pairs(a, b)
    basis(u[0], u[1], u[2], e, f)
    for k in range(2):
        t = e if k == 0 else f
        for i in range(3):
            j, m = (i + 1) % 3, (i + 2) % 3
            b[k, 6 * side + i] = t[i]
            b[k, 6 * side + 3 + i] = s[j] * t[m] - s[m] * t[j]
        for i in range(12):
            a[k, i] = lam / length * b[k, i]
    force = (lam * u[0], lam * u[1], lam * u[2])
    return 2 + ball_pairs(force, s, 2 * side + 1, 1.0, e, f, a[2:], b[2:])
