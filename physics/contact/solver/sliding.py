"""What slides moves with the mean of its speeds before and after the step.

Positions move with the velocities of the end of the step. A block that friction brakes therefore
misses half a step's change in each step, altogether v h/2 of its way v²/2μg: four per cent at
2 m/s. Under a constant force the mean velocity is exact,

    x₊ = x + h v₊ + ½h (1 - n nᵀ)(v - v₊)

and it is also what makes friction times way equal to the energy lost. This holds for a body
without joints all of whose loaded contacts slide on one plane; what sticks to anything keeps the
velocity that holds it there.
"""

import math

from physics.jit import kernel
from physics.params import BOUNCE_SPEED

_NOTHING, _SLIDES, _STICKS = range(3)
_FULL = 0.999  # of the friction disk: at its edge a contact slides
_PARALLEL = 1e-3  # sine between normals up to which they are those of one plane


@kernel
def correct_sliding(scene, h):
    """Writes positions of sliding bodies; scene.label is scratch."""
    rows, bodies = scene.contacts, scene.bodies
    state, known = scene.label[0], scene.label[1]
    listed = scene.system.contacts
    if len(listed) == 0:
        return
    for c in listed:
        state[rows.body_a[c]] = _NOTHING
        state[rows.body_b[c]] = _NOTHING
    found = False
    for c in listed:
        if rows.mu[c, 0] > 0.0:
            slides = _is_sliding(rows, c)
            found = found or slides
            for b in (rows.body_a[c], rows.body_b[c]):
                if not slides or (state[b] == _SLIDES and not _parallel(rows, c, known[b])):
                    state[b] = _STICKS
                elif state[b] == _NOTHING:
                    state[b] = _SLIDES
                    known[b] = c
    if not found:
        return
    for c in listed:
        for b in (rows.body_a[c], rows.body_b[c]):
            if state[b] == _SLIDES and bodies.solved[2 * b]:
                _move(bodies, b, rows.normal, known[b], h)
            state[b] = _NOTHING


@kernel
def _is_sliding(rows, c):
    """Whether friction is at its limit between bodies without joints, and nothing was hit."""
    if rows.jointed[c] or rows.friction[c] <= 0.0 or rows.approach[c] < -BOUNCE_SPEED:
        return False
    limit = _FULL * rows.friction[c] * rows.mu[c, 0]
    return rows.mu[c, 1] ** 2 + rows.mu[c, 2] ** 2 >= limit * limit


@kernel
def _parallel(rows, c, d):
    n = rows.normal
    cosine = n[c, 0] * n[d, 0] + n[c, 1] * n[d, 1] + n[c, 2] * n[d, 2]
    return math.sqrt(max(1.0 - cosine * cosine, 0.0)) < _PARALLEL


@kernel
def _move(bodies, b, normal, c, h):
    v, start = bodies.velocity, bodies.start_velocity
    away = 0.0
    for i in range(3):
        away += normal[c, i] * (start[2 * b, i] - v[2 * b, i])
    for i in range(3):
        slower = start[2 * b, i] - v[2 * b, i] - away * normal[c, i]
        bodies.position[b, i] += 0.5 * h * slower * bodies.free[2 * b, i]
