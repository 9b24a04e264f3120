"""Contacts of a soft body with the shapes of the world.

Two ways, so that neither coarse cloth nor small bodies let anything through:

- every node against every shape near it, by its nearest point;
- every finite convex shape against the surface triangles near it: a sphere by its centre, a capsule
  by the point of its axis nearest to the triangle (so that a thin rod cannot slip through between
  nodes), others by their corners and points along their edges.

A contact is reported if its gap is within what the two may close in the step; it acts only if they
do (physics/soft/contact/soft_rows.py).
"""

import math

import numpy as np

from physics.collision.arrays import CAPSULE, DEAD, MESH, PLANE, SPHERE
from physics.collision.closest import blend, on_triangle, segment_segment, triangle_normal
from physics.collision.vec import (
    add,
    along,
    dot,
    length,
    load,
    scale,
    store,
    sub,
    to_world,
    vector,
)
from physics.jit import kernel
from physics.params import NO_DIRECTION
from physics.soft.contact.nearest_point import nearest
from physics.soft.contact.soft_rows import OPEN, PRESSED

NOBODY, NEVER = -1, -2  # NEVER: a node inside a solid, or the anchor of a spring
SAMPLES = 240  # points of one shape at most
EDGE_PARTS = 16  # pieces of one edge of a shape at most
ON_NODE = 0.98  # weight beyond which a sample touches a node, which sees the shape itself


@kernel
def _reach_of(x, v, h, radius, low, high):
    """Bounds of the body over the step; returns its fastest motion, m. Written: low, high."""
    fastest = 0.0
    for d in range(3):
        low[d], high[d] = math.inf, -math.inf
    for i in range(x.shape[0]):
        fastest = max(fastest, h * math.sqrt(v[i, 0] ** 2 + v[i, 1] ** 2 + v[i, 2] ** 2))
        for d in range(3):
            low[d] = min(low[d], x[i, d])
            high[d] = max(high[d], x[i, d])
    for d in range(3):
        low[d] -= fastest + radius
        high[d] += fastest + radius
    return fastest


@kernel
def _apart(box, low, high, wide):
    """Whether a shape's box and low … high, widened, do not meet."""
    for d in range(3):
        if box[d] > high[d] + wide or box[d + 3] < low[d] - wide:
            return True
    return False


@kernel
def _outside(box, p, wide):
    return (
        p[0] < box[0] - wide or p[0] > box[3] + wide
        or p[1] < box[1] - wide or p[1] > box[4] + wide
        or p[2] < box[2] - wide or p[2] > box[5] + wide
    )  # fmt: skip


@kernel
def _beyond(p, low, high, wide):
    """Whether a point is outside low … high, widened."""
    return (
        p[0] < low[0] - wide or p[0] > high[0] + wide
        or p[1] < low[1] - wide or p[1] > high[1] + wide
        or p[2] < low[2] - wide or p[2] > high[2] + wide
    )  # fmt: skip


@kernel
def _add(rows, r, s, position, key, friction, gap, n, q):
    """Writes contact r, all but its nodes."""
    rows.kind[r], rows.state[r], rows.key[r], rows.body[r] = PRESSED, OPEN, key, s.body
    rows.gap[r] = gap
    rows.friction[r] = math.sqrt(friction * s.friction)
    store(n, rows.normal, r)
    store(sub(q, load(position, s.body)), rows.arm, r)


@kernel
def _node_contacts(
    x, v, pinned, radius, margin, h, friction, pool, s, index, skin, position, rows, at
):
    """Nodes near shape s; returns the next free row. Written: rows."""
    motion = vector(s.motion)
    for i in range(x.shape[0]):
        held = skin.attached[i]
        if held == NEVER or held == s.body or (pinned[i] and not s.movable):
            continue
        p = load(x, i)
        step = sub(scale(load(v, i), h), motion)
        wide = margin + radius + length(step) + s.turn
        if s.kind != PLANE and _outside(s.box, p, wide):
            continue
        gap, n = nearest(pool, s, p, wide)
        gap -= radius
        if gap > margin + s.turn + max(0.0, -dot(n, step)):
            continue
        if at < rows.gap.size:
            _add(rows, at, s, position, (index << 32) | i, friction, gap, n,
                 along(p, n, -gap - radius))  # fmt: skip
            for a in range(4):
                rows.node[at, a] = i
                rows.weight[at, a] = 1.0 if a == 0 else 0.0
        at += 1
    return at


