"""A rope from one anchor over two fixed wheels to another anchor: one row.

    φ  = l_a + ρ l_b - L,   l = |d|,  d = p + s - w,  u = d/l       (w a wheel, ρ the ratio)
    J  = ( u_aᵀ  (s_a × u_a)ᵀ  ρ u_bᵀ  ρ (s_b × u_b)ᵀ )
    K̃  = one leg each, on body a with λ and on body b with ρλ:
         Tᵀ P T + diag(0, f̂ŝ),   P = (λ/l)(1 - uuᵀ),  f = λu,  T = ( 1  -ŝ )

The two bodies meet only in φ: K̃ does not couple them. Tension means λ < 0. The wheels are points of
the world, kept in axis_a and axis_b; ρ is the first entry of axis_c.
"""

import math

from physics.constraints.rows.blocks import add_hat_hat, set_row
from physics.jit import kernel
from physics.linalg import cross, rotate

_SHORTEST = 1e-3  # m; nearer to its wheel than this a leg keeps the direction "down"


@kernel
def leg(e, r, side, bodies, elements):
    """s and u in world axes, l, and what the row's λ counts on this side: 1 or ρ."""
    p = bodies.position
    body = elements.body[e, side]
    sx, sy, sz = rotate(bodies.rotation, body, elements.anchor, e, side)
    share = 1.0
    wheel = elements.axis_a
    if side == 1:
        wheel = elements.axis_b
        share = elements.axis_c[e, r, 0]
    dx = p[body, 0] + sx - wheel[e, r, 0]
    dy = p[body, 1] + sy - wheel[e, r, 1]
    dz = p[body, 2] + sz - wheel[e, r, 2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    if length < _SHORTEST:
        return sx, sy, sz, 0.0, -1.0, 0.0, _SHORTEST, share
    return sx, sy, sz, dx / length, dy / length, dz / length, length, share


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value and J of the rows listed in rows[start:stop]."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        total = 0.0
        for side in range(2):
            sx, sy, sz, ux, uy, uz, length, share = leg(e, r, side, bodies, elements)
            total += share * length
            tx, ty, tz = cross(sx, sy, sz, ux, uy, uz)
            set_row(J, e, 2 * side, r, share * ux, share * uy, share * uz)
            set_row(J, e, 2 * side + 1, r, share * tx, share * ty, share * tz)
        elements.value[e, r] = total
        elements.phi[e, r] = total - elements.rest[e, r]


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        for side in range(2):
            sx, sy, sz, ux, uy, uz, length, share = leg(e, r, side, bodies, elements)
            force = share * lam[e, r]
            _add_swing(K, e, 2 * side, force / length, sx, sy, sz, ux, uy, uz)
            fx, fy, fz = force * ux, force * uy, force * uz
            add_hat_hat(K, e, 2 * side + 1, 2 * side + 1, 1.0, fx, fy, fz, sx, sy, sz)


@kernel
def _add_swing(K, e, first, scale, sx, sy, sz, ux, uy, uz):
    """K[e] += scale · Tᵀ(1 - uuᵀ)T on the two nodes from slot `first` on."""
    for i in range(2):
        for j in range(2):
            for r in range(3):
                px, py, pz = _lever_column(i, r, sx, sy, sz)
                pu = px * ux + py * uy + pz * uz
                for c in range(3):
                    qx, qy, qz = _lever_column(j, c, sx, sy, sz)
                    qu = qx * ux + qy * uy + qz * uz
                    dot = px * qx + py * qy + pz * qz
                    K[e, first + i, first + j, r, c] += scale * (dot - pu * qu)


@kernel
def _lever_column(angular, c, sx, sy, sz):
    """Velocity of the anchor when degree of freedom c of a node moves at unit speed."""
    ex = 1.0 if c == 0 else 0.0
    ey = 1.0 if c == 1 else 0.0
    ez = 1.0 if c == 2 else 0.0
    if angular == 1:
        return cross(ex, ey, ez, sx, sy, sz)
    return ex, ey, ez
