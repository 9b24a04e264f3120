"""Worlds made in Python, seen in a window."""

from collections.abc import Iterable
from typing import Any

from physics import World
from sandbox.record.viewing import (
    Onlooker,
    Place,
    as_world,
    checked_quality,
    checked_size,
    in_notebook,
    picture,
)
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer
from sandbox.window.window import Window

_SLOWEST = 0.1  # s: a frame that took longer does not make up for the time


def show(
    thing: object, size: Iterable[int], quality: str, eye: Place | None, at: Place | None
) -> Any:
    """See `sandbox.show`."""
    if in_notebook():
        return picture(thing, size, quality, eye, at)
    world = as_world(thing)
    _in_window(world, checked_size(size), checked_quality(quality), eye, at)
    return None


def _in_window(
    world: World, size: tuple[int, int], quality: str, eye: Place | None, at: Place | None
) -> None:
    window = Window(f"Taut: {world!r}", size)
    try:
        viewer = _Viewer(window, Onlooker(world, size, eye, at), quality)
        while viewer.frame():
            pass
    finally:
        window.close()


class _Viewer:
    """The window's loop: Space pauses, a period steps, the mouse moves the camera, Esc closes."""

    def __init__(self, window: Any, onlooker: Onlooker, quality: str) -> None:
        import pygame

        self._pygame, self._window, self._onlooker = pygame, window, onlooker
        self._renderer = Renderer(window.context, QUALITIES[quality])
        self._clock = pygame.time.Clock()
        self._paused, self._dragging, self._due = False, 0, 0.0

    def frame(self) -> bool:
        """One picture; false when the window was closed."""
        passed = min(self._clock.tick(60) / 1000, _SLOWEST)
        wanted = [self._handle(event) for event in self._window.events()]
        if False in wanted:
            return False
        world = self._onlooker.world
        self._due += 0.0 if self._paused else passed
        while self._due >= world.h and not world.diverged:
            world.step()
            self._due -= world.h
        size = self._window.size
        camera = self._onlooker.camera
        camera.aspect = size[0] / size[1]
        camera.update(passed)
        self._renderer.render(self._onlooker.scene(), camera.view(), size, self._window.canvas)
        self._window.present()
        return True

    def _handle(self, event: Any) -> bool:
        pygame, camera = self._pygame, self._onlooker.camera
        width, height = self._window.size
        if event.type == pygame.QUIT:
            return False
        if event.type == pygame.KEYDOWN:
            return self._key(event.key)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button <= 3:
            self._dragging = event.button
        elif event.type == pygame.MOUSEBUTTONUP and event.button == self._dragging:
            self._dragging = 0
        elif event.type == pygame.MOUSEMOTION and self._dragging:
            move = camera.orbit if self._dragging == 1 and not camera.flat else camera.pan
            move(event.rel[0] / width, event.rel[1] / height)
        elif event.type == pygame.MOUSEWHEEL:
            x, y = pygame.mouse.get_pos()
            camera.zoom(float(getattr(event, "precise_y", event.y)), x / width, y / height)
        return True

    def _key(self, key: int) -> bool:
        pygame = self._pygame
        if key == pygame.K_SPACE:
            self._paused = not self._paused
        elif key == pygame.K_PERIOD:
            self._onlooker.world.step()
        return bool(key != pygame.K_ESCAPE)
