"""What a pile's sweeps read, packed: a row for each body, each contact and each patch.

A patch is what two bodies touch each other with in one plane: contacts of one pair, side by side in
the list, of one normal. Along the normal every point has an impulse of its own; friction acts on
the patch as a whole, at the centre of its pressure, as a force and a moment about the normal:

    |T|² + (τ/ρ)² ≤ (μ_f Σμ_n)²,      ρ = Σ μ_n |r - centre| / Σ μ_n

which is where a patch that only slides, or only spins, slips exactly. Two tangents at each of four
points would be eight rows for these three freedoms, and sweeps would never end among them.

A body's row (`bodies.pile`), by slot; the world's, slot 0, stands for all that does not move:

    0 v, ω | 6 1/m by axis | 9 I⁻¹ (xx xy xz yy yz zz) | 15 way since the start of the step
    18 turn since then, a matrix | 27 orientation at the start | 31 turn as a vector
    34 whether it has turned by more than a little since levers were made

A contact's row (`contacts.pile`), of which sweeps read the first two cache lines only:

    0 r_a × n, r_b × n | 6 I⁻¹ times these | 12 speed wanted along n | 13 1/S_nn | 14 μ_n | 15 gap
    16 levers on a and b, as at the start of the step | 22 gap at its start | 23 speed of what is
    prescribed along n | 24 e | 25 speed of the touch, acceleration along n without contacts
    27 impulse of the substep's impacts, and of one reflection | 29 impulse of the step
    30 what the gap has opened besides way and lever times turn | 31 impulse at the substep's start

and, in the row of a patch's first contact, all that belongs to the patch:

    32 n, t1, t2 | 41 whether any point overlaps | 42 S of linear motion along n
    43 levers of its centre | 49 S_tt⁻¹ | 52 s | 53 1/S_ττ, ρ | 55 T, τ | 58 speeds of what is
    prescribed along t1, t2 and about n | 61 μ_f, rolling length | 63 impulse of rolling friction
    66 friction of the step | 69 prescribed relative spin | 72 levers of the centre at the start
    78 rounding of a and b, along n | 80 S of its first four points along n, by rows
    96 axles of a and b | 102 whether they have one | 104 upper half of (S + ε D)⁻¹ by
    rows, ε that of an overlap | 114 the same where nothing overlaps

Levers are those of the cores: what rounds them off stays along n however the body turns, and the
rim of a cylinder stays where it touches as the cylinder turns about its axle.

The geometry is found once per step: normals stay, levers turn with the bodies,

    gap = gap₀ + n·(way_a + (Q_a - 1) r_a - way_b - (Q_b - 1) r_b)      with turns Q.
"""

import math

from physics.contact.pile.coupling import MOST_POINTS, set_coupling
from physics.jit import kernel
from physics.linalg import quaternion_to_matrix
from physics.state import DYNAMIC, KEYFRAMED, WORLD

PILE_BODY, PILE_CONTACT = 40, 128  # columns
SPIN, LIGHTNESS, INERTIA, WAY, TURN, ORIENTATION, ROTATED, TURNED = 3, 6, 9, 15, 18, 27, 31, 34
LEVER, TURNS, WANTED, LIGHT, IMPULSE, GAP = 0, 6, 12, 13, 14, 15
ARM, GAP_START, MOVED, RESTITUTION, TOUCH, FALL = 16, 22, 23, 24, 25, 26
STRUCK, PART, TOTAL, TILT, HELD = 27, 28, 29, 30, 31
NORMAL, ALONG, CENTRE, STICK, SLIP, SPINS, RADIUS = 32, 42, 43, 49, 52, 53, 54
RUB, CARRIED, FRICTION, ROLLING, ROLL, RUBBED, SPUN = 55, 58, 61, 62, 63, 66, 69
MIDDLE, ROUNDING, AXLE, TURNS_FREELY, OVERLAPS = 72, 78, 96, 102, 41

