"""Always there: title and hint, tools, time, messages."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.app.choices import PALETTE
from sandbox.app.overlays import OVERLAYS
from sandbox.app.tools import tool_action
from sandbox.ui import theme
from sandbox.ui.layout import MARGIN, TOP
from sandbox.ui.panels import PAGES, PANELS
from sandbox.ui.theme import Fonts, icon
from sandbox.ui.timeline import timeline
from sandbox.ui.widgets import BARE, STILL, colored, fit, icon_button, named_button, place

if TYPE_CHECKING:
    from levels import Level
    from sandbox.protocols import GameLevel
    from sandbox.window.game import Game

TOOL_WIDTH = 46.0  # pixels at scale 1 of a button with its name


def title(game: "Game", fonts: Fonts) -> None:
    """As wide as the menu leaves it."""
    level, layout = game.player.session.level, game.interface.layout
    place(MARGIN * fonts.scale, TOP * fonts.scale, 0, 0)
    menu = layout.place("menu")  # not there yet in the very first frame
    room = (menu.left if menu else 0.6 * layout.size[0]) - (MARGIN + 8 + 28) * fonts.scale
    wrap = max(min(440 * fonts.scale, room), 200 * fonts.scale)
    shown = (f"{label}: {value:g}" for label, value in game.player.session.shown_counters)
    with title_card("title", STILL, level, fonts, wrap, "     ".join(shown)):
        layout.note("title")


@contextmanager
def title_card(
    name: str,
    flags: int,
    level: "Level | GameLevel",
    fonts: Fonts,
    wrap: float,
    counters: str = "",
) -> Iterator[None]:
    """Title and hint of a level where the window was placed; what is within is still part of it."""
    below = [(text, None, 0.0) for text in (level.hint, counters) if text]
    fit(wrap, (level.title, fonts.title, fonts.title_size), *below)
    imgui.set_next_window_bg_alpha(0.75)  # readable over a dark beam and a bright sky
    imgui.begin(name, None, flags)
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + wrap)
    imgui.push_font(fonts.title, fonts.title_size)
    imgui.text_wrapped(level.title)
    imgui.pop_font()
    if level.hint:
        colored(level.hint, theme.SOFT)
    if counters:
        colored(counters, theme.ACCENT)
    imgui.pop_text_wrap_pos()
    yield
    imgui.end()


def transport(game: "Game", fonts: Fonts) -> None:
    """Time: restart, back, play, step, speed."""
    player = game.player
    width, height = game.window.size
    label = game.keys.label
    place(width / 2, height - 14 * fonts.scale, 0.5, 1)
    imgui.begin("transport", None, BARE)
    if icon_button(icon("restart"), f"Restart ({label('restart')})"):
        player.action("restart")
    imgui.same_line()
    if icon_button(icon("undo"), f"Undo ({label('undo')})"):
        player.action("undo")
    imgui.same_line()
    if icon_button(icon("redo"), f"Redo ({label('redo')})"):
        player.action("redo")
    imgui.same_line()
    icon_button(icon("rewind"), f"Rewind: hold ({label('rewind')})", active=player.rewinding)
    game.rewind_button = bool(imgui.is_item_active())
    imgui.same_line()
    paused, pause = player.clock.paused, f"Pause ({label('pause')})"
    if icon_button(icon("play" if paused else "pause"), pause, active=paused):
        player.action("pause")
    imgui.same_line()
    if icon_button(icon("step"), f"Single step ({label('step')})"):
        player.action("step")
    imgui.same_line()
    # beside the buttons, which are a quarter taller than a line's frame
    imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() + 0.125 * imgui.get_frame_height())
    imgui.align_text_to_frame_padding()
    speed = player.clock.speed
    shown = f"{speed:g}x" if speed >= 1 else f"1/{round(1 / speed)}x"
    imgui.text(f"{player.session.time:7.2f} s   {shown}")
    timeline(game, fonts)
    game.interface.layout.note("transport")
    imgui.end()


def paused_sign(game: "Game", fonts: Fonts) -> None:
    """That time stands, or crawls, is seen from across the room."""
    clock = game.player.clock
    explosion = game.player.explosion
    if game.player.rewinding:
        text = f"{icon('rewind')}  REWINDING"
    elif explosion is not None and explosion.phase == "flying":
        text = "SLOW MOTION"
    elif clock.paused and explosion is None:
        text = f"{icon('pause')}  PAUSED"
    elif clock.speed < 1.0:
        text = f"SLOW MOTION  1/{round(1 / clock.speed)}"
    else:
        return
    layout = game.interface.layout
    title, menu = layout.place("title"), layout.place("menu")
    left, right = title.right if title else 0.0, menu.left if menu else float(layout.size[0])
    top = TOP * fonts.scale
    if right - left < layout.px(200):
        left, right, top = (
            0.0,
            float(layout.size[0]),
            max(layout.below("title"), layout.below("menu")),
        )
    place((left + right) / 2, top, 0.5, 0)
    imgui.set_next_window_bg_alpha(0.55)
    imgui.begin("paused", None, STILL)
    imgui.push_font(fonts.title, fonts.title_size)
    colored(text, theme.ACCENT)
    imgui.pop_font()
    layout.note("paused")
    imgui.end()


def toolbar(game: "Game", fonts: Fonts) -> None:
    player, height = game.player, game.window.size[1]
    place(MARGIN * fonts.scale, height - TOP * fonts.scale, 0, 1)
    imgui.begin("tools", None, BARE)
    wide = TOOL_WIDTH * fonts.scale
    for i, (name, tool) in enumerate(player.tools.items()):
        tip = f"{name} ({game.keys.label(tool_action(name))})\n{tool.hint}"
        if i % 3:
            imgui.same_line()
        if named_button(tool.icon, name, tip, wide, active=player.state.tool == name):
            player.state.tool = name
    if player.state.tool == "spawn":
        imgui.set_next_item_width(3 * wide + 2 * imgui.get_style().item_spacing.x)
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
    imgui.begin("menu", None, BARE)
    wall, *others = [(p.icon, p.name, p.title, p.name in state.open) for p in PAGES.values()]
    entries = (
        wall,
        *((p.icon, p.name, p.title, p.name in state.open) for p in PANELS.values() if p.right),
        ("\uf0ad", "build", "Build: edit this level", False),
        (icon("overlays"), "overlays", "Overlays", bool(state.overlays)),
        (icon("compare"), "compare", "Compare", game.comparison is not None),
        (icon("camera"), "screenshot", "Screenshot", False),
        (icon("record"), "record", "Record", game.capture.recording is not None),
        (icon("sound" if not game.muted else "silent"), "mute", "Sound", False),
        *others,
        (icon("quit"), "quit", "Quit", False),
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
    for name in OVERLAYS.keys() & player.state.overlays:
        note = OVERLAYS[name].note
        if note is not None:
            text, bad = note(player)
            lines.append((text, theme.BAD if bad else theme.MUTED))
    if player.clock.slow:
        percent = 100 * (1 - player.clock.lag)
        lines.append((f"Too much for this machine: slowed to {percent:.0f} %", theme.BAD))
    y = layout.above("transport")
    for i, (text, color) in enumerate(reversed(lines)):
        place(centre, y, 0.5, 1)
        wrap = min(640 * fonts.scale, free)
        fit(wrap, (text, None, 0.0))
        imgui.begin(f"message {i}", None, STILL)
        imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + wrap)
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


def rubber_band(game: "Game") -> None:
    """The rectangle of a box selection."""
    band = game.player.pointer.band
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
