"""A step of an island of free bodies that touch, in short substeps.

    kick      velocities by forces, gravity and turning; contacts begin with their last impulses
    sweep     impulses at which no gap is overused and overlaps are pushed out
    drift     positions with these velocities; gaps and levers with them
    bounce    impacts are reflected
    relax     impulses once more where things are now, without pushing: no speed is left by it

Substeps instead of sweeps: what one leaves unsolved is small, as it lasts only that long, and the
next goes on from there. The number of both is fixed, so a step's work is that of its contacts.

Motion is leapfrog. A velocity is that of `lag` before its position, so the first kick lasts
lag + h/2 and all others a substep h. A body keeps its angular momentum in world axes while it
turns: E(½h ω) I ω = L with E the turn by ½h ω, solved for ω by iteration.
"""

import math

from physics.contact.pile.bounce import bounce, note_speeds, note_touches
from physics.contact.pile.pile_rows import (
    GAP,
    HELD,
    IMPULSE,
    LIGHTNESS,
    MOVED,
    OVERLAPS,
    ROLL,
    ROTATED,
    RUB,
    RUBBED,
    SPIN,
    TOTAL,
    TURNED,
    WANTED,
    WAY,
    load_body,
    load_contact,
    load_patch,
    load_world,
    move_patch,
    offset,
    patch_after,
    same_patch,
    set_centre,
    set_friction,
    set_lightness,
    shift_patch,
    update_turn,
)
from physics.contact.pile.sweep import press_patch, push_along, sweep_patch, turn
from physics.jit import kernel
from physics.linalg import quaternion_to_matrix, turn_quaternion
from physics.params import (
    CONTACT_PUSH_SPEED,
    CONTACT_SLOP,
    IMPACT_SWEEPS,
    PILE_LEAK,
    PILE_RECOVERY,
    PILE_SUBSTEPS,
    PILE_SWEEPS,
)
from physics.state import DYNAMIC

_TURN = 0.3  # rad that a body may turn within a substep
_MOST_SUBSTEPS = 16  # of a body that whirls alone
_LITTLE = 1e-3  # rad since the start of the step up to which levers stay as they are
_NEVER = 1e6  # m/s: no speed is below minus this; larger loses digits of the points beside it
_TURN_ITERATIONS = 4  # for ω from its angular momentum


@kernel
def step_pile(scene, bodies_list, contacts_list, settings, h):
    """Takes the whole step h of an island without joints; returns the sweeps it took.

    Reads the contacts of the step as they were detected. Writes position, orientation, rotation,
    velocity and lag of its bodies; mu, what the next step begins with, and struck, the impulses of
    the whole step, of its contacts. contacts.pile and pair and bodies.pile are scratch.
    """
    bodies, rows = scene.bodies, scene.contacts
    x, P, pair = bodies.pile, rows.pile, rows.pair
    substeps = _count_substeps(bodies, bodies_list, contacts_list, h)
    hs = h / substeps
    bounces, lag = _load(bodies, bodies_list, rows, contacts_list, hs / h)
    kick = lag + 0.5 * hs
    scale = kick / hs  # of the impulses that a substep begins with
    swept = 0
    for k in range(substeps):
        if bounces:
            note_speeds(x, contacts_list, pair, P)
        for b in bodies_list:
            _kick(bodies, b, settings.gravity, bodies.lag[b], hs, x)
        sweeps = PILE_SWEEPS
        if bounces and note_touches(x, contacts_list, pair, kick, hs, P):
            sweeps = IMPACT_SWEEPS
        _warm_start(x, contacts_list, pair, scale, hs, P)
        for turn_ in range(sweeps):
            _sweep(x, contacts_list, pair, turn_ % 2 == 1, PILE_LEAK, P)
        for b in bodies_list:
            _drift(bodies, b, hs, x)
        _move_contacts(x, contacts_list, pair, (k + 1) * hs, P)
        if bounces:
            bounce(x, contacts_list, pair, hs, P)
        _want_rest(contacts_list, hs, P)
        _sweep(x, contacts_list, pair, sweeps % 2 == 1, 0.0, P)
        swept += sweeps + 1
        scale, kick = 1.0 / scale if k == 0 else 1.0, hs
        _add_up(contacts_list, pair, P)
    _store(bodies, bodies_list, x)
    _store_impulses(rows, contacts_list, h / hs, P)
    return swept


