"""How far b is wound about its axis against a, over any number of turns: the twist of a cable.

θ is the twist of a swing–twist split (rows/twist.py), unwrapped, n and n' the axes on a and b:

    φ  = c θ - rest,   c = cos(swing/2) = √((1 + n·n')/2)
    J  = ( 0  -Gᵀ  0  Gᵀ ),    G = (n + n')/2c + θ h,    h = ∇c = (n' × n)/4c
    K̃  = λ [ -Q  -P; Q  P ] in the angular blocks, with g = (n + n')/2c², x = n·n', m = n × n' and
         A, B of rows/twist.py:

         P = g hᵀ + h gᵀ - c B + θ ((n' nᵀ - x 1)/4c - h hᵀ/c)
         Q = -g hᵀ - h gᵀ - c A + θ ((x 1 - n n'ᵀ)/4c + h hᵀ/c)

The torque of a dot-1 row is that of sin 2θ: a cable that is wound by more than 45° from piece to
piece slips through. Here it grows with θ. The factor c takes away what θ has at half a turn of
swing, where it means nothing: the energy ½ φ²/C is continuous there, and its gradient bounded.
"""

import math

from physics.constraints.rows.angle import axes, turn
from physics.constraints.rows.blocks import add_couple, hat_entry, set_couple, set_row
from physics.constraints.rows.pairs import clear_pairs
from physics.constraints.rows.primitive import Primitive
from physics.constraints.rows.twist import denominator
from physics.jit import kernel
from physics.linalg import cross

PRIMITIVE = Primitive("winding", turns=True)


@kernel
def lean(n, o):
    """c and h."""
    c = math.sqrt(0.5 * denominator(n, o))
    x, y, z = cross(o[0], o[1], o[2], n[0], n[1], n[2])
    scale = 0.25 / c
    return c, (scale * x, scale * y, scale * z)


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value and J of the rows listed in rows[start:stop]."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        n, o = axes(e, r, bodies, elements)
        c, h = lean(n, o)
        angle = turn(e, r, n, o, bodies, elements, elements.value[e, r])
        elements.value[e, r] = angle
        elements.phi[e, r] = c * angle - elements.rest[e, r]
        half = 0.5 / c
        x = half * (n[0] + o[0]) + angle * h[0]
        y = half * (n[1] + o[1]) + angle * h[1]
        z = half * (n[2] + o[2]) + angle * h[2]
        set_row(J, e, 0, r, 0.0, 0.0, 0.0)
        set_row(J, e, 1, r, -x, -y, -z)
        set_row(J, e, 2, r, 0.0, 0.0, 0.0)
        set_row(J, e, 3, r, x, y, z)


@kernel
def _state(e, r, bodies, elements):
    """n, n', c, h and θ."""
    n, o = axes(e, r, bodies, elements)
    c, h = lean(n, o)
    return n, o, c, h, turn(e, r, n, o, bodies, elements, elements.value[e, r])


@kernel
def _changes(i, j, n, o, c, h, angle):
    """Q and P: entry (i, j) of ∂G/∂(turns of a) and of ∂G/∂(turns of b)."""
    d = 2.0 * c * c
    m = cross(n[0], n[1], n[2], o[0], o[1], o[2])
    gi, gj = (n[i] + o[i]) / d, (n[j] + o[j]) / d
    same = gi * h[j] + h[i] * gj + gi * m[j] * (c / d) - angle * h[i] * h[j] / c
    quarter, one = 0.25 * angle / c, d - 1.0 if i == j else 0.0
    by_a = -same - (c / d) * hat_entry(n, i, j) - quarter * (n[i] * o[j] - one)
    by_b = same - (c / d) * hat_entry(o, i, j) + quarter * (o[i] * n[j] - one)
    return by_a, by_b


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        n, o, c, h, angle = _state(e, r, bodies, elements)
        for i in range(3):
            for j in range(3):
                by_a, by_b = _changes(i, j, n, o, c, h, angle)
                add_couple(K, e, i, j, lam[e, r] * by_a, lam[e, r] * by_b)


@kernel
def pairs(e, r, bodies, elements, a, b):
    """K̃ of the row as products; writes a and b, returns how many."""
    clear_pairs(a, b)
    n, o, c, h, angle = _state(e, r, bodies, elements)
    for i in range(3):
        for j in range(3):
            by_a, by_b = _changes(i, j, n, o, c, h, angle)
            set_couple(a, b, i, j, elements.lam[e, r] * by_a, elements.lam[e, r] * by_b)
    return 3
