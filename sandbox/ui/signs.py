"""What the level writes above its zones: "land here"."""

from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui

from sandbox.ui import theme

if TYPE_CHECKING:
    from sandbox.window.game import Game

_NEAR = 0.2  # m: what is nearer, or behind the eye, has no place on the screen
_TALLEST = 1.0  # m above the foot of a zone
_PADDING = 4.0  # pixels at scale 1


def signs(game: "Game") -> None:
    """Labels of zones, above their middle, those of tall ones where a person's eyes are: of a
    zone on the ground only the foot is drawn. All views beside each other have them."""
    zones = getattr(game.player.session.plan, "zones", {})
    named = [zone for zone in zones.values() if zone.label and not zone.hidden]
    if not named:
        return
    heights = [min(zone.size[1], _TALLEST) - zone.size[1] / 2 for zone in named]
    tops = np.array([np.add(z.center, (0, h, 0)) for z, h in zip(named, heights, strict=True)])
    places = game.player.camera.view().project(tops)
    for left, top, width, height in game.tiles():
        for zone, (x, y, depth) in zip(named, places, strict=True):
            if depth > _NEAR and 0.0 < x < 1.0 and 0.0 < y < 1.0:
                _sign(zone.label, left + x * width, top + y * height, game.interface.layout.scale)


def _sign(text: str, x: float, y: float, scale: float) -> None:
    size, padding = imgui.calc_text_size(text), _PADDING * scale
    low = imgui.ImVec2(x - size.x / 2 - padding, y - size.y - 3 * padding)
    high = imgui.ImVec2(x + size.x / 2 + padding, y - padding)
    layer = imgui.get_background_draw_list()
    dark = imgui.ImVec4(0.07, 0.08, 0.11, 0.62)
    layer.add_rect_filled(low, high, imgui.get_color_u32(dark), padding)
    corner = imgui.ImVec2(low.x + padding, low.y + padding)
    layer.add_text(corner, imgui.get_color_u32(imgui.ImVec4(*theme.SOFT)), text)
