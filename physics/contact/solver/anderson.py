"""Anderson acceleration of the Gauss-Seidel sweeps.

A round of sweeps is a map g of the impulses μ; what it changes, f(μ) = g(μ) - μ, is zero at the
solution. From the last rounds, with differences ΔF and ΔG of f and g, the next impulses are

    μ ← g - ΔG γ,      γ = argmin |f - ΔF γ|      in the norm of the diagonal of S,

projected on what the bounds and friction allow, and swept again. On a pyramid of 210 boxes, begun
without impulses, 51 rounds reach what 1000 plain or conjugate-gradient sweeps do not. When f grows
the past is forgotten. A sweep always comes last, so impulses are within their bounds.

Rows of `history`: ANDERSON_DEPTH ΔF, as many ΔG, then μ, f, g and the weights. Every group has
columns of its own, from `base` on.
"""

import numpy as np

from physics.contact.solver.row_update import apply_impulse, project
from physics.jit import kernel
from physics.params import ANDERSON_DEPTH
from physics.solver.projection import apply

BEFORE, LAST_F, LAST_G, WEIGHT = range(2 * ANDERSON_DEPTH, 2 * ANDERSON_DEPTH + 4)
_GROWTH = 4.0  # of |f|² beyond its least: the past no longer tells anything
_DEPENDENT = 1e-10  # of the diagonal: keeps equal differences from dividing by zero


@kernel
def set_weights(scene, first, stop, bounded, base):
    """Writes the weights: the diagonal of S over the group."""
    rows, limits = scene.contacts, scene.unilateral
    weight = rows.history[WEIGHT]
    k = base
    for i in range(first, stop):
        c = rows.order[i]
        for r in range(3):
            weight[k + r] = rows.block[c, r, r]
        k += 3
    for u in range(bounded):
        weight[k + u] = limits.diagonal[u]


@kernel
def gather_impulses(scene, first, stop, bounded, base, out):
    """The impulses of the group in one row; writes out."""
    rows, limits, mu = scene.contacts, scene.unilateral, scene.elements.mu
    k = base
    for i in range(first, stop):
        c = rows.order[i]
        for r in range(3):
            out[k + r] = rows.mu[c, r]
        k += 3
    for u in range(bounded):
        out[k + u] = mu[limits.element[u], limits.row[u]]


@kernel
def accelerate(scene, x, h, first, stop, bounded, base, lane, used, round_, least):
    """Combines the round just swept with the earlier ones.

    Writes impulses and x. Returns (differences kept, least |f|² so far).
    """
    rows = scene.contacts
    M, gram = rows.history, rows.gram[lane]
    end = base + 3 * (stop - first) + bounded
    head = round_ % ANDERSON_DEPTH
    # f = g - μ and its change; M[LAST_G] becomes g, M[LAST_F] f
    norm = 0.0
    gather_impulses(scene, first, stop, bounded, base, M[ANDERSON_DEPTH + head])
    for k in range(base, end):
        g = M[ANDERSON_DEPTH + head, k]
        f = g - M[BEFORE, k]
        norm += M[WEIGHT, k] * f * f
        M[head, k] = f - M[LAST_F, k]
        M[ANDERSON_DEPTH + head, k] = g - M[LAST_G, k]
        M[LAST_F, k] = f
        M[LAST_G, k] = g
    if round_ == 0 or norm > _GROWTH * least:
        return np.int64(0), norm
    least = min(least, norm)
    used = min(used + 1, ANDERSON_DEPTH)
    for j in range(used):  # kept differences are those of the last `used` rounds
        other = (round_ - j) % ANDERSON_DEPTH
        total = 0.0
        for k in range(base, end):
            total += M[WEIGHT, k] * M[head, k] * M[other, k]
        gram[head, other] = total
        gram[other, head] = total
    _solve(M, gram, rows.dense[lane], base, end, used, round_)
    _set_impulses(scene, x, h, first, stop, bounded, base, gram, used, round_)
    return used, least


@kernel
def _solve(M, gram, A, base, end, used, round_):
    """γ in gram[:, ANDERSON_DEPTH], by elimination on a copy in A; writes both."""
    for i in range(used):
        at = (round_ - i) % ANDERSON_DEPTH
        total = 0.0
        for k in range(base, end):
            total += M[WEIGHT, k] * M[at, k] * M[LAST_F, k]
        A[i, used] = total
        for j in range(used):
            A[i, j] = gram[at, (round_ - j) % ANDERSON_DEPTH]
        A[i, i] = A[i, i] * (1.0 + _DEPENDENT) + 1e-300
    for i in range(used):
        for j in range(i + 1, used):
            share = A[j, i] / A[i, i]
            for k in range(i, used + 1):
                A[j, k] -= share * A[i, k]
    for i in range(used - 1, -1, -1):
        for j in range(i + 1, used):
            A[i, used] -= A[i, j] * A[j, used]
        A[i, used] /= A[i, i]
        gram[i, ANDERSON_DEPTH] = A[i, used]


@kernel
def _set_impulses(scene, x, h, first, stop, bounded, base, gram, used, round_):
    """μ ← g - ΔG γ, projected; writes the impulses and x."""
    rows, limits, elements = scene.contacts, scene.unilateral, scene.elements
    M = rows.history
    k = base
    for i in range(first, stop):
        c = rows.order[i]
        for r in range(3):
            value = M[LAST_G, k + r]
            for j in range(used):
                at = ANDERSON_DEPTH + (round_ - j) % ANDERSON_DEPTH
                value -= gram[j, ANDERSON_DEPTH] * M[at, k + r]
            rows.mu[c, r] = value
        project(rows, c)
        n, t1, t2 = rows.mu[c, 0], rows.mu[c, 1], rows.mu[c, 2]
        apply_impulse(rows, c, n - M[LAST_G, k], t1 - M[LAST_G, k + 1], t2 - M[LAST_G, k + 2], x)
        k += 3
    for u in range(bounded):
        e, r = limits.element[u], limits.row[u]
        value = M[LAST_G, k + u]
        for j in range(used):
            value -= (
                gram[j, ANDERSON_DEPTH] * M[ANDERSON_DEPTH + (round_ - j) % ANDERSON_DEPTH, k + u]
            )
        kick = elements.kick[e]
        value = min(max(value, elements.lower[e, r] * kick), elements.upper[e, r] * kick)
        limits.change[u] += value - elements.mu[e, r]
        apply(scene, u, value - elements.mu[e, r], x)
        elements.mu[e, r] = value
