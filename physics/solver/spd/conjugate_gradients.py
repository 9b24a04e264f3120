"""Conjugate gradients on the block matrix, preconditioned by a factor of an earlier matrix.

A factor of a few steps ago is as good a preconditioner as one can wish for as long as things have
deformed little since: a handful of iterations, each a product and a pair of triangular solves. That
they have turned does not matter: the stiffness of a body turns with it,

    A ≈ R A₀ Rᵀ,  R = diag(R_i),     so   A⁻¹ ≈ R A₀⁻¹ Rᵀ

where R_i is the turn of the neighbourhood of node i since then. When the factor has become too old,
the caller factorises anew. Convergence is judged in physical units: the last change of the
solution, which is a velocity.
"""

from math import log

from physics.jit import kernel
from physics.solver.spd.matrix import multiply
from physics.solver.spd.triangular import solve_one

TRIAL = 4  # iterations before their rate is judged


@kernel
def inner(a, b):
    """a·b over (n, 3) arrays, in the order of their rows."""
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i, 0] * b[i, 0] + a[i, 1] * b[i, 1] + a[i, 2] * b[i, 2]
    return total


@kernel
def solve_turned(board, symbolic, X, turn, b, w, y):
    """y = R A₀⁻¹ Rᵀ b for the rotations turn (n, 3, 3). Written: y, w (workspace)."""
    for i in range(b.shape[0]):
        b0, b1, b2, R = b[i, 0], b[i, 1], b[i, 2], turn[i]
        for d in range(3):
            y[i, d] = R[0, d] * b0 + R[1, d] * b1 + R[2, d] * b2
    solve_one(board, symbolic, X, y, w, y)
    for i in range(b.shape[0]):
        y0, y1, y2, R = y[i, 0], y[i, 1], y[i, 2], turn[i]
        for d in range(3):
            y[i, d] = R[d, 0] * y0 + R[d, 1] * y1 + R[d, 2] * y2


@kernel
def conjugate_gradients(
    board, symbolic, edges, diagonal, off, X, turn, b, tolerance, most, w, residual, ahead,
    product, y,
):  # fmt: skip
    """y ≈ A⁻¹ b, starting from y; returns the iterations, or -1 - iterations if it gave up.

    X is the preconditioner's factor, turned by `turn`. It stops when no entry of the preconditioned
    residual, that is of the error as far as the preconditioner can tell, exceeds the tolerance, and
    gives up after `most`, or as soon as the rate so far says that twice as many would not be
    enough. Written: y; workspaces w, residual, ahead, product.
    """
    n = b.shape[0]
    multiply(edges, diagonal, off, y, residual)
    for i in range(n):
        for d in range(3):
            residual[i, d] = b[i, d] - residual[i, d]
    old = first = 0.0
    for iteration in range(most + 1):
        solve_turned(board, symbolic, X, turn, residual, w, product)
        worst = 0.0
        for i in range(n):
            for d in range(3):
                worst = max(worst, abs(product[i, d]))
        if worst <= tolerance:
            for i in range(n):
                for d in range(3):
                    y[i, d] += product[i, d]
            return iteration
        if iteration == 0:
            first = worst
        elif iteration >= TRIAL:
            gained = log(first / worst) / iteration  # per iteration
            if log(worst / tolerance) > gained * (2 * most - iteration):
                return -1 - iteration
        new = inner(residual, product)
        share = new / old if iteration > 0 else 0.0
        old = new
        for i in range(n):
            for d in range(3):
                ahead[i, d] = product[i, d] + share * ahead[i, d]
        multiply(edges, diagonal, off, ahead, product)
        curvature = inner(ahead, product)
        if not curvature > 0.0:
            return -1 - iteration
        length = new / curvature
        for i in range(n):
            for d in range(3):
                y[i, d] += length * ahead[i, d]
                residual[i, d] -= length * product[i, d]
    return -1 - most