_PLANAR = 1e-9  # det S_tt / s² below which there is one tangent only: two dimensions
_PARALLEL = 1e-6  # 1 - cosine between normals up to which points are those of one plane


@kernel
def load_world(rows):
    """The row of everything that does not move: no velocity, no lightness; writes rows[WORLD]."""
    for i in range(PILE_BODY):
        rows[WORLD, i] = 0.0
    for i in range(3):
        rows[WORLD, TURN + 4 * i] = 1.0


@kernel
def load_body(bodies, b, rows):
    """Velocity and lightness of body b, at the start of the step; writes rows[b]."""
    for i in range(3):
        rows[b, i] = bodies.velocity[2 * b, i]
        rows[b, SPIN + i] = bodies.velocity[2 * b + 1, i]
        rows[b, LIGHTNESS + i] = bodies.free[2 * b, i] / bodies.mass[b]
        rows[b, WAY + i] = 0.0
        for j in range(3):
            rows[b, TURN + 3 * i + j] = 1.0 if i == j else 0.0
        rows[b, ROTATED + i] = 0.0
    for i in range(4):
        rows[b, ORIENTATION + i] = bodies.orientation[b, i]
    rows[b, TURNED] = 0.0
    if bodies.kind[b] == DYNAMIC:
        quaternion_to_matrix(bodies.orientation, b, bodies.rotation)
        set_lightness(bodies, b, rows)
    else:
        for i in range(6):
            rows[b, INERTIA + i] = 0.0


@kernel
def set_lightness(bodies, b, rows):
    """I⁻¹ in world axes, without what is locked; writes rows[b]."""
    R, inertia = bodies.rotation, bodies.inertia
    if bodies.spherical[b] and not bodies.masked[b]:
        light = 1.0 / inertia[b, 0, 0]
        for i in range(6):
            rows[b, INERTIA + i] = 0.0
        rows[b, INERTIA], rows[b, INERTIA + 3], rows[b, INERTIA + 5] = light, light, light
        return
    xx, xy, xz, yy, yz, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(3):
        for j in range(3):
            m = inertia[b, i, j]
            xx += R[b, 0, i] * m * R[b, 0, j]
            xy += R[b, 0, i] * m * R[b, 1, j]
            xz += R[b, 0, i] * m * R[b, 2, j]
            yy += R[b, 1, i] * m * R[b, 1, j]
            yz += R[b, 1, i] * m * R[b, 2, j]
            zz += R[b, 2, i] * m * R[b, 2, j]
    fx, fy, fz = bodies.free[2 * b + 1, 0], bodies.free[2 * b + 1, 1], bodies.free[2 * b + 1, 2]
    xy, xz, yz = xy * fx * fy, xz * fx * fz, yz * fy * fz
    a, c, e = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    scale = 1.0 / (xx * a + xy * c + xz * e)
    rows[b, INERTIA] = scale * a * fx
    rows[b, INERTIA + 1] = scale * c * fx * fy
    rows[b, INERTIA + 2] = scale * e * fx * fz
    rows[b, INERTIA + 3] = scale * (xx * zz - xz * xz) * fy
    rows[b, INERTIA + 4] = scale * (xy * xz - xx * yz) * fy * fz
    rows[b, INERTIA + 5] = scale * (xx * yy - xy * xy) * fz


