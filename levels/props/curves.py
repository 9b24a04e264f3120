"""Curves along which ropes are laid: straight when tight, sagging when there is length to spare."""

from itertools import pairwise

from levels.frames import Vec, add, added, cross, distance, length, mix, scale, subtract, unit

_UP: Vec = (0.0, 1.0, 0.0)
_BISECTIONS = 45  # halves a sag of kilometres to below a nanometre


def laid(a: Vec, b: Vec, total: float, pieces: int) -> list[Vec]:
    """`pieces` + 1 points from a to b, equally spaced on a line of the given total length."""
    straight = distance(a, b)
    if total <= straight * (1 + 1e-9):
        return [mix(a, b, i / pieces) for i in range(pieces + 1)]
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
    return [add(mix(a, b, s), scale(down, 4 * sag * s * (1 - s))) for s in shares]


def _length(points: list[Vec]) -> float:
    return added(distance(p, q) for p, q in pairwise(points))


def _resampled(points: list[Vec], pieces: int) -> list[Vec]:
    """The same curve with equal spacing along it."""
    step = _length(points) / pieces
    result, left = [points[0]], step
    for p, q in pairwise(points):
        span = distance(p, q)
        while span > left and len(result) < pieces:
            p = mix(p, q, left / span)
            result.append(p)
            span, left = distance(p, q), step
        left -= span
    return [*result[:pieces], points[-1]]


def tangent(a: Vec, b: Vec) -> Vec:
    return unit(subtract(b, a))
