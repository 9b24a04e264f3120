"""Krylov methods without any factor, as in the papers: one linear solve a step, iterations counted.

*cg*: conjugate gradients on the condensed matrix A = A₀ + h²Jᵀ k J (the stiffness form), with the
inverse blocks of its diagonal as preconditioner.

*minres*: MINRES [Paige75] on the compliance form of the same step, in which links keep their rows,

    [A₀   Jᵀ    ] [v]   [b]
    [J   -1/h²k ] [μ] = [0]

It is symmetric but indefinite, finite for links without compliance, and condenses to A v = b. The
preconditioner is the diagonal: blocks of A₀, and 1/h²k + J A₀⁻¹ Jᵀ of every row.

Both stop when the residual, in the norm of the preconditioner, has shrunk by KRYLOV_TOLERANCE.
"""

from math import sqrt

import numpy as np

from physics.jit import kernel
from physics.solver.spd.conjugate_gradients import inner
from physics.solver.spd.matrix import multiply

KRYLOV_TOLERANCE = 1e-9
MOST_KRYLOV = 5000  # iterations; then the matrix is factorised


@kernel
def _invert(D, B):
    """B = D⁻¹ of a symmetric positive 3x3 block, by cofactors. Written: B."""
    c00, c01 = D[1, 1] * D[2, 2] - D[1, 2] * D[2, 1], D[0, 2] * D[2, 1] - D[0, 1] * D[2, 2]
    c02 = D[0, 1] * D[1, 2] - D[0, 2] * D[1, 1]
    det = D[0, 0] * c00 + D[1, 0] * c01 + D[2, 0] * c02
    B[0, 0], B[0, 1], B[0, 2] = c00 / det, c01 / det, c02 / det
    B[1, 0], B[1, 1] = B[0, 1], (D[0, 0] * D[2, 2] - D[0, 2] * D[2, 0]) / det
    B[1, 2] = (D[0, 2] * D[1, 0] - D[0, 0] * D[1, 2]) / det
    B[2, 0], B[2, 1] = B[0, 2], B[1, 2]
    B[2, 2] = (D[0, 0] * D[1, 1] - D[0, 1] * D[1, 0]) / det


@kernel
def _weigh(inverse, weight, r, z):
    """z = P⁻¹ r; nodes first, then rows. Written: z."""
    n = inverse.shape[0]
    for i in range(n):
        for d in range(3):
            z[i, d] = (
                inverse[i, d, 0] * r[i, 0] + inverse[i, d, 1] * r[i, 1] + inverse[i, d, 2] * r[i, 2]
            )
    for e in range(weight.size):
        z[n + e, 0] = weight[e] * r[n + e, 0]


@kernel
def block_cg(edges, diagonal, off, b, tolerance, most, y):
    """y ≈ A⁻¹ b, starting from y; the iterations, or -1 - iterations if it gave up. Written: y."""
    n = b.shape[0]
    inverse, nothing = np.empty((n, 3, 3)), np.empty(0)
    for i in range(n):
        _invert(diagonal[i], inverse[i])
    r, z, p, q = np.empty((n, 3)), np.empty((n, 3)), np.zeros((n, 3)), np.empty((n, 3))
    _weigh(inverse, nothing, b, z)
    goal = tolerance * tolerance * inner(b, z)
    multiply(edges, diagonal, off, y, q)
    r[:] = b - q
    old = 1.0
    for iteration in range(most + 1):
        _weigh(inverse, nothing, r, z)
        new = inner(r, z)
        if new <= goal:
            return iteration
        share = new / old if iteration > 0 else 0.0
        old = new
        for i in range(n):
            for d in range(3):
                p[i, d] = z[i, d] + share * p[i, d]
        multiply(edges, diagonal, off, p, q)
        length = new / inner(p, q)
        for i in range(n):
            for d in range(3):
                y[i, d] += length * p[i, d]
                r[i, d] -= length * q[i, d]
    return -1 - most


