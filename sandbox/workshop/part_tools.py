"""Parts of the palette in the hand: put down where one clicks, or tied between two things."""

from typing import TYPE_CHECKING

import numpy as np

from levels.draft.changes import Change
from levels.draft.connecting import End, connect
from levels.draft.fragments import put
from levels.frames import about, vec
from sandbox.workshop.build_tool import BuildTool
from sandbox.workshop.draft_marks import JOINT, Mark, circle
from sandbox.workshop.part_views import part_ghost
from sandbox.workshop.picking import picks_along

if TYPE_CHECKING:
    from sandbox.render.scene import Scene
    from sandbox.workshop.builder import Builder


class Place(BuildTool):
    name, key, icon = "place", "9", "\uf12e"
    has_button = False
    hint = "Choose a part in the palette, then click where it shall stand."

    def __init__(self) -> None:
        self.turn = 0.0  # rad

    def said(self, builder: "Builder") -> str:
        if builder.part is None:
            return self.hint
        return f"Click to put down: {builder.part.title}. The wheel turns it; a right click ends."

    def _change(self, builder: "Builder") -> Change:
        axis = (0.0, 0.0, 1.0) if builder.draft.flat else (0.0, 1.0, 0.0)
        where = vec(builder.surface(*builder.pointer))
        return Change(
            shift=where, turn=about(axis, self.turn) if self.turn else (1.0, 0.0, 0.0, 0.0)
        )

    def press(self, builder: "Builder", x: float, y: float) -> bool:
        part = builder.part
        if part is not None:
            way = self._change(builder)
            builder.do(lambda: put(builder.draft, part.fragment, part.title.lower(), way))
        return False

    def right_click(self, builder: "Builder") -> bool:
        return self.cancel(builder)

    def wheel(self, builder: "Builder", notches: float) -> bool:
        if builder.part is None:
            return False
        self.turn += float(np.radians(builder.snap.degrees)) * float(np.sign(notches))
        return True

    def cancel(self, builder: "Builder") -> bool:
        begun, builder.part, self.turn = builder.part is not None, None, 0.0
        if builder.tool == self.name:
            builder.tool = "select"
        return begun

    def ghost(self, builder: "Builder", scene: "Scene") -> None:
        if builder.part is not None and builder.over_scene:
            part_ghost(scene, builder.part, self._change(builder))


def end_at(builder: "Builder", x: float, y: float) -> End:
    """What is under the pointer, and where on it; else a place of the world."""
    met = picks_along(builder, x, y)
    if met:
        point = met[0].point
        if builder.draft.flat:
            point = builder.camera.drag_plane_point(x, y, np.zeros(3))
            point[2] = 0.0
        return End(met[0].body, vec(round(float(v), 3) for v in point))
    return End(None, vec(builder.surface(x, y)))


class Connect(BuildTool):
    name, key, icon = "connect", "0", "\uf0c1"
    has_button = False
    hint = "Choose a joint or rope in the palette, then drag from one thing to another."

    def __init__(self) -> None:
        self.first: End | None = None

    def said(self, builder: "Builder") -> str:
        part = builder.part
        if part is None:
            return self.hint
        if self.first is not None:
            return "Let go over the other thing, or over nothing: then the world holds it."
        spans = part.shelf == "Ropes and springs"
        how = (
            "drag from one thing to another"
            if spans
            else ("click where two things meet, or drag from one to the other")
        )
        return f"{part.title}: {how}. A right click ends."

    def press(self, builder: "Builder", x: float, y: float) -> bool:
        if builder.part is None:
            return False
        self.first = end_at(builder, x, y)
        return True

    def release(self, builder: "Builder", x: float, y: float) -> None:
        first, self.first = self.first, None
        part = builder.part
        if first is None or part is None:
            return
        second = end_at(builder, x, y)
        if second.body == first.body:
            second = self._under(builder, x, y, first, second)
        if first.body is None and second.body is None:
            builder.say("Begin on a thing, or end on one.")
            return
        facing = vec(-builder.camera.view().axes()[2])
        builder.do(lambda: connect(builder.draft, part.fragment, first, second, facing))

    def _under(self, builder: "Builder", x: float, y: float, first: End, second: End) -> End:
        """A click joins to what is behind, or to the world."""
        behind = [met for met in picks_along(builder, x, y) if met.body != first.body]
        return End(behind[0].body if behind else None, second.point)

    def right_click(self, builder: "Builder") -> bool:
        return self.cancel(builder)

    def cancel(self, builder: "Builder") -> bool:
        begun = builder.part is not None
        self.first, builder.part = None, None
        if builder.tool == self.name:
            builder.tool = "select"
        return begun

    def marks(self, builder: "Builder") -> list[Mark]:
        if builder.part is None or not builder.over_scene:
            return []
        here = np.array(end_at(builder, *builder.pointer).point)
        size = 0.25 * builder.handle_size()
        ring = Mark(circle(here, np.array((0.0, 0.0, 1.0)), size), JOINT, 2.0)
        if self.first is None:
            return [ring]
        return [ring, Mark(np.array((self.first.point, here)), JOINT, 2.5)]
