"""The selected body: the forces on it, with bars that compare them, and plots of how it moves."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.app.body_forces import Force, forces_on, total
from sandbox.ui import theme
from sandbox.ui.course_plots import course_plots
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import colored, heading, with_prefix

if TYPE_CHECKING:
    from physics import Handle
    from sandbox.window.game import Game

WIDTH = 300.0  # pixels at scale 1
_NOTHING = 1e-6  # of the largest: what rounding leaves
_MOST = 12  # lines; a body in a heap has more contacts than anybody reads


def forces(game: "Game", fonts: Fonts) -> None:
    """A free-body diagram as a list, and how it went over the last seconds."""
    player = game.player
    subject = player.monitor.subject
    imgui.dummy(imgui.ImVec2((WIDTH - 32) * fonts.scale, 0.0))
    if subject is None:
        imgui.push_text_wrap_pos((WIDTH - 24) * fonts.scale)
        imgui.text("Click a body that can move to see the forces on it.")
        imgui.pop_text_wrap_pos()
        return
    name = player.session.name_of(subject)
    if subject.kind == "joint":
        heading(f"joint {name}")
    else:
        heading(f"forces on {name}")
        _diagram(game, subject, fonts)
    course = player.monitor.watch.courses.get(name)
    if course is not None:
        imgui.spacing()
        course_plots(course, fonts, (WIDTH - 32) * fonts.scale)


def _diagram(game: "Game", body: "Handle", fonts: Fonts) -> None:
    player = game.player
    found = forces_on(player.session, body)
    largest = max(force.size for force in found)
    for force in found[:_MOST]:
        _line(force, largest, fonts, theme.ACCENT)
    if len(found) > _MOST:
        colored(f"and {len(found) - _MOST} smaller ones", theme.MUTED)
    imgui.separator()
    _line(total(found), largest, fonts, theme.GOOD)
    if body in player.held():
        colored("without the hand that holds it", theme.MUTED)


def _line(
    force: Force, largest: float, fonts: Fonts, color: tuple[float, float, float, float]
) -> None:
    """Name and size, its components, and a bar as long as its share of the largest."""
    wide = (WIDTH - 32) * fonts.scale
    x, y, z, whole = (
        with_prefix(value if abs(value) > _NOTHING * largest else 0.0, "N")
        for value in (*force.vector, force.size)
    )
    left = imgui.get_cursor_pos_x()
    imgui.text(force.source)
    imgui.same_line(left + wide - imgui.calc_text_size(whole).x)
    colored(whole, color)
    at, tall = imgui.get_cursor_screen_pos(), 4 * fonts.scale
    share = min(force.size / largest, 1.0) if largest > 0 else 0.0
    layer = imgui.get_window_draw_list()
    track = imgui.get_color_u32(imgui.ImVec4(*theme.TEXT[:3], 0.12))
    layer.add_rect_filled(at, imgui.ImVec2(at.x + wide, at.y + tall), track, tall / 2)
    ink = imgui.get_color_u32(imgui.ImVec4(*color))
    layer.add_rect_filled(at, imgui.ImVec2(at.x + share * wide, at.y + tall), ink, tall / 2)
    imgui.dummy(imgui.ImVec2(wide, tall))
    colored(f"{x}, {y}, {z}", theme.MUTED)
