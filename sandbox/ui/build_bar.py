"""The bar on top while a level is built: test, save, undo, and what the selection can."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.ui import theme
from sandbox.ui.layout import MARGIN, TOP
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import BARE, STILL, colored, fit, icon_button, place

if TYPE_CHECKING:
    from sandbox.window.game import Game
    from sandbox.workshop.builder import Builder

_STEPS = (0.05, 0.1, 0.25, 0.5, 1.0)  # m
_ANGLES = (5.0, 15.0, 30.0, 45.0, 90.0)
_LINES = (
    ("\uf036", "left sides", 0, "low"),
    ("\uf037", "middles", 0, "middle"),
    ("\uf038", "right sides", 0, "high"),
    ("\uf151", "tops", 1, "high"),
    ("\uf07d", "heights", 1, "middle"),
    ("\uf150", "bottoms", 1, "low"),
)
# glyph, action, tip
_EDITS = (
    ("\uf0c5", "copy", "Copy"),
    ("\uf0ea", "paste", "Paste"),
    ("\uf24d", "duplicate", "Duplicate"),
    ("\uf07e", "mirror", "A mirrored copy"),
    ("\uf01e", "turn", "A quarter turn"),
    ("\uf247", "group", "Group: selected together from now on"),
    ("\uf248", "ungroup", "Ungroup"),
    ("\uf1f8", "delete", "Delete"),
)
_MODES = (
    ("\uf047", "move", "Move"),
    ("\uf021", "rotate", "Rotate"),
    ("\uf065", "scale", "Size"),
)


def bar(game: "Game", builder: "Builder", fonts: Fonts) -> None:
    place(MARGIN * fonts.scale, TOP * fonts.scale, 0, 0)
    imgui.begin("build bar", None, BARE)
    _main(game, builder, fonts)
    _gap(fonts)
    for glyph, mode, tip in _MODES:
        active = builder.tool == "select" and builder.gizmo.mode == mode
        if icon_button(glyph, f"{tip} ({game.build_keys.label(mode)})", active=active):
            game.action(mode)
        imgui.same_line()
    _grid(game, builder, fonts)
    _gap(fonts)
    imgui.begin_disabled(not builder.draft.selected and builder.selection.clipboard is None)
    for glyph, action, tip in _EDITS:
        if icon_button(glyph, f"{tip} ({game.build_keys.label(action)})"):
            game.action(action)
        imgui.same_line()
    _align(builder)
    imgui.end_disabled()
    game.interface.layout.note("build bar")
    imgui.end()


def _gap(fonts: Fonts) -> None:
    imgui.same_line(0, 16 * fonts.scale)


def _main(game: "Game", builder: "Builder", fonts: Fonts) -> None:
    label, tall = game.build_keys.label, 1.25 * imgui.get_frame_height()
    if icon_button("\uf060", f"Back to playing ({label('leave')})"):
        game.action("leave")
    imgui.same_line()
    imgui.push_style_color(imgui.Col_.button.value, imgui.ImVec4(*theme.ACCENT[:3], 0.9))
    imgui.push_style_color(imgui.Col_.text.value, imgui.ImVec4(0.08, 0.07, 0.04, 1.0))
    if imgui.button("\uf04b  Test", imgui.ImVec2(86 * fonts.scale, tall)):
        game.action("test")
    imgui.pop_style_color(2)
    if imgui.is_item_hovered():
        imgui.set_tooltip(f"Play it as it is, then come back ({label('test')})")
    imgui.same_line()
    text = "\uf0c7  Save" + (" *" if builder.draft.unsaved else "")
    if imgui.button(f"{text}##save", imgui.ImVec2(82 * fonts.scale, tall)):
        game.action("save")
    if imgui.is_item_hovered():
        imgui.set_tooltip(f"{builder.draft.path} ({label('save')})")
    imgui.same_line()
    for glyph, action, can in (
        (theme.icon("undo"), "undo", builder.draft.can_undo),
        (theme.icon("redo"), "redo", builder.draft.can_redo),
    ):
        imgui.begin_disabled(not can)
        if icon_button(glyph, f"{action.capitalize()} ({label(action)})"):
            game.action(action)
        imgui.end_disabled()
        imgui.same_line()


def _grid(game: "Game", builder: "Builder", fonts: Fonts) -> None:
    snap = builder.snap
    if icon_button("\uf0ce", f"Grid ({game.build_keys.label('snap')})", active=snap.wanted):
        game.action("snap")
    imgui.same_line()
    imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() + 0.125 * imgui.get_frame_height())
    imgui.set_next_item_width(78 * fonts.scale)
    if imgui.begin_combo("##step", f"{snap.step:g} m"):
        for step in _STEPS:
            if imgui.selectable(f"{step:g} m", step == snap.step)[0]:
                snap.step = step
        imgui.separator()
        for angle in _ANGLES:
            if imgui.selectable(f"{angle:g}°", angle == snap.degrees)[0]:
                snap.degrees = angle
        imgui.end_combo()
    imgui.same_line()


def _align(builder: "Builder") -> None:
    if icon_button("\uf0c9", "Put in line"):
        imgui.open_popup("align")
    if imgui.begin_popup("align"):
        lines = [*_LINES]
        if not builder.draft.flat:
            lines += [("\uf036", "front sides", 2, "high"), ("\uf038", "back sides", 2, "low")]
        for glyph, title, axis, where in lines:
            if imgui.selectable(f"{glyph}  {title}", False)[0]:
                builder.selection.align(axis, where)
        imgui.separator()
        if imgui.selectable("equal gaps, left to right", False)[0]:
            builder.selection.spread(0)
        if imgui.selectable("equal gaps, bottom to top", False)[0]:
            builder.selection.spread(1)
        imgui.end_popup()


def hint(game: "Game", builder: "Builder", fonts: Fonts) -> None:
    """What to do now, at the bottom, between the panels."""
    layout = game.interface.layout
    palette, side = layout.place("palette"), layout.place("side")
    left = palette.right if palette else 0.0
    right = side.left if side else float(layout.size[0])
    place((left + right) / 2, layout.size[1] - TOP * fonts.scale, 0.5, 1)
    wrap = max(right - left - 40 * fonts.scale, 200.0)
    fit(wrap, (builder.hint, None, 0.0))
    imgui.begin("transport", None, STILL)
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + wrap)
    colored(builder.hint, theme.TEXT)
    imgui.pop_text_wrap_pos()
    layout.note("transport")
    imgui.end()


def back_button(game: "Game", fonts: Fonts) -> None:
    """While the draft is tested: the way back, where one looks for it."""
    layout = game.interface.layout
    width = layout.size[0]
    place(width / 2, TOP * fonts.scale, 0.5, 0)
    imgui.begin("testing", None, BARE)
    imgui.push_style_color(imgui.Col_.button.value, imgui.ImVec4(*theme.ACCENT[:3], 0.9))
    imgui.push_style_color(imgui.Col_.text.value, imgui.ImVec4(0.08, 0.07, 0.04, 1.0))
    tall = 1.25 * imgui.get_frame_height()
    if imgui.button("\uf060  Back to building", imgui.ImVec2(170 * fonts.scale, tall)):
        game.building.back()
    imgui.pop_style_color(2)
    layout.note("testing")
    imgui.end()
