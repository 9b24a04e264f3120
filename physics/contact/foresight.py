"""Whether limits and contacts hold where the step ends, and better aims where they do not.

Sweeps see a limit or a contact as a plane at the start of the step. Joints make bodies turn within
the step, and Newton closes them at its end, so what was aimed at is missed by terms of second
order: by degrees for a limb that is hit, by a metre for a gram on a lever of a tonne. Then the step
is taken once more from its start, aiming higher by what was missed: a secant iteration with slope
one, which contracts as fast as the bodies turn little.

    limit     excess(x₊) ≤ goal      goal: nothing, or what is left of an excess taken back gently
    contact   gap(x₊) ≥ gap - h·target,   of points fixed on the bodies, along the normal found

Contacts of bodies without joints need none of this: there the first answer is exact.
"""

import math

from physics.constraints.limits import is_limit, limit_excess
from physics.contact.rows import wanted_speed
from physics.jit import kernel
from physics.params import (
    ACCEPTED_LIMIT_MISS,
    ACCEPTED_MISS,
    BLOW_SHARE,
    CONTACT_MISS,
    FORESEEN_MOTION,
    LEAST_HEIGHT,
    LIMIT_MISS,
    UNSEEN_MOTION,
    WILD_MOTION,
)
from physics.state import DYNAMIC, KEYFRAMED, LENIENT_UNTIL, MAY_TOUCH, STEPS


@kernel
def aim_again(scene, h):
    """Whether something was missed by more than it should; writes the aims for another try.

    Only beside contacts: free of impacts, limits are missed by little, and a limb that is whirled
    about by a radian in a step would only be whirled faster by aiming at the other side.
    """
    if scene.contacts.count[0] == 0:
        return False
    return _aim_limits(scene) | _aim_contacts(scene.bodies, scene.contacts, h)


@kernel
def _aim_limits(scene):
    """Writes unilateral.aim."""
    elements, rows, listed = scene.elements, scene.unilateral, scene.system.unilateral
    missed = False
    for i in range(len(listed)):
        e = listed[i]
        for r in range(3):
            if not is_limit(elements, elements.J, e, r):
                continue
            miss = limit_excess(elements, e, r) - rows.goal[3 * i + r]
            if miss > LIMIT_MISS:
                missed = True
            if miss > LIMIT_MISS or rows.aim[3 * i + r] > 0.0:
                rows.aim[3 * i + r] = max(rows.aim[3 * i + r] + miss, 0.0)
    return missed


@kernel
def limits_hold(scene):
    """Whether no limit was missed by more than can be accepted."""
    elements, rows, listed = scene.elements, scene.unilateral, scene.system.unilateral
    if scene.contacts.count[0] == 0:
        return True
    for i in range(len(listed)):
        for r in range(3):
            if is_limit(elements, elements.J, listed[i], r):
                miss = limit_excess(elements, listed[i], r) - rows.goal[3 * i + r]
                if not miss <= ACCEPTED_LIMIT_MISS:
                    return False
    return True


@kernel
def _aim_contacts(bodies, rows, h):
    """Writes contacts.target."""
    missed = False
    for c in range(rows.count[0]):
        if rows.linked[c]:
            miss = contact_miss(bodies, rows, c, h)
            if miss > CONTACT_MISS:
                rows.target[c] -= miss / h
                missed = True
    return missed


@kernel
def contact_miss(bodies, rows, c, h):
    """How much less than wanted the gap is where the step ends, m."""
    ax, ay, az = _way(bodies, rows.body_a[c], rows.anchor_a, c)
    bx, by, bz = _way(bodies, rows.body_b[c], rows.anchor_b, c)
    n = rows.normal
    opened = n[c, 0] * (ax - bx) + n[c, 1] * (ay - by) + n[c, 2] * (az - bz)
    return -h * wanted_speed(rows.gap[c], h) - opened


@kernel
def _way(bodies, b, anchor, c):
    """How far the body's point at the anchor has come since the start of the step."""
    q, R = bodies.start_orientation, bodies.rotation
    x, y, z = anchor[c, 0], anchor[c, 1], anchor[c, 2]
    # into the axes of the body: r - 2w (u × r) + 2u × (u × r)
    w, ux, uy, uz = q[b, 0], -q[b, 1], -q[b, 2], -q[b, 3]
    tx, ty, tz = 2.0 * (uy * z - uz * y), 2.0 * (uz * x - ux * z), 2.0 * (ux * y - uy * x)
    lx = x + w * tx + uy * tz - uz * ty
    ly = y + w * ty + uz * tx - ux * tz
    lz = z + w * tz + ux * ty - uy * tx
    p, start = bodies.position, bodies.start_position
    return (
        p[b, 0] - start[b, 0] + R[b, 0, 0] * lx + R[b, 0, 1] * ly + R[b, 0, 2] * lz - x,
        p[b, 1] - start[b, 1] + R[b, 1, 0] * lx + R[b, 1, 1] * ly + R[b, 1, 2] * lz - y,
        p[b, 2] - start[b, 2] + R[b, 2, 0] * lx + R[b, 2, 1] * ly + R[b, 2, 2] * lz - z,
    )