@kernel
def load_contact(bodies, given, c, share, rows):
    """Geometry and warm start of contact c; writes rows[c] and given.pair[c].

    `given` are the contact rows of the step; a substep begins with `share` of their impulse.
    """
    a, b = given.body_a[c], given.body_b[c]
    for i in range(3):
        n = given.normal[c, i]
        rows[c, ARM + i] = given.anchor_a[c, i] + given.rounding[c, 0] * n
        rows[c, ARM + 3 + i] = given.anchor_b[c, i] - given.rounding[c, 1] * n
    rows[c, TOTAL] = 0.0
    warm = share * given.mu[c, 0]
    rows[c, IMPULSE] = warm if warm > 0.0 and math.isfinite(warm) else 0.0
    rows[c, TILT] = 0.0
    rows[c, GAP_START], rows[c, GAP] = given.gap[c], given.gap[c]
    rows[c, RESTITUTION], rows[c, STRUCK], rows[c, PART] = given.restitution[c], 0.0, 0.0
    rows[c, TOUCH], rows[c, FALL], rows[c, MOVED] = 0.0, 0.0, 0.0
    given.pair[c, 0] = a if bodies.solved[2 * a] else WORLD
    given.pair[c, 1] = b if bodies.solved[2 * b] else WORLD
    for side in range(2):
        k = a if side == 0 else b
        if bodies.kind[k] == KEYFRAMED:
            anchor = given.anchor_a if side == 0 else given.anchor_b
            vx, vy, vz = prescribed(bodies.velocity, k, anchor, c)
            n = given.normal
            along = n[c, 0] * vx + n[c, 1] * vy + n[c, 2] * vz
            rows[c, MOVED] += along * (1.0 - 2.0 * side)


@kernel
def prescribed(velocity, k, anchor, c):
    """Velocity of the point of a keyframed body at the anchor of contact c."""
    wx, wy, wz = velocity[2 * k + 1, 0], velocity[2 * k + 1, 1], velocity[2 * k + 1, 2]
    rx, ry, rz = anchor[c, 0], anchor[c, 1], anchor[c, 2]
    vx = velocity[2 * k, 0] + wy * rz - wz * ry
    vy = velocity[2 * k, 1] + wz * rx - wx * rz
    vz = velocity[2 * k, 2] + wx * ry - wy * rx
    return vx, vy, vz


@kernel
def same_patch(given, c, d):
    """Whether two contacts belong to one patch."""
    if given.shape_a[c] != given.shape_a[d] or given.shape_b[c] != given.shape_b[d]:
        return False
    n = given.normal
    cosine = n[c, 0] * n[d, 0] + n[c, 1] * n[d, 1] + n[c, 2] * n[d, 2]
    return cosine > 1.0 - _PARALLEL and given.friction[c] == given.friction[d]


@kernel
def load_patch(bodies, given, listed, start, end, share, P):
    """Axes, prescribed motion and friction of the patch listed[start:end]; writes its row."""
    p = listed[start]
    for i in range(3):
        P[p, NORMAL + i] = given.normal[p, i]
        P[p, NORMAL + 3 + i] = given.tangent1[p, i]
        P[p, NORMAL + 6 + i] = given.tangent2[p, i]
        P[p, RUB + i] = 0.0
        P[p, CARRIED + i] = 0.0
        P[p, RUBBED + i] = 0.0
        P[p, ROLL + i] = 0.0
        P[p, SPUN + i] = 0.0
    P[p, FRICTION], P[p, ROLLING] = given.friction[p], given.rolling[p]
    P[p, ROUNDING], P[p, ROUNDING + 1] = -given.rounding[p, 0], given.rounding[p, 1]
    P[p, TURNS_FREELY], P[p, TURNS_FREELY + 1] = 0.0, 0.0
    for i in range(3):
        P[p, AXLE + i], P[p, AXLE + 3 + i] = given.axle_a[p, i], given.axle_b[p, i]
        P[p, TURNS_FREELY] += abs(given.axle_a[p, i])
        P[p, TURNS_FREELY + 1] += abs(given.axle_b[p, i])
    for side in range(2):
        k = given.body_a[p] if side == 0 else given.body_b[p]
        if bodies.kind[k] == KEYFRAMED:
            sign = 1.0 - 2.0 * side
            anchor = given.anchor_a if side == 0 else given.anchor_b
            vx, vy, vz = prescribed(bodies.velocity, k, anchor, p)
            for i in range(3):
                P[p, SPUN + i] += sign * bodies.velocity[2 * k + 1, i]
            for r in range(2):
                d = NORMAL + 3 + 3 * r
                along = P[p, d] * vx + P[p, d + 1] * vy + P[p, d + 2] * vz
                P[p, CARRIED + r] += sign * along
    for i in range(3):
        P[p, CARRIED] += P[p, NORMAL + 3 + i] * given.belt[p, i]
        P[p, CARRIED + 1] += P[p, NORMAL + 6 + i] * given.belt[p, i]
        P[p, CARRIED + 2] += P[p, NORMAL + i] * P[p, SPUN + i]
    given.pair[p, 2] = end - start
    given.pair[listed[end - 1], 3] = end - start
    for at in range(start, end):
        given.pair[listed[at], 4] = p
    set_centre(listed, start, end, P)
    _gather_friction(given, listed, start, end, share, P)


