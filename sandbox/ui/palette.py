"""The palette: tools to draw with, and all parts with pictures, found by words."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.ui import theme
from sandbox.ui.layout import GAP, MARGIN, TOP
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import PANEL, colored, named_button, place

if TYPE_CHECKING:
    from levels.draft.parts import Part
    from sandbox.ui.part_pictures import PartPictures
    from sandbox.window.game import Game
    from sandbox.workshop.builder import Builder

_WIDE = 276.0  # pixels at scale 1, inside
_COLUMNS = 3
_SMALL = 12.0


def palette(game: "Game", builder: "Builder", fonts: Fonts, pictures: "PartPictures") -> None:
    layout = game.interface.layout
    top = layout.below("build bar")
    place(MARGIN * fonts.scale, top, 0, 0)
    imgui.begin("palette", None, PANEL)
    layout.note("palette")
    _tools(game, builder, fonts)
    imgui.set_next_item_width(_WIDE * fonts.scale)
    _, builder.words = imgui.input_text_with_hint("##words", "\uf002  search parts", builder.words)
    found = builder.parts.search(builder.words, flat=builder.draft.flat)
    tall = layout.size[1] - imgui.get_cursor_screen_pos().y - (TOP + 2 * GAP) * fonts.scale
    imgui.begin_child("parts", imgui.ImVec2((_WIDE + 12) * fonts.scale, max(tall, 80.0)))
    if not found:
        colored("Nothing is called that.", theme.MUTED)
    shelf = ""
    column = 0
    for part in found:
        if part.shelf != shelf:
            shelf, column = part.shelf, 0
            colored(shelf.upper(), theme.MUTED)
        if column % _COLUMNS:
            imgui.same_line(0, 6 * fonts.scale)
        column += 1
        _tile(builder, part, fonts, pictures)
    imgui.end_child()
    imgui.end()


def _tools(game: "Game", builder: "Builder", fonts: Fonts) -> None:
    drawn = [tool for tool in builder.tools.values() if tool.has_button]
    space = imgui.get_style().item_spacing.x
    wide = (_WIDE * fonts.scale - (len(drawn) - 1) * space) / len(drawn)
    for i, tool in enumerate(drawn):
        if i:
            imgui.same_line()
        tip = f"{tool.name} ({game.build_keys.label(tool.name)})\n{tool.hint}"
        if named_button(tool.icon, tool.name, tip, wide, active=builder.tool == tool.name):
            builder.choose_tool(tool.name)


def _tile(builder: "Builder", part: "Part", fonts: Fonts, pictures: "PartPictures") -> None:
    """A picture with its name below; a click takes it in the hand."""
    wide = (_WIDE * fonts.scale - 12 * fonts.scale) / _COLUMNS
    tall = 0.75 * wide
    chosen = builder.part is not None and builder.part.path == part.path
    imgui.begin_group()
    at = imgui.get_cursor_screen_pos()
    imgui.push_id(str(part.path))
    pressed = imgui.invisible_button("part", imgui.ImVec2(wide, tall + 18 * fonts.scale))
    imgui.pop_id()
    hovered = imgui.is_item_hovered()
    layer = imgui.get_window_draw_list()
    low, high = at, imgui.ImVec2(at.x + wide, at.y + tall)
    if imgui.is_rect_visible(low, high):
        picture = pictures.of(part)
        if picture is None:
            layer.add_rect_filled(
                low, high, imgui.get_color_u32(imgui.Col_.frame_bg.value), 6 * fonts.scale
            )
        else:
            layer.add_image_rounded(
                picture,
                low,
                high,
                imgui.ImVec2(0, 0),
                imgui.ImVec2(1, 1),
                imgui.get_color_u32(imgui.ImVec4(1, 1, 1, 1)),
                6 * fonts.scale,
            )
    if chosen or hovered:
        alpha = 1.0 if chosen else 0.5
        edge = imgui.get_color_u32(imgui.ImVec4(*theme.ACCENT[:3], alpha))
        layer.add_rect(low, high, edge, 6 * fonts.scale, 2.5)
    ink = theme.ACCENT if chosen else theme.SOFT
    _name(layer, part.title, at, wide, tall, fonts, ink)
    imgui.end_group()
    if hovered:
        imgui.set_tooltip(f"{part.title}\n{part.about}" if part.about else part.title)
    if pressed:
        if chosen:
            builder.choose_tool("select")
        else:
            builder.choose_part(part)


def _name(
    layer: imgui.ImDrawList,
    text: str,
    at: imgui.ImVec2,
    wide: float,
    tall: float,
    fonts: Fonts,
    ink: tuple[float, float, float, float],
) -> None:
    """Centred; cut where it is too long."""
    size = _SMALL * fonts.scale
    share = size / imgui.get_font_size()
    shown = text
    while shown and imgui.calc_text_size(shown).x * share > wide:
        shown = shown[:-1]
    if shown != text:
        shown = shown[:-1] + "…"
    left = at.x + (wide - imgui.calc_text_size(shown).x * share) / 2
    where = imgui.ImVec2(left, at.y + tall + 2 * fonts.scale)
    layer.add_text(imgui.get_font(), size, where, imgui.get_color_u32(imgui.ImVec4(*ink)), shown)
