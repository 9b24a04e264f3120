"""The stress of materials in principal stretches with all of its derivative, element by element.

What the engine does is `stretch_blocks`: the same without forming T. It is compared with this.
"""

import numpy as np

from physics.jit import kernel
from physics.soft.elements.principal import (
    clamp_positive,
    density,
    derivatives,
    pair_modes,
    signed_svd,
)


@kernel
def tangent(kind, U, s, V, first, second, project, psi, A, w, T):
    """∂P/∂F at F = U diag(s) Vᵀ, projected on demand; psi, A as of `derivatives`.

    Written: T[i, j, k, l] = ∂P_ij/∂F_kl, A; w (3, 3, 3) workspace.
    """
    B, E, Q = w[0], w[1], w[2]
    T[:] = 0.0
    if project:
        clamp_positive(A, E, Q)
    for a in range(3):
        for b in range(3):  # B = outer products of the stretch directions
            for i in range(3):
                for j in range(3):
                    left = A[a, b] * U[i, a] * V[j, a]
                    for k in range(3):
                        for m in range(3):
                            T[i, j, k, m] += left * U[k, b] * V[m, b]
    for i, j, k in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        twist, flip = pair_modes(kind, s, first, second, psi, i, j, k)
        if project:
            twist, flip = max(twist, 0.0), max(flip, 0.0)
        for sign, value in ((-1.0, twist), (1.0, flip)):
            for a in range(3):
                for b in range(3):
                    B[a, b] = U[a, i] * V[b, j] + sign * U[a, j] * V[b, i]
            for a in range(3):
                for b in range(3):
                    for c in range(3):
                        for d in range(3):
                            T[a, b, c, d] += 0.5 * value * B[a, b] * B[c, d]


@kernel
def stress_and_tangent(kind, F, first, second, project, P, T, w):
    """First Piola-Kirchhoff stress and its derivative; returns ψ.

    T[i, j, k, l] = ∂P_ij/∂F_kl, projected to its positive semi-definite part on demand.
    Written: P (3, 3), T (3, 3, 3, 3); w (7, 3, 3) workspace.
    """
    U, V, A = w[0], w[1], w[2]
    s, psi = w[6, 0], w[6, 1]
    signed_svd(F, U, s, V, A)
    derivatives(kind, s, first, second, psi, A)
    for i in range(3):
        for j in range(3):
            P[i, j] = 0.0
            for k in range(3):
                P[i, j] += U[i, k] * psi[k] * V[j, k]
    tangent(kind, U, s, V, first, second, project, psi, A, w[3:6], T)
    return density(kind, s, first, second)


@kernel
def element_energy(kind, X, gradient, volume, first, second):
    """Energy of one cell of a principal-stretch material."""
    F, w = np.empty((3, 3)), np.empty((4, 3, 3))
    for i in range(3):
        for j in range(3):
            F[i, j] = 0.0
            for a in range(X.shape[0]):
                F[i, j] += X[a, i] * gradient[a, j]
    signed_svd(F, w[0], w[3, 0], w[1], w[2])
    return volume * density(kind, w[3, 0], first, second)
