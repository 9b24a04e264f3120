"""The handles of the selection: arrows that move it, rings that turn it, knobs that size it.

A handle is drawn as marks and taken by its distance on the screen. While it is dragged nothing is
written; the change it stands for is shown as a ghost and made when it is let go.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from levels.draft.changes import Change
from levels.draft.shaping import change
from levels.draft.sizing import own_box, resize
from levels.frames import Frame, about, vec
from sandbox.workshop.draft_marks import CHOSEN, Mark, X, Y, Z, arrow, circle

if TYPE_CHECKING:
    from sandbox.workshop.builder import Builder

Array = npt.NDArray[np.floating]
AXES = np.eye(3)
_COLORS = (X, Y, Z)
_REACH = 10.0  # pixels


@dataclass(frozen=True)
class Handle:
    """Something to take hold of."""

    what: str  # axis | plane | free | ring | size | grow
    axis: int  # along which, or about which; of a plane the one across it
    side: int = 1  # of a knob: which end
    marks: list[Mark] = field(default_factory=list)


@dataclass
class Drag:
    """A handle in the hand."""

    handle: Handle
    middle: Array
    start: Array  # where it was taken: on the line, in the plane
    change: Change = field(default_factory=Change)
    size: Array | None = None  # of a thing that is sized
    shift: Array | None = None
    text: str = ""  # what is shown beside the pointer


class Gizmo:
    """Of the selection of a builder."""

    def __init__(self, builder: "Builder") -> None:
        self._builder = builder
        self.mode = "move"
        self.drag: Drag | None = None

    # --- looks ---------------------------------------------------------------------------------

    def handles(self) -> list[Handle]:
        builder = self._builder
        middle = builder.things.middle(builder.draft.selected)
        if middle is None:
            return []
        at, size = np.array(middle, float), builder.handle_size()
        axes = (0, 1) if builder.draft.flat else (0, 1, 2)
        if self.mode == "rotate":
            rings = (2,) if builder.draft.flat else (0, 1, 2)
            return [
                Handle("ring", i, 1, [Mark(circle(at, AXES[i], 0.8 * size), _COLORS[i], 3.0)])
                for i in rings
            ]
        if self.mode == "scale":
            return self._knobs(at, size)
        made = [Handle("axis", i, 1, arrow(at, at + AXES[i] * size, _COLORS[i], 3.5)) for i in axes]
        return [*made, Handle("free", 2, 1, [Mark(at[None], CHOSEN, dot=7.0)])]

    def _knobs(self, at: Array, size: float) -> list[Handle]:
        """One at each side of a single thing; one for all of several."""
        builder = self._builder
        chosen = builder.draft.selected
        found = own_box(builder.draft, chosen[0]) if len(chosen) == 1 else None
        grow = Handle("grow", 0, 1, arrow(at, at + size * np.array((0.7, 0.7, 0.0)), CHOSEN, 3.0))
        if found is None:
            return [grow]
        frame, half = found
        knobs = []
        for i in (0, 1) if builder.draft.flat else (0, 1, 2):
            if half[i] <= 0.0:
                continue
            for side in (-1, 1):
                tip = np.array(frame.point(vec(AXES[i] * side * half[i])))
                line = Mark(np.array((frame.position, tip)), _COLORS[i], 1.5)
                knobs.append(Handle("size", i, side, [line, Mark(tip[None], _COLORS[i], dot=7.0)]))
        return knobs

    def marks(self) -> list[Mark]:
        """What is drawn now; the handle under the pointer stands out."""
        if self.drag is not None:
            return self.drag.handle.marks
        hot = self.at(*self._builder.pointer)
        drawn = []
        for handle in self.handles():
            for mark in handle.marks:
                if hot is not None and (hot.what, hot.axis, hot.side) == (
                    handle.what,
                    handle.axis,
                    handle.side,
                ):
                    mark = Mark(mark.points, CHOSEN, mark.width + 1.5, dot=mark.dot * 1.25)
                drawn.append(mark)
        return drawn

    # --- taking, dragging, letting go ------------------------------------------------------------

    def at(self, x: float, y: float) -> Handle | None:
        """The handle under the pointer."""
        view, rows = self._builder.camera.view(), self._builder.rows
        scale = np.array((view.aspect * rows, rows))
        best: tuple[float, Handle] | None = None
        for handle in self.handles():
            for mark in handle.marks:
                seen = view.project(mark.points)
                if (seen[:, 2] <= 0.0).any():
                    continue
                gap = _gap(seen[:, :2] * scale, np.array((x, y)) * scale)
                if gap < _REACH + mark.dot * 0.5 and (best is None or gap < best[0]):
                    best = (gap, handle)
        return best[1] if best is not None else None

    def press(self, x: float, y: float) -> bool:
        handle = self.at(x, y)
        if handle is None:
            return False
        middle = np.array(self._builder.things.middle(self._builder.draft.selected), float)
        if handle.what == "size":
            found = own_box(self._builder.draft, self._builder.draft.selected[0])
            assert found is not None
            middle = np.array(found[0].position, float)
        self.drag = Drag(handle, middle, np.zeros(3))
        self.drag.start = self._reached(self.drag, x, y)
        return True

    def grab(self, point: Array) -> None:
        """Take the selection itself, at a point of it."""
        middle = self._builder.things.middle(self._builder.draft.selected)
        if middle is not None:
            self.drag = Drag(Handle("free", 2), np.asarray(point, float), np.asarray(point, float))

    def move(self, x: float, y: float) -> None:
        drag = self.drag
        if drag is None:
            return
        reached = self._reached(drag, x, y)
        {
            "axis": self._along,
            "free": self._freely,
            "ring": self._round,
            "size": self._sized,
            "grow": self._grown,
        }[drag.handle.what](drag, reached)

    def _along(self, drag: Drag, reached: Array) -> None:
        way = float((reached - drag.start)[drag.handle.axis])
        way = self._builder.snap.length(way)
        shift = AXES[drag.handle.axis] * way
        drag.change, drag.text = Change(shift=vec(shift)), f"{way:+.2f} m"

    def _freely(self, drag: Drag, reached: Array) -> None:
        shift = np.array([self._builder.snap.length(v) for v in reached - drag.start])
        if self._builder.draft.flat:
            shift[2] = 0.0
        drag.change = Change(shift=vec(shift))
        names = ("x", "y") if self._builder.draft.flat else ("x", "y", "z")
        drag.text = "  ".join(f"{n} {v:+.2f}" for n, v in zip(names, shift, strict=False)) + " m"

    def _round(self, drag: Drag, reached: Array) -> None:
        axis = AXES[drag.handle.axis]
        a, b = drag.start - drag.middle, reached - drag.middle
        angle = float(np.arctan2(np.dot(np.cross(a, b), axis), np.dot(a, b)))
        angle = self._builder.snap.angle(angle)
        drag.change = Change(vec(drag.middle), turn=about(vec(axis), angle))
        drag.text = f"{np.degrees(angle):+.0f}°"

    def _sized(self, drag: Drag, reached: Array) -> None:
        """The other side stays where it is."""
        found = own_box(self._builder.draft, self._builder.draft.selected[0])
        if found is None:
            return
        frame, half = found
        i, side = drag.handle.axis, drag.handle.side
        along = np.array(frame.direction(vec(AXES[i] * side)))
        way = float(np.dot(reached - drag.start, along))
        whole = self._builder.snap.length(2 * half[i] + way)
        whole = max(whole, self._builder.snap.step or 0.05)
        size = 2 * np.array(half, float)
        drag.shift = along * (whole - size[i]) / 2
        if self._is_round():
            drag.shift = np.zeros(3)
            whole = max(2 * half[i] + 2 * way, 0.05)
            whole = max(self._builder.snap.length(whole), self._builder.snap.step or 0.05)
        size[i] = whole
        drag.size = size
        drag.text = f"{whole:.2f} m"

    def _is_round(self) -> bool:
        section, name = self._builder.draft.selected[0]
        table = self._builder.draft.level.document.data[section][name]
        return "radius" in table and "size" not in table

    def _grown(self, drag: Drag, reached: Array) -> None:
        before = max(float(np.linalg.norm(drag.start - drag.middle)), 1e-6)
        factor = max(float(np.linalg.norm(reached - drag.middle)) / before, 0.05)
        factor = round(factor, 1) if self._builder.snap.on else factor
        factor = max(factor, 0.1)
        drag.change = Change(vec(drag.middle), factor=factor)
        drag.text = f"x {factor:.2f}"

    def release(self) -> None:
        """Make the change that was shown."""
        drag, self.drag = self.drag, None
        if drag is None:
            return
        builder = self._builder
        chosen = builder.draft.selected
        if drag.size is not None and drag.shift is not None:
            size, shift = vec(drag.size), vec(drag.shift)
            builder.do(lambda: resize(builder.draft, chosen[0], size, shift))
        elif drag.change != Change():
            label = {"ring": "rotate", "grow": "scale"}.get(drag.handle.what, "move")
            wanted = drag.change
            builder.do(lambda: change(builder.draft, builder.things, chosen, wanted, label))

    def cancel(self) -> None:
        self.drag = None

    def ghost(self) -> Frame | None:
        """Where the selection would be, as a placement of its middle; None: nothing is dragged,
        or it changes its size."""
        drag = self.drag
        if drag is None or drag.size is not None or drag.change.factor != 1.0:
            return None
        return Frame(drag.change.shift, drag.change.turn)

    # --- rays ----------------------------------------------------------------------------------

    def _reached(self, drag: Drag, x: float, y: float) -> Array:
        """Where the pointer is along the line or in the plane of the handle."""
        builder = self._builder
        origin, direction = builder.camera.view().ray(x, y)
        what, i = drag.handle.what, drag.handle.axis
        if what == "ring":
            return _on_plane(origin, direction, drag.middle, AXES[i])
        if what == "axis":
            return _on_line(origin, direction, drag.middle, AXES[i])
        if what == "size":
            frame = own_box(builder.draft, builder.draft.selected[0])
            along = np.array(frame[0].direction(vec(AXES[i]))) if frame is not None else AXES[i]
            return _on_line(origin, direction, drag.middle, along)
        if what == "free" and not builder.draft.flat and not builder.upright:
            return _on_plane(origin, direction, drag.middle, AXES[1])
        return builder.camera.drag_plane_point(x, y, drag.middle)


def _gap(line: Array, point: Array) -> float:
    """Pixels from a point to a line of points."""
    if len(line) == 1:
        return float(np.linalg.norm(line[0] - point))
    a, b = line[:-1], line[1:]
    along = b - a
    t = np.sum((point - a) * along, axis=1) / np.maximum(np.sum(along**2, axis=1), 1e-9)
    near = a + np.clip(t, 0.0, 1.0)[:, None] * along
    return float(np.linalg.norm(near - point, axis=1).min())


def _on_line(origin: Array, direction: Array, through: Array, axis: Array) -> Array:
    """The point of a line that is nearest to a ray."""
    w = through - origin
    b = float(np.dot(axis, direction))
    across = 1.0 - b * b
    if across < 1e-6:
        return through
    along = (b * float(np.dot(w, direction)) - float(np.dot(w, axis))) / across
    return through + axis * along


def _on_plane(origin: Array, direction: Array, through: Array, normal: Array) -> Array:
    """Where a ray meets a plane; seen from its edge, the nearest point of the plane."""
    slope = float(np.dot(direction, normal))
    if abs(slope) < 0.03:
        point = origin + direction * float(np.dot(through - origin, direction))
        return point - normal * float(np.dot(point - through, normal))
    along = float(np.dot(through - origin, normal)) / slope
    return origin + direction * min(max(along, 0.0), 500.0)
