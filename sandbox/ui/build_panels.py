"""Everything over the picture while a level is built."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.ui.build_bar import bar, hint
from sandbox.ui.build_marks import band, draw_marks
from sandbox.ui.inspector import inspector
from sandbox.ui.layout import GAP, MARGIN, TOP
from sandbox.ui.level_panel import level_panel
from sandbox.ui.palette import palette
from sandbox.ui.part_pictures import PartPictures
from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import PANEL, place

if TYPE_CHECKING:
    from sandbox.ui.backend import ImguiBackend
    from sandbox.window.game import Game
    from sandbox.workshop.builder import Builder

_WIDE = 290.0
_TABS = (("thing", "Selection"), ("level", "Level"))


class BuildPanels:
    """The panels, and the pictures they show."""

    def __init__(self, game: "Game", backend: "ImguiBackend") -> None:
        self._game = game
        self._pictures = PartPictures(game.window.context, backend)

    def before(self) -> bool:
        """Before a frame of ImGui begins: draw a picture; True while there are more."""
        return self._pictures.draw_one()

    def draw(self, builder: "Builder", fonts: Fonts) -> None:
        draw_marks(self._game, builder)
        band(self._game, builder)
        if self._game.player.state.hidden:
            return
        bar(self._game, builder, fonts)
        palette(self._game, builder, fonts, self._pictures)
        self._side(builder, fonts)
        hint(self._game, builder, fonts)

    def _side(self, builder: "Builder", fonts: Fonts) -> None:
        """At the right: of the selection, or of the level."""
        layout = self._game.interface.layout
        place(layout.size[0] - MARGIN * fonts.scale, TOP * fonts.scale, 1, 0)
        imgui.begin("build side", None, PANEL)
        layout.note("side")
        for i, (name, title) in enumerate(_TABS):
            if i:
                imgui.same_line()
            active = builder.tab == name
            colour = imgui.Col_.button_active if active else imgui.Col_.button
            imgui.push_style_color(imgui.Col_.button.value, imgui.get_style().color_(colour.value))
            wide = imgui.ImVec2((_WIDE - 8) / 2 * fonts.scale, 0)
            if imgui.button(title, wide):
                builder.tab = name
            imgui.pop_style_color()
        tall = layout.size[1] - imgui.get_cursor_screen_pos().y - (TOP + 2 * GAP) * fonts.scale
        imgui.begin_child("inspected", imgui.ImVec2(_WIDE * fonts.scale, max(tall, 80.0)))
        draw = inspector if builder.tab == "thing" else level_panel
        draw(self._game, builder, fonts)
        imgui.end_child()
        imgui.end()

    def release(self) -> None:
        self._pictures.release()
