"""Another thing for an end of a joint or rope, pointed at in the picture."""

from typing import TYPE_CHECKING

import numpy as np

from levels.draft.connecting import End
from levels.draft.draft import Entry
from levels.draft.ends import hold
from sandbox.workshop.build_tool import BuildTool
from sandbox.workshop.draft_marks import JOINT, Mark, circle
from sandbox.workshop.part_tools import end_at

if TYPE_CHECKING:
    from sandbox.workshop.builder import Builder


class Attach(BuildTool):
    name, key, icon = "attach", "", "\uf05b"
    hint = "Click what this end shall hold; where nothing is, the world holds it."
    has_button = False

    def __init__(self) -> None:
        self.wanted: tuple[Entry, str] | None = None  # whose end, and which

    def begin(self, builder: "Builder", entry: Entry, key: str) -> None:
        builder.choose_tool(self.name)
        self.wanted = (entry, key)

    def said(self, builder: "Builder") -> str:
        if self.wanted is None:
            return self.hint
        return f"{self.wanted[0][1]}: click what its {self.wanted[1]} end shall hold, or nothing."

    def press(self, builder: "Builder", x: float, y: float) -> bool:
        wanted, end = self.wanted, end_at(builder, x, y)
        self.cancel(builder)
        if wanted is not None:
            builder.do(lambda: hold(builder.draft, *wanted, end.body, end.point))
        return False

    def right_click(self, builder: "Builder") -> bool:
        return self.cancel(builder)

    def cancel(self, builder: "Builder") -> bool:
        begun, self.wanted = self.wanted is not None, None
        if builder.tool == self.name:
            builder.tool = "select"
        return begun

    def marks(self, builder: "Builder") -> list[Mark]:
        if self.wanted is None or not builder.over_scene:
            return []
        end: End = end_at(builder, *builder.pointer)
        size = 0.25 * builder.handle_size()
        return [Mark(circle(np.array(end.point), np.array((0.0, 0.0, 1.0)), size), JOINT, 2.0)]
