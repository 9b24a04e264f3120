"""Pieces that panels and pages are made of."""

import numpy as np
from imgui_bundle import imgui

from sandbox.ui import theme

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))

BARE = (
    imgui.WindowFlags_.no_decoration.value
    | imgui.WindowFlags_.always_auto_resize.value
    | imgui.WindowFlags_.no_move.value
    | imgui.WindowFlags_.no_saved_settings.value
    | imgui.WindowFlags_.no_focus_on_appearing.value
    | imgui.WindowFlags_.no_nav.value
)
STILL = BARE | imgui.WindowFlags_.no_inputs.value
PANEL = (
    imgui.WindowFlags_.no_collapse.value
    | imgui.WindowFlags_.always_auto_resize.value
    | imgui.WindowFlags_.no_saved_settings.value
    | imgui.WindowFlags_.no_title_bar.value
    | imgui.WindowFlags_.no_nav.value
)


def place(x: float, y: float, pivot_x: float, pivot_y: float) -> None:
    """Put the next window at (x, y) pixels, by the given corner of it."""
    imgui.set_next_window_pos(
        imgui.ImVec2(x, y), imgui.Cond_.always.value, imgui.ImVec2(pivot_x, pivot_y)
    )


def fit(wrap: float, *texts: tuple[str, object, float]) -> None:
    """Make the next window as large as its lines of text, from its first frame on: ImGui itself
    knows the size only in the frame after. Texts with their font and size, 0: the usual one."""
    wide = tall = 0.0
    for i, (text, font, size) in enumerate(texts):
        if size:
            imgui.push_font(font, size)  # type: ignore[arg-type]
        extent = imgui.calc_text_size(text, wrap_width=wrap)
        if size:
            imgui.pop_font()
        wide = max(wide, extent.x)
        tall += extent.y + (imgui.get_style().item_spacing.y if i else 0.0)
    imgui.set_next_window_content_size(imgui.ImVec2(wide + 1.0, tall))


def colored(text: str, color: tuple[float, float, float, float]) -> None:
    imgui.text_colored(imgui.ImVec4(*color), text)


def wrapped_tooltip(text: str, scale: float) -> None:
    """A sentence or more under the pointer, in lines of a column."""
    imgui.begin_tooltip()
    imgui.push_text_wrap_pos(360.0 * scale)
    imgui.text_unformatted(text)
    imgui.pop_text_wrap_pos()
    imgui.end_tooltip()


def icon_button(glyph: str, tip: str, *, active: bool = False) -> bool:
    """A square button with a glyph and a tip."""
    if active:
        imgui.push_style_color(imgui.Col_.button.value, imgui.ImVec4(*theme.ACCENT[:3], 0.85))
    side = imgui.get_frame_height() * 1.25
    pressed = imgui.button(f"{glyph}##{tip}", imgui.ImVec2(side, side))
    if active:
        imgui.pop_style_color()
    if imgui.is_item_hovered():
        imgui.set_tooltip(tip)
    return bool(pressed)


def named_button(glyph: str, name: str, tip: str, wide: float, *, active: bool = False) -> bool:
    """A button with a glyph and its name below."""
    if active:
        imgui.push_style_color(imgui.Col_.button.value, imgui.ImVec4(*theme.ACCENT[:3], 0.85))
    tall = 1.62 * imgui.get_frame_height()
    corner = imgui.get_cursor_screen_pos()
    pressed = imgui.button(f"##{name}", imgui.ImVec2(wide, tall))
    if active:
        imgui.pop_style_color()
    if imgui.is_item_hovered():
        imgui.set_tooltip(tip)
    layer, ink = imgui.get_window_draw_list(), imgui.get_color_u32(imgui.Col_.text.value)
    size, font = imgui.get_font_size(), imgui.get_font()
    for text, share, height in ((glyph, 1.0, 0.12), (name, 0.78, 0.60)):
        extent = imgui.calc_text_size(text).x * share
        at = imgui.ImVec2(corner.x + (wide - extent) / 2, corner.y + height * tall)
        layer.add_text(font, size * share, at, ink, text)
    return bool(pressed)


def heading(text: str) -> None:
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


def scaled(values: "np.ndarray", unit: str) -> tuple[float, str]:
    """A factor and a unit with prefix that make the largest value readable."""
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    for size, prefix in _PREFIXES:
        if largest >= size:
            return 1.0 / size, f"{prefix}{unit}"
    return 1.0, unit


def with_prefix(value: float, unit: str) -> str:
    """1470 N → 1.47 kN."""
    factor, shown = scaled(np.array([value]), unit)
    return f"{value * factor:.3g} {shown}"


def paint(color: str) -> int:
    r, g, b = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return int(imgui.get_color_u32(imgui.ImVec4(r, g, b, 1.0)))


def stars_row(stars: int) -> str:
    return " ".join(theme.icon("star" if i < stars else "no_star") for i in range(3))
