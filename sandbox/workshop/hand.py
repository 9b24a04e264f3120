"""The mouse over a draft: who gets a press, what a drag does, what is under the pointer."""

from typing import TYPE_CHECKING

import numpy as np

from levels.draft.draft import Entries, Entry
from sandbox.app.screen_picking import within
from sandbox.workshop.picking import pick

if TYPE_CHECKING:
    from sandbox.workshop.builder import Builder

Point = tuple[float, float]
_HOVER_EVERY = 4  # moves


class Hand:
    """Left works the tool, right pans, the middle button and drags on nothing look around."""

    def __init__(self, builder: "Builder") -> None:
        self._builder = builder
        self._drag: str | None = None
        self.band: tuple[Point, Point] | None = None  # a box selection being drawn
        self.hovered: Entry | None = None
        self.adding = False  # Shift: clicks add to the selection
        self._moves = 0

    @property
    def dragging(self) -> bool:
        return self._drag is not None

    def press(self, x: float, y: float, button: int) -> None:
        """1 left, 2 middle, 3 right."""
        builder = self._builder
        builder.pointer = (x, y)
        if button == 1:
            self._left(x, y)
        elif button == 3 and builder.tools[builder.tool].right_click(builder):
            self._drag = None
        else:
            self._drag = "pan" if button == 3 or builder.camera.flat else "orbit"

    def _left(self, x: float, y: float) -> None:
        builder = self._builder
        tool = builder.tools[builder.tool]
        if tool.name != "select":
            self._drag = "tool" if tool.press(builder, x, y) else None
            return
        if not self.adding and builder.gizmo.press(x, y):
            self._drag = "gizmo"
            return
        met = pick(builder, x, y)
        if met is not None:
            self._choose(met.entry)
            if met.entry in builder.draft.selected and met.entry[0] != "joints":
                builder.gizmo.grab(met.point)
                self._drag = "gizmo"
            return
        if builder.camera.flat or self.adding:
            self._drag, self.band = "box", ((x, y), (x, y))
        else:
            self._drag = "orbit"
        if not self.adding:
            builder.selection.choose(())

    def _choose(self, entry: Entry) -> None:
        """A click takes all that is assembled with it; with Shift it comes or goes."""
        selection = self._builder.selection
        together = self._builder.things.together(entry)
        now = self._builder.draft.selected
        if not self.adding:
            if entry not in now:
                selection.choose(together)
        elif entry in now:
            selection.choose(tuple(other for other in now if other not in together))
        else:
            selection.choose((*now, *(other for other in together if other not in now)))

    def move(self, x: float, y: float) -> None:
        builder = self._builder
        dx, dy = x - builder.pointer[0], y - builder.pointer[1]
        builder.pointer = (x, y)
        if self._drag == "tool":
            builder.tools[builder.tool].move(builder, x, y)
        elif self._drag == "gizmo":
            builder.gizmo.move(x, y)
        elif self._drag == "orbit":
            builder.camera.orbit(dx, dy)
        elif self._drag == "pan":
            builder.camera.pan(dx, dy)
        elif self._drag == "box" and self.band is not None:
            self.band = (self.band[0], (x, y))
        else:
            self._hover(x, y)

    def _hover(self, x: float, y: float) -> None:
        self._moves += 1
        if self._moves % _HOVER_EVERY == 0:
            met = pick(self._builder, x, y) if self._builder.over_scene else None
            self.hovered = met.entry if met is not None else None

    def release(self, x: float, y: float, button: int) -> None:
        builder = self._builder
        builder.pointer = (x, y)
        if self._drag == "tool" and button == 1:
            builder.tools[builder.tool].release(builder, x, y)
        elif self._drag == "gizmo" and button == 1:
            builder.gizmo.move(x, y)
            builder.gizmo.release()
        elif self._drag == "box":
            self._choose_within()
        self._drag, self.band = None, None

    def _choose_within(self) -> None:
        """Everything whose middle lies inside the band, but the ground."""
        if self.band is None:
            return
        builder = self._builder
        middles = {entry: builder.things.middle([entry]) for entry in builder.things.entries}
        there = {entry: middle for entry, middle in middles.items() if middle is not None}
        if not there:
            return
        inside = within(builder.camera.view(), self.band, np.array(list(there.values())))
        found = [entry for entry, yes in zip(there, inside, strict=True) if yes]
        now: Entries = builder.draft.selected if self.adding else ()
        builder.selection.choose((*now, *(entry for entry in found if entry not in now)))

    def wheel(self, notches: float, x: float, y: float) -> None:
        """For the tool, if it has a use for it, else zoom."""
        builder = self._builder
        if not builder.tools[builder.tool].wheel(builder, notches):
            builder.camera.zoom(notches, x, y)
