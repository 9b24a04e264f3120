"""The turn of b about an axis it shares with a: one row (locks, limits, motors, servos, springs).

Of the rotation of b against a this is the twist of a swing–twist split. With right-handed axes
(u, v, n) on each body:

    φ  = atan2(v_a·u_b - u_a·v_b, u_a·u_b + v_a·v_b) - rest
    ∇φ = (-gᵀ, gᵀ) in θ_a, θ_b,    g = (n_a + n_b)/d,   d = 1 + n_a·n_b
    K̃  = λ [ A  B; -A  -B ],       A = (n̂_a + g mᵀ)/d,  B = (n̂_b - g mᵀ)/d,  m = n_a × n_b

|g| = 1/cos(swing/2): unlike the angle of one vector of b about n_a, which has a pole where that
vector swings along n_a, this one means something up to half a turn of swing. Where the axes of a
and b agree it is the axial constraint of [Andrews17], J = (0, -nᵀ, 0, nᵀ). The papers' J at every
pose is not the gradient of anything; with the exact one a lock cannot creep. The angle is unwrapped
against the previous value, so that limits and servos work beyond half a turn.

At half a turn of swing the twist is undefined, and a little before it a small motion would have to
go with a whirl. A rigid lock lets go there, and holds again with the twist it then finds.
"""

import math

from physics.constraints.rows.blocks import add_hat, set_row
from physics.jit import kernel
from physics.linalg import cross, rotate
from physics.state import BILATERAL, POSITION

_FULL_TURN = 2.0 * math.pi
_DEGENERATE = 1e-6  # d where the twist means nothing
_TURNED_OVER = 0.05  # d at 162° of swing, where the twist turns 6 times as fast as b


@kernel
def _gradient(e, r, bodies, elements):
    """n_a, n_b in world axes, g and 1/d."""
    ax, ay, az = rotate(bodies.rotation, elements.body[e, 0], elements.axis_a, e, r)
    bx, by, bz = rotate(bodies.rotation, elements.body[e, 1], elements.axis_d, e, r)
    inverse = 1.0 / max(1.0 + ax * bx + ay * by + az * bz, _DEGENERATE)
    g = ((ax + bx) * inverse, (ay + by) * inverse, (az + bz) * inverse)
    return (ax, ay, az), (bx, by, bz), g, inverse


@kernel
def _is_lock(elements, e, r):
    """Whether the row holds the twist rigidly, both ways."""
    rigid = elements.compliance[e, r] == 0.0 and elements.mode[e, r] == POSITION
    return rigid and elements.role[e] == BILATERAL


@kernel
def let_go(rows, start, stop, bodies, elements):
    """Locks of bodies that are turned over do nothing; writes idle."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        if _is_lock(elements, e, r):
            _, _, _, inverse = _gradient(e, r, bodies, elements)
            elements.idle[e, r] = inverse > 1.0 / _TURNED_OVER


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value and J of the rows listed in rows[start:stop]."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        n, o, g, _ = _gradient(e, r, bodies, elements)
        ux, uy, uz = rotate(bodies.rotation, elements.body[e, 0], elements.axis_c, e, r)
        wx, wy, wz = rotate(bodies.rotation, elements.body[e, 1], elements.axis_b, e, r)
        vx, vy, vz = cross(n[0], n[1], n[2], ux, uy, uz)
        tx, ty, tz = cross(o[0], o[1], o[2], wx, wy, wz)
        sine = vx * wx + vy * wy + vz * wz - ux * tx - uy * ty - uz * tz
        cosine = ux * wx + uy * wy + uz * wz + vx * tx + vy * ty + vz * tz
        value = math.atan2(sine, cosine)
        value += _FULL_TURN * round((elements.value[e, r] - value) / _FULL_TURN)
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
        n, o, g, inverse = _gradient(e, r, bodies, elements)
        m = cross(n[0], n[1], n[2], o[0], o[1], o[2])
        force = lam[e, r] * inverse
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
