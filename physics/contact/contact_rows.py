"""From contact points to rows: Jacobians and target speeds.

A contact has a normal row and two tangents, n from b to a:

    J = (d, r_a × d, -d, -(r_b × d))  for d = n, t1, t2;      w = J v + bias

    gap > δ     bias_n = (gap - δ)/h        the gap may be used up within the step, no more
    gap < -δ    bias_n = -push              push = share of the depth per step, of bounded speed

Between them nothing is wanted: in a pile that carries its load in more ways than one, gaps of
rounding size would otherwise decide anew in every step who carries it.
"""

import math

from physics.contact.packed import add_packed_impulse, load_packed
from physics.jit import kernel
from physics.params import CONTACT_PUSH_SPEED, CONTACT_RECOVERY, CONTACT_SLOP
from physics.state import KEYFRAMED, STATIC, WAITS


@kernel
def load_contacts(bodies, system, h, by_node, rows):
    """Rows of the contacts just detected; writes rows. Returns the room `response` must have.

    If that is more than it has, nothing else is written: grow and call again. `by_node`: the rows
    act on velocities per node instead of the places of the system (solver "pgs").
    """
    total = _arrange(bodies, system, by_node, rows)
    if total > len(rows.response):
        return total
    scale = 1.0
    if rows.last_h[0] > 0.0:
        scale = h / rows.last_h[0]
    rows.last_h[0] = h
    for c in range(rows.count[0]):
        for r in range(3):
            rows.mu[c, r] *= scale
            if not math.isfinite(rows.mu[c, r]):
                rows.mu[c, r] = 0.0
            rows.warm[c, r] = rows.mu[c, r]
            rows.lever_a[c, r], rows.lever_b[c, r] = rows.anchor_a[c, r], rows.anchor_b[c, r]
        rows.distance[c] = rows.gap[c]
        _load_rows(bodies, c, rows)
        rows.target[c] = target_speed(rows.distance[c], h)
    return total


@kernel
def _load_rows(bodies, c, rows):
    """Jacobian and approach of one contact from its levers."""
    if rows.simple[c]:
        load_packed(bodies, c, rows)
    else:
        _fill_side(bodies, c, 0, rows.body_a[c], rows.lever_a, rows)
        _fill_side(bodies, c, 1, rows.body_b[c], rows.lever_b, rows)
        _find_approach(bodies, c, rows)
    for i in range(3):  # surfaces that run along, like a conveyor's
        rows.moved[c, 1] += rows.tangent1[c, i] * rows.belt[c, i]
        rows.moved[c, 2] += rows.tangent2[c, i] * rows.belt[c, i]


@kernel
def reload_contacts(scene, h, scale):
    """Contacts of the island for a substep of h that begins where its bodies are now.

    The points that touched stay fixed on the bodies, the normal in the world: what was found once
    serves all substeps of a step. `scale`: h over the substep that the impulses belong to. Overlaps
    are pushed out by as much in all of them as in the step: to do so in each were as many times too
    fast. Where a substep was refused, measures[WAITS]: what is wedged between parts of one thing is
    pushed out of both at once, with any force; it may wait, not sink further.
    """
    bodies, rows = scene.bodies, scene.contacts
    for c in scene.system.contacts:
        n = rows.normal
        round_a, round_b = rows.rounding[c, 0], -rows.rounding[c, 1]
        ax, ay, az = _follow(bodies, rows.body_a[c], rows.anchor_a, rows.lever_a, n, round_a, c)
        bx, by, bz = _follow(bodies, rows.body_b[c], rows.anchor_b, rows.lever_b, n, round_b, c)
        opened = n[c, 0] * (ax - bx) + n[c, 1] * (ay - by) + n[c, 2] * (az - bz)
        rows.distance[c] = rows.gap[c] + opened
        for r in range(3):
            rows.mu[c, r] *= scale
        _load_rows(bodies, c, rows)
        if rows.distance[c] >= -CONTACT_SLOP:
            rows.target[c] = target_speed(rows.distance[c], h)
        else:
            waits = scene.measures[WAITS] > 0.0
            rows.target[c] = 0.0 if waits else target_speed(rows.distance[c], rows.last_h[0])


