"""The interface of compare: what is compared, and a name on every view."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.app.rivals import CHOICES
from sandbox.ui import theme
from sandbox.ui.hud import PANEL, STILL, colored, place
from sandbox.ui.theme import Fonts

if TYPE_CHECKING:
    from sandbox.app.game import Game

_WHAT = {"stabilization": "stabilizations", "rate": "steps per second"}


def controls(game: "Game", fonts: Fonts) -> None:
    """In place of the side panel while comparing."""
    rivals = game.rivals
    if rivals is None:
        return
    place(game.window.size[0] - 16 * fonts.scale, 72 * fonts.scale, 1, 0)
    imgui.begin("compare", None, PANEL)
    colored("COMPARE", theme.MUTED)
    for what, label in _WHAT.items():
        if imgui.radio_button(label, rivals.what == what):
            rivals.choose(what)
    imgui.separator()
    for value in CHOICES[rivals.what]:
        if imgui.checkbox(str(value), value in rivals.values)[0]:
            rivals.toggle(value)
    imgui.separator()
    for ghosts, label in ((False, "side by side"), (True, "ghosts")):
        if imgui.radio_button(label, rivals.ghosts == ghosts):
            rivals.ghosts = ghosts
    if imgui.button("From here"):
        rivals.sync()
    if imgui.is_item_hovered():
        imgui.set_tooltip("All begin again from your present moment")
    imgui.same_line()
    if imgui.button("Done"):
        game.stop_comparing()
    imgui.end()


def labels(game: "Game", fonts: Fonts) -> None:
    """A name on each tile, or a legend of the ghosts."""
    rivals = game.rivals
    if rivals is None:
        return
    if rivals.ghosts:
        place(16 * fonts.scale, 104 * fonts.scale, 0, 0)
        imgui.begin("ghosts", None, STILL)
        colored(f"solid: {game.player.world.stabilization}", theme.TEXT)
        for rival in rivals.rivals:
            _name(rival.color, rival.label, fonts)
        imgui.end()
        return
    tiles = rivals.tiles(game.window.size)
    for i, (rival, (left, top, _, height)) in enumerate(zip(rivals.rivals, tiles, strict=True)):
        # below the title in the upper row, above the tools in the lower one
        y = top + (100 if top == 0 else 14) * fonts.scale
        place(left + 16 * fonts.scale, min(y, top + height), 0, 0)
        imgui.begin(f"rival {i}", None, STILL)
        _name(rival.color, rival.label, fonts)
        imgui.end()


def _name(color: str, text: str, fonts: Fonts) -> None:
    r, g, b = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    at = imgui.get_cursor_screen_pos()
    side = 14 * fonts.scale
    corner = imgui.ImVec2(at.x + side, at.y + side)
    paint = imgui.get_color_u32(imgui.ImVec4(r, g, b, 1.0))
    imgui.get_window_draw_list().add_rect_filled(at, corner, paint, 3 * fonts.scale)
    imgui.dummy(imgui.ImVec2(side, side))
    imgui.same_line()
    imgui.text(text)