@kernel
def _put(sample, count, p):
    if count < sample.shape[0]:
        store(p, sample, count)
        return count + 1
    return count


@kernel
def sample_shape(pool, s, spacing, sample):
    """Points that stand for a convex shape, s.radius around each; returns how many.

    Of a capsule: the ends of its axis. Written: sample.
    """
    center = vector(s.position)
    if s.kind == SPHERE:
        return _put(sample, 0, center)
    if s.kind == CAPSULE:
        half = to_world(s.matrix, (0.0, s.extent[1], 0.0))
        return _put(sample, _put(sample, 0, sub(center, half)), add(center, half))
    count = 0
    for k in range(s.vertex, s.vertex + s.vertices):
        corner = to_world(s.matrix, load(pool.vertices, k))
        count = _put(sample, count, add(center, corner))
    for e in range(s.edge, s.edge + s.edges):
        a = add(center, to_world(s.matrix, load(pool.vertices, s.vertex + pool.edges[e, 0])))
        b = add(center, to_world(s.matrix, load(pool.vertices, s.vertex + pool.edges[e, 1])))
        way = sub(b, a)
        parts = min(int(length(way) / spacing) + 1, EDGE_PARTS)
        for k in range(1, parts):
            count = _put(sample, count, along(a, way, k / parts))
    return count


@kernel
def _close_triangles(x, s, skin, wide):
    """Triangles near shape s; returns how many. Written: skin.close."""
    count = 0
    for t in range(skin.triangles.shape[0]):
        hit = True
        for d in range(3):
            a, b, c = (
                x[skin.triangles[t, 0], d], x[skin.triangles[t, 1], d], x[skin.triangles[t, 2], d]
            )  # fmt: skip
            if max(a, b, c) < s.box[d] - wide or min(a, b, c) > s.box[d + 3] + wide:
                hit = False
        if hit:
            skin.close[count] = t
            count += 1
    return count


@kernel
def _nearest_triangle(x, skin, count, c, most):
    """The surface triangle nearest to the point c, or -1 beyond `most`."""
    found, best = -1, most
    for k in range(count):
        t = skin.close[k]
        i, j, m = skin.triangles[t, 0], skin.triangles[t, 1], skin.triangles[t, 2]
        a, b, d = load(x, i), load(x, j), load(x, m)
        apart, ab, ad = sub(c, a), sub(b, a), sub(d, a)
        if length(apart) - math.sqrt(max(dot(ab, ab), dot(ad, ad))) >= best:
            continue  # no point of it is farther from a than its longer side
        size = length(sub(c, blend(on_triangle(c, a, b, d), a, b, d)))
        if size < best:
            found, best = t, size
    return found


@kernel
def _axis_point(low, high, a, b, d):
    """The point of the segment low … high nearest to the triangle abd, which it does not pierce.

    The nearest points are an end of the segment and any point, or lie on an edge.
    """
    c, best = low, math.inf
    for end in (low, high):
        size = length(sub(end, blend(on_triangle(end, a, b, d), a, b, d)))
        if size < best:
            c, best = end, size
    for p, q in ((a, b), (b, d), (d, a)):
        s, t = segment_segment(low, high, p, q)
        on_axis = along(low, sub(high, low), s)
        size = length(sub(on_axis, along(p, sub(q, p), t)))
        if size < best:
            c, best = on_axis, size
    return c


