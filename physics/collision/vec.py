"""Three-vectors as tuples: they live in registers, so compiled geometry reads like the formulas.

Rotation matrices stay arrays m with x_world = m x_local.
"""

import math
from typing import Any

from physics.jit import kernel

Vec = Any  # a tuple of three floats inside kernels


@kernel
def load(array, i):
    return (array[i, 0], array[i, 1], array[i, 2])


@kernel
def store(v, array, i):
    """Writes row i of array."""
    array[i, 0] = v[0]
    array[i, 1] = v[1]
    array[i, 2] = v[2]


@kernel
def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


@kernel
def along(a, b, s):
    """a + s b."""
    return (a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2])


@kernel
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@kernel
def length(a):
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def unit(a, fallback):
    """a/|a|, or the fallback where a is too short to have a direction."""
    size = length(a)
    if size < 1e-12:
        return fallback
    return scale(a, 1.0 / size)


@kernel
def vector(field):
    """A three-element array as a vector."""
    return (field[0], field[1], field[2])


@kernel
def put(v, field):
    """Writes the three elements of an array."""
    field[0] = v[0]
    field[1] = v[1]
    field[2] = v[2]


@kernel
def column(m, k):
    """World direction of local axis k."""
    return (m[0, k], m[1, k], m[2, k])


@kernel
def to_world(m, v):
    """M v."""
    return (
        m[0, 0] * v[0] + m[0, 1] * v[1] + m[0, 2] * v[2],
        m[1, 0] * v[0] + m[1, 1] * v[1] + m[1, 2] * v[2],
        m[2, 0] * v[0] + m[2, 1] * v[1] + m[2, 2] * v[2],
    )


@kernel
def to_local(m, v):
    """Mᵀ v."""
    return (
        m[0, 0] * v[0] + m[1, 0] * v[1] + m[2, 0] * v[2],
        m[0, 1] * v[0] + m[1, 1] * v[1] + m[2, 1] * v[2],
        m[0, 2] * v[0] + m[1, 2] * v[1] + m[2, 2] * v[2],
    )


@kernel
def quat_product(p, q):
    """Hamilton product of (w, x, y, z) quaternions: first turn by q, then by p."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@kernel
def quat_turn(q, v):
    """Vector v turned by the unit quaternion q."""
    axis = (q[1], q[2], q[3])
    twice = scale(cross(axis, v), 2.0)
    return add(along(v, twice, q[0]), cross(axis, twice))


@kernel
def tangent(n):
    """A unit vector across n, the same for the same n and continuous away from its switch.

    The switch between the two branches lies at |n_y| = 0.9, so it never happens on level ground
    or upright walls, where contacts live longest.
    """
    if abs(n[1]) < 0.9:
        return unit((-n[2], 0.0, n[0]), (1.0, 0.0, 0.0))
    return unit((n[1], -n[0], 0.0), (1.0, 0.0, 0.0))
