"""Live plots: energy, the watched constraint's force, the solver, time per stage."""

from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui, implot

from sandbox.app.traces import ENERGY, SOLVER
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import scaled

if TYPE_CHECKING:
    from sandbox.window.game import Game

_FLAGS = (
    implot.Flags_.no_menus.value
    | implot.Flags_.no_box_select.value
    | implot.Flags_.no_title.value
    | implot.Flags_.no_mouse_text.value
)
_FIT = implot.AxisFlags_.auto_fit.value
_INSIDE = implot.LegendFlags_.horizontal.value
_LEGEND = _INSIDE | implot.LegendFlags_.outside.value
WIDTH, HEIGHT = 412.0, 182.0  # pixels at scale 1: as wide, and at least as tall
_ABREAST = 4  # names beside each other


def plots(game: "Game", fonts: Fonts) -> None:
    """A tab per subject."""
    layout, scale, at = game.interface.layout, fonts.scale, imgui.get_window_pos()
    # tabs, a line of text and padding take what is left of the height
    room = layout.lowest_for(at.x, at.x + WIDTH * scale) - at.y - 92 * scale
    size = imgui.ImVec2((WIDTH - 32) * scale, min(max(room, 90 * scale), 190 * scale))
    implot.get_style().fit_padding = imgui.ImVec2(0.0, 0.12)
    implot.get_style().plot_padding = imgui.ImVec2(6 * fonts.scale, 6 * fonts.scale)
    if imgui.begin_tab_bar("subjects"):
        for name, draw in (
            ("Energy", _energy),
            ("Force", _force),
            ("Solver", _solver),
            ("Stages", _stages),
        ):
            if imgui.begin_tab_item(name)[0]:
                draw(game, size)
                imgui.end_tab_item()
        imgui.end_tab_bar()


def _lines(
    game: "Game", size: imgui.ImVec2, names: tuple[str, ...], factor: float, unit: str
) -> None:
    traces = game.player.monitor.traces
    if len(traces) < 2 or not implot.begin_plot(f"##{names[0]}", size, _FLAGS):
        return
    low = size.y < 8 * imgui.get_text_line_height()  # no room for a legend above the lines
    implot.setup_axes("" if low else "s", unit, _FIT, _FIT)
    if len(names) > _ABREAST:
        implot.setup_legend(implot.Location_.east.value, implot.LegendFlags_.outside.value)
    elif low:
        implot.setup_legend(implot.Location_.north_west.value, _INSIDE)
    else:
        implot.setup_legend(implot.Location_.north.value, _LEGEND)
    time = traces.column("time")
    for name in names:
        values = traces.column(name) * factor
        known = np.isfinite(values)
        implot.plot_line(name, time[known], values[known])
    implot.end_plot()


def _energy(game: "Game", size: imgui.ImVec2) -> None:
    factor, unit = scaled(game.player.monitor.traces.column("total"), "J")
    _lines(game, size, ENERGY, factor, unit)
    error = 1000 * float(game.player.world.constraint_error())
    imgui.text(f"largest gap of a joint {error:.2g} mm")


def _force(game: "Game", size: imgui.ImVec2) -> None:
    name = game.player.monitor.watched_name
    if not name:
        imgui.text("There is no joint to watch; click a rope or a body on one.")
        return
    factor, unit = scaled(game.player.monitor.traces.column("force"), "N")
    _lines(game, size, ("force",), factor, unit)
    imgui.text(f"{name}: {game.player.monitor.traces.last('force') * factor:.4g} {unit}")


def _solver(game: "Game", size: imgui.ImVec2) -> None:
    _lines(game, size, SOLVER[:2], 1.0, "per step")
    stats = game.player.world.stats
    imgui.text(f"{stats.solver}, residual {stats.residual:.2g} m/s, {stats.contacts} contacts")


def _stages(game: "Game", size: imgui.ImVec2) -> None:
    _lines(game, size, game.player.monitor.traces.stages, 1000.0, "ms")
