"""The dense algebra of a soft body with the rigid bodies it meets.

Written out rather than left to BLAS: T is zero but on the nodes that touch, and a BLAS that shares
such small products among threads waits for a busy core many times longer than they take; its bits
would depend on the number of cores, too.
"""

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
def unfold(X, change, y):
    """y += X change."""
    for n in range(len(X)):
        for c in range(3):
            total = 0.0
            for j in range(len(change)):
                total += X[n, c, j] * change[j]
            y[n, c] += total
