"""A step of an island of free bodies that touch, in short substeps.

    kick      velocities by forces, gravity and turning; contacts begin with their last impulses
    sweep     impulses at which no gap is overused and overlaps are pushed out at a bounded speed
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
    IMPULSE,
    LIGHTNESS,
    ORIENTATION,
    ROLL,
    ROLLING,
    SPIN,
    TOTAL,
    WANTED,
    WAY,
    load_body,
    load_contact,
    load_world,
    set_lightness,
    update_geometry,
    update_turn,
)
from physics.contact.pile.sweep import apply, roll_contact, sweep_pair, turn
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
    bodies, rows = scene.bodies, scene.contacts
    x, P, pair = bodies.pile, rows.pile, rows.pair
    substeps = _count_substeps(bodies, bodies_list, contacts_list, h)
    hs = h / substeps
    bounces, rolls, lag = _load(bodies, bodies_list, rows, contacts_list, hs / h)
    scale = (lag + 0.5 * hs) / hs  # of the impulses that a substep begins with
    swept = 0
    for k in range(substeps):
        if bounces:
            note_speeds(x, contacts_list, pair, P)
        for b in bodies_list:
            _kick(bodies, b, settings.gravity, bodies.lag[b], hs, x)
        if bounces:
            note_touches(x, contacts_list, pair, scale * hs, hs, P)
        pushes = _warm_start(x, contacts_list, pair, scale, hs, P)
        for turn_ in range(PILE_SWEEPS):
            _sweep(x, contacts_list, pair, turn_ % 2 == 1, rolls, P)
        swept += PILE_SWEEPS
        for b in bodies_list:
            _drift(bodies, b, hs, x)
        _move_contacts(x, contacts_list, pair, (k + 1) * hs, hs, P)
        if bounces:
            bounce(x, contacts_list, pair, hs, P)
            _want_gaps(contacts_list, hs, P)
        if pushes or bounces:
            _sweep(x, contacts_list, pair, PILE_SWEEPS % 2 == 1, rolls, P)
            swept += 1
        scale = 1.0 / scale if k == 0 else 1.0
        _add_up(contacts_list, P)
    _store(bodies, bodies_list, hs, x)
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
def _load(bodies, bodies_list, rows, contacts_list, share):
    """Packs the island; returns (something may bounce, something rolls, largest lag)."""
    x, pair = bodies.pile, rows.pair
    lag = 0.0
    load_world(x)
    for b in bodies_list:
        load_body(bodies, b, x)
        lag = max(lag, bodies.lag[b])
    bounces, rolls = False, False
    start = 0
    for k in range(len(contacts_list)):
        c = contacts_list[k]
        load_contact(bodies, rows, c, share, rows.pile)
        bounces = bounces or rows.restitution[c] > 0.0
        rolls = rolls or rows.rolling[c] > 0.0
        first = contacts_list[start]
        if rows.body_a[first] != rows.body_a[c] or rows.body_b[first] != rows.body_b[c]:
            _close_pair(pair, contacts_list, start, k)
            start = k
    if len(contacts_list) > 0:
        _close_pair(pair, contacts_list, start, len(contacts_list))
    return bounces, rolls, lag


@kernel
def _close_pair(pair, listed, start, end):
    """The first and the last contact of a pair know how many it has; writes pair."""
    pair[listed[start], 2] = end - start
    pair[listed[end - 1], 3] = end - start


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
def _warm_start(x, listed, pair, scale, hs, P):
    """Begins with the impulses of the last substep; writes x, IMPULSE and WANTED.

    Returns whether an overlap is pushed out.
    """
    pushes = False
    for c in listed:
        for r in range(3):
            P[c, IMPULSE + r] *= scale
            P[c, ROLL + r] = 0.0
        n = P[c, IMPULSE]
        if n > 0.0:
            apply(x, pair[c, 0], pair[c, 1], P, c, n, P[c, IMPULSE + 1], P[c, IMPULSE + 2])
        gap = P[c, GAP]
        if gap < -CONTACT_SLOP:
            speed = CONTACT_RECOVERY * (gap + CONTACT_SLOP) / hs
            P[c, WANTED] = max(speed, -CONTACT_PUSH_SPEED)
            pushes = True
        else:
            P[c, WANTED] = max(gap, 0.0) / hs
    return pushes


@kernel
def _sweep(x, listed, pair, backward, rolls, P):
    """All contacts once, pair by pair; writes x and impulses."""
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
        a, b = pair[c, 0], pair[c, 1]
        sweep_pair(x, a, b, listed, start, start + points, P)
        if rolls:
            for k in range(start, start + points):
                if P[listed[k], ROLLING] > 0.0:
                    roll_contact(x, a, b, listed[k], P)
        done += points


@kernel
def _drift(bodies, b, hs, x):
    """Positions with the velocities at hand; writes pose and x[b], where the velocity lags now."""
    for i in range(3):
        bodies.position[b, i] += hs * x[b, i]
        x[b, WAY + i] += hs * x[b, i]
    bodies.lag[b] = 0.5 * hs
    if bodies.kind[b] == DYNAMIC:
        turn_quaternion(bodies.orientation, b, hs * x[b, 3], hs * x[b, 4], hs * x[b, 5])
        update_turn(bodies.orientation, b, x)
        if not bodies.spherical[b]:
            quaternion_to_matrix(bodies.orientation, b, bodies.rotation)
            set_lightness(bodies, b, x)


@kernel
def _move_contacts(x, listed, pair, time, hs, P):
    """Gaps and levers where the bodies are now; writes GAP, levers and WANTED without pushing."""
    for c in listed:
        update_geometry(x, pair[c, 0], pair[c, 1], c, time, P)
        P[c, WANTED] = max(P[c, GAP], 0.0) / hs


@kernel
def _want_gaps(listed, hs, P):
    for c in listed:
        P[c, WANTED] = max(P[c, GAP], 0.0) / hs


@kernel
def _add_up(listed, P):
    """Adds the impulses of a substep to those of the step."""
    for c in listed:
        for r in range(3):
            P[c, TOTAL + r] += P[c, IMPULSE + r]


@kernel
def _store(bodies, bodies_list, hs, x):
    """Writes velocity and rotation from x."""
    for b in bodies_list:
        for i in range(3):
            bodies.velocity[2 * b, i] = x[b, i]
            bodies.velocity[2 * b + 1, i] = x[b, SPIN + i]
        if bodies.kind[b] == DYNAMIC:
            quaternion_to_matrix(bodies.orientation, b, bodies.rotation)


@kernel
def _store_impulses(rows, contacts_list, share, P):
    """What the next step begins with and what this one gave; writes mu, roll and struck."""
    for c in contacts_list:
        for r in range(3):
            rows.mu[c, r] = share * P[c, IMPULSE + r]
            rows.struck[c, r] = P[c, TOTAL + r]
            rows.roll[c, r] = share * P[c, ROLL + r]
