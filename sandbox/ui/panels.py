"""Side panel, plots and profiler."""

from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui, implot

from sandbox.app.player import STABILIZATIONS
from sandbox.app.state import OVERLAYS
from sandbox.render.quality import LADDER
from sandbox.ui import theme
from sandbox.ui.hud import colored, place
from sandbox.ui.theme import Fonts

if TYPE_CHECKING:
    from sandbox.app.game import Game

_PANEL = (
    imgui.WindowFlags_.no_collapse.value
    | imgui.WindowFlags_.always_auto_resize.value
    | imgui.WindowFlags_.no_saved_settings.value
    | imgui.WindowFlags_.no_title_bar.value
    | imgui.WindowFlags_.no_nav.value
)
_SOLVERS = ("direct", "pgs")


def side(game: "Game", fonts: Fonts) -> None:
    """Sliders: the level's parameters, then the physics, then the view."""
    width = game.window.size[0]
    place(width - 16 * fonts.scale, 72 * fonts.scale, 1, 0)
    imgui.begin("sliders", None, _PANEL)
    imgui.push_item_width(190 * fonts.scale)
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
    shown = f"{readable(value)} {unit}".replace("%", "%%")
    changed, new = imgui.slider_float(label, value, low, high, shown, flags)
    return bool(changed), float(new)


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
        label = name.replace("_", " ")
        changed, new = slider(label, value, low, high, spec.unit or "")
        if changed:
            game.sliders[name] = new
        if imgui.is_item_deactivated_after_edit() or (changed and not imgui.is_item_active()):
            game.player.set_parameter(name, game.sliders.pop(name, new))


def _physics(game: "Game") -> None:
    world = game.player.world
    _heading("physics")
    _choice(game, "stabilization", world.stabilization, STABILIZATIONS)
    _choice(game, "solver", world.solver, _SOLVERS)
    changed, rate = imgui.slider_int("steps/s", round(world.rate), 10, 240)
    if changed:
        game.player.set_option("rate", int(rate))
    gravity = -float(np.asarray(world.gravity)[1])
    changed, value = slider("gravity", gravity, 0.0, 30.0, "m/s²")
    if changed:
        game.player.set_option("gravity", (0.0, -value, 0.0))


def _choice(game: "Game", name: str, current: str, options: tuple[str, ...]) -> None:
    if imgui.begin_combo(name, current):
        for option in options:
            if imgui.selectable(option, option == current)[0]:
                game.player.set_option(name, option)
        imgui.end_combo()


def _view(game: "Game") -> None:
    _heading("view")
    state = game.player.state
    for name, label in OVERLAYS.items():
        changed, _ = imgui.checkbox(label, name in state.overlays)
        if changed:
            state.toggle_overlay(name)
    current = "automatic" if game.automatic else game.renderer.quality.name
    if imgui.begin_combo("quality", current):
        if imgui.selectable("automatic", game.automatic)[0]:
            game.set_quality(None)
        for quality in LADDER:
            if imgui.selectable(quality.name, quality.name == current)[0]:
                game.set_quality(quality)
        imgui.end_combo()


def plots(game: "Game", fonts: Fonts) -> None:
    """Energy over time, and the force of the selected body's joints."""
    rows = np.array(game.player.energy, float)
    width, height = game.window.size
    beside = 330 * fonts.scale if game.player.state.panel else 16 * fonts.scale
    place(width - beside, height - 14 * fonts.scale, 1, 1)
    imgui.begin("plots", None, _PANEL)
    size = imgui.ImVec2(360 * fonts.scale, 190 * fonts.scale)
    if len(rows) > 1 and implot.begin_plot("Energy", size, _PLOT_FLAGS):
        implot.setup_axes("s", "J", _FIT, _FIT)
        time = np.ascontiguousarray(rows[:, 0])
        for column, name in ((1, "kinetic"), (2, "potential"), (3, "total")):
            implot.plot_line(name, time, np.ascontiguousarray(rows[:, column]))
        implot.end_plot()
    stats = game.player.world.stats
    imgui.text(f"constraint error {1000 * float(game.player.world.constraint_error()):.3g} mm")
    imgui.text(f"solver {getattr(stats, 'solver', '?')}, residual {_number(stats, 'residual')}")
    imgui.end()


_PLOT_FLAGS = implot.Flags_.no_menus.value | implot.Flags_.no_box_select.value
_FIT = implot.AxisFlags_.auto_fit.value


def _number(stats: Any, name: str) -> str:
    value = getattr(stats, name, None)
    return f"{value:.3g}" if isinstance(value, int | float) else "–"


def profiler(game: "Game", fonts: Fonts) -> None:
    """Where the time goes, per frame and per step."""
    place(16 * fonts.scale, 110 * fonts.scale, 0, 0)
    imgui.begin("profiler", None, _PANEL)
    parts = game.timer.parts
    total = sum(parts.values())
    imgui.text(f"{1 / max(total, 1e-6):.0f} frames/s   {game.renderer.quality.name}")
    for name, seconds in parts.items():
        imgui.text(f"{name:<10} {1000 * seconds:7.2f} ms")
    _heading("step")
    stats = game.player.world.stats
    for name, seconds in getattr(stats, "times", {}).items():
        imgui.text(f"{name:<14} {1000 * float(seconds):7.3f} ms")
    for name in ("sweeps", "newton", "residual"):
        imgui.text(f"{name:<14} {_number(stats, name)}")
    guard = {key: count for key, count in getattr(stats, "guard", {}).items() if count}
    imgui.text("guard: " + (", ".join(f"{k} {v}" for k, v in guard.items()) or "quiet"))
    imgui.end()