@kernel
def _triangle_contact(
    x, v, radius, margin, spacing, solid, h, friction, s, t, c, key, skin, position, rows, at
):
    """The point c of shape s against triangle t; returns the next free row. Written: rows."""
    i, j, m = skin.triangles[t, 0], skin.triangles[t, 1], skin.triangles[t, 2]
    if skin.attached[i] == s.body or skin.attached[j] == s.body or skin.attached[m] == s.body:
        return at
    a, b, d = load(x, i), load(x, j), load(x, m)
    w = on_triangle(c, a, b, d)
    if max(w[0], w[1], w[2]) > ON_NODE:
        return at
    p = blend(w, a, b, d)
    apart = sub(p, c)
    n = triangle_normal(a, b, d)
    if solid or dot(n, sub(p, vector(s.position))) < 0.0:
        n = scale(n, -1.0)
    gap, size = dot(n, apart), length(apart)
    if s.kind <= CAPSULE and size > NO_DIRECTION and gap > 0.0:
        n, gap = scale(apart, 1.0 / size), size  # smooth over the edges of the triangles
    elif length(along(apart, n, -gap)) > 0.1 * spacing or gap < -0.5 * spacing:
        return at  # beside the triangle, or too far behind it to be meant
    gap -= s.radius + radius
    step = add(add(scale(load(v, i), w[0]), scale(load(v, j), w[1])), scale(load(v, m), w[2]))
    closing = -dot(n, sub(scale(step, h), vector(s.motion)))
    if gap > margin + s.turn + max(0.0, closing):
        return at
    if at < rows.gap.size:
        _add(rows, at, s, position, key, friction, gap, n, along(c, n, s.radius))
        rows.node[at, 0], rows.node[at, 1], rows.node[at, 2], rows.node[at, 3] = i, j, m, i
        for q in range(3):
            rows.weight[at, q] = w[q]
        rows.weight[at, 3] = 0.0
        rows.slot[at, 0], rows.slot[at, 1] = skin.slot[t, 0], skin.slot[t, 1]
        rows.slot[at, 3] = skin.slot[t, 2]
    return at + 1


@kernel
def _sample_contacts(
    x, v, radius, margin, spacing, solid, h, friction, pool, s, index, low, high, skin, position,
    rows, at,
):  # fmt: skip
    """Shape s against triangles; returns the next free row. Written: rows.

    low … high is where the soft body may be in the step. Round shapes meet every triangle near
    them, each at its nearest point, so that they rest on all of them; of other shapes every corner
    and point of an edge meets the triangle nearest to it.
    """
    if s.kind == PLANE or s.kind == MESH:
        return at
    wide = margin + radius + length(vector(s.motion)) + s.turn
    near = _close_triangles(x, s, skin, wide)
    if near == 0:
        return at
    samples = sample_shape(pool, s, spacing, skin.sample)
    nodes, triangles = x.shape[0], skin.triangles.shape[0]
    for k in range(near if s.kind <= CAPSULE else samples):
        if s.kind <= CAPSULE:
            t = skin.close[k]
            c = load(skin.sample, 0)
            if s.kind == CAPSULE:
                i, j, m = skin.triangles[t, 0], skin.triangles[t, 1], skin.triangles[t, 2]
                c = _axis_point(c, load(skin.sample, 1), load(x, i), load(x, j), load(x, m))
            feature = nodes + t
        else:
            c = load(skin.sample, k)
            if _beyond(c, low, high, wide + s.radius):
                continue
            t = _nearest_triangle(x, skin, near, c, wide + s.radius + 0.5 * spacing)
            feature = nodes + triangles + k
        if t >= 0:
            at = _triangle_contact(
                x, v, radius, margin, spacing, solid, h, friction, s, t, c,
                (index << 32) | feature, skin, position, rows, at,
            )  # fmt: skip
    return at


@kernel
def find_contacts(
    x, v, pinned, radius, margin, spacing, solid, group, mask, friction, h,
    pool, shapes, span, position, skin, rows,
):  # fmt: skip
    """All contacts of the coming step after the attachments; returns the rows there should be.

    If that exceeds the room, grow and call again. Shapes' poses must be up to date. Written: rows.
    """
    low, high = np.empty(3), np.empty(3)
    _reach_of(x, v, h, radius, low, high)
    at = rows.held[0]
    for index in range(span):
        s = shapes[index]
        if s.kind == DEAD or not (group & s.mask) or not (s.group & mask):
            continue
        if s.kind != PLANE and _apart(s.box, low, high, margin):
            continue
        at = _node_contacts(
            x, v, pinned, radius, margin, h, friction, pool, s, index, skin, position, rows, at
        )
        at = _sample_contacts(
            x, v, radius, margin, spacing, solid, h, friction, pool, s, index, low, high, skin,
            position, rows, at,
        )  # fmt: skip
    rows.count[0] = min(at, rows.gap.size)
    return at
