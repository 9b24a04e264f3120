"""The dense algebra of a soft body with the rigid bodies it meets.

Written out rather than left to BLAS: T is zero but on the nodes that touch, and a BLAS that shares
such small products among threads waits for a busy core many times longer than they take; its bits
would depend on the processor and the number of its cores, too (physics/portable.py).
"""

import numpy as np

from physics.jit import kernel


@kernel
def condense(T, X, y, S, f):
    """S -= TᵀX and f += Tᵀy for T, X (n, 3, m) and y (n, 3)."""
    nodes, size = len(T), len(f)
    for n in range(nodes):
        for c in range(3):
            for i in range(size):
                t = T[n, c, i]
                if t != 0.0:
                    f[i] += t * y[n, c]
                    for j in range(size):
                        S[i, j] -= t * X[n, c, j]


@kernel
def coupling(C, S, out):
    """out = 1 + C S, all (m, m)."""
    size = len(C)
    for i in range(size):
        for j in range(size):
            out[i, j] = 1.0 if i == j else 0.0
        for k in range(size):
            for j in range(size):
                out[i, j] += C[i, k] * S[k, j]


@kernel
def multiply(A, x):
    """A x for A (m, m)."""
    size = len(x)
    product = np.zeros(size)
    for i in range(size):
        total = 0.0
        for j in range(size):
            total += A[i, j] * x[j]
        product[i] = total
    return product


@kernel
def solve(A, b):
    """Writes A⁻¹b over b (m,) and destroys A (m, m)."""
    divide(A, b.reshape((len(b), 1)))


@kernel
def divide(A, B):
    """Writes A⁻¹B over B (m, n) and destroys A (m, m): elimination with the largest pivot of a
    column."""
    size, columns = B.shape
    for k in range(size):
        pivot = k
        for i in range(k + 1, size):
            if abs(A[i, k]) > abs(A[pivot, k]):
                pivot = i
        if pivot != k:
            for j in range(k, size):
                A[k, j], A[pivot, j] = A[pivot, j], A[k, j]
            for j in range(columns):
                B[k, j], B[pivot, j] = B[pivot, j], B[k, j]
        for i in range(k + 1, size):
            factor = A[i, k] / A[k, k]
            if factor != 0.0:
                for j in range(k + 1, size):
                    A[i, j] -= factor * A[k, j]
                for j in range(columns):
                    B[i, j] -= factor * B[k, j]
    for i in range(size - 1, -1, -1):
        for j in range(columns):
            for k in range(i + 1, size):
                B[i, j] -= A[i, k] * B[k, j]
            B[i, j] /= A[i, i]


@kernel
def follow(met, f, y):
    """Bodies give way to the impulse f + Tᵀy, and y follows. Written: met, y; f."""
    size, T = len(f), met.push
    for n in range(len(T)):
        for c in range(3):
            for i in range(size):
                f[i] += T[n, c, i] * y[n, c]
    change, given = multiply(met.gain, f), multiply(met.passed, f)
    for i in range(size):
        met.motion[i] += change[i]
        met.force[i] += given[i]
    unfold(met.response, change, y)


@kernel
def unfold(X, change, y):
    """y += X change."""
    for n in range(len(X)):
        for c in range(3):
            total = 0.0
            for j in range(len(change)):
                total += X[n, c, j] * change[j]
            y[n, c] += total
