"""Direct solution of a small group of contacts and bounded rows where sweeps alone do not end.

A light box between heavy ones multiplies the number of sweeps by the ratio of the masses; a stack
of alternating masses multiplies these numbers; limbs that lie on the ground bent to their limits
couple all of them. So all that presses is supposed to stick, limits that are reached to hold, and

    (S + δ diag S) Δ = -w,   μ += Δ,   repeated: the shift δ vanishes, redundant points share

is solved for the impulses from nothing, which spreads the load evenly. The row that would have to
pull most then lets go, those beyond friction slide with as much as they may have, and it is solved
again until all is in order, or the work of the step is used up. The sweeps that follow have the
last word.

Rows are numbered: 3c + r for row r of contact c, -1 - u for bounded row u. S of all of them is made
once; each round factorises the part that holds.
"""

import math

from physics.contact.packed import LEVER_A, LEVER_B, LIGHT, SLIP
from physics.contact.solver.convergence import DIRECT_SHIFT, FACTOR_SHARE, SWEEP_BUDGET
from physics.contact.solver.row_update import apply_impulse, project, speeds
from physics.jit import kernel
from physics.params import DIRECT_CONTACTS
from physics.solver.projection import apply, row_at_places
from physics.state import WORK

OPEN, SLIDES, STICKS = range(3)
_ROOM = 3 * DIRECT_CONTACTS  # rows of `dense` for S, as many for its factor, then the right side
_REPEATS = 3
_FULL = 0.999  # of the friction disk: what is beyond it slides already
_ROUNDS = 16  # of releasing and sliding


@kernel
def solve_directly(scene, x, h, first, stop, bounded, lane):
    """Impulses of the contacts order[first:stop] and of the first `bounded` rows.

    Writes mu and phase of both, and x; dense and listed of its lane are scratch. Rolling friction
    stays as it is.
    """
    rows = scene.contacts
    S, listed = rows.dense[lane], rows.listed[lane]
    total = _list_rows(scene, first, stop, bounded, listed)
    _fill_coupling(scene, S, listed, total)
    _guess_bounded_phases(scene, x, h, bounded)
    _guess_phases(rows, x, first, stop)
    for _ in range(_ROUNDS):
        n = _choose_holding(scene, S, listed, total)
        if n == 0 or scene.measures[WORK] > SWEEP_BUDGET:
            break
        scene.measures[WORK] += n**3 / FACTOR_SHARE
        if not _solve_holding(scene, x, S, listed, n):
            break
        if not _release_worst(scene, x, h, first, stop, bounded) and not _slide(
            rows, x, first, stop
        ):
            break
    for i in range(first, stop):
        c = rows.order[i]
        n0, n1, n2 = rows.mu[c, 0], rows.mu[c, 1], rows.mu[c, 2]
        project(rows, c)
        apply_impulse(rows, c, rows.mu[c, 0] - n0, rows.mu[c, 1] - n1, rows.mu[c, 2] - n2, x)
    for u in range(bounded):
        _set_bounded(scene, u, _within(scene, u, h), x)


@kernel
def _guess_phases(rows, x, first, stop):
    """What presses or would close sticks, unless it slides; writes phase, mu and x."""
    mu = rows.mu
    for i in range(first, stop):
        c = rows.order[i]
        rows.phase[c] = OPEN
        if rows.packed[c, LIGHT] <= 0.0 or (mu[c, 0] <= 0.0 and speeds(rows, c, x)[0] > 0.0):
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
    apply_impulse(rows, c, n - mu[c, 0], t1 - mu[c, 1], t2 - mu[c, 2], x)
    mu[c, 0], mu[c, 1], mu[c, 2] = n, t1, t2


@kernel
def _guess_bounded_phases(scene, x, h, bounded):
    """What is between its bounds, or pushed beyond one, holds; writes phase."""
    elements, limits = scene.elements, scene.unilateral
    for u in range(bounded):
        e, r = limits.element[u], limits.row[u]
        limits.phase[u] = OPEN
        if limits.diagonal[u] <= 0.0:
            continue
        mu, speed, kick = elements.mu[e, r], bounded_speed(scene, u, x), elements.kick[e]
        below, above = mu <= elements.lower[e, r] * kick, mu >= elements.upper[e, r] * kick
        if (below and speed > 0.0) or (above and speed < 0.0):
            continue
        limits.phase[u] = STICKS


