"""Inertia G = (θh²k - αI)₊ that the "adaptive" stabilization adds between the bodies of a row."""

from physics.jit import kernel
from physics.params import ALPHA, THETA, TORQUE_HELD, TORQUE_HELD_SLENDER


@kernel
def resist_turning(e, torque, bodies, elements, system, h):
    """A row that carries torque: inertia against relative rotation, none against common.

    αI is that of both bodies against each other: by their least principal values, which bound it
    for whatever axis, or a smaller share of the largest, if that is more. Writes elements.K.
    """
    if system.k_block[e, 1, 1] == -1 and system.k_block[e, 3, 3] == -1:
        return
    largest, least = 0.0, 0.0
    for side in range(2):
        b = elements.body[e, side]
        if bodies.solved[2 * b + 1]:
            largest += 1.0 / bodies.inertia_max[b]
            least += 1.0 / _least_inertia(bodies, b)
    held = max(TORQUE_HELD / max(least, 1e-300), TORQUE_HELD_SLENDER / max(largest, 1e-300))
    w = THETA * h * h * abs(torque) - ALPHA * held
    if w <= 0.0:
        return
    for i in range(1, 4, 2):
        for j in range(1, 4, 2):
            sign = 1.0 if i == j else -1.0
            for c in range(3):
                elements.K[e, i, j, c, c] += sign * w


@kernel
def _least_inertia(bodies, b):
    """det I / I_max²: no more than the least principal value, and that of a slender body."""
    m = bodies.inertia[b]
    determinant = (
        m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[1, 2])
        - m[0, 1] * (m[0, 1] * m[2, 2] - m[1, 2] * m[0, 2])
        + m[0, 2] * (m[0, 1] * m[1, 2] - m[1, 1] * m[0, 2])
    )
    return max(determinant, 1e-300) / (bodies.inertia_max[b] * bodies.inertia_max[b])


@kernel
def resist_turning_of(rows, start, stop, bodies, elements, system, h):
    """Torques of listed rows resist turning their bodies against each other; writes elements.K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        resist_turning(e, elements.lam[e, r], bodies, elements, system, h)
