"""Isotropic solids in principal stretches: corotational and Neo-Hookean tetrahedra.

F = U diag(s) Vᵀ with rotations U, V (s₃ carries the sign of an inverted element). An isotropic
energy density ψ(s) gives

    P = ∂ψ/∂F = U diag(ψ_i) Vᵀ                                       [Irving04]
    ∂P/∂F: in the frame of U, V the stretches couple through ψ_ij, and each pair i, j of planes has
    a twist mode (ψ_i + ψ_j)/(s_i + s_j) and a flip mode (ψ_i - ψ_j)/(s_i - s_j)   [Smith19]

so that a projection to the positive semi-definite part is a matter of three 1-D clamps and one
3x3 eigenvalue problem.

    corotational  ψ = μ Σ (s_i - 1)² + ½λ (Σ (s_i - 1))²
    Neo-Hookean   ψ = ½μ (Σ s_i² - 3) - μ (J - 1) + ½(λ + μ)(J - 1)²,  J = s₁s₂s₃

The second is the form without a logarithm [Smith18]: finite for flat and inverted elements. The
factor λ + μ makes it agree with Lamé's constants for small strain.
"""

from math import sqrt

from physics.jit import kernel

# codes of the materials, physics/soft/models.py
GREEN, COROTATIONAL, NEO_HOOKEAN, LINEAR = 0, 1, 2, 3


@kernel
def symmetric_eigen(A, V):
    """Eigenvalues on the diagonal of A, vectors in the columns of V (cyclic Jacobi).

    Written: A (3, 3; symmetric on entry), V.
    """
    for i in range(3):
        for j in range(3):
            V[i, j] = 1.0 if i == j else 0.0
    for _ in range(20):
        rest = A[0, 1] * A[0, 1] + A[0, 2] * A[0, 2] + A[1, 2] * A[1, 2]
        size = A[0, 0] * A[0, 0] + A[1, 1] * A[1, 1] + A[2, 2] * A[2, 2]
        if rest <= 1e-33 * size:
            break
        for p, q in ((0, 1), (0, 2), (1, 2)):
            if A[p, q] == 0.0:
                continue
            t = 0.5 * (A[q, q] - A[p, p]) / A[p, q]
            t = (1.0 if t >= 0.0 else -1.0) / (abs(t) + sqrt(1.0 + t * t))
            c = 1.0 / sqrt(1.0 + t * t)
            s = t * c
            for k in range(3):
                a, b = A[k, p], A[k, q]
                A[k, p], A[k, q] = c * a - s * b, s * a + c * b
            for k in range(3):
                a, b = A[p, k], A[q, k]
                A[p, k], A[q, k] = c * a - s * b, s * a + c * b
                a, b = V[k, p], V[k, q]
                V[k, p], V[k, q] = c * a - s * b, s * a + c * b


@kernel
def _cross(M, a, b, c, sign):
    """Column c of M = sign · column a x column b. Written: M."""
    M[0, c] = sign * (M[1, a] * M[2, b] - M[2, a] * M[1, b])
    M[1, c] = sign * (M[2, a] * M[0, b] - M[0, a] * M[2, b])
    M[2, c] = sign * (M[0, a] * M[1, b] - M[1, a] * M[0, b])


@kernel
def _sort_columns(A, V):
    """Order eigenvalues descending, vectors with them. Written: A (diagonal), V."""
    for p, q in ((0, 1), (0, 2), (1, 2)):
        if A[q, q] > A[p, p]:
            A[p, p], A[q, q] = A[q, q], A[p, p]
            for k in range(3):
                V[k, p], V[k, q] = V[k, q], V[k, p]


