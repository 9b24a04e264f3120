"""A rope from one anchor over two fixed wheels to another anchor: one row.

    φ  = l_a + ρ l_b - L,   l = |d|,  d = p + s - w,  u = d/l       (w a wheel, ρ the ratio)
    J  = ( u_aᵀ  (s_a × u_a)ᵀ  ρ u_bᵀ  ρ (s_b × u_b)ᵀ )
    K̃  = one leg each, on body a with λ and on body b with ρλ:
         Tᵀ P T + diag(0, f̂ŝ),   P = (λ/l)(1 - uuᵀ),  f = λu,  T = ( 1  -ŝ )

The two bodies meet only in φ: K̃ does not couple them. Tension means λ < 0. The wheels are points of
the world (elements.wheel); ρ is elements.ratio. One leg alone is a row as well, l_a with ρ = 0 and
l_b with ρ = ∞: so a stop keeps an end from its wheel.
"""

import math

from physics.constraints.rows.blocks import add_hat_hat, add_lever, set_row
from physics.constraints.rows.pairs import ball_pairs, basis, clear_pairs
from physics.constraints.rows.primitive import Primitive
from physics.jit import kernel
from physics.linalg import cross, rotate
from physics.params import ALPHA, THETA

PRIMITIVE = Primitive("pulley", translates=True, length=True)

_SHORTEST = 1e-3  # m; nearer to its wheel than this a leg keeps the direction "down"


@kernel
def leg(e, r, side, bodies, elements):
    """s and u in world axes, l, and what the row's λ counts on this side: 1 or ρ."""
    p = bodies.position
    body = elements.body[e, side]
    sx, sy, sz = rotate(bodies.rotation, body, elements.anchor, e, side)
    share = _share(elements.ratio[e, r], side)
    wheel = elements.wheel
    dx = p[body, 0] + sx - wheel[e, r, side, 0]
    dy = p[body, 1] + sy - wheel[e, r, side, 1]
    dz = p[body, 2] + sz - wheel[e, r, side, 2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    if length < _SHORTEST:
        return sx, sy, sz, 0.0, -1.0, 0.0, _SHORTEST, share
    return sx, sy, sz, dx / length, dy / length, dz / length, length, share


@kernel
def _share(ratio, side):
    """What a leg counts in φ: 1 and ρ; with ρ = ∞, 0 and 1."""
    if ratio == math.inf:
        return float(side)
    return ratio if side == 1 else 1.0


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


@kernel
def stiffen(rows, start, stop, bodies, elements, system, h):
    """Levers of the anchors and transverse inertia of the centres; writes system.added."""
    for k in range(start, stop):
        for side in range(2):
            _stiffen_leg(rows[k] // 3, rows[k] % 3, side, bodies, elements, system, h)


@kernel
def _stiffen_leg(e, r, side, bodies, elements, system, h):
    """Lever of the anchor, and transverse inertia of the centre against its wheel, which is still:
    so it belongs to the body alone, and acts whether or not the rope can go slack."""
    body = elements.body[e, side]
    sx, sy, sz, ux, uy, uz, length, share = leg(e, r, side, bodies, elements)
    force = share * elements.lam[e, r]
    node = 2 * body
    add_lever(system.added, node + 1, 1.0, force * ux, force * uy, force * uz, sx, sy, sz)
    if force >= 0.0 or not bodies.solved[node]:
        return
    links = max(system.links[body], 1.0)
    w = THETA * h * h * -force / length - ALPHA * bodies.mass[body] / links
    if w <= 0.0:
        return
    u = (ux, uy, uz)
    for i in range(3):
        for j in range(3):
            term = w * ((1.0 if i == j else 0.0) - u[i] * u[j])
            system.added[node, i, j] += term * bodies.free[node, i] * bodies.free[node, j]


@kernel
def pairs(e, r, bodies, elements, work, a, b):
    """K̃ of the row as products; writes work, a and b, returns how many."""
    used = 0
    for side in range(2):
        sx, sy, sz, ux, uy, uz, length, share = leg(e, r, side, bodies, elements)
        s, u, force = (sx, sy, sz), (ux, uy, uz), share * elements.lam[e, r]
        used += leg_pairs(force, length, s, u, side, work[0], work[1], a[used:], b[used:])
    return used


@kernel
def leg_pairs(lam, length, s, u, side, e, f, a, b):
    """(λ/l) Tᵀ(e eᵀ + f fᵀ)T and the lever f̂ŝ of one leg of a pulley: four pairs at most."""
    clear_pairs(a, b)
    basis(u[0], u[1], u[2], e, f)
    for k in range(2):
        t = e if k == 0 else f
        for i in range(3):
            j, m = (i + 1) % 3, (i + 2) % 3
            b[k, 6 * side + i] = t[i]
            b[k, 6 * side + 3 + i] = s[j] * t[m] - s[m] * t[j]
        for i in range(12):
            a[k, i] = lam / length * b[k, i]
    force = (lam * u[0], lam * u[1], lam * u[2])
    return 2 + ball_pairs(force, s, 2 * side + 1, 1.0, e, f, a[2:], b[2:])
