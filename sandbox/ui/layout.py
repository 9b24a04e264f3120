"""Who stands where: no panel covers another, from 640x360 up to any size.

Panels keep to the edges and say where they ended up; the others keep clear of them in the next
frame. Where a window is too small for the chosen text size everything shrinks by up to a fifth;
where that is not enough, panels that find no room are left out until there is some. In a larger
window than usual text grows with it, half as fast: one sits a little farther from a larger screen.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.ui.panels import PAGES, PANELS, Panel

if TYPE_CHECKING:
    from sandbox.window.game import Game

MARGIN, TOP, GAP = 16.0, 14.0, 8.0  # pixels at scale 1, as all lengths here
_ROOMY = (800.0, 450.0)  # a window of that size holds everything
_SMALLEST = 0.8  # of the chosen text size
_USUAL = (1280.0, 720.0)  # a window in which text has the chosen size
_LARGEST = 2.0  # times the chosen size
_FOR_TITLE = 0.1  # of the height: what levels leave free at the top
_TALL = 0.5  # of the window: a panel that the picture makes room for
_SEEN_THROUGH = ("title", "paused", "legend")  # nothing to click there
_TINY = (600.0, 330.0)  # below that only the picture and the transport are left


def fitting_scale(wanted: float, size: tuple[int, int]) -> float:
    """The chosen scale, less where the window is small, more where it is large; in steps, to spare
    the font atlas."""
    large = min(size[0] / _USUAL[0], size[1] / _USUAL[1])
    grown = wanted * min(max((1.0 + large) / 2.0, 1.0), _LARGEST)
    room = min(size[0] / _ROOMY[0], size[1] / _ROOMY[1]) / grown
    return round(grown * min(max(room, _SMALLEST), 1.0) * 20) / 20


@dataclass(frozen=True)
class Rect:
    left: float
    top: float
    right: float
    bottom: float


@dataclass
class Layout:
    """The window's size, the scale, and where the panels were in the last frame."""

    size: tuple[int, int] = (0, 0)
    scale: float = 1.0
    _places: dict[str, Rect] = field(default_factory=dict)
    _seen: dict[str, Rect] = field(default_factory=dict)

    def begin(self, size: tuple[int, int], scale: float) -> None:
        self.size, self.scale = size, scale
        self._places, self._seen = self._seen, {}

    @property
    def settled(self) -> bool:
        """Is everything where the last frame thought it would be?"""
        return self._places == self._seen

    def note(self, name: str) -> None:
        """Within a panel: remember where it is."""
        at, size = imgui.get_window_pos(), imgui.get_window_size()
        self._seen[name] = Rect(at.x, at.y, at.x + size.x, at.y + size.y)

    def place(self, name: str) -> Rect | None:
        return self._places.get(name)

    def px(self, length: float) -> float:
        return length * self.scale

    @property
    def tiny(self) -> bool:
        return self.size[0] < self.px(_TINY[0]) or self.size[1] < self.px(_TINY[1])

    def shown(self, game: "Game") -> list[Panel]:
        """Which of the open panels find room beside each other; comparing has the right one."""
        room = self.size[0] - self.px(2 * MARGIN)
        shown: list[Panel] = []
        for panel in PANELS.values():
            wanted = panel.name in game.player.state.open
            if panel.right and game.comparison is not None:
                wanted = True
            if wanted and (not shown or room >= self.px(panel.width)):
                shown.append(panel)
                room -= self.px(panel.width + GAP)
        return shown

    def left_panels(self, game: "Game") -> list[Panel]:
        """Those that stand beside each other from the left."""
        return [panel for panel in self.shown(game) if not panel.right]

    def covers(self, x: float, y: float) -> bool:
        """Is a panel that takes clicks at this pixel?"""
        return any(
            place.left <= x < place.right and place.top <= y < place.bottom
            for name, place in self._seen.items()
            if name not in _SEEN_THROUGH
        )

    def free_part(self, game: "Game") -> tuple[float, float, float, float]:
        """Left, top, right and bottom of what no large panel covers, in pixels. Small ones in the
        corners do not count: levels leave those free."""
        width, height = self.size
        left, top, right, bottom = 0.0, 0.0, float(width), float(height)
        if self.tiny or game.player.state.hidden or game.player.state.open & set(PAGES):
            return left, top, right, bottom
        side = self.place("side")
        if side is not None and side.bottom - side.top > _TALL * height:
            right = side.left
        for panel in self.left_panels(game):
            place = self.place(panel.name)
            if place is not None and place.bottom - place.top > _TALL * height:
                left = max(left, place.right)
        if right - left < 0.4 * width:
            left, right = 0.0, float(width)
        return left, top, right, bottom

    def top_of_tiles(self, height: float) -> float:
        """How much of the height of a tile the title hides beyond what levels leave free for it:
        in a low tile it reaches farther down than in the whole window."""
        title = self.place("title")
        if title is None or height >= self.size[1]:
            return 0.0
        return min(max(title.bottom / height - _FOR_TITLE, 0.0), 0.3)

    def between_panels(self, game: "Game") -> tuple[float, float, float, float]:
        """The same while a level is built: between the palette and the inspector."""
        width, height = self.size
        palette, side, bar = (self.place(name) for name in ("palette", "side", "build bar"))
        left = palette.right if palette else 0.0
        right = side.left if side else float(width)
        if game.player.state.hidden or right - left < 0.3 * width:
            left, right = 0.0, float(width)
        more = (width - right + left) / 4  # what is beside the panels may be hidden by them
        left, right = left - more, right + more
        return left, bar.bottom if bar else 0.0, right, float(height)

    # --- edges that others keep clear of -----------------------------------------------------

    def left_edge(self, name: str) -> float:
        """Of a panel at the right; of the window where it is not shown."""
        place = self.place(name)
        return place.left if place else self.size[0] - self.px(MARGIN - GAP)

    def below(self, name: str, otherwise: float = TOP) -> float:
        place = self.place(name)
        return place.bottom + self.px(GAP) if place else self.px(otherwise)

    def above(self, *names: str) -> float:
        """The lowest line that stays clear of all of them."""
        tops = [place.top for name in names if (place := self.place(name))]
        return min(tops, default=float(self.size[1])) - self.px(GAP)

    def lowest_for(self, left: float, right: float) -> float:
        """How far down a panel between these edges may reach."""
        bottom = self.size[1] - self.px(TOP)
        for name in ("tools", "legend", "transport"):
            place = self.place(name)
            if place and place.left < right and left < place.right:
                bottom = min(bottom, place.top - self.px(GAP))
        return bottom

    def middle(self) -> tuple[float, float]:
        """Where messages stand: their centre and the width that is free there."""
        tools = self.place("tools")
        left = tools.right if tools else 0.0
        right = self.left_edge("side")
        free = right - left - self.px(2 * GAP)
        centre = self.size[0] / 2
        beside = 2 * min(centre - left, right - centre) - self.px(2 * GAP)
        if beside >= self.px(420) or free < self.px(160):
            return centre, max(beside, self.px(160))
        return (left + right) / 2, free
