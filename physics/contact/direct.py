"""Direct solution of a small group of contacts where sweeps alone do not end.

A light box between heavy ones multiplies the number of sweeps by the ratio of the masses; a stack
of alternating masses multiplies these numbers. So what presses and what sticks, as the sweeps left
it, is solved for exactly,

    (S + δ diag S) Δ = -w,   μ += Δ,   repeated: the shift δ vanishes, redundant points share,

what slides keeps its friction, and the next sweep finds who lets go or begins to slide.
"""

import math

from physics.compiled import kernel
from physics.contact.visit import project, push, speeds
from physics.params import DIRECT_CONTACTS, DIRECT_SHIFT

_RIGHT = 3 * DIRECT_CONTACTS  # row of `dense` with the right side
_REPEATS = 3
_STICKS = 0.999  # of the friction disk: beyond it a contact counts as sliding


@kernel
def solve_group(rows, x, first, stop):
    """Impulses of the contacts order[first:stop] that press or stick; writes mu and x."""
    n = _list_rows(rows, first, stop)
    if n == 0:
        return
    S, listed = rows.dense, rows.listed
    for i in range(n):
        for j in range(i + 1):
            S[i, j] = _coupling(rows, listed[i] // 3, listed[i] % 3, listed[j] // 3, listed[j] % 3)
        S[i, i] *= 1.0 + DIRECT_SHIFT
    if not _factorise(S, n):
        return
    right = S[_RIGHT]
    for _ in range(_REPEATS):
        for i in range(n):
            w = speeds(rows, listed[i] // 3, x)
            right[i] = -w[listed[i] % 3]
        _substitute(S, n, right)
        for i in range(n):
            c, r = listed[i] // 3, listed[i] % 3
            rows.mu[c, r] += right[i]
            if r == 0:
                push(rows, c, right[i], 0.0, 0.0, x)
            elif r == 1:
                push(rows, c, 0.0, right[i], 0.0, x)
            else:
                push(rows, c, 0.0, 0.0, right[i], x)
    for i in range(first, stop):
        c = rows.order[i]
        n0, n1, n2 = rows.mu[c, 0], rows.mu[c, 1], rows.mu[c, 2]
        project(rows, c)
        push(rows, c, rows.mu[c, 0] - n0, rows.mu[c, 1] - n1, rows.mu[c, 2] - n2, x)


@kernel
def _list_rows(rows, first, stop):
    """Rows that press or stick; writes listed, returns how many."""
    n = 0
    for i in range(first, stop):
        c = rows.order[i]
        mu = rows.mu[c, 0]
        if mu <= 0.0 or rows.block[c, 0, 0] <= 0.0:
            continue
        rows.listed[n] = 3 * c
        n += 1
        limit = _STICKS * rows.friction[c] * mu
        if rows.mu[c, 1] ** 2 + rows.mu[c, 2] ** 2 < limit * limit:
            for r in range(1, 3):
                if rows.block[c, r, r] > 1e-9 * rows.slip[c]:
                    rows.listed[n] = 3 * c + r
                    n += 1
    return n


@kernel
def _coupling(rows, i, r, j, q):
    """What a unit impulse in row q of contact j does to the speed of row r of contact i."""
    total = 0.0
    for s in range(4):
        k = rows.place[i, s]
        if k < 0:
            continue
        p = rows.offset[j]
        for half in range(2):
            start, stop = rows.span[j, 2 * half], rows.span[j, 2 * half + 1]
            if start <= k < stop:
                R, at = rows.response, p + k - start
                total += rows.J[i, s, r, 0] * R[at, 0, q]
                total += rows.J[i, s, r, 1] * R[at, 1, q]
                total += rows.J[i, s, r, 2] * R[at, 2, q]
            p += stop - start
    return total


@kernel
def _factorise(S, n):
    """Cholesky of the lower triangle in place; False if it is not positive."""
    for i in range(n):
        for j in range(i + 1):
            total = S[i, j]
            for k in range(j):
                total -= S[i, k] * S[j, k]
            if i == j:
                if not total > 0.0:
                    return False
                S[i, i] = math.sqrt(total)
            else:
                S[i, j] = total / S[j, j]
    return True


@kernel
def _substitute(S, n, y):
    """y ← (L Lᵀ)⁻¹ y."""
    for i in range(n):
        for k in range(i):
            y[i] -= S[i, k] * y[k]
        y[i] /= S[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            y[i] -= S[k, i] * y[k]
        y[i] /= S[i, i]