@kernel
def signed_svd(F, U, s, V, A):
    """F = U diag(s) Vᵀ with det U = det V = 1; s descending, the last may be negative.

    Written: U, s, V; A (3, 3) workspace. A rank-deficient F gets any fitting rotation.
    """
    for i in range(3):
        for j in range(3):
            A[i, j] = F[0, i] * F[0, j] + F[1, i] * F[1, j] + F[2, i] * F[2, j]
    symmetric_eigen(A, V)
    _sort_columns(A, V)
    _cross(V, 0, 1, 2, 1.0)
    largest = 0.0
    for c in range(2):
        for i in range(3):
            U[i, c] = F[i, 0] * V[0, c] + F[i, 1] * V[1, c] + F[i, 2] * V[2, c]
        if c == 1:  # orthogonal to the first to rounding, whatever the conditioning
            dot = U[0, 0] * U[0, 1] + U[1, 0] * U[1, 1] + U[2, 0] * U[2, 1]
            for i in range(3):
                U[i, 1] -= dot * U[i, 0]
        size = sqrt(U[0, c] * U[0, c] + U[1, c] * U[1, c] + U[2, c] * U[2, c])
        s[c] = size
        largest = max(largest, size)
        if size > 1e-12 * largest and size > 0.0:
            for i in range(3):
                U[i, c] /= size
        else:
            _any_unit(U, c)
    _cross(U, 0, 1, 2, 1.0)
    s[2] = 0.0
    for i in range(3):
        for j in range(3):
            s[2] += U[i, 2] * F[i, j] * V[j, 2]


@kernel
def _any_unit(U, c):
    """Some unit vector orthogonal to the columns of U before c. Written: column c."""
    axis = 0
    if c == 1:
        for i in range(3):
            if abs(U[i, 0]) < abs(U[axis, 0]):
                axis = i
    for i in range(3):
        U[i, c] = (1.0 if i == axis else 0.0) - (U[axis, 0] * U[i, 0] if c == 1 else 0.0)
    size = sqrt(U[0, c] * U[0, c] + U[1, c] * U[1, c] + U[2, c] * U[2, c])
    for i in range(3):
        U[i, c] /= size


@kernel
def density(kind, s, first, second):
    """ψ(s)."""
    if kind == COROTATIONAL:
        a, b, c = s[0] - 1.0, s[1] - 1.0, s[2] - 1.0
        return second * (a * a + b * b + c * c) + 0.5 * first * (a + b + c) ** 2
    volume = s[0] * s[1] * s[2] - 1.0
    square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3.0
    return 0.5 * second * square - second * volume + 0.5 * (first + second) * volume * volume


@kernel
def derivatives(kind, s, first, second, psi, A):
    """First and second derivatives of ψ by the stretches. Written: psi (3,), A (3, 3)."""
    if kind == COROTATIONAL:
        trace = s[0] + s[1] + s[2] - 3.0
        for i in range(3):
            psi[i] = 2.0 * second * (s[i] - 1.0) + first * trace
            for j in range(3):
                A[i, j] = first + (2.0 * second if i == j else 0.0)
        return
    pressure = (first + second) * (s[0] * s[1] * s[2] - 1.0) - second
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        area = s[j] * s[k]
        psi[i] = second * s[i] + pressure * area
        A[i, i] = second + (first + second) * area * area
        A[i, j] = A[j, i] = (first + second) * area * s[i] * s[k] + pressure * s[k]


@kernel
def stress_of(kind, C, s, first, second, S, U):
    """S(C) of the materials in principal stretches, s those of C. Written: S; workspace U.

    Corotational: 2μ + (λ(tr U - 3) - 2μ) U⁻¹ with U = √C by its invariants [Hoger84]; Neo-Hookean:
    μ + p J C⁻¹.
    """
    one, two = s[0] + s[1] + s[2], s[0] * s[1] + s[1] * s[2] + s[2] * s[0]
    three = s[0] * s[1] * s[2]
    if kind == COROTATIONAL:
        scale = 1.0 / (one * two - three)
        for i in range(3):
            for j in range(i, 3):
                square = C[i, 0] * C[0, j] + C[i, 1] * C[1, j] + C[i, 2] * C[2, j]
                U[i, j] = scale * ((one * one - two) * C[i, j] - square)
            U[i, i] += scale * one * three
        share = (first * (one - 3.0) - 2.0 * second) / three
        for i in range(3):
            for j in range(i, 3):
                S[i, j] = share * (C[i, j] - one * U[i, j])
            S[i, i] += share * two + 2.0 * second
    else:
        pressure = ((first + second) * (three - 1.0) - second) / three
        for i in range(3):
            p, q = (i + 1) % 3, (i + 2) % 3
            for j in range(i, 3):
                m, n = (j + 1) % 3, (j + 2) % 3
                S[i, j] = pressure * (C[p, m] * C[q, n] - C[p, n] * C[q, m])
            S[i, i] += second
    S[1, 0], S[2, 0], S[2, 1] = S[0, 1], S[0, 2], S[1, 2]


