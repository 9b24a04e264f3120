"""Conjugate gradients on the block matrix, preconditioned by a factor of an earlier matrix.

A factor of a few steps ago is as good a preconditioner as one can wish for as long as things have
moved little since: a handful of iterations, each a product and a pair of triangular solves. When it
has become too old, the caller factorises anew. Convergence is judged in physical units: the last
change of the solution, which is a velocity.
"""

from math import log

from physics.compiled import kernel
from physics.solver.spd.matrix import multiply
from physics.solver.spd.solve import solve_one

TRIAL = 4  # iterations before their rate is judged


@kernel
def _inner(a, b):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i, 0] * b[i, 0] + a[i, 1] * b[i, 1] + a[i, 2] * b[i, 2]
    return total


@kernel
def conjugate_gradients(
    board, symbolic, edges, diagonal, off, X, b, tolerance, most, w, residual, ahead, product, y
):
    """y ≈ A⁻¹ b, starting from y; returns the iterations, or -1 - iterations if it gave up.

    X is the preconditioner's factor; stops when no entry of the preconditioned residual, that is
    of the error as far as the preconditioner can tell, exceeds the tolerance. It gives up after
    `most`, or as soon as the rate so far says that twice as many would not be enough. Written: y;
    workspaces w, residual, ahead, product.
    """
    n = b.shape[0]
    multiply(edges, diagonal, off, y, residual)
    for i in range(n):
        for d in range(3):
            residual[i, d] = b[i, d] - residual[i, d]
    old = first = 0.0
    for iteration in range(most + 1):
        solve_one(board, symbolic, X, residual, w, product)
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
        new = _inner(residual, product)
        share = new / old if iteration > 0 else 0.0
        old = new
        for i in range(n):
            for d in range(3):
                ahead[i, d] = product[i, d] + share * ahead[i, d]
        multiply(edges, diagonal, off, ahead, product)
        curvature = _inner(ahead, product)
        if not curvature > 0.0:
            return -1 - iteration
        length = new / curvature
        for i in range(n):
            for d in range(3):
                y[i, d] += length * ahead[i, d]
                residual[i, d] -= length * product[i, d]
    return -1 - most
