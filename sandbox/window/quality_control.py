"""Which quality is drawn: the one that was chosen, or the best that this machine can draw."""

from typing import TYPE_CHECKING

from sandbox.render.context import renderer_name
from sandbox.render.quality import QUALITIES, Governor, Quality, default_quality
from sandbox.render.renderer import Renderer
from sandbox.render.shader_warmup import RendererWarmup

if TYPE_CHECKING:
    from sandbox.window.game import Game


class QualityControl:
    """Owns the choice; the game owns the renderer that follows from it."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        wanted = game.settings.quality
        self.automatic = wanted not in QUALITIES
        first = default_quality(renderer_name(game.window.context))
        self.governor = Governor(QUALITIES.get(wanted, first))
        self._warmup: RendererWarmup | None = None  # the next quality, while it is made ready

    def new_renderer(self) -> Renderer:
        return Renderer(self._game.window.context, self.governor.quality)

    def choose(self, quality: Quality | None) -> None:
        """None: by measured frame time."""
        self.automatic = quality is None
        if quality is not None and quality is not self._game.renderer.quality:
            self._warmup = None
            self.governor.quality = quality
            self._game.renderer.release()
            self._game.renderer = self.new_renderer()

    def update(self, frame: float) -> None:
        """After a frame of that many seconds; the old quality is used until the new is ready."""
        game = self._game
        if not self.automatic:
            return
        if self._warmup is None:
            if self.governor.update(frame):
                context, scene = game.window.context, game.player.scene()
                self._warmup = RendererWarmup(context, self.governor.quality, scene)
        elif not self._warmup.go_on(game.player.camera.view()):
            game.renderer.release()
            game.renderer, self._warmup = self._warmup.renderer, None
