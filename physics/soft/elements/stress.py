"""Stress of every element as one number, for those who look: the equivalent stress of von Mises.

    σ_v = √(3/2 dev σ : dev σ)             of a solid, σ = P Fᵀ / det F, Pa
    σ_v = √(S₁₁² - S₁₁S₂₂ + S₂₂² + 3S₁₂²)  of a membrane, N/m

Nothing of a step depends on it.
"""

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.jit import kernel
from physics.soft.elements.averaged import hooke, strain
from physics.soft.elements.principal import GREEN, LINEAR, derivatives, signed_svd
from physics.soft.elements.quads import POINTS
from physics.soft.elements.tetrahedra import deformation

if TYPE_CHECKING:
    from physics.soft.solve.soft_arrays import Model

Floats = NDArray[np.float64]
FLATTENED = 1e-6  # of its volume: what is smaller is taken for that


@kernel
def _piola(kind, F, first, second, P, w):
    """P(F) of one cell. Written: P; w (5, 3, 3) workspace."""
    if kind == GREEN or kind == LINEAR:
        strain(kind, F, F, 1.0, 0.0, w[0])
        hooke(w[0], first, second, w[1])
        for i in range(3):
            for j in range(3):
                P[i, j] = w[1, i, j]
                if kind == GREEN:
                    P[i, j] = 0.0
                    for k in range(3):
                        P[i, j] += F[i, k] * w[1, k, j]
        return
    U, V, A, s, psi = w[0], w[1], w[2], w[3, 0], w[3, 1]
    signed_svd(F, U, s, V, A)
    derivatives(kind, s, first, second, psi, A)
    for i in range(3):
        for j in range(3):
            P[i, j] = 0.0
            for k in range(3):
                P[i, j] += U[i, k] * psi[k] * V[j, k]


@kernel
def _equivalent(kind, F, P):
    """σ_v of one cell."""
    volume = (
        F[0, 0] * (F[1, 1] * F[2, 2] - F[1, 2] * F[2, 1])
        - F[0, 1] * (F[1, 0] * F[2, 2] - F[1, 2] * F[2, 0])
        + F[0, 2] * (F[1, 0] * F[2, 1] - F[1, 1] * F[2, 0])
    )
    volume = max(abs(volume), FLATTENED)
    squares = trace = 0.0
    for i in range(3):
        for j in range(3):
            sigma = P[i, j]
            if kind != LINEAR:
                sigma = (P[i, 0] * F[j, 0] + P[i, 1] * F[j, 1] + P[i, 2] * F[j, 2]) / volume
            squares += sigma * sigma
            if i == j:
                trace += sigma
    return sqrt(max(1.5 * (squares - trace * trace / 3.0), 0.0))


@kernel
def cell_stress(x, nodes, gradient, kind, lame, stress):
    """Written: stress (m,) of cells."""
    F, P, w = np.empty((3, 3)), np.empty((3, 3)), np.empty((5, 3, 3))
    X = np.empty((nodes.shape[1], 3))
    for e in range(nodes.shape[0]):
        for a in range(nodes.shape[1]):
            for d in range(3):
                X[a, d] = x[nodes[e, a], d]
        deformation(X, gradient[e], F)
        _piola(kind[e], F, lame[e, 0], lame[e, 1], P, w)
        stress[e] = _equivalent(kind[e], F, P)


@kernel
def sheet_stress(x, nodes, gradient, stiffness, stress):
    """Written: stress (m,) of triangles, or of points of quads."""
    X, F, e = np.empty((nodes.shape[1], 3)), np.empty((3, 2)), np.empty(3)
    for t in range(nodes.shape[0]):
        for a in range(nodes.shape[1]):
            for d in range(3):
                X[a, d] = x[nodes[t, a], d]
        deformation(X, gradient[t], F)
        e[0] = 0.5 * (F[0, 0] ** 2 + F[1, 0] ** 2 + F[2, 0] ** 2 - 1.0)
        e[1] = 0.5 * (F[0, 1] ** 2 + F[1, 1] ** 2 + F[2, 1] ** 2 - 1.0)
        e[2] = F[0, 0] * F[0, 1] + F[1, 0] * F[1, 1] + F[2, 0] * F[2, 1]
        D = stiffness[t]
        p = D[0, 0] * e[0] + D[0, 1] * e[1] + D[0, 2] * e[2]
        q = D[1, 0] * e[0] + D[1, 1] * e[1] + D[1, 2] * e[2]
        r = D[2, 0] * e[0] + D[2, 1] * e[1] + D[2, 2] * e[2]
        stress[t] = sqrt(p * p - p * q + q * q + 3.0 * r * r)


def von_mises(model: "Model", x: Floats) -> Floats:
    """Of every cell of a solid (Pa), or of every triangle or quad of a sheet (N/m)."""
    if len(model.hex_nodes):
        stress = np.zeros(len(model.hex_nodes))
        cells = model.hex_nodes, model.hex_gradient, model.hex_kind, model.hex_lame
        cell_stress(x, *cells, stress)
    elif len(model.tet_nodes):
        stress = np.zeros(len(model.tet_nodes))
        cells = model.tet_nodes, model.tet_gradient, model.tet_kind, model.tet_lame
        cell_stress(x, *cells, stress)
    elif len(model.quad_nodes):
        points = np.zeros(len(model.quad_nodes))
        sheet_stress(x, model.quad_nodes, model.quad_gradient, model.quad_stiffness, points)
        stress = points.reshape(-1, POINTS).max(axis=1)
    else:
        stress = np.zeros(len(model.tri_nodes))
        sheet_stress(x, model.tri_nodes, model.tri_gradient, model.tri_stiffness, stress)
    return stress