@kernel
def _count_substeps(bodies, bodies_list, contacts_list, h):
    """A fixed number beside contacts; without, as many as turning needs."""
    if len(contacts_list) > 0:
        return PILE_SUBSTEPS
    most = 0.0
    for b in bodies_list:
        if not bodies.spherical[b]:
            w = bodies.velocity[2 * b + 1]
            most = max(most, w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    return int(min(max(math.ceil(h * math.sqrt(most) / _TURN), 1.0), float(_MOST_SUBSTEPS)))


@kernel
def _load(bodies, bodies_list, rows, listed, share):
    """Packs the island; returns (something may bounce, largest lag)."""
    x, P = bodies.pile, rows.pile
    lag, bounces = 0.0, False
    load_world(x)
    for b in bodies_list:
        load_body(bodies, b, x)
        lag = max(lag, bodies.lag[b])
    start, count = 0, len(listed)
    while start < count:
        end = start
        while end < count and same_patch(rows, listed[start], listed[end]):
            load_contact(bodies, rows, listed[end], share, P)
            bounces = bounces or rows.restitution[listed[end]] > 0.0
            end += 1
        load_patch(bodies, rows, listed, start, end, share, P)
        p = listed[start]
        move_patch(x, rows.pair[p, 0], rows.pair[p, 1], listed, start, end, 0.0, P)
        set_friction(x, rows.pair[p, 0], rows.pair[p, 1], p, P)
        start = end
    return bounces, lag


@kernel
def _kick(bodies, b, gravity, lag, hs, x):
    """Velocity from half a substep before the position to half a one after it; writes x[b]."""
    kick, n = lag + 0.5 * hs, 2 * b
    for i in range(3):
        pull = bodies.gravity_scale[b] * gravity[i] * bodies.free[n, i]
        x[b, i] += kick * pull + x[b, LIGHTNESS + i] * _push(bodies, n, i, kick, hs)
    if bodies.kind[b] != DYNAMIC:
        return
    if not bodies.spherical[b] and not bodies.masked[b]:
        _keep_momentum(bodies, b, lag, kick, hs, x)
    else:
        tx, ty = _push(bodies, n + 1, 0, kick, hs), _push(bodies, n + 1, 1, kick, hs)
        turn(x, b, tx, ty, _push(bodies, n + 1, 2, kick, hs))


@kernel
def _push(bodies, node, i, kick, hs):
    """Impulse of external forces, N s or N m s: what is late, and that of half a substep."""
    push = bodies.late[node, i] + 0.5 * hs * bodies.force[node, i]
    return push + kick * bodies.soft_force[node, i]


@kernel
def _keep_momentum(bodies, b, lag, kick, hs, x):
    """ω after the kick from L = E(-lag ω) I ω + kick·torque; writes x[b]."""
    R, inertia, n = bodies.rotation, bodies.inertia, 2 * b + 1
    wx, wy, wz = x[b, SPIN], x[b, SPIN + 1], x[b, SPIN + 2]
    tx, ty = _push(bodies, n, 0, kick, hs), _push(bodies, n, 1, kick, hs)
    tz = _push(bodies, n, 2, kick, hs)
    if wx == 0.0 and wy == 0.0 and wz == 0.0:
        turn(x, b, tx, ty, tz)
        return
    ux = R[b, 0, 0] * wx + R[b, 1, 0] * wy + R[b, 2, 0] * wz
    uy = R[b, 0, 1] * wx + R[b, 1, 1] * wy + R[b, 2, 1] * wz
    uz = R[b, 0, 2] * wx + R[b, 1, 2] * wy + R[b, 2, 2] * wz
    lx = inertia[b, 0, 0] * ux + inertia[b, 0, 1] * uy + inertia[b, 0, 2] * uz
    ly = inertia[b, 1, 0] * ux + inertia[b, 1, 1] * uy + inertia[b, 1, 2] * uz
    lz = inertia[b, 2, 0] * ux + inertia[b, 2, 1] * uy + inertia[b, 2, 2] * uz
    ux = R[b, 0, 0] * lx + R[b, 0, 1] * ly + R[b, 0, 2] * lz
    uy = R[b, 1, 0] * lx + R[b, 1, 1] * ly + R[b, 1, 2] * lz
    uz = R[b, 2, 0] * lx + R[b, 2, 1] * ly + R[b, 2, 2] * lz
    lx, ly, lz = _turned(ux, uy, uz, wx, wy, wz, -lag)
    lx, ly, lz = lx + tx, ly + ty, lz + tz
    for _ in range(_TURN_ITERATIONS):
        ux, uy, uz = _turned(lx, ly, lz, wx, wy, wz, -0.5 * hs)
        wx = x[b, 9] * ux + x[b, 10] * uy + x[b, 11] * uz
        wy = x[b, 10] * ux + x[b, 12] * uy + x[b, 13] * uz
        wz = x[b, 11] * ux + x[b, 13] * uy + x[b, 14] * uz
    x[b, SPIN], x[b, SPIN + 1], x[b, SPIN + 2] = wx, wy, wz


@kernel
def _turned(x, y, z, wx, wy, wz, time):
    """(x, y, z) turned by time·w: Rodrigues, with series where the angle is small."""
    square = time * time * (wx * wx + wy * wy + wz * wz)
    if square < 0.01:
        s = time * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)))
        c = time * time * (0.5 - square / 24.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0)))
    else:
        angle = math.sqrt(square)
        s, c = time * math.sin(angle) / angle, time * time * (1.0 - math.cos(angle)) / square
    ax, ay, az = wy * z - wz * y, wz * x - wx * z, wx * y - wy * x
    bx, by, bz = wy * az - wz * ay, wz * ax - wx * az, wx * ay - wy * ax
    return x + s * ax + c * bx, y + s * ay + c * by, z + s * az + c * bz


