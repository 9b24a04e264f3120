"""Quaternions (w, x, y, z) in bulk: every function takes and returns stacks of shape (n, 4)."""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating]


def multiply(a: Array, b: Array) -> Array:
    """The rotations `a` after `b`, row by row."""
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    return np.stack(
        (
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ),
        axis=-1,
    )


def _cross(a: Array, b: Array) -> Array:
    """np.cross without its axis juggling, which costs more than the arithmetic."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=-1)


def rotate(q: Array, v: Array) -> Array:
    """v turned by q: v + 2w(u×v) + 2u×(u×v), with u the vector part."""
    u = q[..., 1:]
    t = 2.0 * _cross(u, v)
    return v + q[..., :1] * t + _cross(u, t)


def between(axis: Array, direction: Array) -> Array:
    """The shortest turns that carry the unit vector `axis` onto unit vectors `direction` (n, 3).

    Half-vector form; where the two are opposite the half vector vanishes and any perpendicular
    axis will do.
    """
    axis = np.broadcast_to(axis, direction.shape)
    w = 1.0 + np.sum(axis * direction, axis=-1, keepdims=True)
    xyz = _cross(axis, direction)
    flipped = w[..., 0] < 1e-9
    if np.any(flipped):
        helper = np.where(np.abs(axis[..., :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
        xyz = np.where(flipped[..., None], _cross(axis, helper), xyz)
        w = np.where(flipped[..., None], 0.0, w)
    return normalized(np.concatenate((w, xyz), axis=-1))


def normalized(v: Array) -> Array:
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.asarray(v / np.maximum(length, 1e-12))


def blend(a: Array, b: Array, alpha: float) -> Array:
    """Normalised lerp on the shorter arc: the error against slerp is below a pixel at one step."""
    sign = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    return normalized(a * (1.0 - alpha) + b * (alpha * sign))


def about(axis: tuple[float, float, float], angle: float) -> tuple[float, float, float, float]:
    """One turn of `angle` radians about `axis`."""
    unit = np.asarray(axis, float) / np.linalg.norm(axis)
    x, y, z = (float(value) for value in np.sin(angle / 2) * unit)
    return (float(np.cos(angle / 2)), x, y, z)


# Products of quaternions as matrices: element (i, j) is a component of q with a sign.
_PLACE = np.array([[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]])
_LEFT = np.array([[1, -1, -1, -1], [1, 1, -1, 1], [1, 1, 1, -1], [1, -1, 1, 1]], float)
_RIGHT_INVERSE = np.array([[1, 1, 1, 1], [-1, 1, -1, 1], [-1, 1, 1, -1], [-1, -1, 1, 1]], float)


def turning_matrices(q: Array) -> tuple[Array, Array]:
    """(n, 3, 3) with R v = q v q*, and (n, 4, 4) with L p = q p."""
    parts = q[:, _PLACE]
    left = parts * _LEFT
    return (left @ (parts * _RIGHT_INVERSE))[:, 1:, 1:], left
