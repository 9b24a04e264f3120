"""When a body first meets another on the way it really took, turning included.

Detection looks along the velocities that a step begins with. Joints, impacts and what a step solves
take bodies elsewhere, so afterwards, with start and end poses known, `first_impact` asks whether
anything passed through something. Between them a body's centre moves along a line and the body
turns at a constant rate about an axis. At distance d along n no point closes the gap faster than

    -n·(Δp_a - Δp_b) + θ_a R_a + θ_b R_b,

R the farthest point of the shape from its body's centre, so advancing by d over that never passes
the touch (conservative advancement [Mirtich96]).
"""

import math
from typing import NamedTuple

from physics.collision.arrays import DEAD, MESH, MOVING, PLANE, Floats
from physics.collision.broadphase import may_collide
from physics.collision.gjk import distance, support
from physics.collision.mesh import facing_triangle, local_box, next_triangle
from physics.collision.polytope import load_core, plain_core
from physics.collision.poses import rest_margin, write_matrix
from physics.collision.tolerances import SWEEP_TARGET
from physics.collision.tree import overlap, skip
from physics.collision.vec import (
    add,
    along,
    dot,
    length,
    load,
    put,
    quat_product,
    quat_turn,
    scale,
    sub,
    to_world,
    vector,
)
from physics.jit import kernel

_STILL = (0.0, 0.0, 0.0)
_MAX_ITERATIONS = 60
_DEEP_SHARE = 0.5  # of the thinner shape's thickness: contacts that did not converge stay below it


class Path(NamedTuple):
    """Where bodies were when the step began, and are now."""

    start_position: Floats
    start_orientation: Floats
    end_position: Floats
    end_orientation: Floats


@kernel
def _quaternion(q, b):
    return (q[b, 0], q[b, 1], q[b, 2], q[b, 3])


@kernel
def turn_between(start, end):
    """(axis, angle in [0, π]) of the turn from one unit quaternion to another, world axes."""
    back = (start[0], -start[1], -start[2], -start[3])
    q = quat_product(end, back)
    if q[0] < 0.0:
        q = (-q[0], -q[1], -q[2], -q[3])
    size = length((q[1], q[2], q[3]))
    if size < 1e-12:
        return (0.0, 1.0, 0.0), 0.0
    return (q[1] / size, q[2] / size, q[3] / size), 2.0 * math.atan2(size, q[0])


@kernel
def _pose(path, b, t, s):
    """Puts shape s of body b where it is at time t of the path; writes its position and matrix."""
    p, q = load(path.start_position, b), _quaternion(path.start_orientation, b)
    axis, angle = turn_between(q, _quaternion(path.end_orientation, b))
    half = 0.5 * t * angle
    q = quat_product((math.cos(half), *scale(axis, math.sin(half))), q)
    p = along(p, sub(load(path.end_position, b), p), t)
    put(add(p, quat_turn(q, vector(s.offset))), s.position)
    own = (s.turned[0], s.turned[1], s.turned[2], s.turned[3])
    write_matrix(quat_product(q, own), s.matrix)


@kernel
def _way(path, b):
    return sub(load(path.end_position, b), load(path.start_position, b))


@kernel
def _turning(path, s):
    """How far turning may move a point of the shape within the step [m]."""
    q = _quaternion(path.start_orientation, s.body)
    _, angle = turn_between(q, _quaternion(path.end_orientation, s.body))
    return angle * (length(vector(s.offset)) + s.reach + s.radius)


@kernel
def thickness(s):
    """Half the width of a shape where it is thinnest [m]."""
    if s.kind >= PLANE:
        return math.inf
    return min(s.extent[0], s.extent[1], s.extent[2]) + s.radius if s.edges > 1 else s.radius


