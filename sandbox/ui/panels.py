"""Side panel and profiler."""

from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui

from physics import SOLVERS, STABILIZATIONS
from sandbox.app.state import OVERLAYS
from sandbox.render.quality import LADDER
from sandbox.ui import theme
from sandbox.ui.hud import PANEL, colored, place
from sandbox.ui.layout import GAP, MARGIN, PROFILER, SIDE
from sandbox.ui.theme import Fonts

if TYPE_CHECKING:
    from sandbox.app.game import Game


def begin_side(name: str, game: "Game", fonts: Fonts) -> None:
    """Open the panel at the right edge: below the menu, clear of the transport, as tall as that
    allows."""
    layout = game.interface.layout
    right = game.window.size[0] - MARGIN * fonts.scale
    top = layout.below("menu", otherwise=72) - 4 * fonts.scale
    place(right, top, 1, 0)
    tallest = max(layout.lowest_for(right - SIDE * fonts.scale, right) - top, 80.0)
    imgui.set_next_window_size_constraints(imgui.ImVec2(0.0, 0.0), imgui.ImVec2(4000.0, tallest))
    imgui.begin(name, None, PANEL)
    layout.note("side")


def side(game: "Game", fonts: Fonts) -> None:
    """Sliders: the level's parameters, then the physics, then the view."""
    begin_side("sliders", game, fonts)
    imgui.push_item_width(230 * fonts.scale)
    _parameters(game)
    _physics(game)
    _view(game)
    imgui.pop_item_width()
    imgui.end()


def _heading(text: str) -> None:
    imgui.spacing()
    colored(text.upper(), theme.MUTED)


def slider(label: str, value: float, low: float, high: float, unit: str) -> tuple[bool, float]:
    """Logarithmic when the range spans more than two decades."""
    logarithmic = low > 0 and high / low > 100
    flags = imgui.SliderFlags_.logarithmic.value if logarithmic else 0
    flags |= imgui.SliderFlags_.always_clamp.value
    name_and_value(label, f"{readable(value)} {unit}".strip())
    changed, new = imgui.slider_float(f"##{label}", value, low, high, "", flags)
    return bool(changed), float(new)


def name_and_value(name: str, value: str) -> None:
    """A line above a slider, whose knob would otherwise cover the number."""
    left = imgui.get_cursor_pos_x()
    imgui.text(name)
    imgui.same_line(left + imgui.calc_item_width() - imgui.calc_text_size(value).x)
    colored(value, theme.ACCENT)


def readable(value: float) -> str:
    """15000 → 15 000; small numbers with three digits."""
    if abs(value) >= 1000:
        return f"{value:,.0f}".replace(",", "\u2009")
    return f"{value:.3g}"


def _parameters(game: "Game") -> None:
    session = game.player.session
    if not session.level.parameters:
        return
    _heading("level")
    for name, spec in session.level.parameters.items():
        low, high = float(spec.min), float(spec.max)
        value = float(game.sliders.get(name, session.values[name]))
        label = spec.label or name.replace("_", " ")
        changed, new = slider(label, value, low, high, spec.unit or "")
        if changed:
            game.sliders[name] = new
        if imgui.is_item_deactivated_after_edit() or (changed and not imgui.is_item_active()):
            game.player.set_parameter(name, game.sliders.pop(name, new))


def _physics(game: "Game") -> None:
    option = game.player.option
    _heading("physics")
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
    _heading("view")
    state = game.player.state
    for name, label in OVERLAYS.items():
        changed, _ = imgui.checkbox(label, name in state.overlays)
        if changed:
            state.toggle_overlay(name)
    current = "automatic" if game.automatic else game.renderer.quality.name
    imgui.set_next_item_width(0.55 * imgui.calc_item_width())
    if imgui.begin_combo("quality", current):
        if imgui.selectable("automatic", game.automatic)[0]:
            game.set_quality(None)
        for quality in LADDER:
            if imgui.selectable(quality.name, quality.name == current)[0]:
                game.set_quality(quality)
        imgui.end_combo()


def profiler(game: "Game", fonts: Fonts) -> None:
    """Where the time goes, per frame and per step."""
    layout = game.interface.layout
    plots = layout.place("plots") if game.player.state.plots else None
    left = plots.right + GAP * fonts.scale if plots else MARGIN * fonts.scale
    top = layout.below("title")
    place(left, top, 0, 0)
    tallest = max(layout.lowest_for(left, left + PROFILER * fonts.scale) - top, 60.0)
    imgui.set_next_window_size_constraints(imgui.ImVec2(0.0, 0.0), imgui.ImVec2(4000.0, tallest))
    imgui.begin("profiler", None, PANEL)
    layout.note("profiler")
    parts = game.timer.parts
    total = sum(parts.values())
    imgui.push_font(fonts.mono, fonts.mono_size)
    imgui.text(f"{1 / max(total, 1e-6):.0f} frames/s   {game.renderer.quality.name}")
    for name, seconds in parts.items():
        imgui.text(f"{name:<14} {1000 * seconds:7.2f} ms")
    _heading("step")
    stats, traces = game.player.world.stats, game.player.traces
    for name, seconds in stats.times.items():
        imgui.text(f"{name:<14} {1000 * float(seconds):7.3f} ms")
    for name in ("sweeps", "newton", "residual"):
        imgui.text(f"{name:<14} {traces.last(name):7.3g}")
    guard = {key: count for key, count in stats.guard.items() if count}
    imgui.text("guard: " + (", ".join(f"{k} {v}" for k, v in guard.items()) or "quiet"))
    imgui.pop_font()
    imgui.end()
