"""From world to screen: an eye, a direction and a projection, as matrices.

Column vectors, right-handed, y up; clip space of OpenGL (z in −w..w).
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating]


@dataclass(frozen=True)
class View:
    """Where the picture is taken from. `height` set: orthographic, that many metres tall."""

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    aspect: float = 16 / 9
    fov: float = np.radians(36.0)  # vertical, rad
    height: float | None = None
    up: tuple[float, float, float] = (0.0, 1.0, 0.0)
    near: float = 0.2
    far: float = 1500.0
    shift: tuple[float, float] = (0.0, 0.0)  # of the picture's middle, in half pictures: right, up

    def axes(self) -> tuple[Array, Array, Array]:
        """Unit right, up and forward."""
        return self._axes

    @cached_property
    def _axes(self) -> tuple[Array, Array, Array]:
        forward = _unit(*(b - a for a, b in zip(self.eye, self.target, strict=True)))
        right = _unit(*_cross(forward, self.up))
        return np.array(right), np.array(_cross(right, forward)), np.array(forward)

    def view_matrix(self) -> Array:
        right, up, forward = self.axes()
        matrix = np.eye(4)
        matrix[:3, :3] = np.stack((right, up, -forward))
        matrix[:3, 3] = -matrix[:3, :3] @ np.asarray(self.eye)
        return matrix

    def projection_matrix(self) -> Array:
        if self.height is not None:
            half = self.height / 2
            matrix = orthographic(half * self.aspect, half, self.near, self.far)
            matrix[:2, 3] += self.shift
            return matrix
        f = 1.0 / np.tan(self.fov / 2)
        n, far = self.near, self.far
        matrix = np.zeros((4, 4))
        matrix[0, 0], matrix[1, 1] = f / self.aspect, f
        matrix[2, 2], matrix[2, 3] = (far + n) / (n - far), 2 * far * n / (n - far)
        matrix[3, 2] = -1.0
        matrix[:2, 2] = np.negative(self.shift)  # w is -z
        return matrix

    def matrix(self) -> Array:
        return self._matrix

    @cached_property
    def _matrix(self) -> Array:
        return self.projection_matrix() @ self.view_matrix()

    def project(self, points: Array) -> Array:
        """(n, 3) world points to (n, 3): x and y in 0..1 from the top left, depth in front > 0."""
        points = np.atleast_2d(points)
        clip = np.hstack((points, np.ones((len(points), 1)))) @ self.matrix().T
        w = np.where(np.abs(clip[:, 3]) < 1e-9, 1e-9, clip[:, 3])
        x, y = clip[:, 0] / w, clip[:, 1] / w
        depth = (points - np.asarray(self.eye)) @ self.axes()[2]
        return np.stack((x * 0.5 + 0.5, 0.5 - y * 0.5, depth), axis=1)

    def ray(self, x: float, y: float) -> tuple[Array, Array]:
        """Origin and unit direction through a screen point, x and y in 0..1 from the top left."""
        right, up, forward = self.axes()
        sx, sy = 2 * x - 1 - self.shift[0], 1 - 2 * y - self.shift[1]
        if self.height is not None:
            half = self.height / 2
            origin = np.asarray(self.eye) + right * (sx * half * self.aspect) + up * (sy * half)
            return origin, forward
        tangent = np.tan(self.fov / 2)
        direction = forward + right * (sx * tangent * self.aspect) + up * (sy * tangent)
        return np.asarray(self.eye, float), direction / np.linalg.norm(direction)

    def pixel_size(self, distance: float, rows: int) -> float:
        """Metres that one pixel covers at a distance in front of the eye."""
        if self.height is not None:
            return self.height / rows
        return float(2 * distance * np.tan(self.fov / 2) / rows)


# Three-vectors as plain floats: numpy's overhead on arrays this small is ten times the work.
Triple = tuple[float, float, float]


def _unit(x: float, y: float, z: float) -> Triple:
    length = max(math.sqrt(x * x + y * y + z * z), 1e-9)
    return (x / length, y / length, z / length)


def _cross(a: Triple, b: Triple) -> Triple:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def orthographic(half_width: float, half_height: float, near: float, far: float) -> Array:
    matrix = np.eye(4)
    matrix[0, 0], matrix[1, 1] = 1 / half_width, 1 / half_height
    matrix[2, 2], matrix[2, 3] = -2 / (far - near), -(far + near) / (far - near)
    return matrix


@lru_cache(maxsize=8)
def light_matrix(
    direction: tuple[float, float, float],
    center: tuple[float, float, float],
    radius: float,
    texels: int,
) -> Array:
    """The sun's orthographic view of a ball; snapped to whole texels so that edges don't crawl."""
    sun = np.asarray(direction, float)
    sun /= np.linalg.norm(sun)
    reach = 3.0 * radius  # casters outside the ball still throw their shadow into it
    up = (0.0, 0.0, 1.0) if abs(sun[1]) > 0.99 else (0.0, 1.0, 0.0)
    away = (float(-sun[0]), float(-sun[1]), float(-sun[2]))
    rotation = View(eye=(0.0, 0.0, 0.0), target=away, up=up).view_matrix()[:3, :3]
    middle = rotation @ np.asarray(center)
    texel = 2 * radius / texels
    middle[:2] = np.round(middle[:2] / texel) * texel
    view = np.eye(4)
    view[:3, :3] = rotation
    view[:3, 3] = -middle
    view[2, 3] -= reach
    return orthographic(radius, radius, 0.0, 2 * reach) @ view
