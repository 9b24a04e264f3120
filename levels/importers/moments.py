"""Mass, centre and inertia of shapes, and the axes in which an inertia is diagonal."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from levels.frames import Quat, Vec, add, rotate, scale, subtract

Matrix = tuple[Vec, Vec, Vec]  # rows
ZERO: Matrix = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@dataclass(frozen=True)
class Moments:
    """About the centre of mass, in the axes of whoever asked."""

    mass: float  # kg
    center: Vec  # m
    inertia: Matrix  # kg m²


def diagonal(x: float, y: float, z: float) -> Matrix:
    return ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z))


def turned(inertia: Matrix, q: Quat) -> Matrix:
    """R I Rᵀ."""
    axes = [rotate(q, e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]

    def entry(i: int, j: int) -> float:
        return sum(axes[k][i] * inertia[k][m] * axes[m][j] for k in range(3) for m in range(3))

    return tuple(tuple(entry(i, j) for j in range(3)) for i in range(3))  # type: ignore[return-value]


def moved(moments: Moments, position: Vec, q: Quat) -> Moments:
    """In the axes in which the old ones stand at `position`, turned by q."""
    center = add(position, rotate(q, moments.center))
    return Moments(moments.mass, center, turned(moments.inertia, q))


def together(parts: Sequence[Moments]) -> Moments:
    """Of several rigidly joined: parallel axes, I + m (|d|² 1 - d dᵀ)."""
    mass = sum(part.mass for part in parts)
    if mass <= 0.0:
        return Moments(0.0, (0.0, 0.0, 0.0), ZERO)
    center = (0.0, 0.0, 0.0)
    for part in parts:
        center = add(center, scale(part.center, part.mass / mass))
    rows = [[0.0] * 3 for _ in range(3)]
    for part in parts:
        d = subtract(part.center, center)
        square = d[0] ** 2 + d[1] ** 2 + d[2] ** 2
        for i in range(3):
            for j in range(3):
                offset = part.mass * ((square if i == j else 0.0) - d[i] * d[j])
                rows[i][j] += part.inertia[i][j] + offset
    return Moments(mass, center, tuple(map(tuple, rows)))  # type: ignore[arg-type]


def of_shape(kind: str, size: Sequence[float], mass: float | None, density: float) -> Moments:
    """Of a solid shape about its own centre; sizes as in `articulation.Geometry`."""
    volume, per_mass = _unit_moments(kind, size)
    weight = density * volume if mass is None else mass
    return Moments(weight, (0.0, 0.0, 0.0), diagonal(*(weight * part for part in per_mass)))


def _unit_moments(kind: str, size: Sequence[float]) -> tuple[float, Vec]:
    """Volume, and inertia for a mass of one; round things lie along y."""
    if kind == "sphere":
        (r,) = size
        return 4.0 / 3.0 * math.pi * r**3, (0.4 * r * r,) * 3
    if kind == "box":
        a, b, c = size
        return a * b * c, ((b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12)
    if kind == "ellipsoid":
        a, b, c = size
        fifths = ((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5)
        return 4.0 / 3.0 * math.pi * a * b * c, fifths
    r, length = size
    if kind == "cylinder":
        across = (3 * r * r + length * length) / 12
        return math.pi * r * r * length, (across, 0.5 * r * r, across)
    if kind != "capsule":
        raise ValueError(f'no moments of a "{kind}"')
    tube, ball = math.pi * r * r * length, 4.0 / 3.0 * math.pi * r**3
    volume = tube + ball
    share, rest = tube / volume, ball / volume
    # half a ball has its centre 3r/8 from its flat side, where the tube ends
    end = 0.4 * r * r + 0.25 * length * length + 0.375 * length * r
    across = share * (3 * r * r + length * length) / 12 + rest * end
    along = share * 0.5 * r * r + rest * 0.4 * r * r
    return volume, (across, along, across)


def principal(inertia: Matrix) -> tuple[Vec, Quat]:
    """Principal moments and the turn from principal axes to the given ones (Jacobi's rotations)."""
    a = [list(row) for row in inertia]
    v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    for _ in range(50):
        p, q = max(((0, 1), (0, 2), (1, 2)), key=lambda pq: abs(a[pq[0]][pq[1]]))
        if abs(a[p][q]) <= 1e-16 * (abs(a[p][p]) + abs(a[q][q])):
            break
        _rotate_away(a, v, p, q)
    if _determinant(v) < 0.0:
        for row in v:
            row[0] = -row[0]
    return (a[0][0], a[1][1], a[2][2]), _quaternion(v)


def is_possible(inertia: Matrix) -> bool:
    """Whether a mass can have it: no principal moment is below zero or above the other two."""
    values, _ = principal(inertia)
    return min(values) > 0.0 and 2.0 * max(values) <= sum(values) * (1.0 + 1e-9)


def _rotate_away(a: list[list[float]], v: list[list[float]], p: int, q: int) -> None:
    """a ← JᵀaJ and v ← vJ with the rotation J in the plane (p, q) that makes a[p][q] zero."""
    theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q])
    t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1.0))
    c = 1.0 / math.sqrt(t * t + 1.0)
    s = t * c
    for k in range(3):
        a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
    for k in range(3):
        a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
    for k in range(3):
        v[k][p], v[k][q] = c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]


def _determinant(m: Sequence[Sequence[float]]) -> float:
    return (
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    )


def _quaternion(m: Sequence[Sequence[float]]) -> Quat:
    """Of a rotation matrix, by its largest component."""
    four = [
        1.0 + m[0][0] + m[1][1] + m[2][2],
        1.0 + m[0][0] - m[1][1] - m[2][2],
        1.0 - m[0][0] + m[1][1] - m[2][2],
        1.0 - m[0][0] - m[1][1] + m[2][2],
    ]
    i = max(range(4), key=four.__getitem__)
    big = 0.5 * math.sqrt(four[i])
    wx, wy, wz = m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]
    xy, xz, yz = m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]
    small = ((wx, wy, wz), (wx, xy, xz), (wy, xy, yz), (wz, xz, yz))[i]
    rest = [0.25 * part / big for part in small]
    rest.insert(i, big)
    w, x, y, z = rest
    return (w, x, y, z)


matrix_quaternion = _quaternion
