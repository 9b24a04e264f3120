"""Rigid placement: where a prefab or prop sits, in plain tuples (they are faster than arrays here).

Quaternions are (w, x, y, z).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Vec = tuple[float, float, float]
Quat = tuple[float, float, float, float]
Point = Sequence[float]

IDENTITY: Quat = (1.0, 0.0, 0.0, 0.0)


def vec(values: Iterable[float]) -> Vec:
    x, y, z = values
    return (float(x), float(y), float(z))


def add(a: Point, b: Point) -> Vec:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract(a: Point, b: Point) -> Vec:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(a: Point, factor: float) -> Vec:
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def lerp(a: Point, b: Point, share: float) -> Vec:
    """a for share 0, b for share 1."""
    return add(scale(a, 1 - share), scale(b, share))


def dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Point, b: Point) -> Vec:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def length(a: Point) -> float:
    return math.sqrt(dot(a, a))


def added(numbers: Iterable[float]) -> float:
    """Added one after the other. sum() corrects its rounding from Python 3.12 on, and a level must
    give the same bits on all of them."""
    found = 0.0
    for number in numbers:
        found += number
    return found


def distance(a: Point, b: Point) -> float:
    return length(subtract(a, b))


def unit(a: Point) -> Vec:
    return scale(a, 1 / length(a))


def multiply(p: Quat, q: Quat) -> Quat:
    """The rotation q, then p."""
    pw, px, py, pz = p
    qw, qx, qy, qz = q
    return (
        pw * qw - px * qx - py * qy - pz * qz,
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
    )


def rotate(q: Quat, v: Point) -> Vec:
    if q == IDENTITY:
        return (v[0], v[1], v[2])
    w, axis = q[0], (q[1], q[2], q[3])
    t = scale(cross(axis, v), 2.0)
    return add(add(v, scale(t, w)), cross(axis, t))


def inverse_rotate(q: Quat, v: Point) -> Vec:
    return rotate((q[0], -q[1], -q[2], -q[3]), v)


def about(axis: Point, angle: float) -> Quat:
    """Rotation by `angle` radians about a unit axis."""
    s = math.sin(angle / 2)
    return (math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s)


def from_degrees(angles: Point) -> Quat:
    """About x, then y, then z, all world axes."""
    x, y, z = (math.radians(angle) for angle in angles)
    turn_x, turn_y = about((1, 0, 0), x), about((0, 1, 0), y)
    return multiply(about((0, 0, 1), z), multiply(turn_y, turn_x))


def along(direction: Point) -> Quat:
    """The shortest rotation that takes +y, the axis of capsules, to `direction`."""
    x, y, z = unit(direction)
    if y < -1 + 1e-12:
        return (0.0, 1.0, 0.0, 0.0)
    w = math.sqrt((1 + y) / 2)
    return (w, z / (2 * w), 0.0, -x / (2 * w))


@dataclass(frozen=True)
class Frame:
    """A rigid placement with its motion: local → world."""

    position: Vec = (0.0, 0.0, 0.0)
    orientation: Quat = IDENTITY
    velocity: Vec = (0.0, 0.0, 0.0)
    angular_velocity: Vec = (0.0, 0.0, 0.0)

    def point(self, local: Point) -> Vec:
        return add(self.position, rotate(self.orientation, local))

    def direction(self, local: Point) -> Vec:
        return rotate(self.orientation, local)

    def velocity_at(self, local: Point, velocity: Point) -> Vec:
        """World velocity of a local point that itself moves with the local `velocity`."""
        arm = rotate(self.orientation, local)
        moved = add(self.velocity, cross(self.angular_velocity, arm))
        return add(moved, rotate(self.orientation, velocity))

    def within(self, outer: "Frame") -> "Frame":
        """This placement, given in the axes of `outer`, as seen from the world."""
        return Frame(
            outer.point(self.position),
            multiply(outer.orientation, self.orientation),
            outer.velocity_at(self.position, self.velocity),
            add(outer.angular_velocity, outer.direction(self.angular_velocity)),
        )
