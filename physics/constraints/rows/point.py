"""Two points coincide: three rows in world axes [Andrews17, App. A, ball-and-socket].

    φ  = p_a + s_a - p_b - s_b
    J  = ( 1  -ŝ_a  -1  ŝ_b )
    K̃  = diag(0, λ̂ŝ_a, 0, -λ̂ŝ_b)        [Andrews17, Eq. 4; the printed Eq. 22 has s_i twice]

s is the anchor turned into world axes. K̃ is not symmetric because rotations are not a vector
space; its antisymmetric part is -τ̂/2 with τ = s × λ.
"""

from physics.constraints.rows.blocks import add_hat_hat, add_lever
from physics.constraints.rows.pairs import ball_pairs
from physics.constraints.rows.primitive import Primitive
from physics.jit import kernel
from physics.linalg import rotate, set_hat

PRIMITIVE = Primitive("point", translates=True, vector=True)


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value and J of the rows listed in rows[start:stop]."""
    p, R = bodies.position, bodies.rotation
    body, anchor, phi, value = elements.body, elements.anchor, elements.phi, elements.value
    for k in range(start, stop):
        e = rows[k] // 3
        a, b = body[e, 0], body[e, 1]
        ax, ay, az = rotate(R, a, anchor, e, 0)
        bx, by, bz = rotate(R, b, anchor, e, 1)
        phi[e, 0] = p[a, 0] + ax - p[b, 0] - bx
        phi[e, 1] = p[a, 1] + ay - p[b, 1] - by
        phi[e, 2] = p[a, 2] + az - p[b, 2] - bz
        for r in range(3):
            value[e, r] = phi[e, r]
            for c in range(3):
                J[e, 0, r, c] = 0.0
                J[e, 2, r, c] = 0.0
            J[e, 0, r, r] = 1.0
            J[e, 2, r, r] = -1.0
        set_hat(J, e, 1, -ax, -ay, -az)
        set_hat(J, e, 3, bx, by, bz)


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e = rows[k] // 3
        a, b = elements.body[e, 0], elements.body[e, 1]
        ax, ay, az = rotate(bodies.rotation, a, elements.anchor, e, 0)
        bx, by, bz = rotate(bodies.rotation, b, elements.anchor, e, 1)
        fx, fy, fz = lam[e, 0], lam[e, 1], lam[e, 2]
        add_hat_hat(K, e, 1, 1, 1.0, fx, fy, fz, ax, ay, az)
        add_hat_hat(K, e, 3, 3, -1.0, fx, fy, fz, bx, by, bz)


@kernel
def stiffen(rows, start, stop, bodies, elements, system, scale):
    """system.added += scale · sym(K̃) of the listed rows; writes system.added."""
    for k in range(start, stop):
        e = rows[k] // 3
        fx, fy, fz = elements.lam[e, 0], elements.lam[e, 1], elements.lam[e, 2]
        for side in range(2):
            b = elements.body[e, side]
            x, y, z = rotate(bodies.rotation, b, elements.anchor, e, side)
            add_lever(system.added, 2 * b + 1, (1.0 - 2.0 * side) * scale, fx, fy, fz, x, y, z)


@kernel
def pairs(e, bodies, elements, work, a, b):
    """K̃ of the three rows as products; writes work, a and b, returns how many."""
    R, force = bodies.rotation, elements.lam[e]
    s = rotate(R, elements.body[e, 0], elements.anchor, e, 0)
    used = ball_pairs(force, s, 1, 1.0, work[0], work[1], a, b)
    s = rotate(R, elements.body[e, 1], elements.anchor, e, 1)
    return used + ball_pairs(force, s, 3, -1.0, work[0], work[1], a[used:], b[used:])
