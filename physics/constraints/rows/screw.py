"""A nut on a thread: the turn of b about n_a and its slide along n_a go together: one row.

    φ  = d·n_a + κθ - rest,   d = p_a + s_a - p_b - s_b,   κ = pitch/2π in m/rad
    J  = J of d·n_a + κ · J of θ                     (rows/dot2.py, rows/angle.py)
    K̃  = K̃ of d·n_a + κ · K̃ of θ

-d·n_a is how far b slid along the axis and θ its twist, unwrapped and kept in elements.turn, so
that a thread may have any number of turns. κ is elements.ratio; φ is in metres, λ in newtons, and
the torque about the axis is κλ: F = 2πτ/pitch.
"""

from physics.constraints.rows import angle, dot2
from physics.constraints.rows.blocks import set_row
from physics.constraints.rows.inertia import resist_turning
from physics.constraints.rows.primitive import Primitive
from physics.constraints.rows.twist import gradient
from physics.jit import kernel
from physics.linalg import cross

PRIMITIVE = Primitive("screw", translates=True, turns=True, drags=True, keeps_turn=True)


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value, turn and J of the rows listed in rows[start:stop]."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        kappa = elements.ratio[e, r]
        ux, uy, uz, bx, by, bz, dx, dy, dz, rx, ry, rz = dot2.geometry(e, r, bodies, elements)
        n, o = angle.axes(e, r, bodies, elements)
        theta = angle.turn(e, r, n, o, bodies, elements, elements.turn[e, 0])
        elements.turn[e, 0] = theta
        value = dx * ux + dy * uy + dz * uz + kappa * theta
        elements.value[e, r] = value
        elements.phi[e, r] = value - elements.rest[e, r]
        g, _ = gradient(n, o)
        gx, gy, gz = kappa * g[0], kappa * g[1], kappa * g[2]
        tx, ty, tz = cross(rx, ry, rz, ux, uy, uz)
        wx, wy, wz = cross(bx, by, bz, ux, uy, uz)
        set_row(J, e, 0, r, ux, uy, uz)
        set_row(J, e, 1, r, tx - gx, ty - gy, tz - gz)
        set_row(J, e, 2, r, -ux, -uy, -uz)
        set_row(J, e, 3, r, gx - wx, gy - wy, gz - wz)


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        dot2.add_stiffness(e, r, bodies, elements, lam[e, r], K)
        angle.add_stiffness(e, r, bodies, elements, elements.ratio[e, r] * lam[e, r], K)


@kernel
def add_pair_inertia(rows, start, stop, bodies, elements, system, h):
    """The row's torque resists turning the bodies against each other; writes elements.K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        torque = elements.ratio[e, r] * elements.lam[e, r]
        resist_turning(e, torque, bodies, elements, system, h)


@kernel
def pairs(e, r, bodies, elements, work, a, b):
    """K̃ of the row as products; writes work, a and b, returns how many."""
    used = dot2.pairs(e, r, bodies, elements, work, a, b)
    n, o = angle.axes(e, r, bodies, elements)
    torque = elements.ratio[e, r] * elements.lam[e, r]
    return used + angle.angle_pairs(torque, n, o, work[0], work[1], a[used:], b[used:])
