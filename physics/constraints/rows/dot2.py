"""The offset between two anchors has no component along a direction of a: one row.

    φ  = d · u_a - rest,   d = p_a + s_a - p_b - s_b                    [Andrews17, dot-2]
    J  = ( uᵀ  (r × u)ᵀ  -uᵀ  -(s_b × u)ᵀ ),   r = s_a - d              [Andrews17, Eq. 26]
    K̃  = λ ·  0     ûᵀ     0    0
              û    -r̂û     ûᵀ   ûŝ_b                                    [Andrews17, Eq. 27]
              0     û      0    0
              0    ŝ_bû    0   -ûŝ_b

With rest it measures and drives a slide along u.
"""

from physics.constraints.rows.blocks import add_hat, add_hat_hat, add_lever, set_row
from physics.constraints.rows.pairs import basis, clear_pairs
from physics.constraints.rows.primitive import Primitive
from physics.jit import kernel
from physics.linalg import cross, rotate

PRIMITIVE = Primitive("dot2", translates=True, turns=True, drags=True)
_BITS = PRIMITIVE.bits


@kernel
def geometry(e, r, bodies, elements):
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
        ux, uy, uz, bx, by, bz, dx, dy, dz, rx, ry, rz = geometry(e, r, bodies, elements)
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
        add_stiffness(e, r, bodies, elements, lam[e, r], K)


@kernel
def add_stiffness(e, r, bodies, elements, force, K):
    """K[e] += K̃ of one row [Andrews17, Eq. 27]; writes K."""
    ux, uy, uz, bx, by, bz, _, _, _, rx, ry, rz = geometry(e, r, bodies, elements)
    add_hat(K, e, 0, 1, -force, ux, uy, uz)
    add_hat(K, e, 1, 0, force, ux, uy, uz)
    add_hat(K, e, 1, 2, -force, ux, uy, uz)
    add_hat(K, e, 2, 1, force, ux, uy, uz)
    add_hat_hat(K, e, 1, 1, -force, rx, ry, rz, ux, uy, uz)
    add_hat_hat(K, e, 1, 3, force, ux, uy, uz, bx, by, bz)
    add_hat_hat(K, e, 3, 1, force, bx, by, bz, ux, uy, uz)
    add_hat_hat(K, e, 3, 3, -force, ux, uy, uz, bx, by, bz)


@kernel
def holds_point(elements, e):
    """Whether all three rows of an element are of this kind: together they hold a point."""
    traits = elements.traits
    return traits[e, 0] == _BITS and traits[e, 1] == _BITS and traits[e, 2] == _BITS


@kernel
def stiffen_points(rows, start, stop, bodies, elements, system, scale):
    """Three rows d·u, d·v, d·n hold a point as rows/point.py does, only in axes that turn with a.

    Where a force may point anywhere, what it does when those axes turn is the next λ's to say:
    K̃ is that of the point, levers of λu on each body. Writes system.added.
    """
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        if holds_point(elements, e):
            ux, uy, uz, bx, by, bz, _, _, _, rx, ry, rz = geometry(e, r, bodies, elements)
            lam = elements.lam[e, r]
            fx, fy, fz = lam * ux, lam * uy, lam * uz
            a, b = elements.body[e, 0], elements.body[e, 1]
            add_lever(system.added, 2 * a + 1, scale, fx, fy, fz, rx, ry, rz)
            add_lever(system.added, 2 * b + 1, -scale, fx, fy, fz, bx, by, bz)


