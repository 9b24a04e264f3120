"""Paths that a body goes along by itself: through points at given times, straight or smooth.

Smooth is the cubic Hermite spline whose slope at a point is that between its two neighbours
(Catmull and Rom's, for times that need not be equally far apart); at an end that does not go on it
is zero, so that the body starts and stops without a jerk. Degrees are interpolated as numbers: a
turn from 0 to 720 goes round twice.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from levels.motion_tables import Motion

Point = Sequence[float]
_ZERO: Point = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Path:
    """Offsets and degrees at times; `loop` goes on from the last to the first."""

    times: tuple[float, ...]
    points: tuple[Point, ...]
    turns: tuple[Point, ...]
    loop: bool
    smooth: bool

    @classmethod
    def of(cls, table: Motion) -> "Path":
        count = len(table.path or table.turns or ())
        points: tuple[Point, ...] = tuple(table.path or ()) or (_ZERO,) * count
        turns: tuple[Point, ...] = tuple(table.turns or ()) or (_ZERO,) * count
        times = tuple(table.times or (float(i) for i in range(count)))
        if table.loop:  # the way back takes as long as the mean of the others
            back = (times[-1] - times[0]) / (count - 1)
            times = (*times, times[-1] + back)
            points, turns = (*points, points[0]), (*turns, turns[0])
        return cls(times, points, turns, table.loop, table.smooth)


def offset_at(path: Path, time: float) -> tuple[Point, Point]:
    """Offset (m) and degrees at a time (s)."""
    times = path.times
    first, last = times[0], times[-1]
    if path.loop and time > last:
        time = first + (time - first) % (last - first)
    time = min(max(time, first), last)
    i = min(max(bisect_right(times, time) - 1, 0), len(times) - 2)
    return _between(path, path.points, i, time), _between(path, path.turns, i, time)


def _between(path: Path, values: Sequence[Point], i: int, time: float) -> Point:
    span = path.times[i + 1] - path.times[i]
    s = (time - path.times[i]) / span
    a, b = values[i], values[i + 1]
    if not path.smooth:
        return tuple(p + s * (q - p) for p, q in zip(a, b, strict=True))
    # the Hermite basis: values at both ends and slopes at both ends
    rise, start, end = s * s * (3 - 2 * s), s * (1 - s) * (1 - s), s * s * (s - 1)
    slopes = zip(_slope(path, values, i), _slope(path, values, i + 1), strict=True)
    return tuple(
        p + rise * (q - p) + span * (start * m + end * n)
        for p, q, (m, n) in zip(a, b, slopes, strict=True)
    )


def _slope(path: Path, values: Sequence[Point], i: int) -> Point:
    """Of the curve at the i-th point, per second."""
    last = len(values) - 1
    if 0 < i < last:
        before, after, span = values[i - 1], values[i + 1], path.times[i + 1] - path.times[i - 1]
    elif path.loop:
        span = (path.times[1] - path.times[0]) + (path.times[last] - path.times[last - 1])
        before, after = values[last - 1], values[1]
    else:
        return _ZERO
    return tuple((q - p) / span for p, q in zip(before, after, strict=True))
