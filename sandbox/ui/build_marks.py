"""Marks of the builder drawn over the picture: joints, handles, lines that are being drawn."""

from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui

from sandbox.ui import theme
from sandbox.ui.widgets import paint
from sandbox.workshop.draft_marks import Mark

if TYPE_CHECKING:
    from sandbox.render.view import View
    from sandbox.window.game import Game
    from sandbox.workshop.builder import Builder

_SHADE = 0.55  # of the dark line behind every bright one


def draw_marks(game: "Game", builder: "Builder") -> None:
    """Every mark twice: a dark, wider line first, so that it is seen on any ground."""
    view, size = builder.camera.view(), game.window.size
    layer = imgui.get_background_draw_list()
    shade = imgui.get_color_u32(imgui.ImVec4(0.05, 0.06, 0.08, _SHADE))
    marks = [(mark, found) for mark in builder.marks() if (found := _seen(mark, view, size))]
    for mark, points in marks:
        if mark.dot:
            for point in points:
                layer.add_circle_filled(point, mark.dot + 1.5, shade)
        else:
            layer.add_polyline(points, shade, mark.width + 2.5, 0)
    for mark, points in marks:
        ink = paint(mark.color)
        if mark.dot:
            for point in points:
                layer.add_circle_filled(point, mark.dot, ink)
        else:
            layer.add_polyline(points, ink, mark.width, 0)
    _number(builder, size)


def _seen(mark: Mark, view: "View", size: tuple[int, int]) -> list[Any]:
    """Pixels of its points; none where it is behind the eye."""
    found = view.project(np.asarray(mark.points, float))
    if (found[:, 2] <= 0.05).any() or not np.isfinite(found).all():
        return []
    found = np.clip(found, -4.0, 5.0)
    return [imgui.ImVec2(float(x) * size[0], float(y) * size[1]) for x, y, _ in found]


def _number(builder: "Builder", size: tuple[int, int]) -> None:
    """Beside the pointer: how far, how much, how large."""
    drag = builder.gizmo.drag
    if drag is None or not drag.text:
        return
    x, y = builder.pointer
    at = imgui.ImVec2(x * size[0] + 18, y * size[1] - 30)
    wide = imgui.calc_text_size(drag.text)
    layer = imgui.get_foreground_draw_list()
    glass = imgui.get_color_u32(imgui.ImVec4(*theme.GLASS[:3], 0.92))
    low = imgui.ImVec2(at.x - 8, at.y - 4)
    high = imgui.ImVec2(at.x + wide.x + 8, at.y + wide.y + 4)
    layer.add_rect_filled(low, high, glass, 6.0)
    layer.add_text(at, imgui.get_color_u32(imgui.ImVec4(*theme.ACCENT)), drag.text)


def band(game: "Game", builder: "Builder") -> None:
    """The rectangle of a box selection."""
    if builder.hand.band is None:
        return
    width, height = game.window.size
    (x0, y0), (x1, y1) = builder.hand.band
    low = imgui.ImVec2(min(x0, x1) * width, min(y0, y1) * height)
    high = imgui.ImVec2(max(x0, x1) * width, max(y0, y1) * height)
    layer = imgui.get_background_draw_list()
    layer.add_rect_filled(
        low, high, imgui.get_color_u32(imgui.ImVec4(*theme.ACCENT[:3], 0.16)), 3.0
    )
    layer.add_rect(low, high, imgui.get_color_u32(imgui.ImVec4(*theme.ACCENT)), 3.0)