@kernel
def pair_modes(kind, s, first, second, psi, i, j, k):
    """Twist and flip eigenvalue of the planes i, j (k the third), exact where s_i = s_j."""
    total = s[i] + s[j]
    twist = (psi[i] + psi[j]) / total if abs(total) > 1e-9 else 0.0
    if kind == COROTATIONAL:
        return twist, 2.0 * second
    pressure = (first + second) * (s[0] * s[1] * s[2] - 1.0) - second
    return second + pressure * s[k], second - pressure * s[k]


@kernel
def clamp_positive(A, E, V):
    """Project the symmetric 3x3 matrix A to its positive semi-definite part. Written: A; E, V."""
    for i in range(3):
        for j in range(3):
            E[i, j] = A[i, j]
    symmetric_eigen(E, V)
    if min(E[0, 0], E[1, 1], E[2, 2]) >= 0.0:
        return
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += max(E[k, k], 0.0) * V[i, k] * V[j, k]
            A[i, j] = total


@kernel
def stretch_blocks(kind, U, s, V, first, second, psi, A, gradient, volume, w, q, H):
    """H_ab = V Σ_jl g_aj T_ijkl g_bl of the projected T = ∂P/∂F, without forming it.

    In the frame of U and V it is sparse: A couples stretches, twist and flip of each pair of planes
    couple F_ij with F_ij and F_ji. So H_ab = V U H'_ab Uᵀ with q_a = Vᵀ g_a and

        H'_ii = A_ii q_ai q_bi + Σ_j ½(twist + flip) q_aj q_bj
        H'_ik = A_ik q_ai q_bk + ½(flip - twist) q_ak q_bi

    Written: H (k, k, 3, 3) for a ≤ b, A; workspaces w (3, 3, 3), q (k, 3).
    """
    M, plane, cross = w[0], w[1], w[2]
    if kind != COROTATIONAL:  # whose A is positive
        clamp_positive(A, plane, cross)
    for i, j, k in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        twist, flip = pair_modes(kind, s, first, second, psi, i, j, k)
        twist, flip = max(twist, 0.0), max(flip, 0.0)
        plane[i, j] = plane[j, i] = 0.5 * (twist + flip)
        cross[i, j] = cross[j, i] = 0.5 * (flip - twist)
    for i in range(3):
        plane[i, i] = A[i, i]
    for a in range(gradient.shape[0]):
        g0, g1, g2 = gradient[a, 0], gradient[a, 1], gradient[a, 2]
        for i in range(3):
            q[a, i] = g0 * V[0, i] + g1 * V[1, i] + g2 * V[2, i]
    for a in range(gradient.shape[0]):
        for b in range(a, gradient.shape[0]):
            for i in range(3):
                r0 = volume * q[a, 0] * q[b, 0] * plane[i, 0]
                r0 += volume * (q[a, 1] * q[b, 1] * plane[i, 1] + q[a, 2] * q[b, 2] * plane[i, 2])
                M[i, i] = r0
                for k in range(3):
                    if k != i:
                        both = A[i, k] * q[a, i] * q[b, k] + cross[i, k] * q[a, k] * q[b, i]
                        M[i, k] = volume * both
            _turned(U, M, H[a, b])


@kernel
def _turned(U, M, out):
    """out = U M Uᵀ. Written: out."""
    for i in range(3):
        t0 = U[i, 0] * M[0, 0] + U[i, 1] * M[1, 0] + U[i, 2] * M[2, 0]
        t1 = U[i, 0] * M[0, 1] + U[i, 1] * M[1, 1] + U[i, 2] * M[2, 1]
        t2 = U[i, 0] * M[0, 2] + U[i, 1] * M[1, 2] + U[i, 2] * M[2, 2]
        for j in range(3):
            out[i, j] = t0 * U[j, 0] + t1 * U[j, 1] + t2 * U[j, 2]
