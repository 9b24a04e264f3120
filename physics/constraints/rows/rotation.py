"""One component of the rotation between two bodies, with no pole at any pose: a spring's row.

Let (w, V) be the unit quaternion of the rotation that takes the axes on a to those on b, in world
axes, w ≥ 0, and n_a the axis that counts:

    φ  = 2 V·n_a - rest,       of a turn by θ about n_a alone: 2 sin(θ/2)
    J  = ( 0  -gᵀ  0  gᵀ ),    g = w n_a + V × n_a
    K̃  = λ/2 [ ĝ - s 1   ĝ + s 1; -ĝ + s 1   -ĝ - s 1 ] in the angular blocks,  s = V·n_a

The energy of three such rows is that of 1 - cos θ, θ about whatever axis: a spring that pulls
hardest at 90° and back up to half a turn. Of three dot-1 rows it is that of sin² θ, which weakens
from 45° on and lets go at 90°. At half a turn w changes its sign and φ with it, but φ² has no jump.
"""

import math

from physics.constraints.rows.angle import axes
from physics.constraints.rows.blocks import add_couple, hat_entry, set_couple, set_row
from physics.constraints.rows.pairs import clear_pairs
from physics.constraints.rows.primitive import Primitive
from physics.jit import kernel
from physics.linalg import cross, rotate

PRIMITIVE = Primitive("rotation", turns=True)


@kernel
def quaternion_between(n, u, o, q):
    """(w, x, y, z), w ≥ 0, of the rotation that takes the axes n, u to o, q, in world axes."""
    v, r = cross(n[0], n[1], n[2], u[0], u[1], u[2]), cross(o[0], o[1], o[2], q[0], q[1], q[2])
    xx = o[0] * n[0] + q[0] * u[0] + r[0] * v[0]
    yy = o[1] * n[1] + q[1] * u[1] + r[1] * v[1]
    zz = o[2] * n[2] + q[2] * u[2] + r[2] * v[2]
    xy = o[0] * n[1] + q[0] * u[1] + r[0] * v[1]
    yx = o[1] * n[0] + q[1] * u[0] + r[1] * v[0]
    xz = o[0] * n[2] + q[0] * u[2] + r[0] * v[2]
    zx = o[2] * n[0] + q[2] * u[0] + r[2] * v[0]
    yz = o[1] * n[2] + q[1] * u[2] + r[1] * v[2]
    zy = o[2] * n[1] + q[2] * u[1] + r[2] * v[1]
    # four times the largest component first, the others by dividing by it
    if xx + yy + zz > 0.0:
        s = 2.0 * math.sqrt(1.0 + xx + yy + zz)
        return 0.25 * s, (zy - yz) / s, (xz - zx) / s, (yx - xy) / s
    if xx >= yy and xx >= zz:
        s = 2.0 * math.sqrt(1.0 + xx - yy - zz)
        w, x, y, z = (zy - yz) / s, 0.25 * s, (xy + yx) / s, (xz + zx) / s
    elif yy >= zz:
        s = 2.0 * math.sqrt(1.0 + yy - xx - zz)
        w, x, y, z = (xz - zx) / s, (xy + yx) / s, 0.25 * s, (yz + zy) / s
    else:
        s = 2.0 * math.sqrt(1.0 + zz - xx - yy)
        w, x, y, z = (yx - xy) / s, (xz + zx) / s, (yz + zy) / s, 0.25 * s
    if w < 0.0:
        return -w, -x, -y, -z
    return w, x, y, z


@kernel
def gradient(e, r, bodies, elements):
    """g and s."""
    n, o = axes(e, r, bodies, elements)
    u = rotate(bodies.rotation, elements.body[e, 0], elements.axis_c, e, r)
    q = rotate(bodies.rotation, elements.body[e, 1], elements.axis_b, e, r)
    w, x, y, z = quaternion_between(n, u, o, q)
    cx, cy, cz = cross(x, y, z, n[0], n[1], n[2])
    g = (w * n[0] + cx, w * n[1] + cy, w * n[2] + cz)
    return g, x * n[0] + y * n[1] + z * n[2]


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value and J of the rows listed in rows[start:stop]."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        g, s = gradient(e, r, bodies, elements)
        elements.value[e, r] = 2.0 * s
        elements.phi[e, r] = 2.0 * s - elements.rest[e, r]
        set_row(J, e, 0, r, 0.0, 0.0, 0.0)
        set_row(J, e, 1, r, -g[0], -g[1], -g[2])
        set_row(J, e, 2, r, 0.0, 0.0, 0.0)
        set_row(J, e, 3, r, g[0], g[1], g[2])


@kernel
def _changes(i, j, g, s):
    """Entry (i, j) of ∂g/∂(turns of a) and of ∂g/∂(turns of b)."""
    half, one = -0.5 * hat_entry(g, i, j), 0.5 * s if i == j else 0.0
    return half + one, half - one


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        g, s = gradient(e, r, bodies, elements)
        for i in range(3):
            for j in range(3):
                by_a, by_b = _changes(i, j, g, s)
                add_couple(K, e, i, j, lam[e, r] * by_a, lam[e, r] * by_b)


@kernel
def pairs(e, r, bodies, elements, a, b):
    """K̃ of the row as products; writes a and b, returns how many."""
    g, s = gradient(e, r, bodies, elements)
    clear_pairs(a, b)
    for i in range(3):
        for j in range(3):
            by_a, by_b = _changes(i, j, g, s)
            set_couple(a, b, i, j, elements.lam[e, r] * by_a, elements.lam[e, r] * by_b)
    return 3
