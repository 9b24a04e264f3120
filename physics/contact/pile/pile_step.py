"""A step of an island of free bodies that touch, in short substeps.

    kick      velocities by forces, gravity and turning; contacts begin with their last impulses
    sweep     impulses at which no gap is overused
    push out  velocities apart from these, at which a share of each overlap is taken back
    drift     positions with both; gaps and levers with them
    bounce    impacts are reflected

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
    IMPULSE,
    MEAN,
    LIGHTNESS,
    MOVED,
    OUT,
    PART,
    ROLL,
    RUB,
    RUBBED,
    SPIN,
    TOTAL,
    WANTED,
    WAY,
    load_body,
    load_contact,
    load_patch,
    load_world,
    move_patch,
    offset,
    same_patch,
    set_centre,
    set_friction,
    set_lightness,
    update_turn,
)
from physics.contact.pile.sweep import press, push_along, push_out_patch, sweep_patch, turn
from physics.jit import kernel
from physics.linalg import quaternion_to_matrix, turn_quaternion
from physics.params import (
    CONTACT_PUSH_SPEED,
    CONTACT_RECOVERY,
    CONTACT_SLOP,
    PILE_SUBSTEPS,
    PILE_SWEEPS,
)
from physics.state import DYNAMIC

_TURN = 0.3  # rad that a body may turn within a substep
_MOST_SUBSTEPS = 16  # of a body that whirls alone
_TURN_ITERATIONS = 4  # for ω from its angular momentum


@kernel
def step_pile(scene, bodies_list, contacts_list, settings, h):
    """Takes the whole step h of an island without joints; returns the sweeps it took.

    Reads the contacts of the step as they were detected. Writes position, orientation, rotation,
    velocity and lag of its bodies; mu, what the next step begins with, and struck, the impulses of
    the whole step, of its contacts. contacts.pile and pair and bodies.pile are scratch.
    """
    substeps = _count_substeps(scene.bodies, bodies_list, contacts_list, h)
    return take_substeps(scene, bodies_list, contacts_list, settings, h, substeps, PILE_SWEEPS, 1, 30.0, 10.0, 0.0)


@kernel
def take_substeps(scene, bodies_list, contacts_list, settings, h, substeps, sweeps, relax, hz, zeta, alpha):
    """The same in so many substeps of so many sweeps."""
    bodies, rows = scene.bodies, scene.contacts
    x, P, pair = bodies.pile, rows.pile, rows.pair
    hs = h / substeps
    bounces, lag = _load(bodies, bodies_list, rows, contacts_list, hs / h)
    scale = (lag + 0.5 * hs) / hs  # of the impulses that a substep begins with
    swept = 0
    omega = 2.0 * math.pi * hz
    a1 = 2.0 * zeta + hs * omega
    rate, leak = omega / a1, 1.0 / (1.0 + hs * omega * a1)
    firm = 1.0 - leak
    for k in range(substeps):
        if bounces:
            note_speeds(x, contacts_list, pair, P)
        for b in bodies_list:
            _kick(bodies, b, settings.gravity, bodies.lag[b], hs, x)
        if bounces:
            note_touches(x, contacts_list, pair, scale * hs, hs, P)
        pushes = _warm_start(x, contacts_list, pair, scale, rate, alpha, hs, P)
        for turn_ in range(sweeps):
            _sweep(x, contacts_list, pair, turn_ % 2 == 1, firm, leak, P)
        swept += sweeps
        for b in bodies_list:
            _drift(bodies, b, hs, False, x)
        _move_contacts(x, contacts_list, pair, (k + 1) * hs, P)
        if bounces:
            bounce(x, contacts_list, pair, hs, P)
        if True:
            _want_gaps(contacts_list, hs, P)
            for turn_ in range(relax):
                _sweep(x, contacts_list, pair, (sweeps + turn_) % 2 == 1, 1.0, 0.0, P)
        scale = 1.0 / scale if k == 0 else 1.0
        _add_up(contacts_list, pair, alpha, P)
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
        start = end
    return bounces, lag


@kernel
def _kick(bodies, b, gravity, lag, hs, x):
    """Velocity from half a substep before the position to half a one after it; writes x[b]."""
    kick = lag + 0.5 * hs
    force, n = bodies.force, 2 * b
    for i in range(3):
        pull = bodies.gravity_scale[b] * gravity[i] * bodies.free[n, i]
        x[b, i] += kick * (pull + x[b, LIGHTNESS + i] * force[n, i])
    if bodies.kind[b] != DYNAMIC:
        return
    if not bodies.spherical[b] and not bodies.masked[b]:
        _keep_momentum(bodies, b, lag, kick, hs, x)
    else:
        turn(x, b, kick * force[n + 1, 0], kick * force[n + 1, 1], kick * force[n + 1, 2])


@kernel
def _keep_momentum(bodies, b, lag, kick, hs, x):
    """ω after the kick from L = E(-lag ω) I ω + kick·torque; writes x[b]."""
    R, inertia, n = bodies.rotation, bodies.inertia, 2 * b + 1
    wx, wy, wz = x[b, SPIN], x[b, SPIN + 1], x[b, SPIN + 2]
    if wx == 0.0 and wy == 0.0 and wz == 0.0:
        f = bodies.force
        turn(x, b, kick * f[n, 0], kick * f[n, 1], kick * f[n, 2])
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
    lx += kick * bodies.force[n, 0]
    ly += kick * bodies.force[n, 1]
    lz += kick * bodies.force[n, 2]
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
def _warm_start(x, listed, pair, scale, rate, alpha, hs, P):
    """Begins with the lesser impulse of the last two substeps; writes x, IMPULSE, RUB and WANTED.

    What is pressed for a moment, as in an impact, would throw the pile apart in the next.
    Returns whether an overlap is pushed out.
    """
    pushes, done, count = False, 0, len(listed)
    while done < count:
        p = listed[done]
        a, b, points = pair[p, 0], pair[p, 1], pair[p, 2]
        had, has = 0.0, 0.0
        for k in range(done, done + points):
            c = listed[k]
            had += P[c, IMPULSE]
            P[c, IMPULSE] *= scale
            P[c, MEAN] *= scale
            if alpha < 0.0:
                P[c, MEAN] = 0.0
            has += P[c, IMPULSE]
            if P[c, IMPULSE] > 0.0:
                press(x, a, b, p, c, P[c, IMPULSE], P)
            gap = P[c, GAP]
            P[c, WANTED] = P[c, MOVED] + max(gap, 0.0) / hs
            if gap < -CONTACT_SLOP:
                P[c, WANTED] += max(rate * (gap + CONTACT_SLOP), -CONTACT_PUSH_SPEED)
                pushes = True
        set_centre(listed, done, done + points, P)
        set_friction(x, a, b, p, P)
        for r in range(3):
            P[p, RUB + r] *= has / had if had > 0.0 else 0.0
            P[p, ROLL + r] = 0.0
        push_along(x, a, b, p, P[p, RUB], P[p, RUB + 1], P[p, RUB + 2], P)
        done += points
    return pushes


@kernel
def _sweep(x, listed, pair, backward, firm, leak, P):
    """All patches once; writes x and impulses."""
    count, done = len(listed), 0
    while done < count:
        if backward:
            c = listed[count - 1 - done]
            points = pair[c, 3]
            start = count - done - points
        else:
            start = done
            c = listed[done]
            points = pair[c, 2]
        sweep_patch(x, pair[c, 0], pair[c, 1], listed, start, start + points, firm, leak, P)
        done += points


@kernel
def _push_out(x, bodies_list, listed, pair, hs, P):
    """Velocities that take a share of every overlap back, and close no gap; writes OUT."""
    for b in bodies_list:
        for i in range(6):
            x[b, OUT + i] = 0.0
    for c in listed:
        P[c, PART] = 0.0
        out = CONTACT_RECOVERY * min(P[c, GAP] + CONTACT_SLOP, 0.0) / hs
        P[c, WANTED] = max(P[c, GAP], 0.0) / hs + max(out, -CONTACT_PUSH_SPEED)
    for backward in range(2):
        count, done = len(listed), 0
        while done < count:
            if backward == 1:
                c = listed[count - 1 - done]
                points = pair[c, 3]
                start = count - done - points
            else:
                start = done
                c = listed[done]
                points = pair[c, 2]
            push_out_patch(x, pair[c, 0], pair[c, 1], listed, start, start + points, P)
            done += points


@kernel
def _drift(bodies, b, hs, pushes, x):
    """Positions with the velocities at hand; writes pose and x[b], and that the velocity lags."""
    out = hs if pushes else 0.0
    for i in range(3):
        way = hs * x[b, i] + out * x[b, OUT + i]
        bodies.position[b, i] += way
        x[b, WAY + i] += way
    bodies.lag[b] = 0.5 * hs
    if bodies.kind[b] == DYNAMIC:
        tx, ty, tz = hs * x[b, 3], hs * x[b, 4], hs * x[b, 5]
        tx, ty, tz = tx + out * x[b, 34], ty + out * x[b, 35], tz + out * x[b, 36]
        turn_quaternion(bodies.orientation, b, tx, ty, tz)
        update_turn(bodies.orientation, b, x)
        if not bodies.spherical[b]:
            quaternion_to_matrix(bodies.orientation, b, bodies.rotation)
            set_lightness(bodies, b, x)


@kernel
def _move_contacts(x, listed, pair, time, P):
    """Gaps and levers where the bodies are now; writes the rows of the contacts."""
    done = 0
    while done < len(listed):
        p = listed[done]
        end = done + pair[p, 2]
        move_patch(x, pair[p, 0], pair[p, 1], listed, done, end, time, P)
        done = end


@kernel
def _want_gaps(listed, hs, P):
    """What is wanted without pushing; writes WANTED."""
    for c in listed:
        P[c, WANTED] = P[c, MOVED] + max(P[c, GAP], 0.0) / hs


@kernel
def _add_up(listed, pair, alpha, P):
    """Adds the impulses of a substep to those of the step."""
    for c in listed:
        P[c, TOTAL] += P[c, IMPULSE]
        P[c, MEAN] += max(alpha, 0.0) * (P[c, IMPULSE] - P[c, MEAN])
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
