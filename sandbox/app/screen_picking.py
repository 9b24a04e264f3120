"""What is under the pointer, where a ray against volumes is not enough: thin things, and many.

Ropes and cables are a few pixels wide, so they are picked by distance on the screen.
"""

import numpy as np
import numpy.typing as npt

from sandbox.render.view import View

Array = npt.NDArray[np.floating]
Band = tuple[tuple[float, float], tuple[float, float]]  # two corners on the screen


def nearest_segment(
    view: View, x: float, y: float, a: Array, b: Array, rows: int, reach: float = 9.0
) -> tuple[int, Array, float] | None:
    """The segment a[i]–b[i] nearest to the pointer, within `reach` pixels.

    x and y are fractions of the window, `rows` its height in pixels. Returns the index, the point
    on the segment and its distance from the eye; of several within reach the nearest wins.
    """
    if not len(a):
        return None
    start, end = view.project(a), view.project(b)
    scale = np.array((view.aspect * rows, rows))
    p, q = start[:, :2] * scale, end[:, :2] * scale
    along = q - p
    pointer = np.array((x, y)) * scale
    length = np.maximum(np.sum(along**2, axis=1), 1e-9)
    t = np.clip(np.sum((pointer - p) * along, axis=1) / length, 0.0, 1.0)
    gap = np.linalg.norm(pointer - (p + t[:, None] * along), axis=1)
    gap[(start[:, 2] <= 0.0) | (end[:, 2] <= 0.0)] = np.inf
    index = int(np.argmin(gap))
    if gap[index] > reach:
        return None
    # t runs along the projected segment; undo the perspective to get the point in space.
    wa, wb = start[index, 2], end[index, 2]
    s = t[index]
    if view.height is None:
        s = s * wa / max(s * wa + (1 - s) * wb, 1e-9)
    point = a[index] + s * (b[index] - a[index])
    return index, point, float(np.linalg.norm(point - np.asarray(view.eye)))


def crossed_segments(
    view: View, before: tuple[float, float], after: tuple[float, float], a: Array, b: Array
) -> list[int]:
    """Segments whose projections are crossed by a stroke of the pointer: the cut tool."""
    if not len(a):
        return []
    start, end = view.project(a), view.project(b)
    p, q = start[:, :2], end[:, :2]
    u, v = np.array(before), np.array(after)

    def side(p0: Array, p1: Array, point: Array) -> Array:
        d, e = p1 - p0, point - p0
        return d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0]

    apart = side(u, v, p) * side(u, v, q) < 0
    across = side(p, q, u) * side(p, q, v) < 0
    visible = (start[:, 2] > 0) & (end[:, 2] > 0)
    return [int(i) for i in np.nonzero(apart & across & visible)[0]]


def within(view: View, band: Band, points: Array) -> npt.NDArray[np.bool_]:
    """Which points of the world are seen inside a band between two corners."""
    (x0, y0), (x1, y1) = band
    x, y, depth = view.project(points).T
    inside = np.abs(x - (x0 + x1) / 2) <= abs(x1 - x0) / 2
    result: npt.NDArray[np.bool_] = inside & (np.abs(y - (y0 + y1) / 2) <= abs(y1 - y0) / 2)
    return result & (depth > 0)
