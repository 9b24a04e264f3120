"""Added inertia of the "adaptive" treatment: G = (θh²k - αm)₊ where h²k exceeds the inertia there.

Stable for every h²k/m: with the momentum G v carried along, one mode needs θ > 1/4 only; θ = 1
leaves room for what a chain of modes does to each other. Point-like forces act on single bodies,
torques and distance rows on pairs, so that common motion is never slowed.
"""

from physics.constraints.rows.distance import geometry
from physics.constraints.rows.pulley import leg
from physics.jit import kernel
from physics.linalg import rotate, symmetric_norm
from physics.params import ALPHA, THETA
from physics.stabilization.clear import clear_added
from physics.stabilization.levers import add_lever
from physics.stabilization.springs import add_spring
from physics.state import ANGLE, DISTANCE, DOT1, DOT2, DYNAMIC, POINT, PULLEY


@kernel
def add_adaptive(bodies, elements, system, h):
    """Added inertia where h²k exceeds what is there; writes system.added and elements.K."""
    clear_added(elements, system)
    start, rows = system.list_start, system.list_rows
    for k in range(start[POINT], start[POINT + 1]):
        e = rows[k] // 3
        fx, fy, fz = elements.lam[e, 0], elements.lam[e, 1], elements.lam[e, 2]
        for side in range(2):
            b = elements.body[e, side]
            x, y, z = rotate(bodies.rotation, b, elements.anchor, e, side)
            add_lever(system.added, 2 * b + 1, 1.0 - 2.0 * side, fx, fy, fz, x, y, z)
    for k in range(start[DOT2], start[DOT2 + 1]):
        _dot2_levers(rows[k] // 3, rows[k] % 3, bodies, elements, system)
    for k in range(start[DISTANCE], start[DISTANCE + 1]):
        _distance_levers(rows[k] // 3, rows[k] % 3, bodies, elements, system, h)
    for k in range(start[PULLEY], start[PULLEY + 1]):
        for side in range(2):
            _pulley_leg(rows[k] // 3, rows[k] % 3, side, bodies, elements, system, h)
    for b in range(len(bodies.kind)):
        if bodies.kind[b] == DYNAMIC:
            _isotropic_inertia(b, bodies, system, h)
    for k in range(start[DOT1], start[DOT1 + 1]):
        _torque_pair(rows[k] // 3, rows[k] % 3, bodies, elements, system, h)
    for k in range(start[ANGLE], start[ANGLE + 1]):
        _torque_pair(rows[k] // 3, rows[k] % 3, bodies, elements, system, h)
    for e in system.stiffness:
        add_spring(True, elements, system, e, h)


@kernel
def _dot2_levers(e, r, bodies, elements, system):
    """A dot-2 row pulls with λu at b's anchor: the lever on a reaches to that point."""
    a, b = elements.body[e, 0], elements.body[e, 1]
    p = bodies.position
    lam = elements.lam[e, r]
    ux, uy, uz = rotate(bodies.rotation, a, elements.axis_a, e, r)
    sx, sy, sz = rotate(bodies.rotation, b, elements.anchor, e, 1)
    rx, ry, rz = p[b, 0] + sx - p[a, 0], p[b, 1] + sy - p[a, 1], p[b, 2] + sz - p[a, 2]
    fx, fy, fz = lam * ux, lam * uy, lam * uz
    add_lever(system.added, 2 * a + 1, 1.0, fx, fy, fz, rx, ry, rz)
    add_lever(system.added, 2 * b + 1, -1.0, fx, fy, fz, sx, sy, sz)


@kernel
def _distance_levers(e, r, bodies, elements, system, h):
    """Levers of the two anchors, and pairwise transverse inertia of the centres (tension only)."""
    a, b = elements.body[e, 0], elements.body[e, 1]
    ax, ay, az, bx, by, bz, ux, uy, uz, length = geometry(e, bodies, elements)
    lam = elements.lam[e, r]
    fx, fy, fz = lam * ux, lam * uy, lam * uz
    add_lever(system.added, 2 * a + 1, 1.0, fx, fy, fz, ax, ay, az)
    add_lever(system.added, 2 * b + 1, -1.0, fx, fy, fz, bx, by, bz)
    if lam >= 0.0:
        return
    stiffness = h * h * -lam / length
    mobility = 0.0
    if bodies.solved[2 * a]:
        mobility += system.links[a] / bodies.mass[a]
    if bodies.solved[2 * b]:
        mobility += system.links[b] / bodies.mass[b]
    w = THETA * stiffness - ALPHA / max(mobility, 1e-300)
    if w > 0.0:
        _add_transverse(elements.K, e, w, ux, uy, uz)


@kernel
def _add_transverse(K, e, w, ux, uy, uz):
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
def _pulley_leg(e, r, side, bodies, elements, system, h):
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
def _isotropic_inertia(b, bodies, system, h):
    """Turns the summed lever stiffness of a body into G·1.

    Isotropic on purpose: per-axis G leaves the free axial spin of slender links, whose inertia is
    tiny, to ruin the run at a million to one.
    """
    n = 2 * b + 1
    block = system.added
    k = symmetric_norm(
        block[n, 0, 0],
        block[n, 1, 1],
        block[n, 2, 2],
        block[n, 0, 1],
        block[n, 0, 2],
        block[n, 1, 2],
    )
    g = max(0.0, THETA * h * h * k - ALPHA * bodies.inertia_max[b])
    for i in range(3):
        for j in range(3):
            block[n, i, j] = g * bodies.free[n, i] if i == j else 0.0


@kernel
def _torque_pair(e, r, bodies, elements, system, h):
    """Rows that carry torque: inertia against relative rotation, none against common."""
    if system.k_block[e, 1, 1] == -1 and system.k_block[e, 3, 3] == -1:
        return
    a, b = elements.body[e, 0], elements.body[e, 1]
    mobility = 0.0
    if bodies.solved[2 * a + 1]:
        mobility += 1.0 / bodies.inertia_max[a]
    if bodies.solved[2 * b + 1]:
        mobility += 1.0 / bodies.inertia_max[b]
    w = THETA * h * h * abs(elements.lam[e, r]) - 0.25 * ALPHA / max(mobility, 1e-300)
    if w <= 0.0:
        return
    for i in range(1, 4, 2):
        for j in range(1, 4, 2):
            sign = 1.0 if i == j else -1.0
            for c in range(3):
                elements.K[e, i, j, c, c] += sign * w
