"""The player's camera: orbit, pan, zoom to the pointer, frame; flat for two-dimensional levels.

An orbit camera is a pivot, two angles and a distance. A flat one looks along −z and has a height
in metres instead of a distance. All motion goes to goal values that the camera eases towards, so
nothing jumps; `jump` does, for tests and for reduced motion.

Poses are meant for a picture of 16:9. What of the window the panels leave free may be narrower and
off its middle: then the lens is wider and shifted, so that the same is seen, in the free part.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from sandbox.render.view import View

Array = npt.NDArray[np.floating]

_STEEPEST = np.radians(88.0)
_LOWEST = np.radians(-12.0)  # a little below the horizon, to look up at a load
_EASE = 14.0  # 1/s
_ARRIVED = 3e-5  # rad, or of the distance
_COMPOSED = 16 / 9  # width over height that levels are framed for
_WIDEST = 2.2  # times the angle; a free strip narrower than that shows less
_WHOLE = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True)
class Pose:
    """pivot in metres, yaw and pitch in radians, distance (3-D) or height of the view (2-D)."""

    pivot: tuple[float, float, float] = (0.0, 4.0, 0.0)
    yaw: float = 0.35
    pitch: float = 0.09
    distance: float = 30.0


@dataclass
class Camera:
    flat: bool = False
    fov: float = float(np.radians(36.0))
    goal: Pose = field(default_factory=Pose)
    pose: Pose = field(default_factory=Pose)
    aspect: float = 16 / 9
    floor: float | None = 0.0  # the eye stays above this height
    still: bool = False  # reduced motion: jump instead of easing
    free: tuple[float, float, float, float] = _WHOLE  # left, top, right, bottom, of the window
    middle: tuple[float, float, float] = (0.0, 0.0, 0.0)  # of the level, m
    reach: float = float("inf")  # m: how far from it one can go and look
    shake: tuple[float, float] = (0.0, 0.0)  # of the picture, in half pictures
    _lens: tuple[float, float, float] = (1.0, 0.0, 0.0)  # widening, shift right and up
    _last_view: View | None = field(default=None, repr=False)

    def update(self, frame: float) -> None:
        """Ease towards the goal; independent of the frame rate."""
        t = 1.0 - float(np.exp(-_EASE * max(frame, 0.0)))
        self._ease_lens(1.0 if self.still else t)
        if self.still or self._has_arrived():
            self.pose = self.goal
            return None
        a, b = self.pose, self.goal
        pivot = tuple(x + t * (y - x) for x, y in zip(a.pivot, b.pivot, strict=True))
        distance = float(np.exp(np.log(a.distance) * (1 - t) + np.log(b.distance) * t))
        self.pose = Pose(
            (pivot[0], pivot[1], pivot[2]),
            a.yaw + t * (b.yaw - a.yaw),
            a.pitch + t * (b.pitch - a.pitch),
            distance,
        )
        return None

    def _has_arrived(self) -> bool:
        """Closer than a tenth of a pixel shows: pictures from a standing camera cost less."""
        a, b = self.pose, self.goal
        if a is b:
            return True
        moved = max(abs(x - y) for x, y in zip(a.pivot, b.pivot, strict=True)) / b.distance
        turned = max(abs(a.yaw - b.yaw), abs(a.pitch - b.pitch))
        return max(moved, turned, abs(a.distance / b.distance - 1.0)) < _ARRIVED

    def jump(self) -> None:
        self.pose = self.goal
        self._ease_lens(1.0)

    def jump_lens(self) -> None:
        """See the window as it is from the first picture on."""
        self._ease_lens(1.0)

    def _ease_lens(self, t: float) -> None:
        goal = self._lens_goal()
        eased = [a + t * (b - a) for a, b in zip(self._lens, goal, strict=True)]
        if max(abs(a - b) for a, b in zip(eased, goal, strict=True)) < _ARRIVED:
            self._lens = goal
        else:
            self._lens = (eased[0], eased[1], eased[2])

    def _lens_goal(self) -> tuple[float, float, float]:
        """How much wider the lens must be, and where the middle of the free part is."""
        left, top, right, bottom = self.free
        wide, tall = max(right - left, 0.05), max(bottom - top, 0.05)
        share = min(self.aspect * wide / _COMPOSED, tall)  # of the height that a 16:9 picture has
        return min(max(1.0 / share, 1.0), _WIDEST), left + right - 1.0, 1.0 - top - bottom

    def view(self) -> View:
        """The same object while nothing about it changes: it keeps its matrices."""
        view = self._view(self.pose)
        if self._last_view is None or view != self._last_view:
            self._last_view = view
        return self._last_view

    def _view(self, pose: Pose) -> View:
        pivot = np.asarray(pose.pivot)
        wider, *shift = self._lens
        right, up = (a + b for a, b in zip(shift, self.shake, strict=True))
        if self.flat:
            eye, tall = pivot + np.array((0.0, 0.0, 60.0)), wider * pose.distance
            where = _triple(eye), _triple(pivot)
            return View(*where, self.aspect, height=tall, far=200.0, shift=(right, up))
        eye = pivot + pose.distance * _direction(pose.yaw, pose.pitch)
        if self.floor is not None:
            eye[1] = max(eye[1], self.floor + 0.25)
        near = float(np.clip(0.01 * pose.distance, 0.05, 0.5))
        fov = 2.0 * float(np.arctan(wider * np.tan(self.fov / 2)))
        return View(_triple(eye), _triple(pivot), self.aspect, fov, near=near, shift=(right, up))

    def orbit(self, dx: float, dy: float) -> None:
        """dx, dy as fractions of the window; a full width is a full turn."""
        if self.flat:
            return self.pan(dx, dy)
        pitch = float(np.clip(self.goal.pitch + 2.2 * dy, _LOWEST, _STEEPEST))
        self.goal = replace(self.goal, yaw=self.goal.yaw - 2 * np.pi * dx, pitch=pitch)
        return None

    def pan(self, dx: float, dy: float) -> None:
        """The point under the pointer follows it: dx, dy are fractions of the window."""
        view = self._view(self.goal)
        right, up, _ = view.axes()
        tall = view.height or 2 * self.goal.distance * np.tan(view.fov / 2)
        shift = -right * (dx * tall * self.aspect) + up * (dy * tall)
        self.goal = replace(self.goal, pivot=self._within(np.asarray(self.goal.pivot) + shift))

    def _within(self, pivot: Array) -> tuple[float, float, float]:
        """Not so far from the level that nothing of it could be seen."""
        away = pivot - np.asarray(self.middle)
        far = float(np.linalg.norm(away))
        return _triple(pivot if far <= self.reach else self.middle + away * (self.reach / far))

    def zoom(self, notches: float, x: float = 0.5, y: float = 0.5) -> None:
        """Towards the pointer at (x, y): what is under it stays under it."""
        factor = float(0.88**notches)
        farthest = min(3.0 * self.reach, 2000.0)
        distance = float(np.clip(self.goal.distance * factor, 0.3, farthest))
        factor = distance / self.goal.distance
        under = self._under(x, y)
        pivot = np.asarray(self.goal.pivot)
        pivot = under + (pivot - under) * factor
        self.goal = replace(self.goal, pivot=self._within(pivot), distance=distance)

    def _under(self, x: float, y: float) -> Array:
        """The point under the pointer on the plane through the pivot that faces the camera."""
        view = self._view(self.goal)
        origin, direction = view.ray(x, y)
        forward = view.axes()[2]
        along = float((np.asarray(self.goal.pivot) - origin) @ forward)
        return origin + direction * along / max(float(direction @ forward), 1e-3)

    def frame(self, center: Array, radius: float) -> None:
        """Show a ball whole."""
        radius = max(float(radius), 0.3)
        distance = 2.3 * radius if self.flat else radius / np.sin(self.fov / 2)
        self.goal = replace(self.goal, pivot=_triple(center), distance=float(distance))

    def look_from(self, eye: Array, target: Array) -> None:
        """Place the goal by an eye and a target point, as level files do."""
        offset = np.asarray(eye, float) - np.asarray(target, float)
        distance = max(float(np.linalg.norm(offset)), 0.3)
        pitch = float(np.arcsin(np.clip(offset[1] / distance, -1, 1)))
        yaw = float(np.arctan2(offset[0], offset[2]))
        self.goal = Pose(_triple(np.asarray(target, float)), yaw, pitch, distance)

    def drag_plane_point(self, x: float, y: float, through: Array) -> Array:
        """Where the pointer's ray meets the plane through a point that faces the camera.

        This is where a grabbed body is pulled: left-right and up-down on the screen.
        """
        view = self.view()
        origin, direction = view.ray(x, y)
        forward = view.axes()[2]
        along = float((np.asarray(through, float) - origin) @ forward)
        return origin + direction * (along / max(float(direction @ forward), 1e-3))


def _direction(yaw: float, pitch: float) -> Array:
    return np.array((np.sin(yaw) * np.cos(pitch), np.sin(pitch), np.cos(yaw) * np.cos(pitch)))


def _triple(v: Array) -> tuple[float, float, float]:
    return (float(v[0]), float(v[1]), float(v[2]))
