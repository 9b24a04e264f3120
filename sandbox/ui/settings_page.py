"""The page of settings: text size, light, motion, sound, quality. Kept in the settings file."""

from typing import TYPE_CHECKING, Literal, get_args, get_origin

from imgui_bundle import imgui
from pydantic.fields import FieldInfo

from sandbox.render.look import LOOKS
from sandbox.settings import Settings, settings_path
from sandbox.ui import theme
from sandbox.ui.pages import begin_card, close_button, page_title
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import colored

if TYPE_CHECKING:
    from sandbox.window.game import Game

_SCALES = (0.75, 1.0, 1.25, 1.5, 2.0, 3.0)


def settings_page(game: "Game", fonts: Fonts) -> None:
    """Every change takes effect at once and is saved."""
    begin_card("settings", game, fonts, 560)
    page_title("Settings", fonts)
    if close_button(fonts):
        game.player.state.open.discard("settings")
    imgui.spacing()
    if imgui.begin_table("settings", 2):
        fixed = imgui.TableColumnFlags_.width_fixed.value
        imgui.table_setup_column("name", fixed, 170 * fonts.scale)
        imgui.table_setup_column("value", imgui.TableColumnFlags_.width_stretch.value)
        for name, info in Settings.model_fields.items():
            if info.title:
                _setting(game, name, info)
        imgui.end_table()
    imgui.spacing()
    if imgui.button("Keys …"):
        game.player.state.open = game.player.state.open - {"settings"} | {"help"}
    if game.sound.silent:
        colored("There is no sound device.", theme.MUTED)
    if game.keeps_settings:
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


def _setting(game: "Game", name: str, info: FieldInfo) -> None:
    """The control that suits the kind of value."""
    _row(info.title or name)
    now = getattr(game.settings, name)
    options = _options(name, info)
    if options:
        _choice(game, name, now, options)
    elif isinstance(now, bool):
        changed, value = imgui.checkbox(f"##{name}", now)
        if changed:
            game.change_setting(name, value)
    else:
        _share(game, name, float(now))


def _options(name: str, info: FieldInfo) -> dict[object, str]:
    """Values and their words, where it is one of several."""
    if name == "palette":  # what can be drawn
        return {"": "as the level wishes", **{look: look for look in LOOKS}}
    if name == "ui_scale":  # in steps, to spare the font atlas
        return {scale: f"{scale:g}x" for scale in _SCALES}
    if get_origin(info.annotation) is Literal:
        return {value: str(value) for value in get_args(info.annotation)}
    return {}


def _choice(game: "Game", name: str, now: object, options: dict[object, str]) -> None:
    if imgui.begin_combo(f"##{name}", options.get(now, f"{now}")):
        for option, words in options.items():
            if imgui.selectable(words, option == now)[0]:
                game.change_setting(name, option)
        imgui.end_combo()


def _share(game: "Game", name: str, now: float) -> None:
    """Between nothing and all; heard while it is dragged, kept when it is let go."""
    imgui.set_next_item_width(-60 * game.interface.fonts.scale)
    changed, percent = imgui.slider_float(f"##{name}", 100 * now, 0.0, 100.0, "")
    if changed:
        game.try_setting(name, percent / 100)
    if imgui.is_item_deactivated_after_edit():
        game.change_setting(name, percent / 100)
    imgui.same_line()
    colored(f"{percent:.0f} %", theme.ACCENT)
