"""The wall of levels: chapters from easy to hard, stars and bests, one's own levels, a way out."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.catalogue import chapters
from sandbox.preparing import being_prepared
from sandbox.ui import theme
from sandbox.ui.pages import begin_page, close_button, page_title
from sandbox.ui.theme import Fonts, icon
from sandbox.ui.widgets import colored, stars_row

if TYPE_CHECKING:
    from sandbox.ui.wall import Entry
    from sandbox.window.game import Game

_TILE = 264.0  # pixels at scale 1 that a tile is wide at least
_RECENT = 4  # levels to go on with
_SMALL = 13.5  # size of the sentence below a title


def wall(game: "Game", fonts: Fonts) -> None:
    """A picture of every level; click to play it."""
    begin_page("wall", game, 28 * fonts.scale)
    _head(game, fonts)
    recent = [entry for entry in game.wall.recent()[:_RECENT] if entry is not None]
    if len(recent) > 1:
        _section(game, fonts, "Go on with", "", recent)
    entries = {entry.name: entry for entry in game.wall.entries()}
    for chapter, names in chapters(entries):
        _section(game, fonts, chapter.title, chapter.about, [entries[name] for name in names])
    own = game.wall.own_entries()
    if own:
        _section(game, fonts, "Your own", "Saved from the game, or made with an editor.", own)
    colored(
        "“New level” builds one with the mouse; `sandbox new my.toml` begins a file.",
        theme.MUTED,
    )
    imgui.end()


def _head(game: "Game", fonts: Fonts) -> None:
    page_title("Levels", fonts)
    names = game.wall.names
    stars = sum(game.progress.of(name).stars for name in names)
    imgui.same_line(0, 18 * fonts.scale)
    imgui.push_font(fonts.title, fonts.title_size)
    colored(f"{icon('star')} {stars} / {3 * len(names)}", theme.ACCENT)
    imgui.pop_font()
    preparing = sum(bool(entry.needs) for entry in game.wall.entries())
    if preparing:
        imgui.same_line(0, 18 * fonts.scale)
        imgui.align_text_to_frame_padding()
        colored(f"{icon('clock')} {preparing} still being prepared", theme.MUTED)
    buttons = (
        ("New level", "new 3-D"),
        ("New flat level", "new 2-D"),
        ("Empty sandbox", "empty"),
        ("Settings", "settings"),
        ("Quit", "quit"),
    )
    wide = sum(imgui.calc_text_size(text).x + 26 * fonts.scale for text, _ in buttons)
    side = imgui.get_frame_height()
    room = imgui.get_content_region_avail().x
    imgui.same_line(max(imgui.get_cursor_pos_x(), room - wide - side - 8 * fonts.scale))
    for text, action in buttons:
        if imgui.button(text):
            _press(game, action)
        imgui.same_line()
    if close_button(fonts):
        game.player.state.open.discard("wall")


def _press(game: "Game", action: str) -> None:
    if action == "empty":
        game.open_level("empty")
    elif action.startswith("new "):
        game.building.ask_for_new(action.removeprefix("new "))
    elif action == "settings":
        game.player.state.open = game.player.state.open - {"wall"} | {"settings"}
    else:
        game.action(action)


def _section(game: "Game", fonts: Fonts, title: str, about: str, entries: "list[Entry]") -> None:
    """A heading and its tiles, as many in a row as fit."""
    imgui.spacing()
    imgui.push_font(fonts.title, 0.85 * fonts.title_size)
    colored(title, theme.TEXT)
    imgui.pop_font()
    if about:
        imgui.same_line(0, 12 * fonts.scale)
        imgui.align_text_to_frame_padding()
        colored(about, theme.MUTED)
    wide = imgui.get_content_region_avail().x
    columns = max(1, int(wide // (_TILE * fonts.scale)))
    across = wide / columns - 27 * fonts.scale  # less a frame and a gap
    tile = imgui.ImVec2(across, across * 9 / 16)
    for i, entry in enumerate(entries):
        if i % columns:
            imgui.same_line()
        imgui.push_id(f"{title} {entry.name}")
        imgui.begin_group()
        if _tile(game, entry.name, tile):
            game.open_level(entry.name)
        _words(game, fonts, entry, tile.x)
        imgui.end_group()
        imgui.pop_id()


def _words(game: "Game", fonts: Fonts, entry: "Entry", wide: float) -> None:
    """Title and stars, one sentence, and whether one has to wait."""
    current = entry.name == game.player.session.level.name
    left = imgui.get_cursor_pos_x()
    colored(entry.title, theme.ACCENT if current else theme.TEXT)
    if entry.goal:
        best = game.progress.of(entry.name)
        text = stars_row(best.stars)
        if best.seconds is not None:
            text = f"{best.seconds:.1f} s  {text}"
        margin = imgui.get_style().window_padding.x  # same_line counts from where a group begins
        at = margin + wide - imgui.calc_text_size(text).x
        if at > margin + imgui.calc_text_size(entry.title).x + 8:
            imgui.same_line(at)
        colored(text, theme.ACCENT if best.stars else theme.MUTED)
    imgui.push_font(fonts.body, _SMALL * fonts.scale)
    imgui.push_text_wrap_pos(left + wide)
    if not current and entry.needs:
        colored(being_prepared(game.wall.seconds_until_ready(entry)), theme.MUTED)
    else:
        colored(entry.about or " ", theme.SOFT)
    imgui.pop_text_wrap_pos()
    imgui.pop_font()


def _tile(game: "Game", name: str, size: imgui.ImVec2) -> bool:
    picture = game.wall.picture(name)
    if picture is None:
        frame = imgui.get_style().frame_padding  # which a button with a picture has besides
        whole = imgui.ImVec2(size.x + 2 * frame.x, size.y + 2 * frame.y)
        return bool(imgui.button(f"…##{name}", whole))
    flip = (imgui.ImVec2(0, 0), imgui.ImVec2(1, 1))
    return bool(imgui.image_button(name, picture, size, *flip))
