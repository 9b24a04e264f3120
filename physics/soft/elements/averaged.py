"""Stress over a step: the average that keeps energy and momenta.

A step takes an element from F₀ to F₁. With the deformation halfway, F = ½(F₀ + F₁), and *averages
of strains*, not strains of averages, the force on node a is

    f̄_a = -V F S̄ g_a
    Green strain      S̄ = D : ½(ε₀ + ε₁)                    exact: J(x_½)(x₁ - x₀) = φ₁ - φ₀, so
                                                             f̄·(x₁ - x₀) = -(E₁ - E₀)      [Simo92]
    principal         S̄ = V diag(ψ_i/s_i) Vᵀ at C̄ = ½(C₀ + C₁), s² and V its eigenvalues and axes,
                      and for large strains + α (C₁ - C₀) with α such that ½ S̄:(C₁ - C₀) is the
                      change of ψ exactly                                               [Gonzalez00]
    linear            P̄ = D : ½(e₀ + e₁), e = sym(F) - 1      [Servin06, Fig. 5]: turns are strains

A rigid turn of any size has C₀ = C₁, hence no stress, and F S̄ Fᵀ is symmetric, hence no torque.
Strains at the average would see a turned body shrunk by cos(θ/2) and throw its motion away.

Where an element is crushed flat or inside out C does not know it: there P(F) halfway is taken.
A material's damping β (s) adds D : β(ε₁ - ε₀)/h, which no rigid motion feels. With F₀ = F₁ all of
this is the plain stress at F.
"""

from math import acos, cos, pi, sqrt

from physics.jit import kernel
from physics.soft.elements.principal import (
    GREEN,
    LINEAR,
    density,
    derivatives,
    signed_svd,
    stress_of,
    symmetric_eigen,
)

THIRD = 2.0 * pi / 3.0
CRUSHED = 0.1  # of a side's length: below it an element may turn inside out
TINY = 1e-10  # of |C₁ - C₀|²: below it the work is exact but for round-off
SMALL = 0.03  # of stretch: up to it Hooke's law is tangent enough for every material
LEAST, MOST = 0.001, 0.002  # of stretch: between them the work becomes exact; a jump has no root
BY_STRAIN, BY_STRETCH, BY_HALFWAY = 0, 1, 2  # which kind of tangent belongs to the stress


@kernel
def _cauchy_green(F, C, scale):
    """C += scale FᵀF. Written: C."""
    for i in range(3):
        for j in range(3):
            C[i, j] += scale * (F[0, i] * F[0, j] + F[1, i] * F[1, j] + F[2, i] * F[2, j])


@kernel
def _determinant(F):
    return (
        F[0, 0] * (F[1, 1] * F[2, 2] - F[1, 2] * F[2, 1])
        - F[0, 1] * (F[1, 0] * F[2, 2] - F[1, 2] * F[2, 0])
        + F[0, 2] * (F[1, 0] * F[2, 1] - F[1, 1] * F[2, 0])
    )


@kernel
def hooke(e, first, second, S):
    """S = λ tr(e) 1 + 2μ e. Written: S."""
    trace = e[0, 0] + e[1, 1] + e[2, 2]
    for i in range(3):
        for j in range(3):
            S[i, j] = 2.0 * second * e[i, j]
        S[i, i] += first * trace


@kernel
def strain(kind, F0, F1, early, late, e):
    """Weighted Green or linear strain of the two ends. Written: e."""
    e[:] = 0.0
    if kind == LINEAR:
        for i in range(3):
            for j in range(3):
                e[i, j] = 0.5 * (early * (F0[i, j] + F0[j, i]) + late * (F1[i, j] + F1[j, i]))
            e[i, i] -= early + late
        return
    _cauchy_green(F0, e, 0.5 * early)
    _cauchy_green(F1, e, 0.5 * late)
    for i in range(3):
        e[i, i] -= 0.5 * (early + late)


@kernel
def _frame(F, U, s, V):
    """U: the axes V carried along by F and made orthonormal. Written: U."""
    for c in range(2):
        for i in range(3):
            U[i, c] = F[i, 0] * V[0, c] + F[i, 1] * V[1, c] + F[i, 2] * V[2, c]
    for c in range(2):
        if c == 1:
            along = U[0, 0] * U[0, 1] + U[1, 0] * U[1, 1] + U[2, 0] * U[2, 1]
            for i in range(3):
                U[i, 1] -= along * U[i, 0]
        size = sqrt(U[0, c] * U[0, c] + U[1, c] * U[1, c] + U[2, c] * U[2, c])
        for i in range(3):
            U[i, c] /= size
    U[0, 2] = U[1, 0] * U[2, 1] - U[2, 0] * U[1, 1]
    U[1, 2] = U[2, 0] * U[0, 1] - U[0, 0] * U[2, 1]
    U[2, 2] = U[0, 0] * U[1, 1] - U[1, 0] * U[0, 1]


@kernel
def _sorted_axes(C, V, s):
    """Stretches s, descending, and right-handed axes V of C. Written: C, V, s."""
    symmetric_eigen(C, V)
    for p, q in ((0, 1), (0, 2), (1, 2)):
        if C[q, q] > C[p, p]:
            C[p, p], C[q, q] = C[q, q], C[p, p]
            for k in range(3):
                V[k, p], V[k, q] = V[k, q], V[k, p]
    V[0, 2] = V[1, 0] * V[2, 1] - V[2, 0] * V[1, 1]
    V[1, 2] = V[2, 0] * V[0, 1] - V[0, 0] * V[2, 1]
    V[2, 2] = V[0, 0] * V[1, 1] - V[1, 0] * V[0, 1]
    for i in range(3):
        s[i] = sqrt(max(C[i, i], 0.0))


