"""Area of a triangle kept: φ = A - A₀.

m = (x₁ - x₀) x (x₂ - x₀),  A = ½|m|,  n = m/|m|
∂A/∂x_a = ½ n x (opposite edge, x_c - x_b)
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
