"""Everything over the picture, in drawing order."""

from typing import TYPE_CHECKING

from sandbox.ui import compare_panel, hud, legend, pages, panels, plots, settings_page, theme
from sandbox.ui.backend import ImguiBackend
from sandbox.ui.layout import Layout, fitting_scale

if TYPE_CHECKING:
    from sandbox.app.game import Game

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

    def rescale(self, scale: float) -> None:
        """Another size of everything, from the next frame on."""
        self.scale = scale

    def draw(self, frame: float) -> None:
        """Draw the panels on the canvas; those of the last frame, if they are fresh enough."""
        self._age += frame
        if self.backend.news:
            self._due = 2  # what has just been opened is only measured the first time
        if self._age < _EVERY and self.layout.settled and not self._due:
            self.backend.paint(self._game.window.canvas)
        else:
            self._build(self._age)
            self._age, self._due = 0.0, max(self._due - 1, 0)

    def _build(self, frame: float) -> None:
        game = self._game
        fitting = fitting_scale(self.scale, game.window.size)
        if fitting != self.fonts.scale:
            theme.apply(fitting, self.fonts)
        self.layout.begin(game.window.size, fitting)
        self.backend.begin(game.window.size, frame)
        state = game.player.state
        if not (state.wall or state.help or state.settings):
            compare_panel.labels(game, self.fonts)
            hud.rubber_band(game)
            if not state.hidden:
                self._panels()
        if state.wall:
            pages.wall(game, self.fonts)
        if state.help:
            pages.help_page(game, self.fonts)
        if state.settings:
            settings_page.settings_page(game, self.fonts)
        if game.leaving is not None:
            pages.leave_card(game, self.fonts)
        self.backend.end(game.window.canvas)

    def _panels(self) -> None:
        game, fonts, layout = self._game, self.fonts, self.layout
        hud.transport(game, fonts)
        if not layout.tiny:
            shown = layout.shown(game)
            hud.menu(game, fonts)
            hud.title(game, fonts)
            hud.toolbar(game, fonts)
            if "side" in shown:
                (compare_panel.controls if game.comparison is not None else panels.side)(
                    game, fonts
                )
            legend.legend(game, fonts)
            if "plots" in shown:
                plots.plots(game, fonts)
            if "profiler" in shown:
                panels.profiler(game, fonts)
        hud.messages(game, fonts)
        hud.card(game, fonts)
