"""End-of-step validation: whether limits and contacts hold where the step ends, and the targets
of a retry where they do not.

Sweeps see a limit or a contact as a plane at the start of the step. Joints make bodies turn within
the step, and Newton closes them at its end, so targets are missed by terms of second order: by
degrees for a limb that is hit, by a metre for a gram on a lever of a tonne. Then the step is solved
once more from its start, with targets raised by what was missed: a secant iteration with slope
one, which contracts as fast as the bodies turn little.

    limit     excess(x₊) ≤ goal      goal: nothing, or what is left of an excess taken back gently
    contact   gap(x₊) ≥ gap - h·target,   of points fixed on the bodies, along the normal found

Contacts of bodies without joints need none of this: there the first answer is exact.
"""

import math

from physics.constraints.limits import is_limit, limit_excess
from physics.contact.contact_rows import target_speed
from physics.energy import kinetic_energy
from physics.jit import kernel
from physics.params import (
    ACCEPTED_LIMIT_MISS,
    ACCEPTED_MISS,
    CONTACT_MISS,
    CONTACT_PUSH_SPEED,
    CONTACT_SLOP,
    JAMMED,
    LEAST_HEIGHT,
    LIMIT_MISS,
)
from physics.state import DYNAMIC, STATIC


@kernel
def correct_targets(scene, h):
    """Whether a target was missed by so much that the step is retried; writes the targets for it.

    Only beside contacts: free of impacts, limits are missed by little, and a limb that is whirled
    about by a radian in a step would only be whirled faster by a target on the other side.
    """
    if len(scene.system.contacts) == 0:
        return False
    return _correct_limit_targets(scene) | _correct_contact_targets(scene, h)


@kernel
def _correct_limit_targets(scene):
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
    if len(scene.system.contacts) == 0:
        return True
    for i in range(len(listed)):
        for r in range(3):
            if is_limit(elements, elements.J, listed[i], r):
                miss = limit_excess(elements, listed[i], r) - rows.goal[3 * i + r]
                if not miss <= ACCEPTED_LIMIT_MISS:
                    return False
    return True


@kernel
def _correct_contact_targets(scene, h):
    """Writes contacts.target."""
    bodies, rows = scene.bodies, scene.contacts
    missed = False
    for c in scene.system.contacts:
        if rows.jointed[c]:
            miss = contact_miss(bodies, rows, c, h)
            if miss > CONTACT_MISS:
                rows.target[c] -= miss / h
                missed = True
    return missed


@kernel
def contact_miss(bodies, rows, c, h):
    """How much further than its gap a contact has closed where the step ends, m.

    An overlap may not deepen; how fast it is pushed out is nothing that must be met.
    """
    n = rows.normal
    ax, ay, az = _displacement(bodies, rows.body_a[c], rows.lever_a, n, rows.rounding[c, 0], c)
    bx, by, bz = _displacement(bodies, rows.body_b[c], rows.lever_b, n, -rows.rounding[c, 1], c)
    opened = n[c, 0] * (ax - bx) + n[c, 1] * (ay - by) + n[c, 2] * (az - bz)
    return -h * max(target_speed(rows.distance[c], h), 0.0) - opened


@kernel
def _displacement(bodies, b, anchor, normal, rounding, c):
    """How far the body's point at the anchor has come since the start of the step.

    What rounds the body off stays along the normal however it turns.
    """
    if bodies.kind[b] <= STATIC:
        return 0.0, 0.0, 0.0
    q, R = bodies.start_orientation, bodies.rotation
    x = anchor[c, 0] + rounding * normal[c, 0]
    y = anchor[c, 1] + rounding * normal[c, 1]
    z = anchor[c, 2] + rounding * normal[c, 2]
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
def passed_sides(bodies, rows, c):
    """Which bodies' centres are no longer on their side of the contact: 1 for a, 2 for b, or both.

    A light body that is turned over by a stiff spring may have the points that touched where they
    should be, and its centre within the wall. Height above the other's surface along the normal,

        height_a = gap - n·r_a,   height_b = gap + n·r_b,      r the anchors seen from the centres

    may shrink to a share of itself, or of what the body measures from its centre to the point that
    touches, if that is less: never to nothing, however often. What is within the gap that contacts
    leave alone has no height.
    """
    a, b = rows.body_a[c], rows.body_b[c]
    n, gap = rows.normal, rows.distance[c]
    ax, ay, az = _displacement(bodies, a, rows.lever_a, n, rows.rounding[c, 0], c)
    bx, by, bz = _displacement(bodies, b, rows.lever_b, n, -rows.rounding[c, 1], c)
    p, start = bodies.position, bodies.start_position
    above, below, rose, sank = gap, gap, 0.0, 0.0
    way_a, way_b = (ax, ay, az), (bx, by, bz)
    for i in range(3):
        above -= n[c, i] * rows.lever_a[c, i]
        below += n[c, i] * rows.lever_b[c, i]
        rose += n[c, i] * (p[a, i] - start[a, i] - way_b[i])
        sank += n[c, i] * (way_a[i] - p[b, i] + start[b, i])
    passed, least_a, least_b = 0, _least_height(above, gap), _least_height(below, gap)
    if bodies.kind[a] == DYNAMIC and above > CONTACT_SLOP and not above + rose >= least_a:
        passed += 1
    if bodies.kind[b] == DYNAMIC and below > CONTACT_SLOP and not below + sank >= least_b:
        passed += 2
    return passed


