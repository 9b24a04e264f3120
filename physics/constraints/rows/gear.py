"""The turns of two bodies, each about an axis that stands still, keep a ratio: one row.

    φ  = θ_b - ρθ_a - rest
    J  = ( 0  -ρ g_aᵀ  0  g_bᵀ )
    K̃  = diag(0, -ρλ D_a, 0, λ D_b),   D = ∂∇θ/∂(turn of the body) = (g mᵀ - n̂')/d

θ is the twist (rows/twist.py) of a body's axes (u', n') against axes (u, n) of the world,
m = n × n'; it is unwrapped and kept in elements.turn. The axes of the world are elements.ground, ρ
is elements.ratio: turns of b for one turn of a. The torques are -ρλ on a and λ on b, so what one
wheel gives the other takes: -ρλ ω_a + λ ω_b = 0. Where a wheel's axis stays on that of the world,
as bearings keep it, K̃ is antisymmetric and asks for no added inertia; where it turns over, the
twist is singular and the row is disabled.
"""

from physics.constraints.rows.blocks import add_hat, set_row
from physics.constraints.rows.pairs import clear_pairs
from physics.constraints.rows.primitive import Primitive
from physics.constraints.rows.twist import add_spin_pair, gradient, is_turned_over, twist
from physics.jit import kernel
from physics.linalg import cross, rotate

PRIMITIVE = Primitive("gear", turns=True, keeps_turn=True)


@kernel
def _side(e, r, side, bodies, elements):
    """Axes n, u of the world and n', u' of the body, and what θ counts in φ: -ρ or 1."""
    G, R, body = elements.ground, bodies.rotation, elements.body[e, side]
    n = (G[e, r, side, 0, 0], G[e, r, side, 0, 1], G[e, r, side, 0, 2])
    u = (G[e, r, side, 1, 0], G[e, r, side, 1, 1], G[e, r, side, 1, 2])
    if side == 0:
        o = rotate(R, body, elements.axis_a, e, r)
        w = rotate(R, body, elements.axis_c, e, r)
        return n, u, o, w, -elements.ratio[e, r]
    o = rotate(R, body, elements.axis_d, e, r)
    w = rotate(R, body, elements.axis_b, e, r)
    return n, u, o, w, 1.0


@kernel
def disable_singular(rows, start, stop, bodies, elements):
    """A wheel that no bearing holds may turn over; its row does nothing then. Writes idle."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        n_a, _, o_a, _, _ = _side(e, r, 0, bodies, elements)
        n_b, _, o_b, _, _ = _side(e, r, 1, bodies, elements)
        elements.idle[e, r] = is_turned_over(n_a, o_a) or is_turned_over(n_b, o_b)


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value, turn and J of the rows listed in rows[start:stop]."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        value = 0.0
        for side in range(2):
            n, u, o, w, share = _side(e, r, side, bodies, elements)
            theta = twist(n, u, o, w, elements.turn[e, side])
            elements.turn[e, side] = theta
            value += share * theta
            g, _ = gradient(n, o)
            if elements.idle[e, r]:
                g = (0.0, 0.0, 0.0)
            set_row(J, e, 2 * side, r, 0.0, 0.0, 0.0)
            set_row(J, e, 2 * side + 1, r, share * g[0], share * g[1], share * g[2])
        elements.value[e, r] = value
        if elements.idle[e, r]:
            elements.rest[e, r] = value  # from where it is when the wheel stands upright again
        elements.phi[e, r] = value - elements.rest[e, r]


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        for side in range(2):
            n, _, o, _, share = _side(e, r, side, bodies, elements)
            g, inverse = gradient(n, o)
            m = cross(n[0], n[1], n[2], o[0], o[1], o[2])
            torque = share * lam[e, r] * inverse
            node = 2 * side + 1
            add_hat(K, e, node, node, -torque, o[0], o[1], o[2])
            for i in range(3):
                for j in range(3):
                    K[e, node, node, i, j] += torque * g[i] * m[j]


@kernel
def pairs(e, r, bodies, elements, work, a, b):
    """K̃ of the row as products, three for each wheel; writes work, a and b, returns how many."""
    clear_pairs(a, b)
    for side in range(2):
        n, _, o, _, share = _side(e, r, side, bodies, elements)
        g, inverse = gradient(n, o)
        m = cross(n[0], n[1], n[2], o[0], o[1], o[2])
        torque = share * elements.lam[e, r] * inverse
        first, column = 3 * side, 3 + 6 * side
        on_a, on_b = 1.0 - side, 1.0 * side
        add_spin_pair(-torque, o, on_a, on_b, column, first, work[0], work[1], a, b)
        for c in range(3):
            a[first + 2, column + c], b[first + 2, column + c] = torque * g[c], m[c]
    return 6
