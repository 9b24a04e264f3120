"""Everything over the picture, in drawing order."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.ui import cards, compare_panel, hud, legend, pages, theme
from sandbox.ui.backend import ImguiBackend
from sandbox.ui.build_bar import back_button
from sandbox.ui.build_panels import BuildPanels
from sandbox.ui.layout import GAP, MARGIN, Layout, fitting_scale
from sandbox.ui.panels import PAGES, PANELS, Panel
from sandbox.ui.signs import signs
from sandbox.ui.widgets import PANEL, place

if TYPE_CHECKING:
    from sandbox.window.game import Game

_EVERY = 0.045  # s between two builds of the panels while nobody touches anything


class Interface:
    """The ImGui side of the window."""

    def __init__(self, game: "Game", scale: float = 1.0) -> None:
        self.backend = ImguiBackend(game.window.context)
        self.scale = scale  # as chosen; a small window shows less
        self.fonts = theme.apply(fitting_scale(scale, game.window.size))
        self.layout = Layout()
        self._game = game
        self._age = 1.0  # s since the panels were built
        self._due = 2  # builds that must not be put off
        self.build_panels = BuildPanels(game, self.backend)
        self._next_left = 0.0  # where the next panel from the left stands, pixels
        self.building = False  # in the middle of a frame of ImGui

    def rescale(self, scale: float) -> None:
        """Another size of everything, from the next frame on."""
        self.scale = scale

    def draw(self, frame: float) -> None:
        """Draw the panels on the canvas; those of the last frame, if they are fresh enough."""
        state = self._game.player.state
        opened = [PANELS[name].reads for name in PANELS.keys() & state.open]
        state.reads = frozenset().union(*opened)
        self._age += frame
        if self.backend.dirty:
            self._due = 2  # what has just been opened is only measured the first time
        if self._game.building.active is not None:
            self.build_panels.before()
            self._due = max(self._due, 1)  # marks go with the camera
        if self._age < _EVERY and self.layout.settled and not self._due:
            self.backend.paint(self._game.window.canvas)
        else:
            self.building = True
            try:
                self._build(self._age)
            finally:
                self.building = False
            self._age, self._due = 0.0, max(self._due - 1, 0)

    def _build(self, frame: float) -> None:
        game = self._game
        fitting = fitting_scale(self.scale, game.window.size)
        if fitting != self.fonts.scale:
            theme.apply(fitting, self.fonts)
        self.layout.begin(game.window.size, fitting)
        self.backend.begin(game.window.size, frame)
        state = game.player.state
        open_pages = [page for page in PAGES.values() if page.name in state.open]
        if not open_pages:
            builder = game.building.active
            if builder is not None:
                self.build_panels.draw(builder, self.fonts)
                hud.messages(game, self.fonts)
            else:
                compare_panel.labels(game, self.fonts)
                hud.rubber_band(game)
                if not state.hidden:
                    signs(game)
                    self._panels()
                if game.building.testing:
                    back_button(game, self.fonts)
        for page in open_pages:
            page.draw(game, self.fonts)
        if game.leaving is not None:
            pages.leave_card(game, self.fonts)
        self.backend.end(game.window.canvas)

    def _panels(self) -> None:
        game, fonts, layout = self._game, self.fonts, self.layout
        hud.transport(game, fonts)
        if not layout.tiny:
            shown = layout.shown(game)
            self._next_left = MARGIN * fonts.scale
            hud.menu(game, fonts)
            hud.title(game, fonts)
            hud.toolbar(game, fonts)
            legend.legend(game, fonts)
            for panel in shown:
                self._panel(panel)
        hud.messages(game, fonts)
        hud.paused_sign(game, fonts)
        cards.end_card(game, fonts)
        cards.explosion_card(game, fonts)

    def _panel(self, panel: Panel) -> None:
        """Open its window, clear of what stands there already, and let it be filled."""
        layout, scale = self.layout, self.fonts.scale
        if panel.right:
            left = layout.size[0] - (MARGIN + panel.width) * scale
            top = layout.below("menu", otherwise=72) - 4 * scale
            place(layout.size[0] - MARGIN * scale, top, 1, 0)
        else:
            left, top = self._next_left, layout.below("title")
            place(left, top, 0, 0)
        tallest = max(layout.lowest_for(left, left + panel.width * scale) - top, 60 * scale)
        most = imgui.ImVec2(4000.0, tallest)
        imgui.set_next_window_size_constraints(imgui.ImVec2(0.0, 0.0), most)
        imgui.begin(panel.name, None, PANEL)
        layout.note("side" if panel.right else panel.name)
        comparing = panel.right and self._game.comparison is not None
        (compare_panel.controls if comparing else panel.draw)(self._game, self.fonts)
        if not panel.right:
            self._next_left = left + imgui.get_window_width() + GAP * scale
        imgui.end()