@kernel
def _gather_friction(given, listed, start, end, share, P):
    """Force and moment of the friction that its points had; writes RUB."""
    p = listed[start]
    for at in range(start, end):
        c = listed[at]
        t1, t2 = share * given.mu[c, 1], share * given.mu[c, 2]
        if P[c, IMPULSE] <= 0.0 or not (math.isfinite(t1) and math.isfinite(t2)):
            continue
        P[p, RUB] += t1
        P[p, RUB + 1] += t2
        x, y = offset(P, p, c)
        P[p, RUB + 2] += x * t2 - y * t1


@kernel
def offset(P, p, c):
    """Where a point lies in its patch, seen from the centre along t1 and t2."""
    x, y = 0.0, 0.0
    for i in range(3):
        d = P[c, ARM + i] - P[p, MIDDLE + i]
        x += P[p, NORMAL + 3 + i] * d
        y += P[p, NORMAL + 6 + i] * d
    return x, y


@kernel
def set_centre(listed, start, end, P):
    """The centre of pressure, or of the points where nothing presses; writes MIDDLE and RADIUS."""
    p = listed[start]
    total = 0.0
    for at in range(start, end):
        total += P[listed[at], IMPULSE]
    for i in range(6):
        P[p, MIDDLE + i] = 0.0
    for at in range(start, end):
        c = listed[at]
        weight = P[c, IMPULSE] / total if total > 0.0 else 1.0 / (end - start)
        for i in range(6):
            P[p, MIDDLE + i] += weight * P[c, ARM + i]
    radius = 0.0
    for at in range(start, end):
        if end - start == 1:
            break
        c = listed[at]
        weight = P[c, IMPULSE] / total if total > 0.0 else 1.0 / (end - start)
        x, y = offset(P, p, c)
        radius += weight * math.sqrt(x * x + y * y)
    P[p, RADIUS] = radius


@kernel
def turned_arm(x, k, p, side, P, c, arm):
    """The lever at `arm` of a row where the body at k has turned to."""
    rx, ry, rz = P[c, arm], P[c, arm + 1], P[c, arm + 2]
    if P[p, TURNS_FREELY + side] > 0.0:
        return _swung(x, k, P, p, AXLE + 3 * side, rx, ry, rz)
    return (
        x[k, 18] * rx + x[k, 19] * ry + x[k, 20] * rz,
        x[k, 21] * rx + x[k, 22] * ry + x[k, 23] * rz,
        x[k, 24] * rx + x[k, 25] * ry + x[k, 26] * rz,
    )


@kernel
def _swung(x, k, P, p, axle, rx, ry, rz):
    """The lever turned as the axle u has: r + v × r + v × (v × r)/(1 + u·u₊) with v = u × u₊."""
    ux, uy, uz = P[p, axle], P[p, axle + 1], P[p, axle + 2]
    wx = x[k, 18] * ux + x[k, 19] * uy + x[k, 20] * uz
    wy = x[k, 21] * ux + x[k, 22] * uy + x[k, 23] * uz
    wz = x[k, 24] * ux + x[k, 25] * uy + x[k, 26] * uz
    vx, vy, vz = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
    s = 1.0 / max(1.0 + ux * wx + uy * wy + uz * wz, 1e-3)
    ax, ay, az = vy * rz - vz * ry, vz * rx - vx * rz, vx * ry - vy * rx
    return (
        rx + ax + s * (vy * az - vz * ay),
        ry + ay + s * (vz * ax - vx * az),
        rz + az + s * (vx * ay - vy * ax),
    )