@kernel
def _warm_start(x, listed, pair, scale, hs, P):
    """Begins with the impulses of the last substep; writes x, IMPULSE, RUB and WANTED.

    A gap may be used up within the substep, of an overlap a share is pushed out, at a bounded
    speed.
    """
    done, count = 0, len(listed)
    while done < count:
        p = listed[done]
        a, b, points = pair[p, 0], pair[p, 1], pair[p, 2]
        n, ax, ay, az, bx, by, bz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        P[p, OVERLAPS] = 0.0
        for k in range(done, done + points):
            c = listed[k]
            m = P[c, IMPULSE] * scale
            P[c, IMPULSE], P[c, HELD] = m, m
            n += m
            ax, ay, az = ax + P[c, 0] * m, ay + P[c, 1] * m, az + P[c, 2] * m
            bx, by, bz = bx + P[c, 3] * m, by + P[c, 4] * m, bz + P[c, 5] * m
            gap = P[c, GAP]
            if gap < 0.0:
                P[p, OVERLAPS] = 1.0
            P[c, WANTED] = P[c, MOVED] + max(gap, 0.0) / hs
            if gap < -CONTACT_SLOP:
                out = PILE_RECOVERY * (gap + CONTACT_SLOP) / hs
                P[c, WANTED] += max(out, -CONTACT_PUSH_SPEED)
        done += points
        for r in range(3):
            P[p, RUB + r] *= scale
            P[p, ROLL + r] = 0.0
        if n > 0.0:
            press_patch(x, a, b, p, n, ax, ay, az, bx, by, bz, P)
            push_along(x, a, b, p, P[p, RUB], P[p, RUB + 1], P[p, RUB + 2], P)


@kernel
def _sweep(x, listed, pair, backward, leak, P):
    """All patches once; writes x and impulses."""
    count, done = len(listed), 0
    while done < count:
        start, points = patch_after(done, listed, pair, backward)
        c = listed[start]
        sweep_patch(x, pair[c, 0], pair[c, 1], listed, start, start + points, leak, P)
        done += points