@kernel
def stayed_outside(bodies, rows, c):
    """Whether each body's middle is still on its side of the contact.

    A light body that is turned over by a stiff spring may have the points that touched where they
    should be, and its middle within the wall. Height above the other's surface along the normal,

        height_a = gap - n·r_a,   height_b = gap + n·r_b,      r the anchors seen from the middles

    may shrink to a share: never to nothing, however often.
    """
    a, b = rows.body_a[c], rows.body_b[c]
    ax, ay, az = _way(bodies, a, rows.anchor_a, c)
    bx, by, bz = _way(bodies, b, rows.anchor_b, c)
    p, start = bodies.position, bodies.start_position
    n, gap = rows.normal, rows.gap[c]
    above, below, rose, sank = gap, gap, 0.0, 0.0
    way_a, way_b = (ax, ay, az), (bx, by, bz)
    for i in range(3):
        above -= n[c, i] * rows.anchor_a[c, i]
        below += n[c, i] * rows.anchor_b[c, i]
        rose += n[c, i] * (p[a, i] - start[a, i] - way_b[i])
        sank += n[c, i] * (way_a[i] - p[b, i] + start[b, i])
    if bodies.kind[a] == DYNAMIC and above > 0.0 and not above + rose >= LEAST_HEIGHT * above:
        return False
    return not (
        bodies.kind[b] == DYNAMIC and below > 0.0 and not below + sank >= LEAST_HEIGHT * below
    )


@kernel
def was_foreseen(scene, h):
    """Whether bodies went where contacts were looked for, and not into what was found.

    Detection looks along the velocity a body has. One that a lever or a rope jerks to another
    velocity within the step may pass what nobody looked for: such a step must be taken in shorter
    parts. Beside contacts jointed bodies are held to their own size; where nothing was near, only
    to what could cross a room.
    """
    bodies, rows = scene.bodies, scene.contacts
    if not rows.news[MAY_TOUCH]:
        return True
    for c in range(rows.count[0]):
        if rows.linked[c] and not (
            contact_miss(bodies, rows, c, h) <= ACCEPTED_MISS and stayed_outside(bodies, rows, c)
        ):
            return False
    if scene.counters[STEPS] < scene.counters[LENIENT_UNTIL]:
        return True  # it is this or standing still; walls are not crossed even so (crossing.py)
    blow = max(WILD_MOTION, BLOW_SHARE * h * _fastest_start(bodies))
    for b in range(len(bodies.kind)):
        if bodies.kind[b] == DYNAMIC and not _kept_course(scene, b, h, blow):
            return False
    return True


@kernel
def _kept_course(scene, b, h, blow):
    """Whether a body ended near where it was heading; `blow`: m for one without joints."""
    bodies, rows, span = scene.bodies, scene.contacts, scene.system.span
    square = 0.0
    for i in range(3):
        course = bodies.start_position[b, i] + h * bodies.start_velocity[2 * b, i]
        square += (bodies.position[b, i] - course) ** 2
    if span[b, 1] - span[b, 0] <= 2:
        return square <= blow * blow
    if rows.count[0] == 0:
        return square <= WILD_MOTION * WILD_MOTION
    size = bodies.inertia_max[b] / bodies.mass[b]  # radius of gyration, squared
    small = square <= max(size, UNSEEN_MOTION * UNSEEN_MOTION)
    return square <= FORESEEN_MOTION * FORESEEN_MOTION and (small or _touches(rows, b))


@kernel
def _fastest_start(bodies):
    """Largest speed of a body at the start of the step, m/s."""
    worst = 0.0
    v = bodies.start_velocity
    for b in range(len(bodies.kind)):
        if bodies.kind[b] >= KEYFRAMED:
            worst = max(worst, v[2 * b, 0] ** 2 + v[2 * b, 1] ** 2 + v[2 * b, 2] ** 2)
    return math.sqrt(worst)


@kernel
def _touches(rows, b):
    """Whether a contact pushes the body: then it is that which took it off its course."""
    for c in range(rows.count[0]):
        if (rows.body_a[c] == b or rows.body_b[c] == b) and rows.mu[c, 0] > 0.0:
            return True
    return False
