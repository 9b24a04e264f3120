"""What of a draft is under the pointer: a body, rope or cloth, the mark of a joint, a zone."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from levels.draft.draft import Entry
from sandbox.app.screen_picking import nearest_segment

if TYPE_CHECKING:
    from sandbox.workshop.builder import Builder
    from sandbox.workshop.draft_marks import Mark

Array = npt.NDArray[np.floating]
_MARK_REACH, _EDGE_REACH = 11.0, 6.0  # pixels


@dataclass(frozen=True)
class Pick:
    """What was met, and where, m; `body` is the full name of the body itself, if it is one."""

    entry: Entry
    point: Array
    body: str | None = None


def pick(builder: "Builder", x: float, y: float, *, marks: bool = True) -> Pick | None:
    """The mark of a joint first, then what is in front, then the edge of a zone."""
    found = _mark(builder, builder.joint_marks, x, y, _MARK_REACH) if marks else None
    return found or _thing(builder, x, y) or (_zone(builder, x, y) if marks else None)


def picks_along(builder: "Builder", x: float, y: float) -> list[Pick]:
    """All bodies under the pointer, the nearest first: for joints between two of them."""
    found: list[Pick] = []
    origin, direction = builder.camera.view().ray(x, y)
    met: list[int] = []
    for _ in range(6):
        hit = builder.stage.pick(origin, direction, *met)
        if hit is None:
            break
        met.append(hit[0])
        name = builder.name_at(hit[0])
        entry = builder.things.entry_of(name) if name else None
        if name and entry:
            found.append(Pick(entry, origin + direction * hit[1], name))
    return found


def _thing(builder: "Builder", x: float, y: float) -> Pick | None:
    view, stage = builder.camera.view(), builder.stage
    origin, direction = view.ray(x, y)
    hit = stage.pick(origin, direction)
    soft, away = stage.softs.pick(origin, direction)
    reach = min(away, hit[1] if hit is not None else np.inf)
    a, b = stage.ropes.spans(builder.poses)
    thin = nearest_segment(view, x, y, a, b, builder.rows)
    if thin is not None and thin[2] < reach + 0.3:
        slot = stage.ropes.owner(thin[0], thin[1], builder.poses)
        joint = stage.ropes.span_joints[thin[0]]
        name = builder.world.name(joint) if joint is not None else builder.name_at(slot)
        return _pick(builder, name, thin[1], None if joint is not None else name)
    if soft is not None and away <= reach:
        return _pick(builder, builder.world.name(soft), origin + direction * away, None)
    if hit is None:
        return None
    name = builder.name_at(hit[0])
    return _pick(builder, name, origin + direction * hit[1], name)


def _pick(builder: "Builder", name: str | None, point: Array, body: str | None) -> Pick | None:
    if name is None:
        return None
    entry = builder.things.entry_of(name)
    if entry is None and ("joints", name.partition(".")[0]) in builder.things.entries:
        entry = ("joints", name.partition(".")[0])
    return Pick(entry, np.asarray(point, float), body) if entry is not None else None


def _mark(
    builder: "Builder", marks: "dict[Entry, list[Mark]]", x: float, y: float, reach: float
) -> Pick | None:
    best: tuple[float, Pick] | None = None
    for entry, drawn in marks.items():
        for mark in drawn:
            gap, point = _distance(builder, mark.points, x, y)
            if gap < reach and (best is None or gap < best[0]):
                best = (gap, Pick(entry, point))
    return best[1] if best is not None else None


def _distance(builder: "Builder", points: Array, x: float, y: float) -> tuple[float, Array]:
    """Pixels from the pointer to a line of points on the screen, and the nearest of them."""
    seen = builder.camera.view().project(points)
    scale = np.array((builder.camera.aspect * builder.rows, builder.rows))
    gaps = np.linalg.norm(seen[:, :2] * scale - np.array((x, y)) * scale, axis=1)
    gaps[seen[:, 2] <= 0.0] = np.inf
    at = int(np.argmin(gaps))
    return float(gaps[at]), np.asarray(points[at], float)


def _zone(builder: "Builder", x: float, y: float) -> Pick | None:
    view = builder.camera.view()
    best: tuple[float, Pick] | None = None
    for entry in builder.things.entries:
        box = builder.things.box([entry]) if entry[0] == "zones" else None
        if box is None:
            continue
        a, b = box_edges(np.array(box[0]), np.array(box[1]))
        found = nearest_segment(view, x, y, a, b, builder.rows, _EDGE_REACH)
        if found is not None and (best is None or found[2] < best[0]):
            best = (found[2], Pick(entry, found[1]))
    return best[1] if best is not None else None


def box_edges(low: Array, high: Array) -> tuple[Array, Array]:
    """The twelve edges of a box, from and to."""
    ends = [(low[i], high[i]) for i in range(3)]
    a, b = [], []
    for axis in range(3):
        others = [i for i in range(3) if i != axis]
        for p in ends[others[0]]:
            for q in ends[others[1]]:
                start, end = np.zeros(3), np.zeros(3)
                start[axis], end[axis] = ends[axis]
                for side in (start, end):
                    side[others[0]], side[others[1]] = p, q
                a.append(start)
                b.append(end)
    return np.array(a), np.array(b)
