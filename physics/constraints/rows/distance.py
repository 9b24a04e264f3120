"""Two anchors keep their distance: one row.

    φ  = l - L,   l = |d|,  d = p_a + s_a - p_b - s_b,  u = d/l
    J  = ( uᵀ  (s_a × u)ᵀ  -uᵀ  -(s_b × u)ᵀ )
    K̃  = Tᵀ P T + diag(0, f̂ŝ_a, 0, -f̂ŝ_b),   P = (λ/l)(1 - uuᵀ),  f = λu     [Tournier15, Eq. 14]
    T  = ( 1  -ŝ_a  -1  ŝ_b )

For particles (s = 0) only the pairwise ±P remains. Tension means λ < 0.
"""

import math

from physics.constraints.rows.blocks import add_hat_hat, add_lever, set_row
from physics.constraints.rows.pairs import ball_pairs, basis, clear_pairs
from physics.constraints.rows.primitive import Primitive
from physics.jit import kernel
from physics.linalg import cross, rotate
from physics.params import ALPHA, THETA

PRIMITIVE = Primitive("distance", translates=True, length=True, ties=True)

_SHORTEST = 1e-9  # m; below it the direction is undefined and "up" is taken


@kernel
def geometry(e, bodies, elements):
    """s_a, s_b, u in world axes and l."""
    p = bodies.position
    a, b = elements.body[e, 0], elements.body[e, 1]
    ax, ay, az = rotate(bodies.rotation, a, elements.anchor, e, 0)
    bx, by, bz = rotate(bodies.rotation, b, elements.anchor, e, 1)
    dx = p[a, 0] + ax - p[b, 0] - bx
    dy = p[a, 1] + ay - p[b, 1] - by
    dz = p[a, 2] + az - p[b, 2] - bz
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    if length < _SHORTEST:
        return ax, ay, az, bx, by, bz, 0.0, 1.0, 0.0, _SHORTEST
    return ax, ay, az, bx, by, bz, dx / length, dy / length, dz / length, length


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value and J of the rows listed in rows[start:stop]."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        ax, ay, az, bx, by, bz, ux, uy, uz, length = geometry(e, bodies, elements)
        elements.value[e, r] = length
        elements.phi[e, r] = length - elements.rest[e, r]
        tx, ty, tz = cross(ax, ay, az, ux, uy, uz)
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
        ax, ay, az, bx, by, bz, ux, uy, uz, length = geometry(e, bodies, elements)
        force = lam[e, r]
        add_transverse(K, e, force / length, ax, ay, az, bx, by, bz, ux, uy, uz)
        fx, fy, fz = force * ux, force * uy, force * uz
        add_hat_hat(K, e, 1, 1, 1.0, fx, fy, fz, ax, ay, az)
        add_hat_hat(K, e, 3, 3, -1.0, fx, fy, fz, bx, by, bz)


@kernel
def add_transverse(K, e, scale, ax, ay, az, bx, by, bz, ux, uy, uz):
    """K[e] += scale · Tᵀ(1 - uuᵀ)T: a transverse spring between the two anchors."""
    # column c of T in slot i is sign·(e_c for the linear node, e_c × s for the angular one)
    for i in range(4):
        si = 1.0 if i < 2 else -1.0
        for j in range(4):
            sj = 1.0 if j < 2 else -1.0
            for r in range(3):
                px, py, pz = _lever_column(i, r, ax, ay, az, bx, by, bz)
                pu = px * ux + py * uy + pz * uz
                for c in range(3):
                    qx, qy, qz = _lever_column(j, c, ax, ay, az, bx, by, bz)
                    qu = qx * ux + qy * uy + qz * uz
                    dot = px * qx + py * qy + pz * qz
                    K[e, i, j, r, c] += scale * si * sj * (dot - pu * qu)


@kernel
def _lever_column(slot, c, ax, ay, az, bx, by, bz):
    """Velocity of the anchor when degree of freedom c of the slot's node moves at unit speed."""
    ex = 1.0 if c == 0 else 0.0
    ey = 1.0 if c == 1 else 0.0
    ez = 1.0 if c == 2 else 0.0
    if slot == 1:
        return cross(ex, ey, ez, ax, ay, az)
    if slot == 3:
        return cross(ex, ey, ez, bx, by, bz)
    return ex, ey, ez


@kernel
def stiffen(rows, start, stop, bodies, elements, system, h):
    """Levers of the two anchors, and pairwise transverse inertia of the centres (tension only).

    Writes system.added and elements.K.
    """
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        a, b = elements.body[e, 0], elements.body[e, 1]
        ax, ay, az, bx, by, bz, ux, uy, uz, length = geometry(e, bodies, elements)
        lam = elements.lam[e, r]
        fx, fy, fz = lam * ux, lam * uy, lam * uz
        add_lever(system.added, 2 * a + 1, 1.0, fx, fy, fz, ax, ay, az)
        add_lever(system.added, 2 * b + 1, -1.0, fx, fy, fz, bx, by, bz)
        if lam >= 0.0:
            continue
        stiffness = h * h * -lam / length
        mobility = 0.0
        if bodies.solved[2 * a]:
            mobility += system.links[a] / bodies.mass[a]
        if bodies.solved[2 * b]:
            mobility += system.links[b] / bodies.mass[b]
        w = THETA * stiffness - ALPHA / max(mobility, 1e-300)
        if w > 0.0:
            _add_between_centres(elements.K, e, w, ux, uy, uz)


@kernel
def _add_between_centres(K, e, w, ux, uy, uz):
    """K[e] += ±w (1 - uuᵀ) between the two linear nodes."""
    u = (ux, uy, uz)
    for r in range(3):
        for c in range(3):
            term = w * ((1.0 if r == c else 0.0) - u[r] * u[c])
            K[e, 0, 0, r, c] += term
            K[e, 2, 2, r, c] += term
            K[e, 0, 2, r, c] -= term
            K[e, 2, 0, r, c] -= term


@kernel
def pairs(e, r, bodies, elements, work, a, b):
    """K̃ of the row as products; writes work, a and b, returns how many."""
    ax, ay, az, bx, by, bz, ux, uy, uz, length = geometry(e, bodies, elements)
    s_a, s_b, u = (ax, ay, az), (bx, by, bz), (ux, uy, uz)
    return distance_pairs(elements.lam[e, r], length, s_a, s_b, u, work[0], work[1], a, b)


@kernel
def distance_pairs(lam, length, s_a, s_b, u, e, f, a, b):
    """(λ/l) Tᵀ(e eᵀ + f fᵀ)T and the two levers f̂ŝ: six pairs at most."""
    clear_pairs(a, b)
    basis(u[0], u[1], u[2], e, f)
    for k in range(2):
        t = e if k == 0 else f
        for i in range(3):
            j, m = (i + 1) % 3, (i + 2) % 3
            b[k, i], b[k, 6 + i] = t[i], -t[i]
            b[k, 3 + i] = s_a[j] * t[m] - s_a[m] * t[j]
            b[k, 9 + i] = -(s_b[j] * t[m] - s_b[m] * t[j])
        for i in range(12):
            a[k, i] = lam / length * b[k, i]
    force = (lam * u[0], lam * u[1], lam * u[2])
    used = 2
    used += ball_pairs(force, s_a, 1, 1.0, e, f, a[used:], b[used:])
    used += ball_pairs(force, s_b, 3, -1.0, e, f, a[used:], b[used:])
    return used
