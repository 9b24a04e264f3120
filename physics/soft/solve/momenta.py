"""Momenta that internal forces cannot change, kept however soon an iteration stops.

Corrections of elements end when what is left over cannot be seen; but over the steps of a long spin
it adds up. So the force of a step is taken to be what the step gave, f̄ = (2/h) (M v₊ - all the
rest): like the multiplier of a constraint it belongs to the solution, not to positions that are
off by a tolerance. It must have neither sum nor moment, Σ f̄ = Σ x_½ × f̄ = 0
(physics/soft/elements/averaged.py). What it has of them is that of a rigid motion,

    f̄ = m (V + Ω × (x₊ - c)),  M V = Σ f̄,  Σ (x_½ - c_½) × m (Ω × (x₊ - c)) = Σ (x_½ - c_½) × f̄

and taken out of f̄ and v₊ it strains nothing: angular momentum is kept to round-off.
"""

import numpy as np

from physics.jit import kernel

THIN = 1e-9  # of the product of the moments of inertia: below it the body is a line


@kernel
def _centres(model, x, v, h, force, centre, middle, drift):
    """Mass centres at the end and halfway, V. Written: all three."""
    total = 0.0
    centre[:] = 0.0
    middle[:] = 0.0
    drift[:] = 0.0
    for i in range(x.shape[0]):
        m = model.mass[i]
        total += m
        for d in range(3):
            centre[d] += m * (x[i, d] + h * v[i, d])
            middle[d] += m * (x[i, d] + 0.5 * h * v[i, d])
            drift[d] += force[i, d]
    for d in range(3):
        centre[d] /= total
        middle[d] /= total
        drift[d] /= total


@kernel
def _turn(N, b):
    """Ω of N Ω = b by cofactors; False where the body is a line. Written: b."""
    c0 = N[1, 1] * N[2, 2] - N[1, 2] * N[2, 1]
    c1 = N[1, 2] * N[2, 0] - N[1, 0] * N[2, 2]
    c2 = N[1, 0] * N[2, 1] - N[1, 1] * N[2, 0]
    det = N[0, 0] * c0 + N[0, 1] * c1 + N[0, 2] * c2
    if not det > THIN * N[0, 0] * N[1, 1] * N[2, 2]:
        return False
    d0 = N[0, 2] * N[2, 1] - N[0, 1] * N[2, 2]
    d1 = N[0, 0] * N[2, 2] - N[0, 2] * N[2, 0]
    d2 = N[0, 1] * N[2, 0] - N[0, 0] * N[2, 1]
    e0 = N[0, 1] * N[1, 2] - N[0, 2] * N[1, 1]
    e1 = N[0, 2] * N[1, 0] - N[0, 0] * N[1, 2]
    e2 = N[0, 0] * N[1, 1] - N[0, 1] * N[1, 0]
    a, q, r = b[0], b[1], b[2]
    b[0] = (c0 * a + d0 * q + e0 * r) / det
    b[1] = (c1 * a + d1 * q + e1 * r) / det
    b[2] = (c2 * a + d2 * q + e2 * r) / det
    return True


@kernel
def _rigid_part(model, x, v, h, force, motion):
    """The velocities V + Ω × (x₊ - c) whose momentum is that of `force`. Written: motion (n, 3)."""
    centre, middle, drift = np.empty(3), np.empty(3), np.empty(3)
    N, turn, y, z = np.zeros((3, 3)), np.zeros(3), np.empty(3), np.empty(3)
    _centres(model, x, v, h, force, centre, middle, drift)
    for i in range(x.shape[0]):
        m = model.mass[i]
        for d in range(3):
            y[d] = x[i, d] + 0.5 * h * v[i, d] - middle[d]
            z[d] = x[i, d] + h * v[i, d] - centre[d]
        along = m * (y[0] * z[0] + y[1] * z[1] + y[2] * z[2])
        for p in range(3):
            q, r = (p + 1) % 3, (p + 2) % 3
            turn[p] += y[q] * force[i, r] - y[r] * force[i, q]
            N[p, p] += along
            for d in range(3):
                N[p, d] -= m * z[p] * y[d]
    if not _turn(N, turn):
        turn[:] = 0.0
    for i in range(x.shape[0]):
        for d in range(3):
            z[d] = x[i, d] + h * v[i, d] - centre[d]
        for p in range(3):
            q, r = (p + 1) % 3, (p + 2) % 3
            motion[i, p] = drift[p] + turn[q] * z[r] - turn[r] * z[q]


@kernel
def keep_momenta(model, state, h, gravity, share, w):
    """The force that the step gave, without sum and moment, and the velocity that belongs to it.

    For a body on which nothing acts but elements, gravity, forces and air; `share` of them as in
    `soft_step.assemble`. Written: state.v, w.newest, w.product.
    """
    v, force, motion = state.v, w.newest, w.product
    for i in range(v.shape[0]):
        m = model.mass[i]
        for d in range(3):
            known = m * w.start_v[i, d] + w.push[i, d] + 0.5 * h * state.elastic[i, d]
            known += h * share * (state.force[i, d] + m * gravity[d])
            for c in range(3):
                known -= w.drag[i, d, c] * v[i, c]
            force[i, d] = 2.0 / h * (m * v[i, d] - known)
    _rigid_part(model, state.x, v, h, force, motion)
    for i in range(v.shape[0]):
        for d in range(3):
            force[i, d] -= model.mass[i] * motion[i, d]
            v[i, d] -= 0.5 * h * motion[i, d]
