"""A direction on a and a direction on b keep their angle: one row [Andrews17, App. A, dot-1].

    φ  = n_a · u_b - rest
    J  = ( 0  (n_a × u_b)ᵀ  0  -(n_a × u_b)ᵀ )                    [Andrews17, Eq. 24]
    K̃  = η, -ηᵀ; -η, ηᵀ in the angular blocks, η = λ û_b n̂_a       [Andrews17, Eq. 25]

Exact for any n·u, unlike the low-rank form of App. B, which needs n·u = 0.
"""

from physics.constraints.rows.blocks import add_dot1, set_row
from physics.jit import kernel
from physics.linalg import cross, rotate


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value and J of the rows listed in rows[start:stop]."""
    R, body, axis_a, axis_b = bodies.rotation, elements.body, elements.axis_a, elements.axis_b
    phi, values, rest = elements.phi, elements.value, elements.rest
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        a, b = body[e, 0], body[e, 1]
        nx, ny, nz = rotate(R, a, axis_a, e, r)
        ux, uy, uz = rotate(R, b, axis_b, e, r)
        value = nx * ux + ny * uy + nz * uz
        values[e, r] = value
        phi[e, r] = value - rest[e, r]
        wx, wy, wz = cross(nx, ny, nz, ux, uy, uz)
        set_row(J, e, 0, r, 0.0, 0.0, 0.0)
        set_row(J, e, 1, r, wx, wy, wz)
        set_row(J, e, 2, r, 0.0, 0.0, 0.0)
        set_row(J, e, 3, r, -wx, -wy, -wz)


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        a, b = elements.body[e, 0], elements.body[e, 1]
        nx, ny, nz = rotate(bodies.rotation, a, elements.axis_a, e, r)
        ux, uy, uz = rotate(bodies.rotation, b, elements.axis_b, e, r)
        add_dot1(K, e, lam[e, r], nx, ny, nz, ux, uy, uz)
