"""What the colours of the overlays mean, above the tools."""

from itertools import pairwise
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.app.overlays import OVERLAYS, STOPS, Dot, Scale
from sandbox.ui.layout import MARGIN
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import STILL, paint, place, with_prefix

if TYPE_CHECKING:
    from sandbox.window.game import Game

_BAR = 96.0  # pixels at scale 1


def legend(game: "Game", fonts: Fonts) -> None:
    """Only for overlays that are on, and only where there is room."""
    state, layout = game.player.state, game.interface.layout
    shown = [o for o in OVERLAYS.values() if o.name in state.overlays and o.legend]
    taken = max((p.height for p in layout.left_panels(game)[:1]), default=0.0)
    room = layout.above("tools") - layout.below("title") - layout.px(taken)
    if not shown or room < layout.px(30 * len(shown)):
        return
    place(MARGIN * fonts.scale, layout.above("tools"), 0, 1)
    imgui.begin("legend", None, STILL)
    for overlay in shown:
        for entry in overlay.legend:
            if isinstance(entry, Scale):
                _bar(_scale_text(entry, game.overlay_scales.get(overlay.name, 0.0)), fonts)
        _dots([entry for entry in overlay.legend if isinstance(entry, Dot)], fonts)
    layout.note("legend")
    imgui.end()


def _scale_text(scale: Scale, most: float) -> str:
    return scale.text.format(with_prefix(most, scale.unit))


def _bar(text: str, fonts: Fonts) -> None:
    """The colour scale, from nothing at the left to the most at the right."""
    at, layer = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    tall = imgui.get_text_line_height()
    part = _BAR * fonts.scale / (len(STOPS) - 1)
    for i, (left, right) in enumerate(pairwise(STOPS)):
        low = imgui.ImVec2(at.x + i * part, at.y + 0.15 * tall)
        high = imgui.ImVec2(low.x + part, at.y + 0.85 * tall)
        a, b = paint(left), paint(right)
        layer.add_rect_filled_multi_color(low, high, a, b, b, a)
    imgui.dummy(imgui.ImVec2(_BAR * fonts.scale, tall))
    imgui.same_line()
    imgui.text(text)


def _dots(entries: list[Dot], fonts: Fonts) -> None:
    layer, tall = imgui.get_window_draw_list(), imgui.get_text_line_height()
    for i, entry in enumerate(entries):
        if i:
            imgui.same_line()
        at = imgui.get_cursor_screen_pos()
        centre = imgui.ImVec2(at.x + 0.4 * tall, at.y + 0.5 * tall)
        layer.add_circle_filled(centre, 0.36 * tall, paint(entry.color))
        imgui.dummy(imgui.ImVec2(0.8 * tall, tall))
        imgui.same_line(0.0, 4 * fonts.scale)
        imgui.text(entry.text)