@kernel
def bounded_speed(scene, u, x):
    """What a bounded row wants to be zero, m/s or rad/s."""
    elements, limits = scene.elements, scene.unilateral
    e, r = limits.element[u], limits.row[u]
    w = row_at_places(elements, scene.system, e, r, x) + limits.bias[u]
    return w + elements.sigma[e, r] * limits.change[u]


@kernel
def _set_bounded(scene, u, impulse, x):
    """Gives a bounded row this impulse; writes mu, change and x."""
    elements, limits = scene.elements, scene.unilateral
    e, r = limits.element[u], limits.row[u]
    added = impulse - elements.mu[e, r]
    if added != 0.0:
        elements.mu[e, r] = impulse
        limits.change[u] += added
        apply(scene, u, added, x)


@kernel
def _within(scene, u, h):
    """The impulse of a bounded row, brought within its bounds."""
    elements, limits = scene.elements, scene.unilateral
    e, r = limits.element[u], limits.row[u]
    kick = elements.kick[e]
    return min(max(elements.mu[e, r], elements.lower[e, r] * kick), elements.upper[e, r] * kick)


@kernel
def _list_rows(scene, first, stop, bounded, listed):
    """All rows that could ever hold; writes listed, returns how many."""
    rows, limits = scene.contacts, scene.unilateral
    n = 0
    for i in range(first, stop):
        c = rows.order[i]
        for r in range(3):
            if rows.packed[c, LIGHT] > 0.0 and (
                r == 0 or rows.block[c, r, r] > 1e-9 * rows.packed[c, SLIP]
            ):
                listed[n] = 3 * c + r
                n += 1
    for u in range(bounded):
        if limits.diagonal[u] > 0.0:
            listed[n] = -1 - u
            n += 1
    return n


@kernel
def _fill_coupling(scene, S, listed, n):
    """Lower triangle of S + δ diag S over the listed rows; writes S."""
    limits, elements = scene.unilateral, scene.elements
    for i in range(n):
        for j in range(i + 1):
            S[i, j] = _coupling(scene, listed[i], listed[j])
        if listed[i] < 0:
            u = -1 - listed[i]
            S[i, i] += elements.sigma[limits.element[u], limits.row[u]]
        S[i, i] *= 1.0 + DIRECT_SHIFT


