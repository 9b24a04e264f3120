"""The turn of b about an axis it shares with a: one row (locks, limits, motors, servos, springs).

Of the rotation of b against a this is the twist of a swing–twist split. With right-handed axes
(u, v, n) on each body:

    φ  = atan2(v_a·u_b - u_a·v_b, u_a·u_b + v_a·v_b) - rest
    J  = ( 0  -gᵀ  0  gᵀ ),        g = (n_a + n_b)/d,   d = 1 + n_a·n_b
    K̃  = λ [ A  B; -A  -B ] in the angular blocks,
         A = (n̂_a + g mᵀ)/d,       B = (n̂_b - g mᵀ)/d,  m = n_a × n_b       (rows/twist.py)

|g| = 1/cos(swing/2): unlike the angle of one vector of b about n_a, which has a pole where that
vector swings along n_a, this one means something up to half a turn of swing. Where the axes of a
and b agree it is the axial constraint of [Andrews17], J = (0, -nᵀ, 0, nᵀ). The papers' J at every
pose is not the gradient of anything; with the exact one a lock cannot creep. The angle is unwrapped
against the previous value, so that limits and servos work beyond half a turn.

At half a turn of swing the twist is undefined, and a little before it a small motion would have to
go with a whirl. A rigid lock is disabled there, and holds again with the twist it then finds.
"""

from physics.constraints.rows.blocks import add_hat, set_row
from physics.constraints.rows.pairs import clear_pairs
from physics.constraints.rows.primitive import Primitive
from physics.constraints.rows.twist import (
    add_spin_pair,
    denominator,
    gradient,
    is_turned_over,
    twist,
)
from physics.jit import kernel
from physics.linalg import cross, rotate
from physics.state import BILATERAL, POSITION

PRIMITIVE = Primitive("angle", turns=True, twist=True)


@kernel
def axes(e, r, bodies, elements):
    """n_a and n_b in world axes."""
    n = rotate(bodies.rotation, elements.body[e, 0], elements.axis_a, e, r)
    o = rotate(bodies.rotation, elements.body[e, 1], elements.axis_d, e, r)
    return n, o


@kernel
def turn(e, r, n, o, bodies, elements, near):
    """θ, of all θ + 2πk the one next to `near`."""
    u = rotate(bodies.rotation, elements.body[e, 0], elements.axis_c, e, r)
    w = rotate(bodies.rotation, elements.body[e, 1], elements.axis_b, e, r)
    return twist(n, u, o, w, near)


@kernel
def _is_lock(elements, e, r):
    """Whether the row holds the twist rigidly, both ways."""
    rigid = elements.compliance[e, r] == 0.0 and elements.mode[e, r] == POSITION
    return rigid and elements.role[e] == BILATERAL


@kernel
def disable_singular(rows, start, stop, bodies, elements):
    """Locks of bodies that are turned over do nothing; writes idle."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        if _is_lock(elements, e, r):
            n, o = axes(e, r, bodies, elements)
            elements.idle[e, r] = is_turned_over(n, o)


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value and J of the rows listed in rows[start:stop]."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        n, o = axes(e, r, bodies, elements)
        g, _ = gradient(n, o)
        value = turn(e, r, n, o, bodies, elements, elements.value[e, r])
        elements.value[e, r] = value
        if elements.idle[e, r] and _is_lock(elements, e, r):
            elements.rest[e, r] = value
            g = (0.0, 0.0, 0.0)
        elements.phi[e, r] = value - elements.rest[e, r]
        set_row(J, e, 0, r, 0.0, 0.0, 0.0)
        set_row(J, e, 1, r, -g[0], -g[1], -g[2])
        set_row(J, e, 2, r, 0.0, 0.0, 0.0)
        set_row(J, e, 3, r, g[0], g[1], g[2])


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        add_stiffness(e, r, bodies, elements, lam[e, r], K)


@kernel
def add_stiffness(e, r, bodies, elements, torque, K):
    """K[e] += K̃ of one row; writes K."""
    n, o = axes(e, r, bodies, elements)
    g, inverse = gradient(n, o)
    m = cross(n[0], n[1], n[2], o[0], o[1], o[2])
    force = torque * inverse
    add_hat(K, e, 1, 1, force, n[0], n[1], n[2])
    add_hat(K, e, 3, 1, -force, n[0], n[1], n[2])
    add_hat(K, e, 1, 3, force, o[0], o[1], o[2])
    add_hat(K, e, 3, 3, -force, o[0], o[1], o[2])
    for i in range(3):
        for j in range(3):
            term = force * g[i] * m[j]
            K[e, 1, 1, i, j] += term
            K[e, 3, 1, i, j] -= term
            K[e, 1, 3, i, j] -= term
            K[e, 3, 3, i, j] += term


@kernel
def pairs(e, r, bodies, elements, work, a, b):
    """K̃ of the row as products; writes work, a and b, returns how many."""
    n, o = axes(e, r, bodies, elements)
    return angle_pairs(elements.lam[e, r], n, o, work[0], work[1], a, b)


@kernel
def angle_pairs(lam, n_a, n_b, u, v, a, b):
    """n̂_a, n̂_b and the product g mᵀ of gradients: five pairs."""
    clear_pairs(a, b)
    d = denominator(n_a, n_b)
    scale = lam / d
    add_spin_pair(scale, n_a, 1.0, -1.0, 3, 0, u, v, a, b)
    add_spin_pair(scale, n_b, 1.0, -1.0, 9, 2, u, v, a, b)
    m = cross(n_a[0], n_a[1], n_a[2], n_b[0], n_b[1], n_b[2])
    for c in range(3):
        g = (n_a[c] + n_b[c]) / d
        a[4, 3 + c], a[4, 9 + c] = scale * g, -scale * g
        b[4, 3 + c], b[4, 9 + c] = m[c], -m[c]
    return 5