@kernel
def _set_side(x, k, p, c, side, P):
    """Levers of one body's point and what they turn; returns (opened, S_nn); writes P[c]."""
    nx, ny, nz = P[p, NORMAL], P[p, NORMAL + 1], P[p, NORMAL + 2]
    rx, ry, rz = turned_arm(x, k, p, side, P, c, ARM + 3 * side)
    lx, ly, lz = ry * nz - rz * ny, rz * nx - rx * nz, rx * ny - ry * nx
    tx = x[k, 9] * lx + x[k, 10] * ly + x[k, 11] * lz
    ty = x[k, 10] * lx + x[k, 12] * ly + x[k, 13] * lz
    tz = x[k, 11] * lx + x[k, 13] * ly + x[k, 14] * lz
    q = 3 * side
    P[c, q], P[c, q + 1], P[c, q + 2] = lx, ly, lz
    P[c, TURNS + q], P[c, TURNS + q + 1], P[c, TURNS + q + 2] = tx, ty, tz
    s = ARM + q
    way = nx * (x[k, 15] + rx - P[c, s]) + ny * (x[k, 16] + ry - P[c, s + 1])
    way += nz * (x[k, 17] + rz - P[c, s + 2])
    return way, lx * tx + ly * ty + lz * tz


@kernel
def move_patch(x, a, b, listed, start, end, time, P):
    """Everything of a patch where its bodies are now, `time` after the start of the step.

    Writes the rows of its points and its own.
    """
    p = listed[start]
    along = 0.0
    for i in range(3):
        along += P[p, NORMAL + i] ** 2 * (x[a, LIGHTNESS + i] + x[b, LIGHTNESS + i])
    P[p, ALONG] = along
    for at in range(start, end):
        c = listed[at]
        way_a, turn_a = _set_side(x, a, p, c, 0, P)
        way_b, turn_b = _set_side(x, b, p, c, 1, P)
        whole = along + turn_a + turn_b
        P[c, LIGHT] = 1.0 / whole if whole > 0.0 else 0.0
        P[c, GAP] = P[c, GAP_START] + way_a - way_b + time * P[c, MOVED]
        turned = 0.0
        for i in range(3):
            turned += P[c, i] * x[a, ROTATED + i] - P[c, 3 + i] * x[b, ROTATED + i]
        P[c, TILT] = P[c, GAP] - P[c, GAP_START] - time * P[c, MOVED] - turned
        for i in range(3):
            P[c, TILT] -= P[p, NORMAL + i] * (x[a, WAY + i] - x[b, WAY + i])
    if end - start <= MOST_POINTS:
        set_coupling(listed, start, end, along, P)


@kernel
def shift_patch(x, a, b, listed, start, end, time, P):
    """Gaps where the bodies are now, with the levers at hand; writes GAP."""
    p = listed[start]
    way = 0.0
    for i in range(3):
        way += P[p, NORMAL + i] * (x[a, WAY + i] - x[b, WAY + i])
    for at in range(start, end):
        c = listed[at]
        turned = P[c, 0] * x[a, 31] + P[c, 1] * x[a, 32] + P[c, 2] * x[a, 33]
        turned -= P[c, 3] * x[b, 31] + P[c, 4] * x[b, 32] + P[c, 5] * x[b, 33]
        P[c, GAP] = P[c, GAP_START] + way + turned + time * P[c, MOVED] + P[c, TILT]


