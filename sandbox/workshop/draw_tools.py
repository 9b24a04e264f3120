"""Drawing with the mouse: boxes, balls, outlines, ropes and zones, in a plane or on the ground."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from levels.draft.connecting import End, connect
from levels.frames import vec
from levels.plain_data import TomlTable
from sandbox.render.scene import box, sphere
from sandbox.workshop.build_tool import BuildTool
from sandbox.workshop.draft_marks import CHOSEN, ZONE, Mark, box_marks
from sandbox.workshop.ghosts import add_ghost
from sandbox.workshop.outlines import body_of, simplified
from sandbox.workshop.picking import pick

if TYPE_CHECKING:
    from sandbox.render.scene import Scene
    from sandbox.workshop.builder import Builder

Array = npt.NDArray[np.floating]
_CLOSE = 14.0  # pixels from the first corner that end a polygon
_DRAWN = "#ffe9b0"


class _Spanned(BuildTool):
    """From one corner to another."""

    def __init__(self) -> None:
        self.start: Array | None = None
        self.end: Array | None = None
        self.height = 0.5  # m, on the ground

    def press(self, builder: "Builder", x: float, y: float) -> bool:
        self.start = self.end = builder.surface(x, y)
        return True

    def move(self, builder: "Builder", x: float, y: float) -> None:
        if self.start is not None:
            self.end = builder.level_point(x, y, float(self.start[1]))

    def release(self, builder: "Builder", x: float, y: float) -> None:
        self.move(builder, x, y)
        if self.start is not None and self.end is not None:
            self.finish(builder)
        self.start = self.end = None

    def finish(self, builder: "Builder") -> None:
        return

    def wheel(self, builder: "Builder", notches: float) -> bool:
        if self.start is None or builder.draft.flat:
            return False
        self.height = max(self.height + builder.snap.step * notches, 0.1)
        return True

    def cancel(self, builder: "Builder") -> bool:
        begun = self.start is not None
        self.start = self.end = None
        return begun

    def extent(self, builder: "Builder") -> tuple[Array, Array]:
        """Middle and size of what is spanned."""
        assert self.start is not None
        assert self.end is not None
        low, high = np.minimum(self.start, self.end), np.maximum(self.start, self.end)
        size = high - low
        if builder.draft.flat:
            size[2] = 1.0
        else:
            size[1] = self.height
            low[1] = self.start[1]
        return low + np.where([True, True, not builder.draft.flat], size / 2, 0.0), size


class DrawBox(_Spanned):
    name, key, icon = "box", "4", "\uf0c8"
    hint = "Drag from corner to corner: a box."

    def said(self, builder: "Builder") -> str:
        if self.start is None:
            return f"{self.hint}" + ("" if builder.draft.flat else " The wheel makes it taller.")
        _, size = self.extent(builder)
        shown = size[:2] if builder.draft.flat else size
        return " x ".join(f"{s:.2f}" for s in shown) + " m"

    def finish(self, builder: "Builder") -> None:
        middle, size = self.extent(builder)
        if min(size[0], size[1], size[2]) < 0.04:
            builder.say("Drag from one corner to the other.")
            return
        keep = 2 if builder.draft.flat else 3
        table = {"shape": "box", "size": list(size[:keep]), "position": list(middle[:keep])}
        self.add(builder, "bodies", "box", {**table, "material": "wood"})

    def ghost(self, builder: "Builder", scene: "Scene") -> None:
        if self.start is not None:
            middle, size = self.extent(builder)
            rows = box(np.maximum(size, 0.02), position=middle, color="wood")
            add_ghost(scene, "box", rows)


class DrawBall(_Spanned):
    name, key, icon = "ball", "5", "\uf111"
    hint = "Drag from the middle outwards: a ball."

    def said(self, builder: "Builder") -> str:
        return self.hint if self.start is None else f"radius {self._radius(builder):.2f} m"

    def _radius(self, builder: "Builder") -> float:
        if self.start is None or self.end is None:
            return 0.0
        return builder.snap.length(float(np.linalg.norm(self.end - self.start)))

    def _middle(self, builder: "Builder") -> Array:
        assert self.start is not None
        up = 0.0 if builder.draft.flat else self._radius(builder)
        return self.start + np.array((0.0, up, 0.0))

    def finish(self, builder: "Builder") -> None:
        radius = self._radius(builder)
        if radius < 0.04:
            builder.say("Drag from the middle of the ball outwards.")
            return
        middle = self._middle(builder)[: 2 if builder.draft.flat else 3]
        table = {"shape": "sphere", "radius": radius, "position": list(middle)}
        self.add(builder, "bodies", "ball", {**table, "density": 300, "color": "red"})

    def ghost(self, builder: "Builder", scene: "Scene") -> None:
        if self.start is not None:
            radius = max(self._radius(builder), 0.03)
            add_ghost(scene, "ball", sphere(radius, position=self._middle(builder), color="red"))


class DrawZone(_Spanned):
    name, key, icon = "zone", "8", "\uf125"
    hint = "Drag from corner to corner: a zone that goals can ask about."

    def __init__(self) -> None:
        super().__init__()
        self.height = 1.5

    def finish(self, builder: "Builder") -> None:
        middle, size = self.extent(builder)
        if min(size[0], size[1]) < 0.04:
            return
        keep = 2 if builder.draft.flat else 3
        size = np.maximum(size, 0.1)
        table = {"center": list(middle[:keep]), "size": list(size[:keep]), "color": "green"}
        self.add(builder, "zones", "zone", table)

    def marks(self, builder: "Builder") -> list[Mark]:
        if self.start is None:
            return []
        middle, size = self.extent(builder)
        return box_marks(middle - size / 2, middle + size / 2, ZONE, 2.5)


class DrawPolygon(BuildTool):
    name, key, icon = "polygon", "6", "\uf20e"
    hint = "Click corner after corner; click the first one again to close it."

    def __init__(self) -> None:
        self.corners: list[Array] = []

    def press(self, builder: "Builder", x: float, y: float) -> bool:
        height = float(self.corners[0][1]) if self.corners else 0.0
        point = builder.level_point(x, y, height) if self.corners else builder.surface(x, y)
        if len(self.corners) >= 3 and self._closes(builder, x, y):
            self._finish(builder)
        elif not self.corners or float(np.linalg.norm(point - self.corners[-1])) > 1e-3:
            self.corners.append(point)
        return False

    def _closes(self, builder: "Builder", x: float, y: float) -> bool:
        seen = builder.camera.view().project(self.corners[0][None])[0]
        scale = np.array((builder.camera.aspect * builder.rows, builder.rows))
        return float(np.linalg.norm((seen[:2] - np.array((x, y))) * scale)) < _CLOSE

    def right_click(self, builder: "Builder") -> bool:
        """Ends it where there are enough corners."""
        if len(self.corners) >= 3:
            self._finish(builder)
            return True
        return self.cancel(builder)

    def _finish(self, builder: "Builder") -> None:
        corners, self.corners = self.corners, []
        try:
            table = body_of(np.array(corners), flat=builder.draft.flat)
        except ValueError as reason:
            builder.say(str(reason), bad=True)
            return
        self.add(builder, "bodies", "polygon", {**table, "material": "wood"})

    def cancel(self, builder: "Builder") -> bool:
        begun, self.corners = bool(self.corners), []
        return begun

    def marks(self, builder: "Builder") -> list[Mark]:
        if not self.corners:
            return []
        here = builder.level_point(*builder.pointer, float(self.corners[0][1]))
        line = np.array([*self.corners, here])
        return [
            Mark(line, _DRAWN, 2.5),
            Mark(np.array(self.corners), _DRAWN, dot=4.0),
            Mark(self.corners[0][None], CHOSEN, dot=7.0),
        ]


class DrawRope(BuildTool):
    name, key, icon = "rope", "7", "\uf0c1"
    hint = "Draw from one thing to another: a rope along the way. On nothing it is held there."

    def __init__(self) -> None:
        self.way: list[Array] = []
        self.first: str | None = None

    def press(self, builder: "Builder", x: float, y: float) -> bool:
        met = pick(builder, x, y, marks=False)
        self.first = met.body if met is not None else None
        self.way = [self._point(builder, x, y, met.point if met is not None else None)]
        return True

    def _point(self, builder: "Builder", x: float, y: float, met: Array | None) -> Array:
        if builder.draft.flat:
            return builder.camera.drag_plane_point(x, y, np.zeros(3)) * np.array((1.0, 1.0, 0.0))
        if met is not None:
            return np.asarray(met, float)
        through = self.way[-1] if self.way else builder.surface(x, y)
        return builder.camera.drag_plane_point(x, y, through)

    def move(self, builder: "Builder", x: float, y: float) -> None:
        point = self._point(builder, x, y, None)
        if self.way and float(np.linalg.norm(point - self.way[-1])) > 0.05:
            self.way.append(point)

    def release(self, builder: "Builder", x: float, y: float) -> None:
        way, self.way = self.way, []
        met = pick(builder, x, y, marks=False)
        last = met.body if met is not None and met.body != self.first else None
        end = self._point(builder, x, y, met.point if met is not None and last else None)
        way = [*way[:-1], end] if len(way) > 1 else [*way, end]
        if float(np.linalg.norm(way[0] - end)) < 0.2:
            builder.say("Draw from one end of the rope to the other.")
            return
        part = next(p for p in builder.parts.parts if p.path.stem == "rope")
        through = simplified(np.array(way))[1:-1]
        ends = End(self.first, vec(way[0])), End(last, vec(end))
        keys: TomlTable = {}
        if len(through):
            keep = 2 if builder.draft.flat else 3
            keys = {"through": [list(p[:keep]) for p in through], "smooth": True}
        builder.do(lambda: connect(builder.draft, part.fragment, *ends, (0.0, 0.0, 1.0), more=keys))

    def cancel(self, builder: "Builder") -> bool:
        begun, self.way = bool(self.way), []
        return begun

    def marks(self, builder: "Builder") -> list[Mark]:
        return [Mark(np.array(self.way), _DRAWN, 3.0)] if len(self.way) > 1 else []
