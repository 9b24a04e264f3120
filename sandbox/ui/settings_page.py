"""The page of settings: text size, light, motion, sound, quality. Kept in the settings file."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.render.look import LOOKS
from sandbox.render.quality import QUALITIES
from sandbox.settings import settings_path
from sandbox.ui import theme
from sandbox.ui.hud import colored
from sandbox.ui.pages import begin_card, close_button, page_title
from sandbox.ui.theme import Fonts

if TYPE_CHECKING:
    from sandbox.app.game import Game

_SCALES = (0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
_AS_LEVEL = "as the level wishes"


def settings_page(game: "Game", fonts: Fonts) -> None:
    """Every change takes effect at once and is saved."""
    begin_card("settings", game, fonts, 560)
    page_title("Settings", fonts)
    if close_button(fonts):
        game.player.state.settings = False
    imgui.spacing()
    if imgui.begin_table("settings", 2):
        fixed = imgui.TableColumnFlags_.width_fixed.value
        imgui.table_setup_column("name", fixed, 170 * fonts.scale)
        imgui.table_setup_column("value", imgui.TableColumnFlags_.width_stretch.value)
        _seeing(game)
        _sound(game)
        imgui.end_table()
    imgui.spacing()
    if imgui.button("Keys …"):
        game.player.state.settings, game.player.state.help = False, True
    if game.settings is not None:
        imgui.push_text_wrap_pos(0.0)
        colored(f"kept in {settings_path()}", theme.MUTED)
        imgui.pop_text_wrap_pos()
    imgui.end()


def _row(label: str) -> None:
    """A name at the left; what follows fills the right."""
    imgui.table_next_column()
    imgui.align_text_to_frame_padding()
    imgui.text(label)
    imgui.table_next_column()
    imgui.set_next_item_width(-1.0)


def _choice(game: "Game", label: str, name: str, now: str, options: Sequence[str]) -> None:
    """One of several words; the setting is called `name`."""
    _row(label)
    if imgui.begin_combo(f"##{name}", now):
        for option in options:
            if imgui.selectable(option, option == now)[0]:
                game.change_setting(name, "" if option == _AS_LEVEL else option)
        imgui.end_combo()


def _switch(game: "Game", label: str, name: str, now: bool) -> None:
    _row(label)
    changed, value = imgui.checkbox(f"##{name}", now)
    if changed:
        game.change_setting(name, value)


def _seeing(game: "Game") -> None:
    _row("Text size")
    current = float(game.setting("ui_scale", 1.0))
    if imgui.begin_combo("##ui_scale", f"{current:g}x"):
        for scale in _SCALES:
            if imgui.selectable(f"{scale:g}x", scale == current)[0]:
                game.change_setting("ui_scale", scale)
        imgui.end_combo()
    light = str(game.setting("palette", "")) or _AS_LEVEL
    _choice(game, "Light", "palette", light, (_AS_LEVEL, *LOOKS))
    qualities = ("auto", *(q for q in QUALITIES if q in ("low", "medium", "high")))
    _choice(game, "Quality", "quality", str(game.setting("quality", "auto")), qualities)
    _choice(game, "Recordings", "recording", game.recording_kind, ("mp4", "gif", "webp"))
    _switch(game, "Reduced motion", "reduced_motion", bool(game.setting("reduced_motion", False)))
    _switch(game, "Start in full screen", "full_screen", bool(game.setting("full_screen", False)))


def _sound(game: "Game") -> None:
    _row("Volume")
    volume = 100 * game.sound.volume
    imgui.set_next_item_width(-60 * game.interface.fonts.scale)
    changed, volume = imgui.slider_float("##volume", volume, 0.0, 100.0, "")
    if changed:
        game.sound.volume = volume / 100
    if imgui.is_item_deactivated_after_edit():
        game.change_setting("volume", volume / 100)
    imgui.same_line()
    colored(f"{volume:.0f} %", theme.ACCENT)
    _switch(game, "Mute", "mute", game.muted)
    if game.sound.silent:
        _row("")
        colored("There is no sound device.", theme.MUTED)