@kernel
def _without_links(edges, diagonal, off, ends, u, stiff, pinned, y, z):
    """z = [A₀ v + Jᵀμ; J v - μ/h²k] for y = [v; μ]. Written: z."""
    n = diagonal.shape[0]
    multiply(edges, diagonal, off, y[:n], z[:n])
    for e in range(stiff.size):
        z[n + e] = 0.0
        if stiff[e] == 0.0:
            continue
        i, j = ends[e, 0], ends[e, 1]
        rate = 0.0
        for d in range(3):
            rate += 0.0 if pinned[i] else u[e, d] * y[i, d]
            rate -= 0.0 if pinned[j] else u[e, d] * y[j, d]
        push = y[n + e, 0] - stiff[e] * rate
        for d in range(3):
            if not pinned[i]:
                z[i, d] += push * u[e, d]
            if not pinned[j]:
                z[j, d] -= push * u[e, d]
        z[n + e, 0] = rate - y[n + e, 0] / stiff[e]


@kernel
def _diagonals(diagonal, ends, u, stiff, pinned, inverse, weight):
    """Preconditioner of the compliance form. Written: inverse, weight."""
    own = diagonal.copy()
    for e in range(stiff.size):
        for i in (ends[e, 0], ends[e, 1]):
            if stiff[e] > 0.0 and not pinned[i]:
                for a in range(3):
                    for c in range(3):
                        own[i, a, c] -= stiff[e] * u[e, a] * u[e, c]
    for i in range(diagonal.shape[0]):
        _invert(own[i], inverse[i])
    for e in range(stiff.size):
        weight[e] = 0.0
        if stiff[e] == 0.0:
            continue
        total = 1.0 / stiff[e]
        for i in (ends[e, 0], ends[e, 1]):
            if not pinned[i]:
                for a in range(3):
                    for c in range(3):
                        total += u[e, a] * inverse[i, a, c] * u[e, c]
        weight[e] = 1.0 / total


@kernel
def minres(edges, diagonal, off, ends, u, stiff, pinned, b, tolerance, most, y):
    """v ≈ A⁻¹ b by the compliance form; `stiff` are h²k of links in the matrix, u directions.

    Returns the iterations, or -1 - iterations if it gave up. Written: y.
    """
    n, size = b.shape[0], b.shape[0] + stiff.size
    inverse, weight = np.empty((n, 3, 3)), np.empty(stiff.size)
    _diagonals(diagonal, ends, u, stiff, pinned, inverse, weight)
    old, now, z = np.zeros((size, 3)), np.zeros((size, 3)), np.zeros((size, 3))
    before, way, product = np.zeros((size, 3)), np.zeros((size, 3)), np.zeros((size, 3))
    found = np.zeros((size, 3))
    now[:n] = b
    _weigh(inverse, weight, now, z)
    beta = sqrt(max(inner(now, z), 0.0))
    y[:] = 0.0
    if beta == 0.0:
        return 0
    last_beta, c0, c1, s0, s1, left, goal = 1.0, 1.0, 1.0, 0.0, 0.0, beta, tolerance * beta
    for iteration in range(1, most + 1):
        for i in range(size):
            for d in range(3):
                z[i, d] /= beta
        _without_links(edges, diagonal, off, ends, u, stiff, pinned, z, product)
        alpha = inner(z, product)
        for i in range(size):
            for d in range(3):
                ahead = product[i, d] - alpha / beta * now[i, d] - beta / last_beta * old[i, d]
                old[i, d], now[i, d] = now[i, d], ahead
        delta, gamma = c1 * alpha - c0 * s1 * beta, s1 * alpha + c0 * c1 * beta
        epsilon = s0 * beta
        _weigh(inverse, weight, now, product)
        last_beta, beta = beta, sqrt(max(inner(now, product), 0.0))
        rho = sqrt(delta * delta + beta * beta)
        c0, s0, c1, s1 = c1, s1, delta / rho, beta / rho
        for i in range(size):
            for d in range(3):
                ahead = (z[i, d] - gamma * way[i, d] - epsilon * before[i, d]) / rho
                before[i, d], way[i, d] = way[i, d], ahead
                found[i, d] += c1 * left * ahead
                z[i, d] = product[i, d]
        left *= -s1
        if abs(left) <= goal or beta == 0.0:
            y[:] = found[:n]
            return iteration
    return -1 - most
