"""The offset between two anchors has no component along a direction of a: one row.

    φ  = d · u_a - rest,   d = p_a + s_a - p_b - s_b                    [Andrews17, dot-2]
    J  = ( uᵀ  (r × u)ᵀ  -uᵀ  -(s_b × u)ᵀ ),   r = s_a - d              [Andrews17, Eq. 26]
    K̃  = λ ·  0     ûᵀ     0    0
              û    -r̂û     ûᵀ   ûŝ_b                                    [Andrews17, Eq. 27]
              0     û      0    0
              0    ŝ_bû    0   -ûŝ_b

With rest it measures and drives a slide along u.
"""

from physics.constraints.rows.blocks import add_hat, add_hat_hat, set_row
from physics.jit import kernel
from physics.linalg import cross, rotate


@kernel
def _geometry(e, r, bodies, elements):
    """u, s_b and d in world axes."""
    p = bodies.position
    a, b = elements.body[e, 0], elements.body[e, 1]
    ux, uy, uz = rotate(bodies.rotation, a, elements.axis_a, e, r)
    ax, ay, az = rotate(bodies.rotation, a, elements.anchor, e, 0)
    bx, by, bz = rotate(bodies.rotation, b, elements.anchor, e, 1)
    dx = p[a, 0] + ax - p[b, 0] - bx
    dy = p[a, 1] + ay - p[b, 1] - by
    dz = p[a, 2] + az - p[b, 2] - bz
    return ux, uy, uz, bx, by, bz, dx, dy, dz, ax - dx, ay - dy, az - dz


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value and J of the rows listed in rows[start:stop]."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        ux, uy, uz, bx, by, bz, dx, dy, dz, rx, ry, rz = _geometry(e, r, bodies, elements)
        value = dx * ux + dy * uy + dz * uz
        elements.value[e, r] = value
        elements.phi[e, r] = value - elements.rest[e, r]
        tx, ty, tz = cross(rx, ry, rz, ux, uy, uz)
        wx, wy, wz = cross(bx, by, bz, ux, uy, uz)
        set_row(J, e, 0, r, ux, uy, uz)
        set_row(J, e, 1, r, tx, ty, tz)
        set_row(J, e, 2, r, -ux, -uy, -uz)
        set_row(J, e, 3, r, -wx, -wy, -wz)


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        ux, uy, uz, bx, by, bz, _, _, _, rx, ry, rz = _geometry(e, r, bodies, elements)
        force = lam[e, r]
        add_hat(K, e, 0, 1, -force, ux, uy, uz)
        add_hat(K, e, 1, 0, force, ux, uy, uz)
        add_hat(K, e, 1, 2, -force, ux, uy, uz)
        add_hat(K, e, 2, 1, force, ux, uy, uz)
        add_hat_hat(K, e, 1, 1, -force, rx, ry, rz, ux, uy, uz)
        add_hat_hat(K, e, 1, 3, force, ux, uy, uz, bx, by, bz)
        add_hat_hat(K, e, 3, 1, force, bx, by, bz, ux, uy, uz)
        add_hat_hat(K, e, 3, 3, -force, ux, uy, uz, bx, by, bz)
