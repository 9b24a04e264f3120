"""Pictures of parts for the palette: drawn one a frame, as they come into view."""

from typing import TYPE_CHECKING, Any

from levels.draft.parts import Part
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer
from sandbox.workshop.part_views import portrait

if TYPE_CHECKING:
    from pathlib import Path

    import moderngl

    from sandbox.ui.backend import ImguiBackend

SIZE = (168, 126)


class PartPictures:
    """Textures by the file of the part."""

    def __init__(self, context: "moderngl.Context", backend: "ImguiBackend") -> None:
        self._context, self._backend = context, backend
        self._found: dict[Path, Any] = {}
        self._wanted: list[Part] = []
        self._renderer: Renderer | None = None

    def of(self, part: Part) -> Any:
        """The picture, or None while it is not there; asking for it has it drawn."""
        found = self._found.get(part.path)
        if found is None and part not in self._wanted:
            self._wanted.append(part)
        return found

    def draw_one(self) -> bool:
        """Once a frame, before the panels are built; True while there is more to draw."""
        if not self._wanted:
            return False
        part = self._wanted.pop(0)
        if self._renderer is None:
            self._renderer = Renderer(self._context, QUALITIES["low"])
        scene, view = portrait(part, SIZE[0] / SIZE[1])
        pixels = self._renderer.image(scene, view, SIZE)
        texture = self._context.texture(SIZE, 3, pixels.tobytes(), alignment=1)
        self._found[part.path] = self._backend.register(texture)
        return bool(self._wanted)

    def release(self) -> None:
        if self._renderer is not None:
            self._renderer.release()