@kernel
def may_have_passed(path, h, s):
    """Whether a shape moved by more than its thickness, or elsewhere than detection looked."""
    way, turning = _way(path, s.body), _turning(path, s)
    if length(way) + turning > max(thickness(s), rest_margin(h)):
        return True
    at = add(load(path.start_position, s.body), way)
    q = _quaternion(path.end_orientation, s.body)
    at = add(at, quat_turn(q, vector(s.offset)))
    off = length(sub(at, add(vector(s.position), vector(s.motion))))
    return off + max(turning - s.turn, 0.0) > rest_margin(h)


@kernel
def _core_gap(pool, a, b, work):
    """(gap of the surfaces, normal from b to a) where shapes a and b are; b may be a plane."""
    own = load_core(pool, a, _STILL, work.points_a)
    if b.kind == PLANE:
        n = to_world(b.matrix, vector(b.extent))
        low, _ = support(own, scale(n, -1.0))
        return dot(n, sub(low, vector(b.position))) - a.radius, n
    other = load_core(pool, b, _STILL, work.points_b)
    gap, apart, _ = distance(own, other, work)
    if gap == 0.0:
        return -1.0, _STILL
    return gap - a.radius - b.radius, scale(apart, 1.0 / gap)


@kernel
def _triangle_gap(pool, a, mesh, triangle, eye, work):
    """(gap, normal from the mesh to a) of a shape and one triangle, seen from `eye`."""
    own = load_core(pool, a, _STILL, work.points_a)
    tri, _ = facing_triangle(pool, mesh, triangle, eye, work)
    if not mesh.two_sided and dot(load(tri.normals, 0), sub(eye, load(tri.points, 0))) < 0.0:
        return math.inf, _STILL  # it came from behind
    gap, apart, _ = distance(own, plain_core(tri.points), work)
    if gap == 0.0:
        return -1.0, _STILL
    return gap - a.radius, scale(apart, 1.0 / gap)


@kernel
def _advance(path, pool, a, b, triangle, near, limit, work):
    """(time, normal) at which shapes a and b first touch before `limit`; time 2 if they do not.

    Two that are nearer than `near` when the step begins are left to their contacts.
    """
    closing = sub(_way(path, a.body), _way(path, b.body))
    turning = _turning(path, a) + _turning(path, b)
    _pose(path, a.body, 0.0, a)
    eye, time, n = vector(a.position), 0.0, _STILL
    for _ in range(_MAX_ITERATIONS):
        _pose(path, a.body, time, a)
        _pose(path, b.body, time, b)
        if triangle >= 0:
            gap, n = _triangle_gap(pool, a, b, triangle, eye, work)
        else:
            gap, n = _core_gap(pool, a, b, work)
        if time == 0.0 and gap <= near:
            return 2.0, n
        if gap <= SWEEP_TARGET:
            return time, n
        rate = turning - dot(n, closing)
        if rate * (limit - time) < gap - SWEEP_TARGET:
            return 2.0, n
        time += (gap - 0.5 * SWEEP_TARGET) / rate
    return time, n


@kernel
def _ends_inside(path, pool, a, b, triangle, n, depth, work):
    """Whether at the end a lies deeper behind b's surface along n than `depth`."""
    _pose(path, a.body, 1.0, a)
    _pose(path, b.body, 1.0, b)
    low, _ = support(load_core(pool, a, _STILL, work.points_a), scale(n, -1.0))
    if b.kind == PLANE:
        high = vector(b.position)
    elif triangle >= 0:
        tri, _ = facing_triangle(pool, b, triangle, add(vector(a.position), n), work)
        high, _ = support(plain_core(tri.points), n)
    else:
        high, _ = support(load_core(pool, b, _STILL, work.points_b), n)
    return dot(n, sub(low, high)) - a.radius - b.radius < -depth


