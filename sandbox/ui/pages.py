"""Full-window pages: help with the key settings, and what becomes of unsaved things."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.app.saving import unsaved
from sandbox.ui import theme
from sandbox.ui.theme import Fonts, icon
from sandbox.ui.widgets import colored

if TYPE_CHECKING:
    from sandbox.window.game import Game

_PAGE = (
    imgui.WindowFlags_.no_decoration.value
    | imgui.WindowFlags_.no_move.value
    | imgui.WindowFlags_.no_saved_settings.value
    | imgui.WindowFlags_.no_nav.value
)


def begin_page(name: str, game: "Game", margin: float) -> None:
    width, height = game.window.size
    imgui.set_next_window_pos(imgui.ImVec2(margin, margin))
    imgui.set_next_window_size(imgui.ImVec2(width - 2 * margin, height - 2 * margin))
    imgui.set_next_window_bg_alpha(0.93)
    imgui.begin(name, None, _PAGE & ~imgui.WindowFlags_.no_scrollbar.value)


def begin_card(name: str, game: "Game", fonts: Fonts, wide: float) -> None:
    """In the middle, as tall as what is in it; scrolls where the window is smaller."""
    width, height = game.window.size
    margin = min(40 * fonts.scale, 0.05 * height)
    wide = min(wide * fonts.scale, width - 2 * margin)
    imgui.set_next_window_pos(
        imgui.ImVec2(width / 2, height / 2), imgui.Cond_.always.value, imgui.ImVec2(0.5, 0.5)
    )
    imgui.set_next_window_size(imgui.ImVec2(wide, 0.0))
    most = imgui.ImVec2(wide, height - 2 * margin)
    imgui.set_next_window_size_constraints(imgui.ImVec2(wide, 0.0), most)
    imgui.set_next_window_bg_alpha(0.95)
    imgui.begin(name, None, _PAGE & ~imgui.WindowFlags_.no_scrollbar.value)


def close_button(fonts: Fonts) -> bool:
    """At the right end of the title's line."""
    side = imgui.get_frame_height()
    imgui.same_line(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - side)
    return bool(imgui.button(f"{icon('close')}##close", imgui.ImVec2(side, side)))


def page_title(text: str, fonts: Fonts) -> None:
    imgui.push_font(fonts.title, fonts.title_size)
    imgui.text(text)
    imgui.pop_font()


def leave_card(game: "Game", fonts: Fonts) -> None:
    """Something was built and is not saved: what shall become of it?"""
    begin_card("leaving", game, fonts, 440)
    page_title("Keep what you built?", fonts)
    builder = game.building.builder
    imgui.push_text_wrap_pos(0.0)
    if builder is not None:
        colored(f"“{builder.draft.level.title}” is not saved yet.", theme.SOFT)
    else:
        count = unsaved(game.player)
        things = "One change" if count == 1 else f"{count} changes"
        colored(f"{things} to “{game.player.session.level.title}” would be lost.", theme.SOFT)
    imgui.pop_text_wrap_pos()
    imgui.spacing()
    wide = (imgui.get_content_region_avail().x - 2 * imgui.get_style().item_spacing.x) / 3
    tall = 1.3 * imgui.get_frame_height()
    for i, choice in enumerate(("save", "discard", "cancel")):
        if i:
            imgui.same_line()
        if choice == "save":
            imgui.push_style_color(imgui.Col_.button.value, imgui.ImVec4(*theme.ACCENT[:3], 0.85))
        pressed = imgui.button(choice.capitalize(), imgui.ImVec2(wide, tall))
        if choice == "save":
            imgui.pop_style_color()
        if pressed:
            game.decide(choice)
    imgui.end()


_BUILDING = (
    "Click selects, Shift adds. Drag a thing or its handles to move, turn or size it; with Shift "
    "it goes up and down, with Ctrl it leaves the grid.",
    "Left drag on nothing: look around (flat levels: select with a box). Right drag: move view.",
    "Parts of the palette are put down by a click and turned by the wheel; joints and ropes are "
    "dragged from one thing to another.",
)


def _playing(game: "Game") -> tuple[str, ...]:
    empty = "select with a box" if game.player.camera.flat else "look around"
    return (
        "Left drag on an object: grab it. The wheel then moves it nearer or farther away, Shift "
        "slides it level, a right click pins it there. In a pause it is placed.",
        f"Left drag on nothing: {empty}. Right drag: move the view. Wheel: zoom to the pointer.",
        "Gamepad: sticks steer the level, triggers grab and slow down, the cross rewinds and "
        "steps, Start opens the level wall.",
    )


def help_page(game: "Game", fonts: Fonts) -> None:
    """What the mouse does, what the keys do; click a key to change it."""
    begin_card("help", game, fonts, 1040)
    page_title("Controls", fonts)
    if close_button(fonts):
        game.player.state.open.discard("help")
    imgui.push_text_wrap_pos(0.0)
    lines = _playing(game) if game.building.active is None else _BUILDING
    for line in lines:
        colored(line, theme.MUTED)
    keys = game.player.session.keys()
    if keys and game.building.active is None:
        drives = sorted({drive.name: drive for drive in keys.values()}.items())
        text = ", ".join(level_keys(name, drive.forward, drive.back) for name, drive in drives)
        colored(f"This level: {text}", theme.ACCENT)
    imgui.pop_text_wrap_pos()
    imgui.separator()
    colored("Click a key to change it.", theme.MUTED)
    _key_table(game, fonts)
    imgui.end()


def level_keys(name: str, forward: str, back: str) -> str:
    """ "W/S cable"; a key without a way back and without a name of its own is just "E"."""
    keys = "/".join(key.upper() for key in (forward, back) if key)
    return keys if name == f"key {forward}" else f"{keys} {name.replace('_', ' ')}"


def _key_table(game: "Game", fonts: Fonts) -> None:
    """Read downwards, in as many columns as fit."""
    room = imgui.get_content_region_avail().x
    columns = min(max(1, int(room // (310 * fonts.scale))), 3)
    actions = list(game.shown_keys.actions.values())
    rows = -(-len(actions) // columns)
    if not imgui.begin_table("keys", 2 * columns):
        return
    for i in range(columns):
        imgui.table_setup_column(f"name {i}", imgui.TableColumnFlags_.width_stretch.value)
        fixed = imgui.TableColumnFlags_.width_fixed.value
        imgui.table_setup_column(f"key {i}", fixed, 120 * fonts.scale)
    for i in range(rows * columns):
        at = i // columns + rows * (i % columns)
        imgui.table_next_column()
        if at >= len(actions):
            imgui.table_next_column()
            continue
        action = actions[at].name
        imgui.align_text_to_frame_padding()
        imgui.text(actions[at].title)
        imgui.table_next_column()
        waiting = game.player.state.rebinding == action
        text = "press a key …" if waiting else game.shown_keys.label(action)
        if imgui.button(f"{text}##{action}", imgui.ImVec2(110 * fonts.scale, 0)):
            game.player.state.rebinding = None if waiting else action
    imgui.end_table()