@kernel
def _choose_holding(scene, S, listed, total):
    """Rows of what presses and sticks, and their part of S; writes both, returns how many."""
    rows, limits = scene.contacts, scene.unilateral
    n = 0
    for i in range(total):
        if listed[i] < 0:
            holds = limits.phase[-1 - listed[i]] == STICKS
        else:
            phase = rows.phase[listed[i] // 3]
            holds = phase == STICKS or (phase == SLIDES and listed[i] % 3 == 0)
        if holds:
            listed[_ROOM + n] = i
            for m in range(n + 1):
                S[_ROOM + n, m] = S[i, listed[_ROOM + m]]
            n += 1
    return n


@kernel
def _solve_holding(scene, x, S, listed, n):
    """Impulses at which the chosen rows are at rest; writes mu and x. False if that fails."""
    rows, limits, elements = scene.contacts, scene.unilateral, scene.elements
    L, right = S[_ROOM:], S[2 * _ROOM]
    if not _factorise(L, n):
        return False
    for _ in range(_REPEATS):
        for i in range(n):
            row = listed[listed[_ROOM + i]]
            if row < 0:
                right[i] = -bounded_speed(scene, -1 - row, x)
            else:
                right[i] = -speeds(rows, row // 3, x)[row % 3]
        _substitute(L, n, right)
        for i in range(n):
            row = listed[listed[_ROOM + i]]
            if row < 0:
                u = -1 - row
                old = elements.mu[limits.element[u], limits.row[u]]
                _set_bounded(scene, u, old + right[i], x)
                continue
            c, r, change = row // 3, row % 3, right[i]
            rows.mu[c, r] += change
            apply_impulse(rows, c, change * (r == 0), change * (r == 1), change * (r == 2), x)
    return True


@kernel
def _release_worst(scene, x, h, first, stop, bounded):
    """Frees the row that is most beyond its bound; writes phase, mu and x. False if none is.

    Rows of all kinds are compared by √S μ, whose square is an energy.
    """
    rows, limits, elements = scene.contacts, scene.unilateral, scene.elements
    most, worst, largest = 0, 0.0, 0.0
    for i in range(first, stop):
        c = rows.order[i]
        share = math.sqrt(max(rows.block[c, 0, 0], 0.0)) * rows.mu[c, 0]
        largest = max(largest, share)
        if share < worst:
            most, worst = 3 * c, share
    for u in range(bounded):
        mu = elements.mu[limits.element[u], limits.row[u]]
        scale = math.sqrt(max(limits.diagonal[u], 0.0))
        largest = max(largest, scale * abs(mu))
        share = -scale * abs(mu - _within(scene, u, h))
        if share < worst:
            most, worst = -1 - u, share
    if worst >= -1e-12 * largest:
        return False
    if most < 0:
        u = -1 - most
        limits.phase[u] = OPEN
        _set_bounded(scene, u, _within(scene, u, h), x)
    else:
        rows.phase[most // 3] = OPEN
        _set(rows, most // 3, 0.0, 0.0, 0.0, x)
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
            apply_impulse(rows, c, mu[c, 0] - n0, mu[c, 1] - n1, mu[c, 2] - n2, x)
            rows.phase[c] = SLIDES
            found = True
    return found


@kernel
def _coupling(scene, i, j):
    """What a unit impulse in row j does to the speed of row i."""
    rows, limits, elements = scene.contacts, scene.unilateral, scene.elements
    total = 0.0
    for s in range(4):
        if i >= 0:
            k = rows.place[i // 3, s]
            J = _direction(rows, i, s)
        else:
            e, r = limits.element[-1 - i], limits.row[-1 - i]
            k = scene.system.position_of[elements.node[e, s]]
            J = (elements.J[e, s, r, 0], elements.J[e, s, r, 1], elements.J[e, s, r, 2])
        if k >= 0:
            a, b, c = _effect(rows, limits, k, j)
            total += J[0] * a + J[1] * b + J[2] * c
    return total


@kernel
def _direction(rows, i, s):
    """J of row i of the contacts on the node of slot s."""
    c, r = i // 3, i % 3
    if not rows.simple[c]:
        return rows.J[c, s, r, 0], rows.J[c, s, r, 1], rows.J[c, s, r, 2]
    p = 3 * r
    if s == 1:
        p += LEVER_A
    elif s == 3:
        p += LEVER_B
    sign, P = (1.0 if s < 2 else -1.0), rows.packed
    return sign * P[c, p], sign * P[c, p + 1], sign * P[c, p + 2]


@kernel
def _effect(rows, limits, k, j):
    """What a unit impulse in row j does to the velocity at place k."""
    if j >= 0 and rows.simple[j // 3]:
        for s in range(4):
            if rows.place[j // 3, s] == k:
                J, A = _direction(rows, j, s), rows.inverse[k]
                return (
                    A[0, 0] * J[0] + A[0, 1] * J[1] + A[0, 2] * J[2],
                    A[1, 0] * J[0] + A[1, 1] * J[1] + A[1, 2] * J[2],
                    A[2, 0] * J[0] + A[2, 1] * J[1] + A[2, 2] * J[2],
                )
        return 0.0, 0.0, 0.0
    if j >= 0:
        span, p = rows.span[j // 3], rows.offset[j // 3]
    else:
        span, p = limits.span[-1 - j], limits.offset[-1 - j]
    for half in range(2):
        start, stop = span[2 * half], span[2 * half + 1]
        if start <= k < stop:
            at = p + k - start
            if j >= 0:
                R, q = rows.response, j % 3
                return R[at, 0, q], R[at, 1, q], R[at, 2, q]
            V = limits.response
            return V[at, 0], V[at, 1], V[at, 2]
        p += stop - start
    return 0.0, 0.0, 0.0


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
