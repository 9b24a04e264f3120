"""Always there: title and hint, tools, time, messages, the card at the end."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.app.state import PALETTE, TOOLS
from sandbox.ui import theme
from sandbox.ui.layout import MARGIN, TOP
from sandbox.ui.theme import Fonts, icon

if TYPE_CHECKING:
    from sandbox.app.game import Game

_BARE = (
    imgui.WindowFlags_.no_decoration.value
    | imgui.WindowFlags_.always_auto_resize.value
    | imgui.WindowFlags_.no_move.value
    | imgui.WindowFlags_.no_saved_settings.value
    | imgui.WindowFlags_.no_focus_on_appearing.value
    | imgui.WindowFlags_.no_nav.value
)
STILL = _BARE | imgui.WindowFlags_.no_inputs.value
PANEL = (
    imgui.WindowFlags_.no_collapse.value
    | imgui.WindowFlags_.always_auto_resize.value
    | imgui.WindowFlags_.no_saved_settings.value
    | imgui.WindowFlags_.no_title_bar.value
    | imgui.WindowFlags_.no_nav.value
)


def place(x: float, y: float, pivot_x: float, pivot_y: float) -> None:
    """Put the next window at (x, y) pixels, by the given corner of it."""
    imgui.set_next_window_pos(
        imgui.ImVec2(x, y), imgui.Cond_.always.value, imgui.ImVec2(pivot_x, pivot_y)
    )


def colored(text: str, color: tuple[float, float, float, float]) -> None:
    imgui.text_colored(imgui.ImVec4(*color), text)


def icon_button(name: str, tip: str, *, active: bool = False) -> bool:
    """A square button with a glyph and a tip."""
    if active:
        imgui.push_style_color(imgui.Col_.button.value, imgui.ImVec4(*theme.ACCENT[:3], 0.85))
    side = imgui.get_frame_height() * 1.25
    pressed = imgui.button(f"{icon(name)}##{tip}", imgui.ImVec2(side, side))
    if active:
        imgui.pop_style_color()
    if imgui.is_item_hovered():
        imgui.set_tooltip(tip)
    return bool(pressed)


def title(game: "Game", fonts: Fonts) -> None:
    """As wide as the menu leaves it."""
    level, layout = game.player.session.level, game.interface.layout
    place(MARGIN * fonts.scale, TOP * fonts.scale, 0, 0)
    room = layout.left_edge("menu") - (MARGIN + 8 + 28) * fonts.scale
    imgui.set_next_window_bg_alpha(0.6)
    imgui.begin("title", None, STILL)
    imgui.push_text_wrap_pos(min(420 * fonts.scale, room))
    imgui.push_font(fonts.title, fonts.title_size)
    imgui.text_wrapped(level.title)
    imgui.pop_font()
    if level.hint:
        colored(level.hint, theme.SOFT)
    imgui.pop_text_wrap_pos()
    layout.note("title")
    imgui.end()


def transport(game: "Game", fonts: Fonts) -> None:
    """Time: restart, back, play, step, speed."""
    player = game.player
    width, height = game.window.size
    label = game.keys.label
    place(width / 2, height - 14 * fonts.scale, 0.5, 1)
    imgui.begin("transport", None, _BARE)
    if icon_button("restart", f"Restart ({label('restart')})"):
        player.action("restart")
    imgui.same_line()
    if icon_button("undo", f"Undo ({label('undo')})"):
        player.action("undo")
    imgui.same_line()
    if icon_button("redo", f"Redo ({label('redo')})"):
        player.action("redo")
    imgui.same_line()
    icon_button("rewind", f"Rewind: hold ({label('rewind')})", active=player.rewinding)
    game.rewind_button = bool(imgui.is_item_active())
    imgui.same_line()
    paused = player.clock.paused
    if icon_button("play" if paused else "pause", f"Pause ({label('pause')})", active=paused):
        player.action("pause")
    imgui.same_line()
    if icon_button("step", f"Single step ({label('step')})"):
        player.action("step")
    imgui.same_line()
    # beside the buttons, which are a quarter taller than a line's frame
    imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() + 0.125 * imgui.get_frame_height())
    imgui.align_text_to_frame_padding()
    speed = player.clock.speed
    shown = f"{speed:g}x" if speed >= 1 else f"1/{round(1 / speed)}x"
    imgui.text(f"{player.session.time:7.2f} s   {shown}")
    game.interface.layout.note("transport")
    imgui.end()


def toolbar(game: "Game", fonts: Fonts) -> None:
    player, height = game.player, game.window.size[1]
    place(MARGIN * fonts.scale, height - TOP * fonts.scale, 0, 1)
    imgui.begin("tools", None, _BARE)
    for i, name in enumerate(TOOLS):
        tip = f"{name} ({game.keys.label('tool_' + name)})\n{player.tools[name].hint}"
        if i % 3:
            imgui.same_line()
        if icon_button(name, tip, active=player.state.tool == name):
            player.state.tool = name
    if player.state.tool == "spawn":
        # as wide as three buttons
        wide = 3.75 * imgui.get_frame_height() + 2 * imgui.get_style().item_spacing.x
        imgui.set_next_item_width(wide)
        if imgui.begin_combo("##palette", player.state.spawn):
            for kind in PALETTE:
                if imgui.selectable(kind, kind == player.state.spawn)[0]:
                    player.state.spawn = kind
            imgui.end_combo()
    game.interface.layout.note("tools")
    imgui.end()


def menu(game: "Game", fonts: Fonts) -> None:
    """Top right: the level wall, panels, pictures, sound."""
    state, width = game.player.state, game.window.size[0]
    place(width - MARGIN * fonts.scale, TOP * fonts.scale, 1, 0)
    imgui.begin("menu", None, _BARE)
    entries = (
        ("wall", "wall", "Levels", state.wall),
        ("settings", "panel", "Sliders", state.panel),
        ("plots", "plots", "Plots", state.plots),
        ("overlays", "overlays", "Overlays", bool(state.overlays)),
        ("compare", "compare", "Compare", bool(game.comparison)),
        ("profiler", "profiler", "Profiler", state.profiler),
        ("camera", "screenshot", "Screenshot", False),
        ("record", "record", "Record", game.recording is not None),
        ("sound" if not game.muted else "silent", "mute", "Sound", False),
        ("gear", "settings", "Settings", state.settings),
        ("help", "help", "Help", state.help),
    )
    for i, (glyph, action, tip, active) in enumerate(entries):
        if i:
            imgui.same_line()
        key = f" ({game.keys.label(action)})" if action in game.keys.bindings else ""
        if icon_button(glyph, tip + key, active=active):
            game.action(action)
    game.interface.layout.note("menu")
    imgui.end()


def messages(game: "Game", fonts: Fonts) -> None:
    """The newest lowest, in a stack above the transport, between tools and panel."""
    player, layout = game.player, game.interface.layout
    centre, free = layout.middle()
    lines = [
        (toast.text, theme.BAD if toast.bad else theme.TEXT) for toast in player.state.messages()
    ]
    if "guard" in player.state.overlays:
        lines.append(_guard(game))
    if player.clock.slow:
        percent = 100 * (1 - player.clock.lag)
        lines.append((f"Too much for this machine: time runs at {percent:.0f} %", theme.BAD))
    y = layout.above("transport")
    for i, (text, color) in enumerate(reversed(lines)):
        place(centre, y, 0.5, 1)
        imgui.begin(f"message {i}", None, STILL)
        imgui.push_text_wrap_pos(min(640 * fonts.scale, free))
        colored(text, color)
        imgui.pop_text_wrap_pos()
        y -= imgui.get_window_height() + 6 * fonts.scale
        imgui.end()
    if player.state.error:
        _level_error(game, fonts)


def _level_error(game: "Game", fonts: Fonts) -> None:
    """As the command line shows it: in type of one width, so that the caret points."""
    layout = game.interface.layout
    left = MARGIN * fonts.scale
    wide = min(760 * fonts.scale, layout.left_edge("side") - 2 * left)
    place(left, max(layout.below("title"), layout.below("menu")), 0, 0)
    imgui.set_next_window_size(imgui.ImVec2(wide, 0.0))
    imgui.begin("level error", None, STILL & ~imgui.WindowFlags_.always_auto_resize.value)
    imgui.push_text_wrap_pos(wide - 16 * fonts.scale)
    colored("The level file has an error; the last good version runs on.", theme.BAD)
    imgui.push_font(fonts.mono, fonts.mono_size)
    imgui.text_unformatted(game.player.state.error)
    imgui.pop_font()
    imgui.pop_text_wrap_pos()
    imgui.end()


def _guard(game: "Game") -> tuple[str, tuple[float, float, float, float]]:
    """Overlay: did the guard have to step in during the last second?"""
    recent = game.player.traces.recent_guard()
    if not recent:
        return "guard quiet", theme.MUTED
    counts = game.player.world.stats.guard.items()
    what = ", ".join(f"{key} {n}" for key, n in counts if n)
    return f"guard stepped in {recent} times in the last second ({what})", theme.BAD


def rubber_band(game: "Game") -> None:
    """The rectangle of a box selection."""
    band = game.player.band
    if band is None:
        return
    left, top, width, height = game.tiles()[0]
    (x0, y0), (x1, y1) = band
    corners = [imgui.ImVec2(left + x * width, top + y * height) for x, y in ((x0, y0), (x1, y1))]
    low = imgui.ImVec2(min(c.x for c in corners), min(c.y for c in corners))
    high = imgui.ImVec2(max(c.x for c in corners), max(c.y for c in corners))
    layer = imgui.get_background_draw_list()
    accent = imgui.ImVec4(*theme.ACCENT[:3], 0.16)
    layer.add_rect_filled(low, high, imgui.get_color_u32(accent), 3.0)
    layer.add_rect(low, high, imgui.get_color_u32(imgui.ImVec4(*theme.ACCENT)), 3.0)


def card(game: "Game", fonts: Fonts) -> None:
    """Won or lost, with stars."""
    player = game.player
    status = player.session.status
    if status == "playing" or not player.state.card:
        return
    width, height = game.window.size
    place(width / 2, height * 0.38, 0.5, 0.5)
    imgui.begin("card", None, _BARE)
    buttons = ("Again", "Next level", "Play on")
    padding, spacing = imgui.get_style().frame_padding.x, imgui.get_style().item_spacing.x
    wide = sum(imgui.calc_text_size(text).x + 2 * padding for text in buttons) + 2 * spacing
    imgui.push_font(fonts.title, fonts.title_size)
    _centred("Well done!" if status == "won" else "Not this time", theme.ACCENT, wide)
    if status == "won":
        stars = player.session.stars
        row = " ".join(icon("star" if i < stars else "no_star") for i in range(3))
        _centred(row, theme.ACCENT, wide)
    imgui.pop_font()
    _centred(f"{player.session.time:.1f} s", theme.SOFT, wide)
    imgui.spacing()
    for i, (text, action) in enumerate(zip(buttons, ("restart", "next_level", ""), strict=True)):
        if i:
            imgui.same_line()
        if not imgui.button(text):
            continue
        if action:
            game.action(action)
        else:
            player.state.card = False
    imgui.end()


def _centred(text: str, color: tuple[float, float, float, float], wide: float) -> None:
    indent = max(0.0, (wide - imgui.calc_text_size(text).x) / 2)
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + indent)
    colored(text, color)