@kernel
def _follow(bodies, b, anchor, lever, normal, rounding, c):
    """How far the body's point at the anchor has come since detection; writes its lever.

    What rounds the body off stays along the normal however it turns.
    """
    q, R = bodies.frame_orientation, bodies.rotation
    x, y, z = anchor[c, 0], anchor[c, 1], anchor[c, 2]
    p, start = bodies.position, bodies.frame_position
    if bodies.kind[b] <= STATIC:
        lever[c, 0], lever[c, 1], lever[c, 2] = x, y, z
        return 0.0, 0.0, 0.0
    ox, oy, oz = rounding * normal[c, 0], rounding * normal[c, 1], rounding * normal[c, 2]
    x, y, z = x + ox, y + oy, z + oz
    # into the axes of the body: r - 2w (u × r) + 2u × (u × r)
    w, ux, uy, uz = q[b, 0], -q[b, 1], -q[b, 2], -q[b, 3]
    tx, ty, tz = 2.0 * (uy * z - uz * y), 2.0 * (uz * x - ux * z), 2.0 * (ux * y - uy * x)
    lx = x + w * tx + uy * tz - uz * ty
    ly = y + w * ty + uz * tx - ux * tz
    lz = z + w * tz + ux * ty - uy * tx
    wx = R[b, 0, 0] * lx + R[b, 0, 1] * ly + R[b, 0, 2] * lz
    wy = R[b, 1, 0] * lx + R[b, 1, 1] * ly + R[b, 1, 2] * lz
    wz = R[b, 2, 0] * lx + R[b, 2, 1] * ly + R[b, 2, 2] * lz
    lever[c, 0], lever[c, 1], lever[c, 2] = wx - ox, wy - oy, wz - oz
    return (
        p[b, 0] - start[b, 0] + wx - x,
        p[b, 1] - start[b, 1] + wy - y,
        p[b, 2] - start[b, 2] + wz - z,
    )


@kernel
def _arrange(bodies, system, by_node, rows):
    """Where each contact acts and keeps its response.

    Writes place, span, offset, jointed and simple.
    """
    offset = 0
    for c in range(rows.count[0]):
        a, b = rows.body_a[c], rows.body_b[c]
        _place(bodies, system, by_node, c, 0, a, rows)
        _place(bodies, system, by_node, c, 2, b, rows)
        same = system.component[a] == system.component[b] and not by_node
        rows.jointed[c] = same or not (_alone(rows, c, 0) and _alone(rows, c, 2))
        locked = bodies.masked[a] or bodies.masked[b]
        rows.simple[c] = not (by_node or rows.jointed[c] or locked)
        if same:
            rows.span[c, 3] = rows.span[c, 2]
        rows.offset[c] = offset
        offset += response_blocks(rows, c)
    return offset


@kernel
def response_blocks(rows, c):
    """Blocks of `response` that a contact needs: those of its rows, then those of its torques."""
    if rows.simple[c]:
        return 0
    blocks = torque_offset(rows, c) - rows.offset[c]
    return 2 * blocks if rows.rolling[c] > 0.0 else blocks


@kernel
def torque_offset(rows, c):
    """Where the responses to torques begin in `response`."""
    span = rows.span
    return rows.offset[c] + span[c, 1] - span[c, 0] + span[c, 3] - span[c, 2]


@kernel
def _place(bodies, system, by_node, c, s, b, rows):
    """Where body b of slots s, s+1 is moved; writes place and span."""
    if not by_node:
        rows.place[c, s] = system.position_of[2 * b]
        rows.place[c, s + 1] = system.position_of[2 * b + 1]
        rows.span[c, s], rows.span[c, s + 1] = system.span[b, 0], system.span[b, 1]
        return
    rows.span[c, s], rows.span[c, s + 1] = 2 * b, 2 * b
    for k in range(2):
        rows.place[c, s + k] = -1
        if bodies.solved[2 * b + k]:
            rows.place[c, s + k] = 2 * b + k
            rows.span[c, s + 1] = 2 * b + k + 1