@kernel
def _least_height(height, gap):
    """That a centre at that height must keep, m."""
    return LEAST_HEIGHT * max(min(height, height - gap), 0.0)


@kernel
def mark_passed(scene):
    """Which contacts of jointed bodies did not keep a centre outside; writes contacts.passed."""
    bodies, rows = scene.bodies, scene.contacts
    for c in scene.system.contacts:
        rows.passed[c] = passed_sides(bodies, rows, c) if rows.jointed[c] else 0


@kernel
def hold_centres(scene):
    """Where points that touched left a centre unguarded, a ball about the centre touches instead.

    A light body that turns over within the step touches with other points than those detection
    found. Its centre may not sink further than that ball, whatever touches. The state must be that
    of the start again; writes anchors and gaps of marked contacts, until they are detected anew.
    """
    rows = scene.contacts
    for c in scene.system.contacts:
        if rows.passed[c] & 1:
            _hold_centre(rows, c, 0, rows.anchor_a, rows.lever_a, -1.0)
        if rows.passed[c] & 2:
            _hold_centre(rows, c, 1, rows.anchor_b, rows.lever_b, 1.0)
        rows.passed[c] = 0


@kernel
def _hold_centre(rows, c, side, anchor, lever, sign):
    """Writes anchor and rounding of one side, and gap and distance: what its ball may sink by, m.

    The ball is half as high as the centre, or as the body from there to the point that touched. A
    centre that is held already keeps its ball. Since detection this side has closed the gap by
    sign·n·(lever - anchor + way of the centre); of the centre itself only its way is left.
    """
    height, closed, off = rows.distance[c], 0.0, 0.0
    for i in range(3):
        height += sign * rows.normal[c, i] * lever[c, i]
        closed += sign * rows.normal[c, i] * (lever[c, i] - anchor[c, i])
        off += (lever[c, i] - sign * rows.rounding[c, side] * rows.normal[c, i]) ** 2
    if off < 1e-12 * height * height:
        return
    radius = 2.0 * _least_height(height, rows.distance[c])
    for i in range(3):
        anchor[c, i] = sign * radius * rows.normal[c, i]
        lever[c, i] = anchor[c, i]
    rows.rounding[c, side] = radius
    rows.gap[c] += height - radius - rows.distance[c] - closed
    rows.distance[c] = height - radius


@kernel
def contacts_hold(scene, h):
    """Whether no contact of a jointed body ended deeper than can be accepted."""
    bodies, rows = scene.bodies, scene.contacts
    for c in scene.system.contacts:
        if rows.jointed[c] and not (
            contact_miss(bodies, rows, c, h) <= ACCEPTED_MISS and passed_sides(bodies, rows, c) == 0
        ):
            return False
    return True


@kernel
def is_jammed(scene, gravity, h):
    """Whether a contact pushes with JAMMED times all that could press it: there is no solution.

    What is wedged between parts of one thing cannot be pushed out of both; only because joints give
    by a rounding error is there an answer, of any size.
    """
    bodies, elements, system, rows = scene.bodies, scene.elements, scene.system, scene.contacts
    pull = math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2)
    most = 0.0
    for b in system.bodies:
        most += math.sqrt(2.0 * bodies.mass[b] * kinetic_energy(bodies, b, bodies.start_velocity))
        most += bodies.mass[b] * (CONTACT_PUSH_SPEED + pull * abs(bodies.gravity_scale[b]) * h)
        for c in range(3):
            most += h * abs(bodies.force[2 * b, c] + bodies.soft_force[2 * b, c])
    for listed in (system.driven, system.stiffness):
        for e in listed:
            for r in range(3):
                most += abs(elements.mu[e, r])
    for c in system.contacts:
        if not rows.mu[c, 0] <= JAMMED * most:
            return True
    return False
