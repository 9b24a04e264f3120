"""Area of a triangle kept: φ = A - A₀.

    m = (x₁ - x₀) x (x₂ - x₀),  A = ½|m|,  n = m/|m|
    ∂A/∂x_a = ½ n x (opposite edge, x_c - x_b)
    K̃ = λ ∂²A/∂x²:  ∂n/∂x_b = (1 - n nᵀ)/|m| · ∂m/∂x_b,  ∂m/∂x_b δ = δ x ... = (x_a - x_c)^ δ

A soap film has K̃ with one sign only along its normal; in its plane the rows act like pressure.
"""

from math import sqrt

import numpy as np

from physics.jit import kernel

FLAT = 1e-30  # m²


@kernel
def _normal(X, m):
    """m = (x₁ - x₀) x (x₂ - x₀); returns |m|. Written: m."""
    a0, a1, a2 = X[1, 0] - X[0, 0], X[1, 1] - X[0, 1], X[1, 2] - X[0, 2]
    b0, b1, b2 = X[2, 0] - X[0, 0], X[2, 1] - X[0, 1], X[2, 2] - X[0, 2]
    m[0], m[1], m[2] = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
    return sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2])


@kernel
def evaluate(X, rest, phi, J):
    """Row and Jacobian of one triangle, X (3, 3). Written: phi (1,), J (1, 9)."""
    n = np.empty(3)
    size = max(_normal(X, n), FLAT)  # a needle has no gradient
    phi[0] = 0.5 * size - rest
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        for d in range(3):
            p, q = (d + 1) % 3, (d + 2) % 3
            J[0, 3 * a + d] = 0.5 * (n[p] * (X[c, q] - X[b, q]) - n[q] * (X[c, p] - X[b, p])) / size


@kernel
def _hat_times(s, i, j):
    """Entry (i, j) of the cross-product matrix of s."""
    if (j - i) % 3 == 1:
        return -s[(i + 2) % 3]
    return s[(i + 1) % 3] if (j - i) % 3 == 2 else 0.0


@kernel
def geometric(X, lam, K):
    """K̃ = λ ∂²A/∂x² (9, 9). Written: K.

    ∂²A/∂x_a∂x_b = ½ [-ŝ_a (1 - nnᵀ)(-ŝ_b)/|m| ± n̂],  s_a the edge opposite to a.
    """
    n, s = np.empty(3), np.empty((3, 3))
    size = _normal(X, n)
    for a in range(3):
        n[a] /= size
        for d in range(3):
            s[a, d] = X[(a + 2) % 3, d] - X[(a + 1) % 3, d]
    for a in range(3):
        for b in range(3):
            # n x s_a varies with s_a too: x_c = x_{a+2} enters with +, x_b = x_{a+1} with -.
            turn = 0.0 if a == b else (1.0 if b == (a + 2) % 3 else -1.0)
            for i in range(3):
                for j in range(3):
                    total = 0.0
                    for k in range(3):
                        for m in range(3):
                            flat = (1.0 if k == m else 0.0) - n[k] * n[m]
                            total -= _hat_times(s[a], i, k) * flat * _hat_times(s[b], m, j)
                    total = total / size + turn * _hat_times(n, i, j)
                    K[3 * a + i, 3 * b + j] = 0.5 * lam * total
