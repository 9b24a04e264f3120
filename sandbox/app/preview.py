"""A level as it will begin, seen while the kernels that move it are being compiled.

Nothing moves but the camera, which answers as it will in play.
"""

from typing import TYPE_CHECKING

from sandbox.app.camera import Camera
from sandbox.app.view_setup import aim, set_backdrop, wished_look
from sandbox.render.scene import Scene
from sandbox.render.stage import Stage

if TYPE_CHECKING:
    from pygame.event import Event

    from levels import Level


class Preview:
    """The picture of a level at rest."""

    def __init__(
        self, level: "Level", aspect: float, palette: str = "", *, still: bool = False
    ) -> None:
        from levels.still import StillWorld

        world = StillWorld(level.default)
        self.level = level
        self.camera = Camera(flat=world.dimension == 2, still=still, aspect=aspect)
        self._stage = Stage(world, world.plan, wished_look(level.look, palette))
        aim(self.camera, self._stage, level.camera)
        set_backdrop(self._stage, self.camera)
        self._dragging = 0  # the mouse button that is held

    def scene(self) -> Scene:
        return self._stage.scene(self._stage.poses())

    def event(self, event: "Event", size: tuple[int, int]) -> None:
        """Left drag looks around, right drag moves the view, the wheel zooms."""
        import pygame

        width, height = size
        if event.type == pygame.MOUSEBUTTONDOWN and event.button <= 3:
            self._dragging = event.button
        elif event.type == pygame.MOUSEBUTTONUP and event.button == self._dragging:
            self._dragging = 0
        elif event.type == pygame.MOUSEMOTION and self._dragging:
            move = self.camera.orbit if self._dragging == 1 else self.camera.pan
            move(event.rel[0] / width, event.rel[1] / height)
        elif event.type == pygame.MOUSEWHEEL:
            x, y = pygame.mouse.get_pos()
            self.camera.zoom(float(getattr(event, "precise_y", event.y)), x / width, y / height)