@kernel
def _drift(bodies, b, hs, x):
    """Positions with the velocities at hand; writes pose and x[b], and that the velocity lags."""
    for i in range(3):
        way = hs * x[b, i]
        bodies.position[b, i] += way
        x[b, WAY + i] += way
    bodies.lag[b] = 0.5 * hs
    for node in range(2 * b, 2 * b + 2):
        for i in range(3):
            bodies.late[node, i] = 0.5 * hs * bodies.force[node, i]
    if bodies.kind[b] != DYNAMIC:
        return
    tx, ty, tz = hs * x[b, 3], hs * x[b, 4], hs * x[b, 5]
    turn_quaternion(bodies.orientation, b, tx, ty, tz)
    x[b, ROTATED] += tx
    x[b, ROTATED + 1] += ty
    x[b, ROTATED + 2] += tz
    angle = x[b, ROTATED] ** 2 + x[b, ROTATED + 1] ** 2 + x[b, ROTATED + 2] ** 2
    x[b, TURNED] = 0.0
    if angle > _LITTLE * _LITTLE:
        update_turn(bodies.orientation, b, x)
        x[b, TURNED] = 1.0
        if not bodies.spherical[b]:
            quaternion_to_matrix(bodies.orientation, b, bodies.rotation)
            set_lightness(bodies, b, x)


@kernel
def _move_contacts(x, listed, pair, time, P):
    """Gaps and levers where the bodies are now; writes the rows of the contacts."""
    done = 0
    while done < len(listed):
        p = listed[done]
        a, b, end = pair[p, 0], pair[p, 1], done + pair[p, 2]
        if x[a, TURNED] > 0.0 or x[b, TURNED] > 0.0:
            move_patch(x, a, b, listed, done, end, time, P)
            set_friction(x, a, b, p, P)
        else:
            shift_patch(x, a, b, listed, done, end, time, P)
        done = end


@kernel
def _want_rest(listed, hs, P):
    """What is wanted without pushing, of all that touches; writes WANTED.

    A gap that nothing presses on is left to the next substep, which sees how fast it closes.
    """
    for c in listed:
        gap = P[c, GAP]
        if gap > 0.0 and P[c, IMPULSE] == 0.0:
            P[c, WANTED] = _NEVER
        else:
            P[c, WANTED] = P[c, MOVED] + max(gap, 0.0) / hs


@kernel
def _add_up(listed, pair, P):
    """Adds the impulses of a substep to those of the step."""
    for c in listed:
        P[c, TOTAL] += P[c, IMPULSE]
        if pair[c, 4] == c:
            for r in range(3):
                P[c, RUBBED + r] += P[c, RUB + r]


@kernel
def _store(bodies, bodies_list, x):
    """Writes velocity and rotation from x."""
    for b in bodies_list:
        for i in range(3):
            bodies.velocity[2 * b, i] = x[b, i]
            bodies.velocity[2 * b + 1, i] = x[b, SPIN + i]
        if bodies.kind[b] == DYNAMIC:
            quaternion_to_matrix(bodies.orientation, b, bodies.rotation)


@kernel
def _store_impulses(rows, listed, share, P):
    """What the next step begins with and what this one gave; writes mu, roll and struck.

    Friction of a patch is shared out to its points by what they press, and about its centre, so
    that force and moment are the same.
    """
    done, pair = 0, rows.pair
    while done < len(listed):
        p = listed[done]
        end = done + pair[p, 2]
        set_centre(listed, done, end, P)
        pressed, total, inertia = 0.0, 0.0, 0.0
        for k in range(done, end):
            c = listed[k]
            x, y = offset(P, p, c)
            pressed += P[c, IMPULSE]
            total += P[c, TOTAL]
            inertia += P[c, IMPULSE] * (x * x + y * y)
        for k in range(done, end):
            c = listed[k]
            weight = P[c, IMPULSE] / pressed if pressed > 0.0 else 0.0
            x, y = offset(P, p, c)
            spin = P[p, RUB + 2] * P[c, IMPULSE] / inertia if inertia > 0.0 else 0.0
            rows.mu[c, 0] = share * P[c, IMPULSE]
            rows.mu[c, 1] = share * (weight * P[p, RUB] - spin * y)
            rows.mu[c, 2] = share * (weight * P[p, RUB + 1] + spin * x)
            weight = P[c, TOTAL] / total if total > 0.0 else 0.0
            rows.struck[c, 0] = P[c, TOTAL]
            rows.struck[c, 1] = weight * P[p, RUBBED]
            rows.struck[c, 2] = weight * P[p, RUBBED + 1]
            for r in range(3):
                rows.roll[c, r] = share * P[p, ROLL + r] if c == p else 0.0
        done = end
