"""How what is selected has moved, and what it bore: one small plot for each quantity."""

from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui, implot

from sandbox.ui import theme
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import colored, scaled

if TYPE_CHECKING:
    from sandbox.app.watch import Course

_TALL = 62.0  # pixels at scale 1
_PLAIN = (
    implot.Flags_.no_menus.value
    | implot.Flags_.no_box_select.value
    | implot.Flags_.no_title.value
    | implot.Flags_.no_legend.value
    | implot.Flags_.no_inputs.value
    | implot.Flags_.no_mouse_text.value
)
_BARE = implot.AxisFlags_.no_decorations.value
_FLAT = 0.02  # of the largest value: what changes less is drawn as changing by that
_FEW = 2  # moments that no line can be drawn through


def course_plots(course: "Course", fonts: Fonts, wide: float) -> None:
    """Name and present value above each line; the scale is that of what is shown."""
    if len(course) < _FEW:
        return
    implot.get_style().plot_padding = imgui.ImVec2(0.0, 2 * fonts.scale)
    time, *found = course.columns()
    for i, (quantity, values) in enumerate(zip(course.quantities, found, strict=True)):
        factor, unit = scaled(values, quantity.unit)
        low, high = float(values.min()) * factor, float(values.max()) * factor
        left = imgui.get_cursor_pos_x()
        imgui.text(quantity.name)
        if imgui.is_item_hovered():
            imgui.set_tooltip(f"{quantity.meaning}, {low:.3g} to {high:.3g} {unit}")
        shown = f"{course.last(i) * factor:.3g} {unit}"
        imgui.same_line(left + wide - imgui.calc_text_size(shown).x)
        colored(shown, theme.ACCENT)
        _line(f"##{quantity.name}", time, values * factor, imgui.ImVec2(wide, _TALL * fonts.scale))
    colored(f"the last {float(time[-1] - time[0]):.1f} s", theme.MUTED)


def _line(name: str, time: np.ndarray, values: np.ndarray, size: imgui.ImVec2) -> None:
    if not implot.begin_plot(name, size, _PLAIN):
        return
    implot.setup_axes("", "", _BARE, implot.AxisFlags_.no_label.value)
    low, high = float(values.min()), float(values.max())
    least = _FLAT * max(abs(low), abs(high)) or 1.0  # noise is not shown as if it were motion
    if high - low < least:
        low, high = (low + high - least) / 2, (low + high + least) / 2
    gap = 0.12 * (high - low)
    end = max(float(time[-1]), float(time[0]) + 1e-3)
    always = imgui.Cond_.always.value
    implot.setup_axes_limits(float(time[0]), end, low - gap, high + gap, always)
    labels = [f"{value:.3g}" for value in (low, high)]
    implot.setup_axis_ticks(implot.ImAxis_.y1.value, [low, high], labels)
    spec = implot.Spec()
    spec.line_color, spec.line_weight = imgui.ImVec4(*theme.ACCENT), 1.6
    implot.plot_line(name, time, values, spec)
    implot.end_plot()
