"""Dihedral bending of two triangles (0, 1, 2) and (1, 0, 3) that share the edge 0-1.

    φ = θ - θ₀,  θ the angle between the triangles' normals (zero when flat)

With e = x₁ - x₀, m = (x₀ - x₂) x (x₁ - x₂), n = (x₁ - x₃) x (x₀ - x₃), q(m) = m/|m|²:

    ∂θ/∂x₂ = -|e| q(m)
    ∂θ/∂x₃ = -|e| q(n)
    ∂θ/∂x₀ = -[(x₂ - x₁)·e q(m) + (x₃ - x₁)·e q(n)]/|e|
    ∂θ/∂x₁ = +[(x₂ - x₀)·e q(m) + (x₃ - x₀)·e q(n)]/|e|
    K̃ = λ ∂²θ/∂x²  by the product rule, ∂q/∂m = (1 - 2 m̂m̂ᵀ)/|m|²

Stiffness of one hinge for a sheet of bending rigidity B (N m): k = B |e|²/(A₁ + A₂), the weights of
[Grinspun03]. The factor is the one for meshes of right-angled cells bent along their grid lines:
there θ = κ dx on edges of length dy, so ½kθ² is ½Bκ² times the cell, and the diagonals stay flat.
"""

from math import atan2, sqrt

import numpy as np

from physics.jit import kernel

# Row of the scratch array: e, m, n, q(m), q(n).
_E, _M, _N, _QM, _QN = 0, 1, 2, 3, 4


@kernel
def _cross(X, a, b, c, out):
    """out = (x_a - x_c) x (x_b - x_c). Written: out."""
    p0, p1, p2 = X[a, 0] - X[c, 0], X[a, 1] - X[c, 1], X[a, 2] - X[c, 2]
    q0, q1, q2 = X[b, 0] - X[c, 0], X[b, 1] - X[c, 1], X[b, 2] - X[c, 2]
    out[0], out[1], out[2] = p1 * q2 - p2 * q1, p2 * q0 - p0 * q2, p0 * q1 - p1 * q0


@kernel
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def _along(X, a, b, e):
    """(x_a - x_b)·e."""
    return (X[a, 0] - X[b, 0]) * e[0] + (X[a, 1] - X[b, 1]) * e[1] + (X[a, 2] - X[b, 2]) * e[2]


@kernel
def _prepare(X, w):
    """Edge, normals and their q; returns |e|. Written: w (5, 3)."""
    for d in range(3):
        w[_E, d] = X[1, d] - X[0, d]
    _cross(X, 0, 1, 2, w[_M])
    _cross(X, 1, 0, 3, w[_N])
    mm, nn = _dot(w[_M], w[_M]), _dot(w[_N], w[_N])
    for d in range(3):
        w[_QM, d], w[_QN, d] = w[_M, d] / mm, w[_N, d] / nn
    return sqrt(_dot(w[_E], w[_E]))


@kernel
def angle(X):
    """θ in (-π, π]."""
    w = np.empty((5, 3))
    length = _prepare(X, w)
    m, n, e = w[_M], w[_N], w[_E]
    triple = (
        (m[1] * n[2] - m[2] * n[1]) * e[0]
        + (m[2] * n[0] - m[0] * n[2]) * e[1]
        + (m[0] * n[1] - m[1] * n[0]) * e[2]
    )
    return atan2(triple / length, _dot(m, n))


