"""One panel style: soft dark glass, a warm accent, readable at any scale."""

from pathlib import Path
from typing import Any

import imgui_bundle
from imgui_bundle import imgui

ACCENT = (1.0, 0.69, 0.125, 1.0)
TEXT = (0.94, 0.95, 0.97, 1.0)
MUTED = (0.66, 0.70, 0.76, 1.0)
SOFT = (0.84, 0.87, 0.91, 1.0)  # quieter than text, on glass that lets the sky through
GLASS = (0.075, 0.09, 0.12, 0.82)
GOOD = (0.45, 0.80, 1.0, 1.0)
BAD = (1.0, 0.55, 0.25, 1.0)

# Font Awesome 4, which comes with imgui-bundle under the OFL.
ICONS = {
    "play": "\uf04b",
    "pause": "\uf04c",
    "step": "\uf051",
    "rewind": "\uf04a",
    "restart": "\uf021",
    "undo": "\uf0e2",
    "redo": "\uf064",
    "camera": "\uf030",
    "record": "\uf03d",
    "sound": "\uf028",
    "silent": "\uf026",
    "overlays": "\uf06e",
    "compare": "\uf0db",
    "star": "\uf005",
    "no_star": "\uf006",
    "close": "\uf00d",
    "quit": "\uf011",
    "clock": "\uf017",
}

_FONTS = Path(imgui_bundle.__file__).parent / "assets" / "fonts"


class Fonts:
    """Loaded once per window; ImGui draws them at any size."""

    def __init__(self, scale: float) -> None:
        atlas = imgui.get_io().fonts
        self.body = _load(atlas, "Roboto/Roboto-Regular.ttf", 16.0)
        self.title = _load(atlas, "Roboto/Roboto-Bold.ttf", 22.0)
        self.mono = _load(atlas, "Inconsolata-Medium.ttf", 15.0)
        self.scale = scale

    @property
    def title_size(self) -> float:
        return 22.0 * self.scale

    @property
    def mono_size(self) -> float:
        return 15.0 * self.scale


def _load(atlas: Any, name: str, size: float) -> Any:
    path = _FONTS / name
    if not path.is_file():
        return atlas.add_font_default()
    font = atlas.add_font_from_file_ttf(str(path), size)
    icons = _FONTS / "fontawesome-webfont.ttf"
    if icons.is_file():
        config = imgui.ImFontConfig()
        config.merge_mode = True
        atlas.add_font_from_file_ttf(str(icons), size * 0.95, config)
    return font


def apply(scale: float, fonts: Fonts | None = None) -> Fonts:
    """Set colours, sizes and fonts of the current ImGui context."""
    fonts = fonts or Fonts(scale)
    fonts.scale = scale
    style = imgui.get_style()
    style.font_size_base = 16.0 * scale
    style.window_rounding = 10.0 * scale
    style.frame_rounding = style.grab_rounding = 6.0 * scale
    style.popup_rounding = 8.0 * scale
    style.child_rounding = 8.0 * scale
    style.window_border_size = 0.0
    style.window_padding = imgui.ImVec2(14 * scale, 12 * scale)
    style.frame_padding = imgui.ImVec2(9 * scale, 4 * scale)
    style.item_spacing = imgui.ImVec2(8 * scale, 6 * scale)
    style.grab_min_size = 14.0 * scale
    style.scrollbar_size = 11.0 * scale
    _colors(style)
    return fonts


def _colors(style: Any) -> None:
    c = imgui.Col_
    accent = ACCENT[:3]
    table = {
        c.text: TEXT,
        c.text_disabled: MUTED,
        c.window_bg: GLASS,
        c.popup_bg: (0.09, 0.105, 0.14, 0.97),
        c.child_bg: (0.0, 0.0, 0.0, 0.0),
        c.frame_bg: (1.0, 1.0, 1.0, 0.08),
        c.frame_bg_hovered: (1.0, 1.0, 1.0, 0.14),
        c.frame_bg_active: (1.0, 1.0, 1.0, 0.18),
        c.title_bg: (0.0, 0.0, 0.0, 0.0),
        c.title_bg_active: (0.0, 0.0, 0.0, 0.0),
        c.title_bg_collapsed: GLASS,
        c.slider_grab: ACCENT,
        c.slider_grab_active: (1.0, 0.78, 0.35, 1.0),
        c.check_mark: ACCENT,
        c.button: (1.0, 1.0, 1.0, 0.10),
        c.button_hovered: (1.0, 1.0, 1.0, 0.20),
        c.button_active: (*accent, 0.55),
        c.header: (1.0, 1.0, 1.0, 0.08),
        c.header_hovered: (1.0, 1.0, 1.0, 0.15),
        c.header_active: (*accent, 0.45),
        c.separator: (1.0, 1.0, 1.0, 0.12),
        c.tab: (1.0, 1.0, 1.0, 0.06),
        c.tab_hovered: (*accent, 0.55),
        c.tab_selected: (*accent, 0.35),
        c.plot_lines: ACCENT,
        c.plot_histogram: ACCENT,
        c.scrollbar_bg: (0.0, 0.0, 0.0, 0.0),
        c.resize_grip: (0.0, 0.0, 0.0, 0.0),
    }
    for key, value in table.items():
        style.set_color_(key.value, imgui.ImVec4(*value))


def icon(name: str) -> str:
    return ICONS.get(name, "?")
