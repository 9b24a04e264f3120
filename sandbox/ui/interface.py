"""Everything over the picture, in drawing order."""

from typing import TYPE_CHECKING

from sandbox.ui import compare, hud, pages, panels, plots, settings_page, theme
from sandbox.ui.backend import ImguiBackend

if TYPE_CHECKING:
    from sandbox.app.game import Game


class Interface:
    """The ImGui side of the window."""

    def __init__(self, game: "Game", scale: float = 1.0) -> None:
        self.backend = ImguiBackend(game.window.context)
        self.fonts = theme.apply(scale)
        self._game = game

    def rescale(self, scale: float) -> None:
        """Another size of everything, from the next frame on."""
        self.fonts = theme.apply(scale, self.fonts)

    def draw(self, frame: float) -> None:
        """Build this frame's panels and draw them on the canvas."""
        game = self._game
        self.backend.begin(game.window.size, frame)
        state = game.player.state
        if not (state.wall or state.help or state.settings):
            compare.labels(game, self.fonts)
            hud.rubber_band(game)
            if not state.hidden:
                self._panels()
        if state.wall:
            pages.wall(game, self.fonts)
        if state.help:
            pages.help_page(game, self.fonts)
        if state.settings:
            settings_page.settings_page(game, self.fonts)
        self.backend.end(game.window.canvas)

    def _panels(self) -> None:
        game, fonts = self._game, self.fonts
        state = game.player.state
        hud.title(game, fonts)
        hud.transport(game, fonts)
        hud.toolbar(game, fonts)
        hud.menu(game, fonts)
        if game.rivals is not None:
            compare.controls(game, fonts)
        elif state.panel:
            panels.side(game, fonts)
        if state.plots:
            plots.plots(game, fonts)
        if state.profiler:
            panels.profiler(game, fonts)
        hud.messages(game, fonts)
        hud.card(game, fonts)
