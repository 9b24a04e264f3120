"""Projected sweeps over contacts and bounded rows, on the Schur complement of the joints.

One visit of a contact with S = J A⁻¹ Jᵀ (3x3) and w = J x + bias:

    μ_n ← max(0, μ_n - w_n/S_nn),      then both tangents together, w_t after that change:
    stick   μ_t - S_tt⁻¹ w_t           if it lies in the disk |μ_t| ≤ μ_f μ_n
    slip    μ_t - w_t/s projected on the disk, s the largest eigenvalue of S_tt, so that at rest
            of the iteration friction opposes sliding exactly

and x += A⁻¹ Jᵀ Δμ. Between sweeps the nonlinear conjugate gradient of [Silcowitz10] goes on along
the previous direction: β = |Δ_k|²/|Δ_{k-1}|² in the norm of S, restart where β > 1. A sweep always
comes last, so impulses are within their bounds.
"""

import math

from physics.compiled import kernel
from physics.contact.rows import contact_speed
from physics.params import CONTACT_TOLERANCE, SWEEP_TOLERANCE
from physics.solver.projection import visit_rows

EVERYTHING, CONTACTS_ONLY = range(2)  # what a call of `sweep` visits


@kernel
def warm_contacts(rows, x):
    """Begins with the matched impulses; writes x and falling."""
    for c in range(rows.count[0]):
        rows.falling[c] = rows.moved[c, 0] + contact_speed(rows, c, 0, x)
    for c in range(rows.count[0]):
        push(rows, c, rows.mu[c, 0], rows.mu[c, 1], rows.mu[c, 2], x)


@kernel
def push(rows, c, n, t1, t2, x):
    """x += A⁻¹ Jᵀ (n, t1, t2); writes x."""
    p = rows.offset[c]
    R = rows.response
    for half in range(2):
        for k in range(rows.span[c, 2 * half], rows.span[c, 2 * half + 1]):
            x[k, 0] += R[p, 0, 0] * n + R[p, 0, 1] * t1 + R[p, 0, 2] * t2
            x[k, 1] += R[p, 1, 0] * n + R[p, 1, 1] * t1 + R[p, 1, 2] * t2
            x[k, 2] += R[p, 2, 0] * n + R[p, 2, 1] * t1 + R[p, 2, 2] * t2
            p += 1


@kernel
def _visit(rows, c, x):
    """One contact; writes mu, change, x. Returns the change of its speed, m/s."""
    J, S, mu = rows.J, rows.block, rows.mu
    w0, w1, w2 = rows.bias[c, 0], rows.bias[c, 1], rows.bias[c, 2]
    for s in range(4):
        k = rows.place[c, s]
        if k >= 0:
            a, b, d = x[k, 0], x[k, 1], x[k, 2]
            w0 += J[c, s, 0, 0] * a + J[c, s, 0, 1] * b + J[c, s, 0, 2] * d
            w1 += J[c, s, 1, 0] * a + J[c, s, 1, 1] * b + J[c, s, 1, 2] * d
            w2 += J[c, s, 2, 0] * a + J[c, s, 2, 1] * b + J[c, s, 2, 2] * d
    old0, old1, old2 = mu[c, 0], mu[c, 1], mu[c, 2]
    new0 = max(old0 - w0 / S[c, 0, 0], 0.0)
    d0 = new0 - old0
    w1 += S[c, 1, 0] * d0
    w2 += S[c, 2, 0] * d0
    limit = rows.friction[c] * new0
    new1, new2 = _rub(S, rows.slip[c], c, limit, old1, old2, w1, w2)
    d1, d2 = new1 - old1, new2 - old2
    rows.change[c, 0], rows.change[c, 1], rows.change[c, 2] = d0, d1, d2
    if d0 == 0.0 and d1 == 0.0 and d2 == 0.0:
        return 0.0
    mu[c, 0], mu[c, 1], mu[c, 2] = new0, new1, new2
    push(rows, c, d0, d1, d2, x)
    return max(abs(d0) * S[c, 0, 0], max(abs(d1), abs(d2)) * rows.slip[c])


@kernel
def _rub(S, slip, c, limit, old1, old2, w1, w2):
    """The tangential impulse of one visit: sticking if the disk allows, else projected."""
    a, b, off = S[c, 1, 1], S[c, 2, 2], 0.5 * (S[c, 1, 2] + S[c, 2, 1])
    det = a * b - off * off
    if det > 1e-9 * slip * slip:
        new1 = old1 - (b * w1 - off * w2) / det
        new2 = old2 - (a * w2 - off * w1) / det
        if new1 * new1 + new2 * new2 <= limit * limit:
            return new1, new2
    if slip <= 0.0:
        return 0.0, 0.0
    new1, new2 = old1 - w1 / slip, old2 - w2 / slip
    size = math.sqrt(new1 * new1 + new2 * new2)
    if size > limit:
        new1 *= limit / size
        new2 *= limit / size
    return new1, new2


@kernel
def visit_contacts(rows, x):
    """All contacts once; returns (largest change of speed, Σ Δ²S)."""
    worst = 0.0
    energy = 0.0
    for c in range(rows.count[0]):
        if rows.block[c, 0, 0] <= 0.0:
            continue
        worst = max(worst, _visit(rows, c, x))
        for r in range(3):
            energy += rows.change[c, r] * rows.change[c, r] * rows.block[c, r, r]
    return worst, energy


@kernel
def _go_on(rows, x, beta):
    """μ += β·direction, direction ← β·direction + Δ; writes mu, direction, x."""
    for c in range(rows.count[0]):
        if rows.block[c, 0, 0] <= 0.0:
            continue
        for r in range(3):
            rows.direction[c, r] *= beta
            rows.mu[c, r] += rows.direction[c, r]
        if beta > 0.0:
            push(rows, c, rows.direction[c, 0], rows.direction[c, 1], rows.direction[c, 2], x)
        for r in range(3):
            rows.direction[c, r] += rows.change[c, r]


@kernel
def sweep(scene, x, h, most, what):
    """Sweeps until no row's speed changes by more than the tolerance.

    Writes x, contacts.mu, elements.mu and unilateral.change of bounded rows. Returns (sweeps,
    change of speed in the last, m/s).
    """
    rows = scene.contacts
    tolerance = CONTACT_TOLERANCE if rows.count[0] > 0 else SWEEP_TOLERANCE
    worst = 0.0
    before = 0.0
    for k in range(most):
        worst = 0.0
        if what != CONTACTS_ONLY:
            worst = visit_rows(scene, x, h)
        if rows.count[0] > 0:
            speed, energy = visit_contacts(rows, x)
            worst = max(worst, speed)
            if worst > tolerance and k + 1 < most:
                beta = 0.0
                if 0.0 < energy < before:
                    beta = energy / before
                _go_on(rows, x, beta)
            before = energy
        if worst <= tolerance:
            return k + 1, worst
    return most, worst
