"""A direction on a and a direction on b keep their angle: one row [Andrews17, App. A, dot-1].

    φ  = n_a · u_b - rest
    J  = ( 0  (n_a × u_b)ᵀ  0  -(n_a × u_b)ᵀ )                    [Andrews17, Eq. 24]
    K̃  = η, -ηᵀ; -η, ηᵀ in the angular blocks, η = λ û_b n̂_a       [Andrews17, Eq. 25]

Exact for any n·u, unlike the low-rank form of App. B, which needs n·u = 0.
"""

from physics.constraints.rows.blocks import add_dot1, set_row
from physics.constraints.rows.pairs import clear_pairs
from physics.constraints.rows.primitive import Primitive
from physics.jit import kernel
from physics.linalg import cross, rotate

PRIMITIVE = Primitive("dot1", turns=True, cosine=True)


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


@kernel
def pairs(e, r, bodies, elements, a, b):
    """K̃ of the row as products; writes a and b, returns how many."""
    n = rotate(bodies.rotation, elements.body[e, 0], elements.axis_a, e, r)
    u = rotate(bodies.rotation, elements.body[e, 1], elements.axis_b, e, r)
    return dot1_pairs(elements.lam[e, r], n, u, a, b)


@kernel
def dot1_pairs(lam, n, u, a, b):
    """λ(ū' n̄ᵀ + n̄' ūᵀ) and, where n·u ≠ 0, λ(n·u)[-1 1; 1 -1] on the angular blocks."""
    clear_pairs(a, b)
    inner = n[0] * u[0] + n[1] * u[1] + n[2] * u[2]
    for c in range(3):
        a[0, 3 + c], a[0, 9 + c] = -lam * u[c], lam * u[c]
        b[0, 9 + c] = n[c]
        a[1, 3 + c], a[1, 9 + c] = -lam * n[c], lam * n[c]
        b[1, 3 + c] = -u[c]
    if inner == 0.0:
        return 2
    for c in range(3):
        a[2 + c, 3 + c], a[2 + c, 9 + c] = lam * inner, -lam * inner
        b[2 + c, 3 + c], b[2 + c, 9 + c] = -1.0, 1.0
    return 5