@kernel
def evaluate(X, rest, w, phi, J):
    """Row and Jacobian of one hinge, X (4, 3). Written: phi (1,), J (1, 12); w (5, 3) workspace."""
    length = _prepare(X, w)
    m, n, e = w[_M], w[_N], w[_E]
    triple = (
        (m[1] * n[2] - m[2] * n[1]) * e[0]
        + (m[2] * n[0] - m[0] * n[2]) * e[1]
        + (m[0] * n[1] - m[1] * n[0]) * e[2]
    )
    phi[0] = atan2(triple / length, _dot(m, n)) - rest
    for d in range(3):
        qm, qn = w[_QM, d], w[_QN, d]
        J[0, d] = -(_along(X, 2, 1, e) * qm + _along(X, 3, 1, e) * qn) / length
        J[0, 3 + d] = (_along(X, 2, 0, e) * qm + _along(X, 3, 0, e) * qn) / length
        J[0, 6 + d] = -length * qm
        J[0, 9 + d] = -length * qn


@kernel
def _add_turn(row, scale, m, a, b, c, X, K):
    """K[row] += scale ∂q(m)/∂x for m = (x_a - x_c) x (x_b - x_c). Written: K.

    ∂m/∂x_a · δ = δ x (x_b - x_c), and cyclically: each node sees its opposite edge.
    """
    square = _dot(m, m)
    for node, head, tail in ((a, b, c), (b, c, a), (c, a, b)):
        s0 = X[head, 0] - X[tail, 0]
        s1 = X[head, 1] - X[tail, 1]
        s2 = X[head, 2] - X[tail, 2]
        for j in range(3):
            d0, d1, d2 = 1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0
            t0, t1, t2 = d1 * s2 - d2 * s1, d2 * s0 - d0 * s2, d0 * s1 - d1 * s0
            along = 2.0 * (m[0] * t0 + m[1] * t1 + m[2] * t2) / square
            K[3 * row, 3 * node + j] += scale * (t0 - along * m[0]) / square
            K[3 * row + 1, 3 * node + j] += scale * (t1 - along * m[1]) / square
            K[3 * row + 2, 3 * node + j] += scale * (t2 - along * m[2]) / square


@kernel
def _add_projection(row, q, end, near, sign, lam, X, e, length, K):
    """Derivative of sign λ q (x_end - x_near)·e/|e| by the scalar factor. Written: K.

    With ê = e/|e|, s = x_end - x_near: ∂/∂x_end = ê, ∂/∂x_near = -ê, ∂/∂e = (s - (s·ê) ê)/|e|.
    """
    along = _along(X, end, near, e) / length
    for j in range(3):
        unit = e[j] / length
        turn = (X[end, j] - X[near, j] - along * unit) / length
        for i in range(3):
            value = sign * lam * q[i]
            K[3 * row + i, 3 * end + j] += value * unit
            K[3 * row + i, 3 * near + j] -= value * unit
            K[3 * row + i, 3 + j] += value * turn
            K[3 * row + i, j] -= value * turn


@kernel
def geometric(X, lam, w, K):
    """K̃ = λ ∂²θ/∂x² (12, 12) of one hinge. Written: K; w (5, 3) workspace."""
    length = _prepare(X, w)
    e, m, n, qm, qn = w[_E], w[_M], w[_N], w[_QM], w[_QN]
    K[:] = 0.0
    for j in range(3):  # ∂θ/∂x₂ and ∂θ/∂x₃: the factor -|e|
        unit = -lam * e[j] / length
        for i in range(3):
            K[6 + i, 3 + j] += unit * qm[i]
            K[6 + i, j] -= unit * qm[i]
            K[9 + i, 3 + j] += unit * qn[i]
            K[9 + i, j] -= unit * qn[i]
    _add_turn(2, -lam * length, m, 0, 1, 2, X, K)
    _add_turn(3, -lam * length, n, 1, 0, 3, X, K)
    for row, near, sign in ((0, 1, -1.0), (1, 0, 1.0)):
        _add_projection(row, qm, 2, near, sign, lam, X, e, length, K)
        _add_projection(row, qn, 3, near, sign, lam, X, e, length, K)
        _add_turn(row, sign * lam * _along(X, 2, near, e) / length, m, 0, 1, 2, X, K)
        _add_turn(row, sign * lam * _along(X, 3, near, e) / length, n, 1, 0, 3, X, K)
