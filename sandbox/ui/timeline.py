"""The line of time above the transport: drag along it to any moment of the last minute.

What was ahead when somebody went back and played on is a thinner line that forks off below; a click
on it goes there.
"""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.ui import theme
from sandbox.ui.theme import Fonts

if TYPE_CHECKING:
    from sandbox.rewind import Lane
    from sandbox.window.game import Game

_HEIGHT, _LANE = 14.0, 7.0  # pixels at scale 1
_SHORTEST = 10.0  # s that the line is long at least


def timeline(game: "Game", fonts: Fonts) -> None:
    """As wide as what is above it."""
    player = game.player
    first, last = player.history.span
    rate = float(player.world.rate)
    longest = max([last, *(lane.end for lane in player.history.lanes)])
    whole = max(longest - first, _SHORTEST * rate)
    wide = imgui.get_content_region_avail().x
    scale = fonts.scale
    lanes = player.history.lanes
    tall = (_HEIGHT + _LANE * len(lanes)) * scale
    at = imgui.get_cursor_screen_pos()
    imgui.invisible_button("timeline", imgui.ImVec2(wide, tall))
    layer = imgui.get_window_draw_list()
    ink = [_color(theme.MUTED, 0.35), _color(theme.ACCENT, 1.0), _color(theme.TEXT, 0.55)]

    def x(tick: float) -> float:
        return float(at.x + wide * (tick - first) / whole)

    middle = at.y + 0.5 * _HEIGHT * scale
    _line(layer, x(first), x(first + whole), middle, ink[0], 4 * scale)
    _line(layer, x(first), x(last), middle, ink[2], 4 * scale)
    _line(layer, x(first), x(player.session.tick), middle, ink[1], 4 * scale)
    for i, lane in enumerate(lanes):
        y = at.y + (_HEIGHT + _LANE * (i + 0.5)) * scale
        start = imgui.ImVec2(x(lane.fork), middle)
        layer.add_line(start, imgui.ImVec2(x(lane.fork), y), ink[2], 1.5 * scale)
        _line(layer, x(lane.fork), x(lane.end), y, ink[2], 3 * scale)
    knob = imgui.ImVec2(x(player.session.tick), middle)
    layer.add_circle_filled(knob, 6 * scale, ink[1])
    if imgui.is_item_active():
        mouse = imgui.get_io().mouse_pos
        tick = round(first + whole * (mouse.x - at.x) / max(wide, 1.0))
        _go(game, tick, _lane_at(lanes, mouse.y - at.y, scale))
    elif imgui.is_item_hovered():
        imgui.set_tooltip("Drag to go through the last minute; play on to try something else")


def _lane_at(lanes: "list[Lane]", y: float, scale: float) -> "Lane | None":
    number = int((y / scale - _HEIGHT) // _LANE)
    pressed = imgui.is_mouse_clicked(imgui.MouseButton_.left.value)
    return lanes[number] if pressed and 0 <= number < len(lanes) else None


def _go(game: "Game", tick: int, lane: "Lane | None") -> None:
    player = game.player
    first, last = player.history.span
    tick = min(max(tick, first), lane.end if lane is not None else last)
    if lane is not None or tick != player.session.tick:
        player.scrub(tick, lane)


def _line(
    layer: "imgui.ImDrawList", a: float, b: float, y: float, color: int, thick: float
) -> None:
    layer.add_line(imgui.ImVec2(a, y), imgui.ImVec2(max(a, b), y), color, thick)


def _color(color: tuple[float, float, float, float], alpha: float) -> int:
    return int(imgui.get_color_u32(imgui.ImVec4(*color[:3], alpha)))
