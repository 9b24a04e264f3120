"""What the classics in the plane share: polygons as bodies, who touches the ground, a painter.

A polygon becomes a prism: the engine is three-dimensional and holds everything in the xy plane.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from physics import Handle, Hull, World
from sandbox.gym.screen import Picture

Point = tuple[float, float]
Floats = npt.NDArray[np.float64]

GROUND, PARTS = 1, 2  # collision groups: parts touch the ground and not each other
DEPTH = 0.3  # m, of the prisms
TOUCHING = 2e-3  # m: what is nearer to the ground stands on it


def area_and_middle(points: Sequence[Point]) -> tuple[float, Point]:
    """Of a polygon, by the sum over its edges."""
    area = x = y = 0.0
    for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True):
        part = x0 * y1 - x1 * y0
        area += 0.5 * part
        x += part * (x0 + x1) / 6.0
        y += part * (y0 + y1) / 6.0
    return abs(area), (x / area, y / area)


class Prism:
    """A polygon whose own origin need not be its middle."""

    def __init__(self, points: Sequence[Point], density: float) -> None:
        area, self.middle = area_and_middle(points)
        self.points = np.array(points, float) - self.middle
        self.mass = density * area  # kg for a depth of one metre, as engines of the plane count
        ends = [np.column_stack([self.points, np.full(len(points), z)])
                for z in (-0.5 * DEPTH, 0.5 * DEPTH)]  # fmt: skip
        self.shape = Hull(np.vstack(ends))

    def add(self, world: World, name: str, at: Point, angle: float = 0.0, **more: Any) -> Handle:
        """A body whose origin is at a point."""
        turned = turn(angle, self.middle)
        return world.add_body(
            name, self.shape, mass=self.mass, position=(at[0] + turned[0], at[1] + turned[1], 0.0),
            orientation=(math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle)),
            group=PARTS, mask=GROUND, **more,
        )  # fmt: skip

    def origin(self, motion: "Motion") -> Point:
        """Where the origin is when the centre of mass moves so."""
        turned = turn(motion.angle, self.middle)
        return motion.x - turned[0], motion.y - turned[1]

    def outline(self, position: Floats, angle: float) -> list[Point]:
        """Its corners in the world."""
        corners = (turn(angle, (float(x), float(y))) for x, y in self.points)
        return [(float(position[0]) + x, float(position[1]) + y) for x, y in corners]


def block(width: float, height: float, density: float) -> Prism:
    half, tall = 0.5 * width, 0.5 * height
    return Prism([(-half, -tall), (half, -tall), (half, tall), (-half, tall)], density)


def turn(angle: float, point: Point) -> Point:
    c, s = math.cos(angle), math.sin(angle)
    return c * point[0] - s * point[1], s * point[0] + c * point[1]


def angle_of(world: World, handle: Handle) -> float:
    w, _, _, z = world.orientation(handle).tolist()
    return 2.0 * math.atan2(z if w >= 0.0 else -z, abs(w))


class Motion:
    """Of a body in the plane, read once after a step."""

    __slots__ = ("angle", "spin", "vx", "vy", "x", "y")

    def __init__(self, world: World, handle: Handle) -> None:
        self.x, self.y, _ = world.position(handle).tolist()
        self.vx, self.vy, _ = world.velocity(handle).tolist()
        self.angle = angle_of(world, handle)
        self.spin = float(world.angular_velocity(handle)[2])


def standing(world: World) -> set[int]:
    """Slots of bodies that touch anything now."""
    contacts = world.contacts()
    if len(contacts) == 0:
        return set()
    found = contacts[contacts["depth"] > -TOUCHING]
    return {*found["a"].tolist(), *found["b"].tolist()}


class Painter:
    """Polygons in a view of the world, as a picture."""

    def __init__(self, size: tuple[int, int], scale: float, left: float = 0.0) -> None:
        self._size, self._scale, self._left = size, 2.0 * scale, left
        self._image = Image.new("RGB", (2 * size[0], 2 * size[1]), "#1c2230")
        self._draw = ImageDraw.Draw(self._image)

    def polygon(self, points: Iterable[Point], color: str) -> None:
        self._draw.polygon([self._place(point) for point in points], color)

    def line(self, points: Iterable[Point], color: str, width: int = 3) -> None:
        self._draw.line([self._place(point) for point in points], color, width)

    def _place(self, point: Point) -> Point:
        height = 2 * self._size[1]
        return (point[0] - self._left) * self._scale, height - point[1] * self._scale

    def picture(self) -> Picture:
        """Drawn twice as large, for smooth edges."""
        return np.array(self._image.resize(self._size, Image.Resampling.BOX))
