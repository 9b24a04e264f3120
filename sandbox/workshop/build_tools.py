"""The tools of building, in the order of the palette."""

from typing import TYPE_CHECKING

from sandbox.workshop.attach_tool import Attach
from sandbox.workshop.build_tool import BuildTool
from sandbox.workshop.draw_tools import DrawBall, DrawBox, DrawPolygon, DrawRope, DrawZone
from sandbox.workshop.part_tools import Connect, Place

if TYPE_CHECKING:
    from sandbox.workshop.builder import Builder


class Select(BuildTool):
    name, key, icon = "select", "1", "\uf245"
    hint = "Click a thing to select it, drag it to move it. Shift adds; drag the handles for more."

    def said(self, builder: "Builder") -> str:
        if builder.gizmo.drag is not None:
            return builder.gizmo.drag.text or "Drag it where it shall be."
        if not builder.draft.selected:
            empty = (
                "Drag on nothing to select with a box."
                if builder.draft.flat
                else ("Drag on nothing to look around; with Shift it selects with a box.")
            )
            return f"Click a thing to select it. {empty}"
        shift = "" if builder.draft.flat else " With Shift it goes up and down."
        return f"Drag it or its handles.{shift} Ctrl leaves the grid."


TOOLS: tuple[type[BuildTool], ...] = (
    Select, DrawBox, DrawBall, DrawPolygon, DrawRope, DrawZone, Place, Connect,
    Attach,
)  # fmt: skip
