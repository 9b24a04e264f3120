"""What the colours of the overlays mean, above the tools."""

from itertools import pairwise
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.app.overlays import AXES, DAMPED, PULLED, PUSHED, SLEEPING, STOPS
from sandbox.ui.hud import STILL, place
from sandbox.ui.layout import MARGIN
from sandbox.ui.plots import with_prefix
from sandbox.ui.theme import Fonts

if TYPE_CHECKING:
    from sandbox.app.game import Game

_BAR = 96.0  # pixels at scale 1


def legend(game: "Game", fonts: Fonts) -> None:
    """Only for overlays that are on, and only where there is room."""
    shown = game.player.state.overlays - {"guard", "joints"}
    layout = game.interface.layout
    top = layout.below("plots") if game.player.state.plots else layout.below("title")
    if not shown or layout.above("tools") - top < 30 * len(shown) * fonts.scale:
        return
    place(MARGIN * fonts.scale, layout.above("tools"), 0, 1)
    imgui.begin("legend", None, STILL)
    most = game.overlay_scales
    if "tension" in shown:
        _bar(f"pull, up to {with_prefix(most.get('tension', 0.0), 'N')}", fonts)
        _dots(((PULLED, "joint pulls"), (PUSHED, "joint pushes")), fonts)
    if "contacts" in shown:
        _bar(f"contact force, up to {with_prefix(most.get('contacts', 0.0), 'N')}", fonts)
    if "velocity" in shown:
        _bar(f"speed, up to {most.get('velocity', 0.0):.3g} m/s", fonts)
    if "treatment" in shown:
        _bar("inertia added, 0.001 … 10 000 of its own", fonts)
        _dots(((DAMPED, "damping added"),), fonts)
    if "axes" in shown:
        _dots(tuple(zip(AXES, ("x", "y", "z"), strict=True)), fonts)
    if "sleep" in shown:
        _dots(((SLEEPING, "asleep"),), fonts)
    layout.note("legend")
    imgui.end()


def _paint(color: str) -> int:
    r, g, b = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return int(imgui.get_color_u32(imgui.ImVec4(r, g, b, 1.0)))


def _bar(text: str, fonts: Fonts) -> None:
    """The colour scale, from nothing at the left to the most at the right."""
    at, layer = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    tall = imgui.get_text_line_height()
    part = _BAR * fonts.scale / (len(STOPS) - 1)
    for i, (left, right) in enumerate(pairwise(STOPS)):
        low = imgui.ImVec2(at.x + i * part, at.y + 0.15 * tall)
        high = imgui.ImVec2(low.x + part, at.y + 0.85 * tall)
        a, b = _paint(left), _paint(right)
        layer.add_rect_filled_multi_color(low, high, a, b, b, a)
    imgui.dummy(imgui.ImVec2(_BAR * fonts.scale, tall))
    imgui.same_line()
    imgui.text(text)


def _dots(entries: tuple[tuple[str, str], ...], fonts: Fonts) -> None:
    layer, tall = imgui.get_window_draw_list(), imgui.get_text_line_height()
    for i, (color, text) in enumerate(entries):
        if i:
            imgui.same_line()
        at = imgui.get_cursor_screen_pos()
        centre = imgui.ImVec2(at.x + 0.4 * tall, at.y + 0.5 * tall)
        layer.add_circle_filled(centre, 0.36 * tall, _paint(color))
        imgui.dummy(imgui.ImVec2(0.8 * tall, tall))
        imgui.same_line(0.0, 4 * fonts.scale)
        imgui.text(text)
