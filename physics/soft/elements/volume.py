"""Volume of a tetrahedron kept: φ = V - V₀.

V = (x₁ - x₀)·[(x₂ - x₀) x (x₃ - x₀)]/6
∂V/∂x₁ = (x₂ - x₀) x (x₃ - x₀)/6 and cyclically, ∂V/∂x₀ = minus their sum
"""

from physics.jit import kernel


@kernel
def evaluate(X, rest, phi, J):
    """Row and Jacobian of one tetrahedron, X (4, 3). Written: phi (1,), J (1, 12)."""
    for d in range(3):
        J[0, d] = 0.0
    for a in range(1, 4):
        b, c = a % 3 + 1, (a + 1) % 3 + 1
        for d in range(3):
            p, q = (d + 1) % 3, (d + 2) % 3
            value = (X[b, p] - X[0, p]) * (X[c, q] - X[0, q])
            value = (value - (X[b, q] - X[0, q]) * (X[c, p] - X[0, p])) / 6.0
            J[0, 3 * a + d] = value
            J[0, d] -= value
    volume = 0.0
    for d in range(3):
        volume += J[0, 3 + d] * (X[1, d] - X[0, d])
    phi[0] = volume - rest
