"""Full-window pages: the wall of levels, and help with the key settings."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.app.keys import LABELS
from sandbox.ui import theme
from sandbox.ui.hud import colored
from sandbox.ui.theme import Fonts

if TYPE_CHECKING:
    from sandbox.app.game import Game

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


def page_title(text: str, fonts: Fonts) -> None:
    imgui.push_font(fonts.title, fonts.title_size)
    imgui.text(text)
    imgui.pop_font()


def wall(game: "Game", fonts: Fonts) -> None:
    """A picture of every level; click to play it."""
    begin_page("wall", game, 40 * fonts.scale)
    page_title("Levels", fonts)
    imgui.same_line(imgui.get_content_region_avail().x - 60 * fonts.scale)
    if imgui.button("Back"):
        game.player.state.wall = False
    wide = imgui.get_content_region_avail().x
    columns = max(1, int(wide // (264 * fonts.scale)))
    across = wide / columns - 27 * fonts.scale  # less a frame and a gap
    tile = imgui.ImVec2(across, across * 9 / 16)
    for i, entry in enumerate(game.wall.entries()):
        if i % columns:
            imgui.same_line()
        imgui.begin_group()
        if _tile(game, entry.name, tile):
            game.open_level(entry.name)
        current = entry.name == game.player.session.level.name
        imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + tile.x)
        colored(entry.title, theme.ACCENT if current else theme.TEXT)
        imgui.pop_text_wrap_pos()
        imgui.end_group()
    imgui.end()


def _tile(game: "Game", name: str, size: imgui.ImVec2) -> bool:
    picture = game.wall.picture(name)
    if picture is None:
        return bool(imgui.button(f"…##{name}", size))
    flip = (imgui.ImVec2(0, 0), imgui.ImVec2(1, 1))
    return bool(imgui.image_button(name, picture, size, *flip))


def help_page(game: "Game", fonts: Fonts) -> None:
    """What the mouse does, what the keys do; click a key to change it."""
    begin_page("help", game, 40 * fonts.scale)
    page_title("Controls", fonts)
    for line in (
        "Left drag on an object: grab it. Right click while holding: pin it there.",
        "Left drag on nothing: look around. Right drag: move the view. Wheel: zoom to the pointer.",
    ):
        colored(line, theme.MUTED)
    keys = game.player.session.keys()
    if keys:
        drives = sorted({drive.name: drive for drive in keys.values()}.items())
        text = ", ".join(f"{drive.forward}/{drive.back} {name}" for name, drive in drives)
        colored(f"This level: {text}", theme.ACCENT)
    imgui.separator()
    wide = imgui.get_content_region_avail().x > 900 * fonts.scale
    if imgui.begin_table("keys", 6 if wide else 4):
        for action, label in LABELS.items():
            imgui.table_next_column()
            imgui.align_text_to_frame_padding()
            imgui.text(label)
            imgui.table_next_column()
            waiting = game.player.state.rebinding == action
            text = "press a key …" if waiting else game.keys.label(action)
            if imgui.button(f"{text}##{action}", imgui.ImVec2(120 * fonts.scale, 0)):
                game.player.state.rebinding = None if waiting else action
        imgui.end_table()
    if imgui.button("Back"):
        game.player.state.help = False
    imgui.end()
