"""The interface of compare: what is compared, and a name on every view."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.app.comparison import CHOICES
from sandbox.ui import theme
from sandbox.ui.layout import MARGIN
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import STILL, colored, paint, place

if TYPE_CHECKING:
    from sandbox.app.comparison import ComparedRun
    from sandbox.window.game import Game

_WHAT = {"stabilization": "stabilizations", "rate": "steps per second"}


def controls(game: "Game", fonts: Fonts) -> None:
    """In place of the side panel while comparing."""
    comparison = game.comparison
    if comparison is None:
        return
    colored("COMPARE", theme.MUTED)
    for what, label in _WHAT.items():
        if imgui.radio_button(label, comparison.what == what):
            comparison.choose(what)
    imgui.separator()
    for value in CHOICES[comparison.what]:
        if imgui.checkbox(str(value), value in comparison.values)[0]:
            comparison.toggle(value)
    imgui.separator()
    for ghosts, label in ((False, "side by side"), (True, "ghosts")):
        if imgui.radio_button(label, comparison.ghosts == ghosts):
            comparison.ghosts = ghosts
    if imgui.button("From here"):
        comparison.sync()
    if imgui.is_item_hovered():
        imgui.set_tooltip("All begin again from your present moment")
    imgui.same_line()
    if imgui.button("Done"):
        game.stop_comparing()


def labels(game: "Game", fonts: Fonts) -> None:
    """A name on each tile, or a legend of the ghosts."""
    comparison = game.comparison
    if comparison is None:
        return
    if comparison.ghosts:
        place(MARGIN * fonts.scale, game.interface.layout.below("title"), 0, 0)
        imgui.begin("ghosts", None, STILL)
        colored(
            f"solid: {comparison.name_of(getattr(game.player.world, comparison.what))}", theme.TEXT
        )
        for run in comparison.runs:
            _name(run.color, run.label, fonts)
        imgui.end()
        return
    tiles = comparison.tiles(game.window.size)
    _dividers(tiles, game.window.size, fonts)
    for i, (run, tile) in enumerate(zip(comparison.runs, tiles, strict=True)):
        _tile_label(i, run, tile, game, fonts)


def _tile_label(
    i: int, run: "ComparedRun", tile: tuple[int, int, int, int], game: "Game", fonts: Fonts
) -> None:
    """At the line between the rows, where no panel is; with one row above the transport."""
    left, top, width, height = tile
    gap = 10 * fonts.scale
    if top > 0:
        y, pivot = top + gap, 0.0
    elif top + height < game.window.size[1] - 1:
        y, pivot = height - gap, 1.0
    else:
        y, pivot = game.interface.layout.above("transport"), 1.0
    right = min(left + width, game.interface.layout.left_edge("side"))
    place((left + right) / 2, y, 0.5, pivot)
    imgui.begin(f"compared run {i}", None, STILL)
    _name(run.color, run.label, fonts)
    imgui.end()


def _dividers(tiles: list[tuple[int, int, int, int]], size: tuple[int, int], fonts: Fonts) -> None:
    """A thin dark line between the views."""
    layer, thick = imgui.get_background_draw_list(), 3 * fonts.scale
    ink = imgui.get_color_u32(imgui.ImVec4(*theme.GLASS[:3], 1.0))
    if any(left > 0 for left, *_ in tiles):
        x = max(left for left, *_ in tiles)
        layer.add_line(imgui.ImVec2(x, 0), imgui.ImVec2(x, size[1]), ink, thick)
    if any(top > 0 for _, top, *_ in tiles):
        y = max(top for _, top, *_ in tiles)
        layer.add_line(imgui.ImVec2(0, y), imgui.ImVec2(size[0], y), ink, thick)


def _name(color: str, text: str, fonts: Fonts) -> None:
    at = imgui.get_cursor_screen_pos()
    side = 14 * fonts.scale
    corner = imgui.ImVec2(at.x + side, at.y + side)
    imgui.get_window_draw_list().add_rect_filled(at, corner, paint(color), 3 * fonts.scale)
    imgui.dummy(imgui.ImVec2(side, side))
    imgui.same_line()
    imgui.text(text)
