"""The page of settings: text size, light, motion, sound, quality. Kept in the settings file."""

from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from sandbox.render.look import LOOKS
from sandbox.render.quality import QUALITIES
from sandbox.ui import theme
from sandbox.ui.hud import colored
from sandbox.ui.pages import begin_page, page_title
from sandbox.ui.theme import Fonts

if TYPE_CHECKING:
    from sandbox.app.game import Game


def settings_page(game: "Game", fonts: Fonts) -> None:
    """Every change takes effect at once and is saved."""
    begin_page("settings", game, 40 * fonts.scale)
    page_title("Settings", fonts)
    imgui.push_item_width(220 * fonts.scale)
    _sizes(game)
    _light(game)
    _sound(game)
    imgui.pop_item_width()
    imgui.spacing()
    if imgui.button("Keys …"):
        game.player.state.settings, game.player.state.help = False, True
    imgui.same_line()
    if imgui.button("Back"):
        game.player.state.settings = False
    path = getattr(game.settings, "path", None)
    if path:
        colored(f"kept in {path}", theme.MUTED)
    imgui.end()


def _sizes(game: "Game") -> None:
    current = float(game.setting("ui_scale", 1.0))
    if imgui.begin_combo("text size", f"{current:g}x"):
        for scale in (0.75, 1.0, 1.25, 1.5, 2.0, 3.0):
            if imgui.selectable(f"{scale:g}x", scale == current)[0]:
                game.change_setting("ui_scale", scale)
        imgui.end_combo()
    still = bool(game.setting("reduced_motion", False))
    changed, still = imgui.checkbox("reduced motion", still)
    if changed:
        game.change_setting("reduced_motion", still)
    changed, full = imgui.checkbox("start in full screen", bool(game.setting("full_screen", False)))
    if changed:
        game.change_setting("full_screen", full)


def _light(game: "Game") -> None:
    current: Any = str(game.setting("palette", "")) or "as the level wishes"
    if imgui.begin_combo("light", current):
        for name in ("", *LOOKS):
            if imgui.selectable(name or "as the level wishes", name == current)[0]:
                game.change_setting("palette", name)
        imgui.end_combo()
    current = str(game.setting("quality", "auto"))
    if imgui.begin_combo("quality", current):
        for name in ("auto", *(q for q in QUALITIES if q in ("low", "medium", "high"))):
            if imgui.selectable(name, name == current)[0]:
                game.change_setting("quality", name)
        imgui.end_combo()

    current = game.recording_kind
    if imgui.begin_combo("recordings", current):
        for name in ("mp4", "gif", "webp"):
            if imgui.selectable(name, name == current)[0]:
                game.change_setting("recording", name)
        imgui.end_combo()


def _sound(game: "Game") -> None:
    volume = float(game.setting("volume", 0.6))
    changed, volume = imgui.slider_float("volume", volume, 0.0, 1.0, "%.2f")
    if changed:
        game.sound.volume = volume
    if imgui.is_item_deactivated_after_edit():
        game.change_setting("volume", volume)
    changed, muted = imgui.checkbox("mute", game.muted)
    if changed:
        game.change_setting("mute", muted)
    if game.sound.silent:
        colored("There is no sound device.", theme.MUTED)