@kernel
def set_friction(x, a, b, p, P):
    """What friction at the patch's centre needs of S; writes its row."""
    tt, tb, bb = 0.0, 0.0, 0.0
    spin = 0.0
    nx, ny, nz = P[p, NORMAL], P[p, NORMAL + 1], P[p, NORMAL + 2]
    for side in range(2):
        k = a if side == 0 else b
        rx, ry, rz = turned_arm(x, k, p, side, P, p, MIDDLE + 3 * side)
        round_ = P[p, ROUNDING + side]
        rx, ry, rz = rx + round_ * nx, ry + round_ * ny, rz + round_ * nz
        q = CENTRE + 3 * side
        P[p, q], P[p, q + 1], P[p, q + 2] = rx, ry, rz
        tt += _mobility(x, k, rx, ry, rz, P, p, NORMAL + 3, NORMAL + 3)
        tb += _mobility(x, k, rx, ry, rz, P, p, NORMAL + 3, NORMAL + 6)
        bb += _mobility(x, k, rx, ry, rz, P, p, NORMAL + 6, NORMAL + 6)
        spin += nx * (x[k, 9] * nx + 2.0 * (x[k, 10] * ny + x[k, 11] * nz))
        spin += ny * (x[k, 12] * ny + 2.0 * x[k, 13] * nz) + nz * x[k, 14] * nz
    half = 0.5 * (tt - bb)
    slip = 0.5 * (tt + bb) + math.sqrt(half * half + tb * tb)
    det = tt * bb - tb * tb
    P[p, STICK], P[p, STICK + 1], P[p, STICK + 2] = 0.0, 0.0, 0.0
    if det > _PLANAR * slip * slip:
        P[p, STICK], P[p, STICK + 1], P[p, STICK + 2] = bb / det, -tb / det, tt / det
    P[p, SLIP] = slip
    P[p, SPINS] = 1.0 / spin if spin > 0.0 else 0.0


@kernel
def _mobility(x, k, rx, ry, rz, P, p, d, e):
    """d·M⁻¹·e of one body at a point, for the directions at d and e of the patch's row."""
    dx, dy, dz = P[p, d], P[p, d + 1], P[p, d + 2]
    ex, ey, ez = P[p, e], P[p, e + 1], P[p, e + 2]
    ux, uy, uz = ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx
    wx, wy, wz = ry * ez - rz * ey, rz * ex - rx * ez, rx * ey - ry * ex
    tx = x[k, 9] * wx + x[k, 10] * wy + x[k, 11] * wz
    ty = x[k, 10] * wx + x[k, 12] * wy + x[k, 13] * wz
    tz = x[k, 11] * wx + x[k, 13] * wy + x[k, 14] * wz
    moved = x[k, 6] * dx * ex + x[k, 7] * dy * ey + x[k, 8] * dz * ez
    return moved + ux * tx + uy * ty + uz * tz


@kernel
def patch_after(done, listed, pair, backward):
    """(start, points) of the next patch of a sweep that has gone through `done` contacts."""
    if backward:
        points = pair[listed[len(listed) - 1 - done], 3]
        return len(listed) - done - points, points
    return done, pair[listed[done], 2]


@kernel
def update_turn(orientation, b, x):
    """The turn from the orientation at the start to the present one; writes x[b]."""
    w, p, q, r = x[b, 27], -x[b, 28], -x[b, 29], -x[b, 30]
    a, i, j, k = orientation[b, 0], orientation[b, 1], orientation[b, 2], orientation[b, 3]
    s = a * w - i * p - j * q - k * r
    u = a * p + i * w + j * r - k * q
    v = a * q - i * r + j * w + k * p
    z = a * r + i * q - j * p + k * w
    x[b, 18], x[b, 19] = 1.0 - 2.0 * (v * v + z * z), 2.0 * (u * v - s * z)
    x[b, 20], x[b, 21] = 2.0 * (u * z + s * v), 2.0 * (u * v + s * z)
    x[b, 22], x[b, 23] = 1.0 - 2.0 * (u * u + z * z), 2.0 * (v * z - s * u)
    x[b, 24], x[b, 25] = 2.0 * (u * z - s * v), 2.0 * (v * z + s * u)
    x[b, 26] = 1.0 - 2.0 * (u * u + v * v)
