"""Where a soft body would be after a step if it went on as it does: turning, not stretching.

The guess x + h v of a body that turns by θ is θ²/2 too large, and a stiff one answers that with
stresses beyond all measure. So the rigid part of the motion is taken out, turned on by exp(hω),
and put back. Of v = (x_n - x_{n-1})/h the angular momentum about the centre gives sin(θ)/h,

    v = (1 - R⁻¹) x / h + rest     →     guess = (R - 1) x / h + R rest

and of a velocity of now (a body that starts) θ/h. A body with pins turns about them: guess = R v.
"""

from math import asin, cos, sin, sqrt

import numpy as np

from physics.jit import kernel
from physics.soft.solve.momenta import THIN


@kernel
def _spin(model, x, v, centre, drift, omega):
    """Centre, its velocity, ω = I⁻¹L of the motion v; whether there is one. Written: all three."""
    total = 0.0
    centre[:] = 0.0
    drift[:] = 0.0
    for i in range(x.shape[0]):
        m = model.mass[i]
        total += m
        for d in range(3):
            centre[d] += m * x[i, d]
            drift[d] += m * v[i, d]
    for d in range(3):
        centre[d] /= total
        drift[d] /= total
    xx = yy = zz = xy = xz = yz = 0.0
    L0 = L1 = L2 = 0.0
    for i in range(x.shape[0]):
        m = model.mass[i]
        a, b, c = x[i, 0] - centre[0], x[i, 1] - centre[1], x[i, 2] - centre[2]
        p, q, r = v[i, 0], v[i, 1], v[i, 2]
        xx, yy, zz = xx + m * a * a, yy + m * b * b, zz + m * c * c
        xy, xz, yz = xy + m * a * b, xz + m * a * c, yz + m * b * c
        L0, L1, L2 = L0 + m * (b * r - c * q), L1 + m * (c * p - a * r), L2 + m * (a * q - b * p)
    A, B, C = yy + zz, xx + zz, xx + yy
    c00, c01, c02 = B * C - yz * yz, yz * xz + xy * C, xy * yz + B * xz
    det = A * c00 - xy * c01 - xz * c02
    if not det > THIN * A * B * C:
        return False  # a line: its turn about itself means nothing
    c11, c12, c22 = A * C - xz * xz, A * yz + xy * xz, A * B - xy * xy
    omega[0] = (c00 * L0 + c01 * L1 + c02 * L2) / det
    omega[1] = (c01 * L0 + c11 * L1 + c12 * L2) / det
    omega[2] = (c02 * L0 + c12 * L1 + c22 * L2) / det
    return True


@kernel
def _rotation(omega, angle, size, R):
    """exp of `angle` about omega of that size. Written: R."""
    a, b, c = omega[0] / size, omega[1] / size, omega[2] / size
    s, t = sin(angle), 1.0 - cos(angle)
    R[0, 0], R[0, 1], R[0, 2] = 1.0 - t * (b * b + c * c), t * a * b - s * c, t * a * c + s * b
    R[1, 0], R[1, 1], R[1, 2] = t * a * b + s * c, 1.0 - t * (a * a + c * c), t * b * c - s * a
    R[2, 0], R[2, 1], R[2, 2] = t * a * c - s * b, t * b * c + s * a, 1.0 - t * (a * a + b * b)


@kernel
def predict(model, state, h, starts, guess):
    """Velocities by which the body goes on as it moves. Written: guess (n, 3)."""
    centre, drift, omega, R = np.empty(3), np.empty(3), np.empty(3), np.empty((3, 3))
    x, v = state.x, state.v
    guess[:] = v
    held = False
    for i in range(state.pinned.size):
        held = held or state.pinned[i]
    if _spin(model, x, v, centre, drift, omega):
        size = sqrt(omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2])
        if 0.0 < h * size < (3.0 if starts else 0.9):
            _rotation(omega, h * size if starts else asin(h * size), size, R)
            _go_on(x, v, h, starts, held, centre, drift, omega, R, guess)
    for i in range(state.pinned.size):
        if state.pinned[i]:
            for d in range(3):
                guess[i, d] = state.pin_velocity[i, d]


@kernel
def _go_on(x, v, h, starts, held, centre, drift, omega, R, guess):
    """The motion turned on by R. Written: guess."""
    y, rest = np.empty(3), np.empty(3)
    for i in range(x.shape[0]):
        for d in range(3):
            y[d] = x[i, d] - centre[d]
        if held:
            for d in range(3):
                guess[i, d] = R[d, 0] * v[i, 0] + R[d, 1] * v[i, 1] + R[d, 2] * v[i, 2]
            continue
        for d in range(3):
            p, q = (d + 1) % 3, (d + 2) % 3
            if starts:
                rigid = omega[p] * y[q] - omega[q] * y[p]
            else:
                rigid = (y[d] - (R[0, d] * y[0] + R[1, d] * y[1] + R[2, d] * y[2])) / h
            rest[d] = v[i, d] - drift[d] - rigid
        for d in range(3):
            turned = (R[d, 0] * y[0] + R[d, 1] * y[1] + R[d, 2] * y[2] - y[d]) / h
            turned += R[d, 0] * rest[0] + R[d, 1] * rest[1] + R[d, 2] * rest[2]
            guess[i, d] = drift[d] + turned
