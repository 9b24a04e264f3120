"""Green-strain tetrahedron: compliance rows of [Servin06] and the same material in stiffness form.

Linear shape functions in the rest configuration, gradients g_a = ∂N_a/∂r:  F = Σ x_a g_aᵀ.

    ε = ½ (FᵀF - 1), φ = √V ε, Voigt order 11, 22, 33, 12, 13, 23   [Servin06, Eqs. 13, 15]
    J = ∂φ/∂x                                                         [Tournier15, Eq. 24]
    K̃ = √V Bᵀ diag(λ̂, λ̂, λ̂) B                                        [Tournier15, Eq. 25]
    compliance D⁻¹, D with λ + 2μ, λ and, on the shear diagonal, μ     [Servin06, Eq. 14]

Voigt shear is engineering shear γ = 2ε₁₂: only then does D with μ on its shear diagonal give the
energy of the isotropic material, and Y = μ(3λ + 2μ)/(λ + μ) (the paper prints 3λ + μ). The volume
is the rest volume, so the paper's terms with ∂V/∂x do not appear.

Eliminating the rows (λ = -D φ) gives St. Venant-Kirchhoff's force and stiffness, in closed form
with S = λ tr(ε) 1 + 2με and p_a = F g_a:

    f_a = -V F S g_a
    (JᵀDJ)_ab = V [λ p_a p_bᵀ + μ p_b p_aᵀ + μ (g_a·g_b) F Fᵀ],   -K̃_ab = V (g_a·S g_b) 1
"""

import numpy as np
from numpy.typing import NDArray

from physics.jit import kernel
from physics.portable import determinant, inverse

VOIGT = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def lame(young: float, poisson: float) -> tuple[float, float]:
    """Lamé constants (λ, μ) of Young's modulus and Poisson's ratio."""
    return young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))


def shape_gradients(
    position: NDArray[np.float64], nodes: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradients (m, 4, 3) of the linear shape functions and signed volumes (m,) at rest."""
    edges = np.swapaxes(position[nodes[:, 1:]] - position[nodes[:, :1]], 1, 2)
    inner = inverse(edges)
    gradient = np.concatenate([-inner.sum(axis=1, keepdims=True), inner], axis=1)
    return np.ascontiguousarray(gradient), determinant(edges) / 6.0


@kernel
def deformation(X, gradient, F):
    """F = Σ x_a g_aᵀ of one element, any number of nodes. Written: F (3, d)."""
    for i in range(F.shape[0]):
        for j in range(F.shape[1]):
            total = 0.0
            for a in range(X.shape[0]):
                total += X[a, i] * gradient[a, j]
            F[i, j] = total


@kernel
def green_stress(F, first, second, S):
    """Second Piola-Kirchhoff stress; returns the energy density. Written: S (3, 3)."""
    trace = square = 0.0
    for i in range(3):
        for j in range(3):
            product = F[0, i] * F[0, j] + F[1, i] * F[1, j] + F[2, i] * F[2, j]
            S[i, j] = 0.5 * (product - (1.0 if i == j else 0.0))
            square += S[i, j] * S[i, j]
        trace += S[i, i]
    for i in range(3):
        for j in range(3):
            S[i, j] *= 2.0 * second
        S[i, i] += first * trace
    return 0.5 * first * trace * trace + second * square


@kernel
def material_blocks(F, gradient, volume, first, second, p, H):
    """JᵀDJ of one cell of k nodes as 3x3 blocks, a ≤ b. Written: H (k, k, 3, 3), p (k, 3)."""
    for a in range(gradient.shape[0]):
        for i in range(3):
            p[a, i] = F[i, 0] * gradient[a, 0] + F[i, 1] * gradient[a, 1] + F[i, 2] * gradient[a, 2]
    b00 = F[0, 0] * F[0, 0] + F[0, 1] * F[0, 1] + F[0, 2] * F[0, 2]
    b01 = F[0, 0] * F[1, 0] + F[0, 1] * F[1, 1] + F[0, 2] * F[1, 2]
    b02 = F[0, 0] * F[2, 0] + F[0, 1] * F[2, 1] + F[0, 2] * F[2, 2]
    b11 = F[1, 0] * F[1, 0] + F[1, 1] * F[1, 1] + F[1, 2] * F[1, 2]
    b12 = F[1, 0] * F[2, 0] + F[1, 1] * F[2, 1] + F[1, 2] * F[2, 2]
    b22 = F[2, 0] * F[2, 0] + F[2, 1] * F[2, 1] + F[2, 2] * F[2, 2]
    bulk, shear = volume * first, volume * second
    for a in range(gradient.shape[0]):
        a0, a1, a2 = p[a, 0], p[a, 1], p[a, 2]
        for b in range(a, gradient.shape[0]):
            c0, c1, c2, block = p[b, 0], p[b, 1], p[b, 2], H[a, b]
            dot = gradient[a, 0] * gradient[b, 0] + gradient[a, 1] * gradient[b, 1]
            side = shear * (dot + gradient[a, 2] * gradient[b, 2])
            block[0, 0] = (bulk + shear) * a0 * c0 + side * b00
            block[0, 1] = bulk * a0 * c1 + shear * c0 * a1 + side * b01
            block[0, 2] = bulk * a0 * c2 + shear * c0 * a2 + side * b02
            block[1, 0] = bulk * a1 * c0 + shear * c1 * a0 + side * b01
            block[1, 1] = (bulk + shear) * a1 * c1 + side * b11
            block[1, 2] = bulk * a1 * c2 + shear * c1 * a2 + side * b12
            block[2, 0] = bulk * a2 * c0 + shear * c2 * a0 + side * b02
            block[2, 1] = bulk * a2 * c1 + shear * c2 * a1 + side * b12
            block[2, 2] = (bulk + shear) * a2 * c2 + side * b22
