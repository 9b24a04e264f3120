"""Another quality without a held-up frame: its shaders are compiled one a frame, out of sight."""

from typing import TYPE_CHECKING

from sandbox.render.quality import Quality
from sandbox.render.renderer import Renderer
from sandbox.render.scene import Scene
from sandbox.render.unfold import unfold
from sandbox.render.view import View

if TYPE_CHECKING:
    import moderngl

_SIZE = (64, 36)  # pixels: only the programs matter


class Warming:
    """Makes a renderer ready while another one still draws."""

    def __init__(self, context: "moderngl.Context", quality: Quality, scene: Scene) -> None:
        self.renderer = Renderer(context, quality)
        self._pieces = unfold(scene)
        self._color = context.renderbuffer(_SIZE, 4)
        self._canvas = context.framebuffer([self._color])

    def go_on(self, view: View) -> bool:
        """One piece; false when there is none left and the renderer can be used."""
        piece = next(self._pieces, None)
        if piece is None:
            self._canvas.release()
            self._color.release()
            return False
        self.renderer.render(piece, view, _SIZE, self._canvas)
        return True
