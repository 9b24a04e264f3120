"""Drawn outlines as bodies: convex ones are hulls, others are cut into convex pieces."""

import numpy as np
import numpy.typing as npt

from levels.plain_data import TomlTable

Array = npt.NDArray[np.floating]
_FLAT_DEPTH, _HEIGHT = 1.0, 0.5  # m
_SMALLEST = 1e-3  # m²
_STRAY = 0.12  # m that a drawn line may leave its simplified one


def body_of(corners: Array, *, flat: bool) -> TomlTable:
    """The table of a body with this outline: in the plane of a flat level, or standing on the
    ground. ValueError says why it cannot be one."""
    outline = corners[:, [0, 1]] if flat else corners[:, [0, 2]]
    area = _area(outline)
    if _crosses(outline):
        raise ValueError("That outline crosses itself.")
    if abs(area) < _SMALLEST:
        raise ValueError("That outline is too thin to be a thing.")
    outline = outline if area > 0 else outline[::-1]
    middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
    local = outline - middle
    pieces = [_prism(piece, flat) for piece in convex_pieces(local)]
    if flat:
        origin = [float(middle[0]), float(middle[1])]
    else:
        origin = [float(middle[0]), float(corners[0, 1]), float(middle[1])]
    if len(pieces) == 1:
        return {"shape": "hull", "points": pieces[0], "origin": origin}
    parts = [{"shape": "hull", "points": piece} for piece in pieces]
    return {"shape": "compound", "parts": parts, "origin": origin}


def _prism(outline: Array, flat: bool) -> list[list[float]]:
    """Corners in front and behind, or below and above."""
    if flat:
        half = _FLAT_DEPTH / 2
        return [[float(x), float(y), z] for z in (-half, half) for x, y in outline]
    return [[float(x), y, float(z)] for y in (0.0, _HEIGHT) for x, z in outline]


def _area(outline: Array) -> float:
    x, y = outline[:, 0], outline[:, 1]
    return float(0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))


def _crosses(outline: Array) -> bool:
    count = len(outline)
    for i in range(count):
        for j in range(i + 2, count):
            if (j + 1) % count == i:
                continue
            a, b = outline[i], outline[(i + 1) % count]
            c, d = outline[j], outline[(j + 1) % count]
            if _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0:
                return True
    return False


def convex_pieces(outline: Array) -> list[Array]:
    """Triangles by cutting off ears, joined again as long as they stay convex."""
    pieces = [list(map(tuple, triangle)) for triangle in _triangles(outline)]
    joined = True
    while joined:
        joined = False
        for i in range(len(pieces)):
            for j in range(i + 1, len(pieces)):
                whole = _joined(pieces[i], pieces[j])
                if whole is not None:
                    pieces[i] = whole
                    del pieces[j]
                    joined = True
                    break
            if joined:
                break
    return [np.array(piece, float) for piece in pieces]


Points = list[tuple[float, ...]]


def _joined(a: Points, b: Points) -> Points | None:
    """Two pieces with a common edge as one, if that is convex."""
    for i in range(len(a)):
        p, q = a[i], a[(i + 1) % len(a)]
        for j in range(len(b)):
            if b[j] == q and b[(j + 1) % len(b)] == p:
                rest = [b[(j + 2 + k) % len(b)] for k in range(len(b) - 2)]
                whole = [*a[: i + 1], *rest, *a[i + 1 :]]
                points = [np.array(point) for point in whole]
                count = len(points)
                turns = [
                    _turn(points[k - 1], points[k], points[(k + 1) % count]) for k in range(count)
                ]
                return whole if min(turns) > -1e-9 else None
    return None


def _triangles(outline: Array) -> list[Array]:
    """By cutting off ears; the outline runs anticlockwise and does not cross itself."""
    left = [np.array(point, float) for point in outline]
    found = []
    while len(left) > 3:
        for i in range(len(left)):
            a, b, c = left[i - 1], left[i], left[(i + 1) % len(left)]
            others = [p for p in left if not any(p is q for q in (a, b, c))]
            if _turn(a, b, c) > 1e-12 and not any(_inside(p, a, b, c) for p in others):
                found.append(np.array((a, b, c)))
                del left[i]
                break
        else:  # corners on one line: drop one
            del left[0]
    found.append(np.array(left))
    return found


def _inside(p: Array, a: Array, b: Array, c: Array) -> bool:
    return _turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0


def simplified(line: Array, stray: float = _STRAY) -> Array:
    """A line with as few points as stay this near to all of them [Douglas, Peucker 1973]."""
    if len(line) < 3:
        return line
    a, b = line[0], line[-1]
    along = b - a
    size = float(np.dot(along, along))
    t = np.clip((line - a) @ along / max(size, 1e-12), 0.0, 1.0)
    gaps = np.linalg.norm(line - (a + t[:, None] * along), axis=1)
    worst = int(np.argmax(gaps))
    if gaps[worst] <= stray:
        return np.array((a, b))
    first, second = simplified(line[: worst + 1], stray), simplified(line[worst:], stray)
    return np.concatenate((first[:-1], second))
