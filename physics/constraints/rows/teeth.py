"""Two wheels in mesh whose bearings may move: what rolls off one rolls on to the other, one row.

    φ  = r (ρ χ_a - χ_b) - rest,   χ = atan2(d·v, d·u),   d = p_b + s_b - p_a - s_a
    J  = ( -fᵀ  (τ_a - s_a × f)ᵀ  fᵀ  (τ_b + s_b × f)ᵀ ),
         f = r (ρ q_a - q_b),  q = (n × d)/D,  D = |n × d|²,   τ_a = rρ q_a × d,  τ_b = -r q_b × d
    K̃  = ∂(Jᵀλ)/∂x by  δq = H (δd - δθ × d) + δθ × q,   H = -(e cᵀ + c eᵀ)/D²,
         c = n × d,  e = d - n (n·d)

χ is the direction of the line of centres d as a wheel sees it, in its axes (u, v, n): -χ is its
turn against whatever carries the two bearings, θ - ψ. So φ/r = (θ_b - ψ) - ρ(θ_a - ψ) (Willis)
without a third body, wherever the carrier goes and however it tumbles. Wheels with crossing axes
(bevel gears) are the same row: the part of d across each axis points to the mesh. Both χ are
unwrapped; -χ is kept in elements.turn. ρ is elements.ratio; r is the length of elements.lever,
the pitch radius of b, so φ is the arc between the teeth in metres and λ the force on a tooth.

Where the line of centres lies along an axis it has no direction, and the row is disabled.
"""

import math

from physics.constraints.rows.blocks import add_lever, set_row
from physics.constraints.rows.pairs import clear_pairs
from physics.constraints.rows.primitive import Primitive
from physics.jit import kernel
from physics.linalg import cross, rotate

PRIMITIVE = Primitive("teeth", translates=True, turns=True, drags=True, keeps_turn=True, rolls=True)

_FULL_TURN = 2.0 * math.pi
_ALONG = 1e-4  # D/|d|² where the line of centres is within 0.6° of an axis
_NEAREST = 1e-18  # m²; D never counts as less


@kernel
def _arms(e, bodies, elements):
    """s_a, s_b and d in world axes."""
    p = bodies.position
    a, b = elements.body[e, 0], elements.body[e, 1]
    s = rotate(bodies.rotation, a, elements.anchor, e, 0)
    t = rotate(bodies.rotation, b, elements.anchor, e, 1)
    dx = p[b, 0] + t[0] - p[a, 0] - s[0]
    dy = p[b, 1] + t[1] - p[a, 1] - s[1]
    dz = p[b, 2] + t[2] - p[a, 2] - s[2]
    return s, t, (dx, dy, dz)


@kernel
def _side(e, r, side, bodies, elements):
    """n and u (of any length) of a wheel in world axes, and what χ counts in φ: rρ or -r, m."""
    R, body, radius = bodies.rotation, elements.body[e, side], elements.lever
    x, y, z = radius[e, r, 0], radius[e, r, 1], radius[e, r, 2]
    length = math.sqrt(x * x + y * y + z * z)
    if side == 0:
        n = rotate(R, body, elements.axis_a, e, r)
        return n, rotate(R, body, elements.axis_c, e, r), length * elements.ratio[e, r]
    return rotate(R, body, elements.axis_d, e, r), rotate(R, body, radius, e, r), -length


@kernel
def _across(n, d):
    """c = n × d, e = d - n (n·d) and D."""
    c = cross(n[0], n[1], n[2], d[0], d[1], d[2])
    f = cross(c[0], c[1], c[2], n[0], n[1], n[2])
    return c, f, max(c[0] * c[0] + c[1] * c[1] + c[2] * c[2], _NEAREST)


@kernel
def _direction(n, u, d, near):
    """χ, of all χ + 2πk the one next to `near`."""
    v = cross(n[0], n[1], n[2], u[0], u[1], u[2])
    sine = d[0] * v[0] + d[1] * v[1] + d[2] * v[2]
    value = math.atan2(sine, d[0] * u[0] + d[1] * u[1] + d[2] * u[2])
    return value + _FULL_TURN * round((near - value) / _FULL_TURN)