@kernel
def _times(F, S, P):
    """P = F S. Written: P."""
    for i in range(3):
        for j in range(3):
            P[i, j] = F[i, 0] * S[0, j] + F[i, 1] * S[1, j] + F[i, 2] * S[2, j]


@kernel
def stretches(C, s):
    """√ of the eigenvalues of C, descending, in closed form. Written: s.

    Where two of them meet each may be off by 1e-8, both together by round-off only: good enough for
    whatever is symmetric in them.
    """
    q = (C[0, 0] + C[1, 1] + C[2, 2]) / 3.0
    a, b, c = C[0, 0] - q, C[1, 1] - q, C[2, 2] - q
    d, e, f = C[0, 1], C[0, 2], C[1, 2]
    p = sqrt((a * a + b * b + c * c + 2.0 * (d * d + e * e + f * f)) / 6.0)
    if p <= 1e-15 * q:
        s[0] = s[1] = s[2] = sqrt(max(q, 0.0))
        return
    r = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)
    angle = acos(min(1.0, max(-1.0, 0.5 * r / (p * p * p)))) / 3.0
    high, low = q + 2.0 * p * cos(angle), q + 2.0 * p * cos(angle + THIRD)
    s[0], s[2] = sqrt(max(high, 0.0)), sqrt(max(low, 0.0))
    s[1] = sqrt(max(3.0 * q - high - low, 0.0))


@kernel
def _principal(kind, F0, F1, first, second, frame, F, P, S, w):
    """The materials in principal stretches; see `average`."""
    U, V, A = w[0], w[1], w[2]
    s, psi = w[6, 0], w[6, 1]
    A[:] = 0.0
    _cauchy_green(F0, A, 0.5)
    _cauchy_green(F1, A, 0.5)
    stretches(A, s)
    upright = min(_determinant(F), min(_determinant(F0), _determinant(F1))) > 0.0
    if not (upright and s[2] > CRUSHED * s[0]):
        signed_svd(F, U, s, V, A)
        derivatives(kind, s, first, second, psi, A)
        for i in range(3):
            for j in range(3):
                P[i, j] = (
                    U[i, 0] * psi[0] * V[j, 0] + U[i, 1] * psi[1] * V[j, 1]
                    + U[i, 2] * psi[2] * V[j, 2]
                )  # fmt: skip
        return BY_HALFWAY
    stress_of(kind, A, s, first, second, S, w[3])
    off = max(s[0] - 1.0, 1.0 - s[2])
    if off > LEAST:
        share = min(1.0, (off - LEAST) / (MOST - LEAST))
        _balance_energy(kind, F0, F1, first, second, share, S, w)
    if off < SMALL:
        return BY_STRAIN
    if frame:
        _sorted_axes(A, V, s)
        derivatives(kind, s, first, second, psi, A)
        _frame(F, U, s, V)
    return BY_STRETCH


@kernel
def _density_at(kind, F, first, second, C, s):
    """ψ(F) of an element that is not inside out. Written: workspaces C, s."""
    C[:] = 0.0
    _cauchy_green(F, C, 1.0)
    stretches(C, s)
    return density(kind, s, first, second)


@kernel
def _balance_energy(kind, F0, F1, first, second, share, S, w):
    """S += share α (C₁ - C₀): with share 1 the work of the step is the change of energy.

    Written: S, w[3:6], w[6].
    """
    C, s, change = w[3], w[6, 2], w[5]
    made = _density_at(kind, F1, first, second, C, s)
    made -= _density_at(kind, F0, first, second, C, s)
    change[:] = 0.0
    _cauchy_green(F1, change, 1.0)
    _cauchy_green(F0, change, -1.0)
    square = 0.0
    for i in range(3):
        for j in range(3):
            square += change[i, j] * change[i, j]
            made -= 0.5 * S[i, j] * change[i, j]
    if square > TINY:
        for i in range(3):
            for j in range(3):
                S[i, j] += share * 2.0 * made / square * change[i, j]


@kernel
def average(kind, F0, F1, first, second, rate, frame, F, P, S, w):
    """P̄ = F S̄ of a step, `rate` = β/h; returns which tangent belongs to it.

    Written: F halfway, P, S (3, 3) and, if a `frame` is wanted and the tangent is not `BY_STRAIN`,
    U, V, A, s, psi in w[0], w[1], w[2], w[6, 0], w[6, 1]; w (7, 3, 3).
    """
    for i in range(3):
        for j in range(3):
            F[i, j] = 0.5 * (F0[i, j] + F1[i, j])
    e = w[3]
    if kind == GREEN or kind == LINEAR:
        strain(kind, F0, F1, 0.5 - rate, 0.5 + rate, e)
        hooke(e, first, second, S)
        if kind == GREEN:
            _times(F, S, P)
        else:
            for i in range(3):
                for j in range(3):
                    P[i, j] = S[i, j]
                F[i, 0], F[i, 1], F[i, 2] = 0.0, 0.0, 0.0
                F[i, i] = 1.0
        return BY_STRAIN
    found = _principal(kind, F0, F1, first, second, frame, F, P, S, w)
    if found != BY_HALFWAY:
        if rate > 0.0:
            strain(kind, F0, F1, -rate, rate, e)
            hooke(e, first, second, w[4])
            for i in range(3):
                for j in range(3):
                    S[i, j] += w[4, i, j]
        _times(F, S, P)
    return found
