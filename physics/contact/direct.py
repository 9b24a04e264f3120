"""Direct solution of a small group of contacts where sweeps alone do not end.

A light box between heavy ones multiplies the number of sweeps by the ratio of the masses; a stack
of alternating masses multiplies these numbers. So all that presses is supposed to stick, and

    (S + δ diag S) Δ = -w,   μ += Δ,   repeated: the shift δ vanishes, redundant points share

is solved for the impulses from nothing, which spreads the load evenly. The contact that would have
to pull most then lets go, those beyond friction slide with as much as they may have, and it is
solved again until all is in order. The sweeps that follow have the last word.
"""

import math

from physics.compiled import kernel
from physics.contact.visit import project, push, speeds
from physics.params import DIRECT_CONTACTS, DIRECT_SHIFT

OPEN, SLIDES, STICKS = range(3)
_RIGHT = 3 * DIRECT_CONTACTS  # row of `dense` with the right side
_REPEATS = 3
_FULL = 0.999  # of the friction disk: what is beyond it slides already
_ROUNDS = 16  # of letting go and sliding


@kernel
def solve_group(rows, x, first, stop):
    """Impulses of the contacts order[first:stop]; writes mu, phase and x."""
    _suppose(rows, x, first, stop)
    for _ in range(_ROUNDS):
        n = _list_rows(rows, first, stop)
        if n == 0 or not _solve_listed(rows, x, n):
            break
        if not _let_go(rows, x, first, stop) and not _slide(rows, x, first, stop):
            break
    for i in range(first, stop):
        c = rows.order[i]
        n0, n1, n2 = rows.mu[c, 0], rows.mu[c, 1], rows.mu[c, 2]
        project(rows, c)
        push(rows, c, rows.mu[c, 0] - n0, rows.mu[c, 1] - n1, rows.mu[c, 2] - n2, x)


@kernel
def _suppose(rows, x, first, stop):
    """What presses or would close sticks, unless it slides; writes phase, mu and x."""
    mu = rows.mu
    for i in range(first, stop):
        c = rows.order[i]
        rows.phase[c] = OPEN
        if rows.packed[c, 47] <= 0.0 or (mu[c, 0] <= 0.0 and speeds(rows, c, x)[0] > 0.0):
            continue
        limit = _FULL * rows.friction[c] * mu[c, 0]
        if mu[c, 0] > 0.0 and mu[c, 1] ** 2 + mu[c, 2] ** 2 >= limit * limit:
            rows.phase[c] = SLIDES
            _set(rows, c, 0.0, mu[c, 1], mu[c, 2], x)
        else:
            rows.phase[c] = STICKS
            _set(rows, c, 0.0, 0.0, 0.0, x)


@kernel
def _set(rows, c, n, t1, t2, x):
    """Gives a contact this impulse; writes mu and x."""
    mu = rows.mu
    push(rows, c, n - mu[c, 0], t1 - mu[c, 1], t2 - mu[c, 2], x)
    mu[c, 0], mu[c, 1], mu[c, 2] = n, t1, t2


@kernel
def _list_rows(rows, first, stop):
    """Rows of what presses and sticks; writes listed, returns how many."""
    n = 0
    for i in range(first, stop):
        c = rows.order[i]
        if rows.phase[c] == OPEN:
            continue
        for r in range(3):
            felt = r == 0 or rows.block[c, r, r] > 1e-9 * rows.packed[c, 53]
            if felt and (r == 0 or rows.phase[c] == STICKS):
                rows.listed[n] = 3 * c + r
                n += 1
    return n


@kernel
def _solve_listed(rows, x, n):
    """Impulses at which the listed rows are at rest; writes mu and x. False if that fails."""
    S, listed = rows.dense, rows.listed
    for i in range(n):
        for j in range(i + 1):
            S[i, j] = _coupling(rows, listed[i] // 3, listed[i] % 3, listed[j] // 3, listed[j] % 3)
        S[i, i] *= 1.0 + DIRECT_SHIFT
    if not _factorise(S, n):
        return False
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
    return True


@kernel
def _let_go(rows, x, first, stop):
    """Opens the contact that pulls most; writes phase, mu and x. False if none does."""
    most, worst, largest = -1, 0.0, 0.0
    for i in range(first, stop):
        c = rows.order[i]
        largest = max(largest, rows.mu[c, 0])
        if rows.mu[c, 0] < worst:
            most, worst = c, rows.mu[c, 0]
    if worst >= -1e-12 * largest:
        return False
    rows.phase[most] = OPEN
    _set(rows, most, 0.0, 0.0, 0.0, x)
    return True


@kernel
def _slide(rows, x, first, stop):
    """What would need more friction than there is slides; writes phase, mu, x. False if none."""
    found = False
    mu = rows.mu
    for i in range(first, stop):
        c = rows.order[i]
        limit = rows.friction[c] * max(mu[c, 0], 0.0)
        if rows.phase[c] == STICKS and mu[c, 1] ** 2 + mu[c, 2] ** 2 > limit * limit * (1.0 + 1e-9):
            n0, n1, n2 = mu[c, 0], mu[c, 1], mu[c, 2]
            project(rows, c)
            push(rows, c, mu[c, 0] - n0, mu[c, 1] - n1, mu[c, 2] - n2, x)
            rows.phase[c] = SLIDES
            found = True
    return found


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