@kernel
def disable_singular(rows, start, stop, bodies, elements):
    """Wheels that came to lie behind each other do nothing; writes idle."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        d = _arms(e, bodies, elements)[2]
        square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
        along = False
        for side in range(2):
            n = _side(e, r, side, bodies, elements)[0]
            along = along or _across(n, d)[2] <= max(_ALONG * square, _NEAREST)
        elements.idle[e, r] = along


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value, turn and J of the rows listed in rows[start:stop]."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        s, t, d = _arms(e, bodies, elements)
        value = 0.0
        fx, fy, fz = 0.0, 0.0, 0.0
        for side in range(2):
            n, u, share = _side(e, r, side, bodies, elements)
            chi = _direction(n, u, d, -elements.turn[e, side])
            elements.turn[e, side] = -chi
            value += share * chi
            c, _, square = _across(n, d)
            scale = 0.0 if elements.idle[e, r] else share / square
            x, y, z = scale * c[0], scale * c[1], scale * c[2]
            tx, ty, tz = cross(x, y, z, d[0], d[1], d[2])
            set_row(J, e, 2 * side + 1, r, tx, ty, tz)
            fx, fy, fz = fx + x, fy + y, fz + z
        set_row(J, e, 0, r, -fx, -fy, -fz)
        set_row(J, e, 2, r, fx, fy, fz)
        _add_torque(J, e, 1, r, cross(fx, fy, fz, s[0], s[1], s[2]))
        _add_torque(J, e, 3, r, cross(t[0], t[1], t[2], fx, fy, fz))
        elements.value[e, r] = value
        if elements.idle[e, r]:
            elements.rest[e, r] = value  # from where it is when the wheels mesh again
        elements.phi[e, r] = value - elements.rest[e, r]


@kernel
def _add_torque(J, e, slot, r, torque):
    for c in range(3):
        J[e, slot, r, c] += torque[c]


@kernel
def _force(e, r, d, bodies, elements, lam):
    """f λ."""
    x, y, z = 0.0, 0.0, 0.0
    for side in range(2):
        n, _, share = _side(e, r, side, bodies, elements)
        c, _, square = _across(n, d)
        scale = share * lam / square
        x, y, z = x + scale * c[0], y + scale * c[1], z + scale * c[2]
    return x, y, z


@kernel
def _change(e, r, k, bodies, elements, lam):
    """Column k of K̃, a block for each node: how Jᵀλ changes as the degree of freedom k moves."""
    s, t, d = _arms(e, bodies, elements)
    f = _force(e, r, d, bodies, elements, lam)
    node = k // 3
    unit = (1.0 * (k % 3 == 0), 1.0 * (k % 3 == 1), 1.0 * (k % 3 == 2))
    move = unit  # of the centre of a wheel
    if node == 1:
        move = cross(unit[0], unit[1], unit[2], s[0], s[1], s[2])
    elif node == 3:
        move = cross(unit[0], unit[1], unit[2], t[0], t[1], t[2])
    lever = cross(move[0], move[1], move[2], f[0], f[1], f[2])  # δs × f
    sign = -1.0 if node < 2 else 1.0
    move = (sign * move[0], sign * move[1], sign * move[2])  # of d
    g_a, on_a = _wheel_change(e, r, 0, d, move, unit, node == 1, bodies, elements, lam)
    g_b, on_b = _wheel_change(e, r, 1, d, move, unit, node == 3, bodies, elements, lam)
    g = (g_a[0] + g_b[0], g_a[1] + g_b[1], g_a[2] + g_b[2])
    sg = cross(s[0], s[1], s[2], g[0], g[1], g[2])
    tg = cross(t[0], t[1], t[2], g[0], g[1], g[2])
    by_a, by_b = 1.0 * (node == 1), 1.0 * (node == 3)
    return (
        (-g[0], -g[1], -g[2]),
        (
            on_a[0] - sg[0] - by_a * lever[0],
            on_a[1] - sg[1] - by_a * lever[1],
            on_a[2] - sg[2] - by_a * lever[2],
        ),
        g,
        (
            on_b[0] + tg[0] + by_b * lever[0],
            on_b[1] + tg[1] + by_b * lever[1],
            on_b[2] + tg[2] + by_b * lever[2],
        ),
    )


@kernel
def _wheel_change(e, r, side, d, move, unit, turns, bodies, elements, lam):
    """δq and δ(q × d) of a wheel times what they count, as d moves and, maybe, the wheel turns."""
    n, _, share = _side(e, r, side, bodies, elements)
    spin = unit if turns else (0.0, 0.0, 0.0)
    q, g = _turned_gradient(n, d, move, spin, share * lam)
    first = cross(g[0], g[1], g[2], d[0], d[1], d[2])
    second = cross(q[0], q[1], q[2], move[0], move[1], move[2])
    return g, (first[0] + second[0], first[1] + second[1], first[2] + second[2])


@kernel
def _turned_gradient(n, d, move, spin, scale):
    """scale · q and scale · δq as d moves by `move` and the wheel turns by `spin`."""
    c, f, square = _across(n, d)
    w = cross(spin[0], spin[1], spin[2], d[0], d[1], d[2])
    x, y, z = move[0] - w[0], move[1] - w[1], move[2] - w[2]
    by_c = -scale * (c[0] * x + c[1] * y + c[2] * z) / square**2
    by_f = -scale * (f[0] * x + f[1] * y + f[2] * z) / square**2
    factor = scale / square
    q = (factor * c[0], factor * c[1], factor * c[2])
    t = cross(spin[0], spin[1], spin[2], q[0], q[1], q[2])
    change = (
        by_c * f[0] + by_f * c[0] + t[0],
        by_c * f[1] + by_f * c[1] + t[1],
        by_c * f[2] + by_f * c[2] + t[2],
    )
    return q, change


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        if elements.idle[e, r]:
            continue
        for j in range(12):
            column = _change(e, r, j, bodies, elements, lam[e, r])
            for node in range(4):
                for i in range(3):
                    K[e, node, j // 3, i, j % 3] += column[node][i]


@kernel
def stiffen(rows, start, stop, bodies, elements, system):
    """Levers of the two centres; writes system.added."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        a, b = elements.body[e, 0], elements.body[e, 1]
        s, t, d = _arms(e, bodies, elements)
        x, y, z = _force(e, r, d, bodies, elements, elements.lam[e, r])
        add_lever(system.added, 2 * a + 1, -1.0, x, y, z, s[0], s[1], s[2])
        add_lever(system.added, 2 * b + 1, 1.0, x, y, z, t[0], t[1], t[2])


@kernel
def pairs(e, r, bodies, elements, work, a, b):
    """K̃ of the row as products, one for each column; writes a and b, returns how many."""
    clear_pairs(a, b)
    for k in range(12):
        column = _change(e, r, k, bodies, elements, elements.lam[e, r])
        for i in range(12):
            a[k, i] = column[i // 3][i % 3]
        b[k, k] = 1.0
    return 12