@kernel
def stiffen(rows, start, stop, bodies, elements, system):
    """A row pulls with λu at b's anchor: the lever on a reaches to that point.

    Writes system.added.
    """
    p = bodies.position
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        a, b = elements.body[e, 0], elements.body[e, 1]
        lam = elements.lam[e, r]
        ux, uy, uz = rotate(bodies.rotation, a, elements.axis_a, e, r)
        sx, sy, sz = rotate(bodies.rotation, b, elements.anchor, e, 1)
        rx, ry, rz = p[b, 0] + sx - p[a, 0], p[b, 1] + sy - p[a, 1], p[b, 2] + sz - p[a, 2]
        fx, fy, fz = lam * ux, lam * uy, lam * uz
        add_lever(system.added, 2 * a + 1, 1.0, fx, fy, fz, rx, ry, rz)
        add_lever(system.added, 2 * b + 1, -1.0, fx, fy, fz, sx, sy, sz)


@kernel
def pairs(e, r, bodies, elements, work, a, b):
    """K̃ of the row as products; writes work, a and b, returns how many."""
    x, R = bodies.position, bodies.rotation
    i, j = elements.body[e, 0], elements.body[e, 1]
    u = rotate(R, i, elements.axis_a, e, r)
    s = rotate(R, j, elements.anchor, e, 1)
    lever = (x[j, 0] + s[0] - x[i, 0], x[j, 1] + s[1] - x[i, 1], x[j, 2] + s[2] - x[i, 2])
    return dot2_pairs(elements.lam[e, r], u, s, lever, work[0], work[1], a, b)


@kernel
def dot2_pairs(lam, u, s_b, r, v, n, a, b):
    """K̃ of d·u_a [Andrews17, Eq. 27] in pairs, from û = n vᵀ - v nᵀ, (v, n, u) right-handed.

    Grouped by the columns and rows they share: linear-angular (4), -r̂û (2), ûŝ_b and its negative
    below (2), ŝ_bû (2): ten pairs, as in App. B with its two missing vectors.
    """
    clear_pairs(a, b)
    basis(u[0], u[1], u[2], v, n)
    for c in range(3):
        # columns θ_a of the linear rows: -λû in p_a, +λû in p_b
        a[0, c], a[0, 6 + c], b[0, 3 + c] = -lam * n[c], lam * n[c], v[c]
        a[1, c], a[1, 6 + c], b[1, 3 + c] = lam * v[c], -lam * v[c], n[c]
        # row θ_a: +λû in column p_a, -λû in column p_b
        a[2, 3 + c], b[2, c], b[2, 6 + c] = lam * n[c], v[c], -v[c]
        a[3, 3 + c], b[3, c], b[3, 6 + c] = -lam * v[c], n[c], -n[c]
    _hat_times_hat(-lam, r, n, v, 1, 1, 4, a, b)
    _times_hat(lam, s_b, n, v, 1, 3, 6, a, b)
    for c in range(3):
        a[6, 9 + c] = -a[6, 3 + c]
        a[7, 9 + c] = -a[7, 3 + c]
    _hat_times_hat(lam, s_b, n, v, 3, 1, 8, a, b)
    return 10


@kernel
def _hat_times_hat(scale, s, n, v, row, column, first, a, b):
    """scale · ŝû as two pairs: (s × n) vᵀ - (s × v) nᵀ."""
    for c in range(3):
        i, j = (c + 1) % 3, (c + 2) % 3
        a[first, 3 * row + c] = scale * (s[i] * n[j] - s[j] * n[i])
        a[first + 1, 3 * row + c] = -scale * (s[i] * v[j] - s[j] * v[i])
        b[first, 3 * column + c] = v[c]
        b[first + 1, 3 * column + c] = n[c]


@kernel
def _times_hat(scale, s, n, v, row, column, first, a, b):
    """scale · ûŝ as two pairs: n (v × s)ᵀ - v (n × s)ᵀ."""
    for c in range(3):
        i, j = (c + 1) % 3, (c + 2) % 3
        a[first, 3 * row + c] = scale * n[c]
        a[first + 1, 3 * row + c] = -scale * v[c]
        b[first, 3 * column + c] = v[i] * s[j] - v[j] * s[i]
        b[first + 1, 3 * column + c] = n[i] * s[j] - n[j] * s[i]