@kernel
def _alone(rows, c, s):
    """Whether the body of slots s, s+1 is a component of its own, or does not move."""
    nodes = 0
    for k in range(s, s + 2):
        if rows.place[c, k] >= 0:
            nodes += 1
    return rows.span[c, s + 1] - rows.span[c, s] == nodes


@kernel
def _fill_side(bodies, c, side, b, anchor, rows):
    """J of one body and its speed if that is prescribed; writes J, moved and turned."""
    sign = 1.0 - 2.0 * side
    rx, ry, rz = anchor[c, 0], anchor[c, 1], anchor[c, 2]
    J, s = rows.J, 2 * side
    keyframed = bodies.kind[b] == KEYFRAMED
    for r in range(3):
        if side == 0:
            rows.moved[c, r] = 0.0
            rows.turned[c, r] = 0.0
        if keyframed:
            rows.turned[c, r] += sign * bodies.velocity[2 * b + 1, r]
        if r == 0:
            d = rows.normal
        elif r == 1:
            d = rows.tangent1
        else:
            d = rows.tangent2
        x, y, z = sign * d[c, 0], sign * d[c, 1], sign * d[c, 2]
        J[c, s, r, 0], J[c, s, r, 1], J[c, s, r, 2] = x, y, z
        J[c, s + 1, r, 0] = ry * z - rz * y
        J[c, s + 1, r, 1] = rz * x - rx * z
        J[c, s + 1, r, 2] = rx * y - ry * x
        for k in range(2):
            for i in range(3):
                if keyframed:
                    rows.moved[c, r] += J[c, s + k, r, i] * bodies.velocity[2 * b + k, i]
                elif rows.place[c, s + k] >= 0:
                    J[c, s + k, r, i] *= bodies.free[2 * b + k, i]


@kernel
def _find_approach(bodies, c, rows):
    """Writes approach of one contact."""
    speed = rows.moved[c, 0]
    for s in range(4):
        if rows.place[c, s] >= 0:
            b = rows.body_a[c] if s < 2 else rows.body_b[c]
            for i in range(3):
                speed += rows.J[c, s, 0, i] * bodies.velocity[2 * b + s % 2, i]
    rows.approach[c] = speed


@kernel
def target_speed(gap, h):
    """Speed at which a gap may be used up, or minus that of pushing an overlap out, m/s."""
    if gap >= -CONTACT_SLOP:
        return max(gap - CONTACT_SLOP, 0.0) / h
    return -min(CONTACT_RECOVERY * (-gap - CONTACT_SLOP) / h, CONTACT_PUSH_SPEED)


@kernel
def set_bias(system, rows):
    """Target speeds; writes bias."""
    for c in system.contacts:
        for r in range(3):
            rows.bias[c, r] = rows.moved[c, r]
        rows.bias[c, 0] += rows.target[c]


@kernel
def add_impulses(system, rows, scale, out):
    """out += scale·Jᵀ μ per node: what contacts and rolling friction give; writes out."""
    unknown = system.unknown
    for c in system.contacts:
        for s in range(1, 4, 2):
            k = rows.place[c, s]
            if k >= 0 and rows.rolling[c] > 0.0:
                for i in range(3):
                    out[unknown[k], i] += scale * (2 - s) * rows.roll[c, i]
        if rows.simple[c]:
            add_packed_impulse(unknown, rows, c, scale, out)
            continue
        for s in range(4):
            k = rows.place[c, s]
            if k >= 0:
                for r in range(3):
                    for i in range(3):
                        out[unknown[k], i] += scale * rows.J[c, s, r, i] * rows.mu[c, r]
