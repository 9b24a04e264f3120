"""A builder without a window, and a hand that points at places of the world."""

from pathlib import Path

import numpy as np

from levels.draft.draft import Draft
from levels.draft.parts import Palette
from levels.level import load, load_text
from sandbox.workshop.builder import Builder
from sandbox.workshop.new_levels import NEW


class Workshop:
    """What a person does with the mouse, in metres."""

    def __init__(self, draft: Draft, parts: Palette | None = None) -> None:
        self.said: list[str] = []
        self.draft = draft
        self.builder = Builder(draft, lambda text, bad: self.said.append(text), parts)
        self.builder.over_scene = True

    def seen(self, *point: float) -> tuple[float, float]:
        where = np.array([[*point, 0.0][:3]], float)
        x, y, _ = self.builder.camera.view().project(where)[0]
        return float(x), float(y)

    def click(self, *point: float, button: int = 1) -> None:
        at = self.seen(*point)
        self.builder.hand.move(*at)
        self.builder.hand.press(*at, button)
        self.builder.hand.release(*at, button)

    def drag(self, start: tuple[float, ...], end: tuple[float, ...], steps: int = 4) -> None:
        a, b = np.array(self.seen(*start)), np.array(self.seen(*end))
        hand = self.builder.hand
        hand.move(*a)
        hand.press(*a, 1)
        for i in range(1, steps + 1):
            hand.move(*(a + (b - a) * i / steps))
        hand.release(*b, 1)

    def take(self, stem: str) -> None:
        """A part of the palette in the hand."""
        parts = self.builder.parts.parts
        self.builder.choose_part(next(part for part in parts if part.path.stem == stem))

    def handle(self, what: str, axis: int, side: int = 1) -> tuple[float, ...]:
        """Where the tip of a handle is, m."""
        for handle in self.builder.gizmo.handles():
            if (handle.what, handle.axis, handle.side) == (what, axis, side):
                return tuple(float(v) for v in handle.marks[-1].points[-1])
        raise AssertionError(f"there is no handle {what} {axis}")

    def act(self, name: str) -> None:
        assert self.builder.selection.act(name)

    def table(self, section: str, name: str) -> dict:
        return self.draft.level.document.data[section][name]


def new(tmp_path: Path, kind: str = "3-D") -> Workshop:
    """An empty level in a file that does not exist yet."""
    return Workshop(
        Draft(load_text(NEW[kind], tmp_path / "mine.toml")), Palette(tmp_path / "parts")
    )


def shop(level: str) -> Workshop:
    return Workshop(Draft(load(level)))
