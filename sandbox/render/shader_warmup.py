"""Compiling shaders one a frame, so that no frame is held up.

Every pattern and every kind of thing has a shader program of its own, which the driver compiles
when it is first drawn: on a processor that takes up to a second each. Drawn all at once, a level's
first picture would hold the window for that long times twelve. `unfold` draws it piece by
piece; `RendererWarmup` does the same out of sight for another quality.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sandbox.render.programs import Postponed
from sandbox.render.quality import Quality
from sandbox.render.renderer import Renderer
from sandbox.render.scene import COIL, TUBE, Parts, Scene
from sandbox.render.view import View

if TYPE_CHECKING:
    import moderngl

_SIZE = (64, 36)  # pixels: only the programs matter


def unfold(scene: Scene) -> Iterator[Scene]:
    """Scenes that lead to this one, each with one more program in it; the last is the whole."""
    bare = replace(
        scene, parts={}, still=frozenset(), backdrop={}, marks={}, sheets=[],
        tubes=np.zeros(0, TUBE), coils=np.zeros(0, COIL),
    )  # fmt: skip
    yield bare
    patterns = sorted({int(p) for rows in scene.parts.values() for p in np.rint(rows["pattern"])})
    shown = bare
    for i in range(len(patterns)):
        shown = replace(bare, parts=_with_patterns(scene.parts, patterns[: i + 1]))
        yield shown
    for name in ("tubes", "coils", "sheets", "marks", "backdrop"):
        if len(getattr(scene, name)):
            shown = replace(shown, **{name: getattr(scene, name)})
            yield shown
    yield scene


def _with_patterns(groups: dict[str, Parts], patterns: list[int]) -> dict[str, Parts]:
    found = {}
    for mesh, rows in groups.items():
        chosen = rows[np.isin(np.rint(rows["pattern"]), patterns)]
        if len(chosen):
            found[mesh] = chosen
    return found


class RendererWarmup:
    """Makes a renderer ready while another one still draws."""

    def __init__(self, context: "moderngl.Context", quality: Quality, scene: Scene) -> None:
        self.renderer = Renderer(context, quality)
        self.renderer.compile_one_a_frame(True)
        self._pieces = unfold(scene)
        self._piece = next(self._pieces, None)
        self._color = context.renderbuffer(_SIZE, 4)
        self._canvas = context.framebuffer([self._color])

    def go_on(self, view: View) -> bool:
        """One piece; false when there is none left and the renderer can be used."""
        if self._piece is None:
            self._canvas.release()
            self._color.release()
            self.renderer.compile_one_a_frame(False)
            return False
        try:
            self.renderer.render(self._piece, view, _SIZE, self._canvas)
            self._piece = next(self._pieces, None)
        except Postponed:
            pass
        return True
