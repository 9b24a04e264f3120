"""Curves along which ropes are laid: straight when tight, sagging when there is length to spare."""

import math
from itertools import pairwise

from levels.frames import Vec, add, added, cross, distance, dot, length, lerp, scale, subtract, unit

_UP: Vec = (0.0, 1.0, 0.0)
_BISECTIONS = 45  # halves a sag of kilometres to below a nanometre
_SMOOTHNESS = 12  # straight lines for a spline between two points


def laid(a: Vec, b: Vec, total: float, pieces: int) -> list[Vec]:
    """`pieces` + 1 points from a to b, equally spaced on a line of the given total length."""
    straight = distance(a, b)
    if total <= straight * (1 + 1e-9):
        return [lerp(a, b, i / pieces) for i in range(pieces + 1)]
    down = _sag_direction(a, b)
    fine = max(200, 4 * pieces)
    low, high = 0.0, total
    for _ in range(_BISECTIONS):
        sag = (low + high) / 2
        points = _resampled(_parabola(a, b, down, sag, fine), pieces)
        if _length(points) < total:  # the chords, which are what becomes the rope
            low = sag
        else:
            high = sag
    return points


def _sag_direction(a: Vec, b: Vec) -> Vec:
    """Downwards; sideways for ends above each other, where downwards would fold the rope up."""
    chord = subtract(b, a)
    side = cross(chord, _UP)
    if length(side) < 0.05 * max(length(chord), 1e-9):
        return (0.0, 0.0, 1.0) if abs(chord[2]) < length(chord) else (1.0, 0.0, 0.0)
    return scale(_UP, -1.0)


def _parabola(a: Vec, b: Vec, down: Vec, sag: float, pieces: int) -> list[Vec]:
    shares = (i / pieces for i in range(pieces + 1))
    return [add(lerp(a, b, s), scale(down, 4 * sag * s * (1 - s))) for s in shares]


def _length(points: list[Vec]) -> float:
    return added(distance(p, q) for p, q in pairwise(points))


def _resampled(points: list[Vec], pieces: int) -> list[Vec]:
    """The same curve with equal spacing along it."""
    step = _length(points) / pieces
    result, left = [points[0]], step
    for p, q in pairwise(points):
        span = distance(p, q)
        while span > left and len(result) < pieces:
            p = lerp(p, q, left / span)
            result.append(p)
            span, left = distance(p, q), step
        left -= span
    return [*result[:pieces], points[-1]]


def tangent(a: Vec, b: Vec) -> Vec:
    return unit(subtract(b, a))


def through(points: list[Vec], smooth: bool, pieces: int) -> list[Vec]:
    """`pieces` + 1 points along a line through points, each as far from the last as the others."""
    line = _smoothed(points) if smooth and len(points) > 2 else points
    low, high = 0.0, _length(line) / pieces
    for _ in range(_BISECTIONS):
        chord = (low + high) / 2
        if _strides(line, chord, pieces) is None:
            high = chord  # the end comes too soon
        else:
            low = chord
    return [*(_strides(line, low, pieces) or line)[:pieces], line[-1]]


def _smoothed(points: list[Vec]) -> list[Vec]:
    """A Catmull-Rom spline, as short straight lines."""
    ends = [
        subtract(scale(points[0], 2.0), points[1]),
        *points,
        subtract(scale(points[-1], 2.0), points[-2]),
    ]
    line = [points[0]]
    for p, q, r, s in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for k in range(1, _SMOOTHNESS + 1):
            line.append(_spline(p, q, r, s, k / _SMOOTHNESS))
    return line


def _spline(p: Vec, q: Vec, r: Vec, s: Vec, t: float) -> Vec:
    """Between q and r; the slope at each is half the way between its neighbours."""
    rise, start, end = t * t * (3 - 2 * t), t * (1 - t) * (1 - t), t * t * (t - 1)
    first, second = scale(subtract(r, p), 0.5), scale(subtract(s, q), 0.5)
    return add(lerp(q, r, rise), add(scale(first, start), scale(second, end)))


def _strides(line: list[Vec], chord: float, count: int) -> list[Vec] | None:
    """Points on the line, each `chord` from the last; None if the line is too short for them."""
    found, here = [line[0]], 0
    for _ in range(count):
        start = found[-1]
        for k in range(here, len(line) - 1):
            if distance(start, line[k + 1]) >= chord:
                found.append(_on_segment(start, line[k], line[k + 1], chord))
                here = k
                break
        else:
            return None
    return found


def _on_segment(start: Vec, a: Vec, b: Vec, chord: float) -> Vec:
    """The farther point of the straight line from a to b that is `chord` away from `start`."""
    along, off = subtract(b, a), subtract(a, start)
    squared, half = dot(along, along), dot(along, off)
    root = half * half - squared * (dot(off, off) - chord * chord)
    share = (math.sqrt(max(root, 0.0)) - half) / squared if squared else 1.0
    return lerp(a, b, min(max(share, 0.0), 1.0))
