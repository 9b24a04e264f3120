"""The twist of a swing–twist split: the turn of one frame against another about their axes.

With right-handed axes (u, v, n) on the first and (u', v', n') on the second:

    θ  = atan2(v·u' - u·v', u·u' + v·v')
    ∇θ = (-gᵀ, gᵀ) in the turns of the two,   g = (n + n')/d,   d = 1 + n·n'
    ∂(∇θᵀλ)/∂(turns) = λ [ A  B; -A  -B ],    A = (n̂ + g mᵀ)/d,  B = (n̂' - g mᵀ)/d,  m = n × n'

|g| = 1/cos(swing/2). At half a turn of swing the twist is undefined.
"""

import math

from physics.constraints.rows.pairs import basis
from physics.jit import kernel
from physics.linalg import cross

_FULL_TURN = 2.0 * math.pi
_DEGENERATE = 1e-6  # d where the twist means nothing
_TURNED_OVER = 0.05  # d at 162° of swing, where the twist turns 6 times as fast as the body


@kernel
def denominator(n, o):
    """d of the axes n and n'."""
    return max(1.0 + n[0] * o[0] + n[1] * o[1] + n[2] * o[2], _DEGENERATE)


@kernel
def gradient(n, o):
    """g and 1/d of the axes n and n'."""
    inverse = 1.0 / denominator(n, o)
    return ((n[0] + o[0]) * inverse, (n[1] + o[1]) * inverse, (n[2] + o[2]) * inverse), inverse


@kernel
def is_turned_over(n, o):
    """Whether the twist is next to its singularity."""
    return 1.0 / denominator(n, o) > 1.0 / _TURNED_OVER


@kernel
def twist(n, u, o, w, near):
    """θ from the axes n, u and n', u'; of all θ + 2πk the one next to `near`."""
    vx, vy, vz = cross(n[0], n[1], n[2], u[0], u[1], u[2])
    tx, ty, tz = cross(o[0], o[1], o[2], w[0], w[1], w[2])
    sine = vx * w[0] + vy * w[1] + vz * w[2] - u[0] * tx - u[1] * ty - u[2] * tz
    cosine = u[0] * w[0] + u[1] * w[1] + u[2] * w[2] + vx * tx + vy * ty + vz * tz
    value = math.atan2(sine, cosine)
    return value + _FULL_TURN * round((near - value) / _FULL_TURN)


@kernel
def add_spin_pair(scale, n, first, second, column, row, u, v, a, b):
    """scale · n̂ = scale · (v uᵀ - u vᵀ), (u, v, n) right-handed, as two pairs from `row` on.

    `first` and `second`: what it counts in the turns of a and of b. Writes u, v, a and b.
    """
    basis(n[0], n[1], n[2], u, v)
    for c in range(3):
        a[row, 3 + c], a[row, 9 + c] = first * scale * v[c], second * scale * v[c]
        b[row, column + c] = u[c]
        a[row + 1, 3 + c], a[row + 1, 9 + c] = -first * scale * u[c], -second * scale * u[c]
        b[row + 1, column + c] = v[c]
