"""World poses of the shapes and their boxes, swept over the step.

A box holds the shape now, the shape displaced by its own motion within the step, what turning may
add (bounded by h|ω| times the farthest core point) and half of the resting margin, so two boxes
that do not meet cannot touch before the next step.
"""

import math

from physics.collision.arrays import CAPSULE, DEAD, HULL, PLANE, ROUND, SPHERE
from physics.collision.tolerances import ACCELERATION, REST_MARGIN
from physics.collision.vec import (
    add,
    cross,
    length,
    load,
    put,
    quat_product,
    quat_turn,
    scale,
    vector,
)
from physics.jit import kernel


@kernel
def rest_margin(h):
    """Gap up to which contacts are reported even between bodies at rest [m]."""
    return REST_MARGIN + ACCELERATION * h * h


@kernel
def write_matrix(q, m):
    """Writes the rotation matrix of the unit quaternion q."""
    w, x, y, z = q
    m[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    m[0, 1] = 2.0 * (x * y - w * z)
    m[0, 2] = 2.0 * (x * z + w * y)
    m[1, 0] = 2.0 * (x * y + w * z)
    m[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    m[1, 2] = 2.0 * (y * z - w * x)
    m[2, 0] = 2.0 * (x * z - w * y)
    m[2, 1] = 2.0 * (y * z + w * x)
    m[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@kernel
def place(position, orientation, velocity, h, s):
    """Writes position, matrix, motion and turn of shape s."""
    body = s.body
    q = (orientation[body, 0], orientation[body, 1], orientation[body, 2], orientation[body, 3])
    p = (s.turned[0], s.turned[1], s.turned[2], s.turned[3])
    arm = quat_turn(q, vector(s.offset))
    spin = (velocity[body, 3], velocity[body, 4], velocity[body, 5])
    put(add(load(position, body), arm), s.position)
    write_matrix(quat_product(q, p), s.matrix)
    speed = add((velocity[body, 0], velocity[body, 1], velocity[body, 2]), cross(spin, arm))
    put(scale(speed, h), s.motion)
    s.turn = min(h * length(spin), 2.0) * s.reach


@kernel
def _core_half_width(s, axis):
    """Half the width of the core along a world axis, of all but hulls and round shapes."""
    if s.kind == SPHERE:
        return 0.0
    m, e = s.matrix, s.extent
    if s.kind == CAPSULE:
        return abs(m[axis, 1]) * e[1]
    return abs(m[axis, 0]) * e[0] + abs(m[axis, 1]) * e[1] + abs(m[axis, 2]) * e[2]


@kernel
def _hull_range(pool, s, axis):
    low, high = math.inf, -math.inf
    v, m = pool.vertices, s.matrix
    for k in range(s.vertex, s.vertex + s.vertices):
        x = m[axis, 0] * v[k, 0] + m[axis, 1] * v[k, 1] + m[axis, 2] * v[k, 2]
        low = min(low, x)
        high = max(high, x)
    return s.position[axis] + low, s.position[axis] + high


@kernel
def _round_range(s, axis):
    """Two disks of radii ρ about points of the axis u: each reaches ρ √(1 - u_axis²) aside."""
    u = s.matrix[axis, 1]
    aside = math.sqrt(max(1.0 - u * u, 0.0))
    low = min(s.rims[0] * u - s.rims[2] * aside, s.rims[1] * u - s.rims[3] * aside)
    high = max(s.rims[0] * u + s.rims[2] * aside, s.rims[1] * u + s.rims[3] * aside)
    return s.position[axis] + low, s.position[axis] + high


@kernel
def write_bounds(pool, margin, s):
    """Writes the box of shape s: itself, its motion, its turning, and the margin."""
    for axis in range(3):
        if s.kind == HULL:
            low, high = _hull_range(pool, s, axis)
        elif s.kind == ROUND:
            low, high = _round_range(s, axis)
        else:
            half = _core_half_width(s, axis)
            low, high = s.position[axis] - half, s.position[axis] + half
        wide = s.radius + s.turn + margin
        s.box[axis] = low + min(s.motion[axis], 0.0) - wide
        s.box[axis + 3] = high + max(s.motion[axis], 0.0) + wide


@kernel
def update_poses(position, orientation, velocity, h, pool, span, shapes):
    """Writes pose, motion and swept box of every living shape."""
    margin = 0.5 * rest_margin(h)
    for k in range(span):
        s = shapes[k]
        if s.kind == DEAD:
            continue
        place(position, orientation, velocity, h, s)
        if s.kind != PLANE:
            write_bounds(pool, margin, s)