@kernel
def _pair_impact(path, pool, a, b, near, depth, limit, box, work):
    """(time, normal) of the first impact of two shapes before `limit` that ends inside; or 2."""
    if b.kind != MESH:
        time, n = _advance(path, pool, a, b, -1, near, limit, work)
        touched = time < limit and dot(n, n) > 0.0
        if touched and _ends_inside(path, pool, a, b, -1, n, depth, work):
            return time, n
        return 2.0, _STILL
    _pose(path, b.body, 0.0, b)
    c, half = local_box(b, (box[0], box[1], box[2]), (box[3], box[4], box[5]))
    best, normal = 2.0, _STILL
    triangle, node = next_triangle(pool, b, c, half, 0)
    while triangle >= 0:
        time, n = _advance(path, pool, a, b, triangle, near, min(limit, best), work)
        touched = time < min(limit, best) and dot(n, n) > 0.0
        if touched and _ends_inside(path, pool, a, b, triangle, n, depth, work):
            best, normal = time, n
        triangle, node = next_triangle(pool, b, c, half, node)
    return best, normal


@kernel
def _path_box(path, s, box):
    """Writes a box that holds the shape all the way."""
    wide = length(vector(s.offset)) + s.reach + s.radius
    p, q = load(path.start_position, s.body), load(path.end_position, s.body)
    for axis in range(3):
        box[axis] = min(p[axis], q[axis]) - wide
        box[axis + 3] = max(p[axis], q[axis]) + wide


@kernel
def _try(path, collider, s, other, h, depth, best, box):
    """The earlier of `best` and the impact of the two shapes: (time, shape, other, normal)."""
    shapes, pool, work = collider.shapes, collider.pool, collider.work[0]
    a, b = shapes[s], shapes[other]
    if not may_collide(collider.excluded, a, b) or a.passes + b.passes > 0:
        return best
    swapped = a.kind > b.kind
    first, second = (b, a) if swapped else (a, b)
    if first.kind >= PLANE:
        return best
    near, depth = rest_margin(h), max(depth, _DEEP_SHARE * min(thickness(a), thickness(b)))
    time, n = _pair_impact(path, pool, first, second, near, depth, best[0], box, work)
    _pose(path, a.body, 0.0, a)
    _pose(path, b.body, 0.0, b)
    if time >= best[0]:
        return best
    return time, s, other, scale(n, -1.0) if swapped else n


@kernel
def _impact_of(path, collider, s, h, depth, best):
    """The earlier of `best` and the first impact of shape s, which moves."""
    shapes, space = collider.shapes, collider.space
    box = collider.work[0].box
    for k in range(1, space.planes[0] + 1):
        _path_box(path, shapes[s], box)
        best = _try(path, collider, s, space.planes[k], h, depth, best, box)
    leaves, node = space.leaves[0], 1
    while True:
        _path_box(path, shapes[s], box)
        if overlap(box, space.tree_box, node):
            if node < leaves:
                node *= 2
                continue
            best = _try(path, collider, s, space.order[0, node - leaves], h, depth, best, box)
        node = skip(node)
        if node == 1:
            return best


@kernel
def first_impact(path, collider, h, depth):
    """(share of the step, shape, other shape, normal from the other): the first impact; share 1
    and -1, -1 if there is none.

    Looked at are shapes that moved by more than their thickness or elsewhere than the last `detect`
    looked, which must have been for the same start. An impact counts if the two end deeper inside
    or beyond each other than `depth` [m] and half of the thinner one. Uses the working room.
    """
    shapes = collider.shapes
    best = (1.0, -1, -1, _STILL)
    for s in range(collider.space.span[0]):
        a = shapes[s]
        if a.kind != DEAD and a.movable == MOVING and may_have_passed(path, h, a):
            best = _impact_of(path, collider, s, h, depth, best)
    return best


@kernel
def mark_passed(path, collider, h, depth, mark):
    """How many bodies passed something, as `first_impact` sees it; writes mark of them, and of what
    they passed: 1."""
    shapes = collider.shapes
    found = 0
    for s in range(collider.space.span[0]):
        a = shapes[s]
        if a.kind == DEAD or a.movable != MOVING or not may_have_passed(path, h, a):
            continue
        _, passes, other, _ = _impact_of(path, collider, s, h, depth, (1.0, -1, -1, _STILL))
        if passes >= 0:
            found += mark[a.body] == 0
            mark[a.body], mark[shapes[other].body] = 1, 1
    return found
