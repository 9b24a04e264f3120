"""Inertia G = (θh²k - αm)₊ that the "adaptive" stabilization adds between the bodies of a row."""

from physics.jit import kernel
from physics.params import ALPHA, THETA


@kernel
def resist_turning(e, torque, bodies, elements, system, h):
    """A row that carries torque: inertia against relative rotation, none against common.

    Writes elements.K.
    """
    if system.k_block[e, 1, 1] == -1 and system.k_block[e, 3, 3] == -1:
        return
    a, b = elements.body[e, 0], elements.body[e, 1]
    mobility = 0.0
    if bodies.solved[2 * a + 1]:
        mobility += 1.0 / bodies.inertia_max[a]
    if bodies.solved[2 * b + 1]:
        mobility += 1.0 / bodies.inertia_max[b]
    w = THETA * h * h * abs(torque) - 0.25 * ALPHA / max(mobility, 1e-300)
    if w <= 0.0:
        return
    for i in range(1, 4, 2):
        for j in range(1, 4, 2):
            sign = 1.0 if i == j else -1.0
            for c in range(3):
                elements.K[e, i, j, c, c] += sign * w
