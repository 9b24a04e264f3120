"""Dihedral bending of two triangles (0, 1, 2) and (1, 0, 3) that share the edge 0-1.

    φ = θ - θ₀,  θ the angle between the triangles' normals (zero when flat)

With e = x₁ - x₀, m = (x₀ - x₂) x (x₁ - x₂), n = (x₁ - x₃) x (x₀ - x₃), q(m) = m/|m|²:

    ∂θ/∂x₂ = -|e| q(m)
    ∂θ/∂x₃ = -|e| q(n)
    ∂θ/∂x₀ = -[(x₂ - x₁)·e q(m) + (x₃ - x₁)·e q(n)]/|e|
    ∂θ/∂x₁ = +[(x₂ - x₀)·e q(m) + (x₃ - x₀)·e q(n)]/|e|

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
def _dihedral(w, length):
    """θ of what `_prepare` has written."""
    m, n, e = w[_M], w[_N], w[_E]
    triple = (
        (m[1] * n[2] - m[2] * n[1]) * e[0]
        + (m[2] * n[0] - m[0] * n[2]) * e[1]
        + (m[0] * n[1] - m[1] * n[0]) * e[2]
    )
    return atan2(triple / length, _dot(m, n))


@kernel
def angle(X):
    """θ in (-π, π]."""
    w = np.empty((5, 3))
    length = _prepare(X, w)
    return _dihedral(w, length)


@kernel
def evaluate(X, rest, w, phi, J):
    """Row and Jacobian of one hinge, X (4, 3). Written: phi (1,), J (1, 12); w (5, 3) workspace."""
    length = _prepare(X, w)
    e = w[_E]
    phi[0] = _dihedral(w, length) - rest
    for d in range(3):
        qm, qn = w[_QM, d], w[_QN, d]
        J[0, d] = -(_along(X, 2, 1, e) * qm + _along(X, 3, 1, e) * qn) / length
        J[0, 3 + d] = (_along(X, 2, 0, e) * qm + _along(X, 3, 0, e) * qn) / length
        J[0, 6 + d] = -length * qm
        J[0, 9 + d] = -length * qn
