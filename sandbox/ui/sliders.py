"""The side panel: the level's own sliders, and below them, when asked for, the physics."""

from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui

from physics import SOLVERS, STABILIZATIONS
from sandbox.app.overlays import OVERLAYS
from sandbox.render.quality import LADDER
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import heading, name_and_value, slider

if TYPE_CHECKING:
    from levels.level_tables import Parameter
    from sandbox.window.game import Game


def sliders(game: "Game", fonts: Fonts) -> None:
    """What can be changed while it is played."""
    state = game.player.state
    imgui.push_item_width((230 if state.advanced else 190) * fonts.scale)
    _parameters(game)
    if imgui.small_button("Advanced  " + ("\u2212" if state.advanced else "+")):
        state.advanced = not state.advanced
    if state.advanced:
        _physics(game)
        _panels(game)
        _view(game)
    imgui.pop_item_width()


def _panels(game: "Game") -> None:
    """What else can be opened."""
    heading("show")
    for name, title in (("plots", "plots"), ("forces", "forces"), ("profiler", "times")):
        if name != "plots":
            imgui.same_line()
        if imgui.small_button(f"{title} ({game.keys.label(name)})"):
            game.action(name)


def slider_range(spec: "Parameter") -> tuple[float, float]:
    """What a parameter may be; where its level sets no bound, ten times the default or ten."""
    reach = 10.0 * max(abs(spec.default), 1.0)
    low = spec.min if spec.min is not None else (-reach if spec.default < 0 else 0.0)
    high = spec.max if spec.max is not None else max(reach, low + reach)
    return float(min(low, high)), float(high)


def _parameters(game: "Game") -> None:
    session = game.player.session
    if not session.level.parameters:
        return
    for name, spec in session.level.parameters.items():
        low, high = slider_range(spec)
        value = float(game.sliders.get(name, session.values[name]))
        label = spec.label or name.replace("_", " ")
        changed, new = slider(label, value, low, high, spec.unit or "")
        if changed:
            game.sliders[name] = new
        if imgui.is_item_deactivated_after_edit() or (changed and not imgui.is_item_active()):
            game.player.set_parameter(name, game.sliders.pop(name, new))


def _physics(game: "Game") -> None:
    option = game.player.option
    heading("physics")
    tips = {name: f"{kind.title}. {kind.sentence}" for name, kind in STABILIZATIONS.items()}
    _choice(game, "stabilization", option("stabilization"), tips)
    _choice(game, "solver", option("solver"), dict.fromkeys(SOLVERS, ""))
    rate = round(option("rate"))
    name_and_value("steps per second", str(rate))
    changed, rate = imgui.slider_int("##rate", rate, 10, 240, "")
    if changed:
        game.player.set_option("rate", int(rate))
    gravity = -float(np.asarray(option("gravity"))[1])
    changed, value = slider("gravity", gravity, 0.0, 30.0, "m/s²")
    if changed:
        game.player.set_option("gravity", (0.0, -value, 0.0))


def _choice(game: "Game", name: str, current: str, options: dict[str, str]) -> None:
    """A list of names, each with a sentence that is shown under the pointer."""
    imgui.set_next_item_width(0.55 * imgui.calc_item_width())
    if imgui.begin_combo(name, current):
        for option, tip in options.items():
            if imgui.selectable(option, option == current)[0]:
                game.player.set_option(name, option)
            if tip and imgui.is_item_hovered():
                imgui.set_tooltip(tip)
        imgui.end_combo()


def _view(game: "Game") -> None:
    heading("view")
    state = game.player.state
    for name, overlay in OVERLAYS.items():
        changed, _ = imgui.checkbox(overlay.title, name in state.overlays)
        if changed:
            state.toggle_overlay(name)
    current = "automatic" if game.quality.automatic else game.renderer.quality.name
    imgui.set_next_item_width(0.55 * imgui.calc_item_width())
    if imgui.begin_combo("quality", current):
        if imgui.selectable("automatic", game.quality.automatic)[0]:
            game.change_setting("quality", "auto")
        for quality in LADDER:
            if imgui.selectable(quality.name, quality.name == current)[0]:
                game.change_setting("quality", quality.name)
        imgui.end_combo()
