"""Worlds made in Python, seen: in a window, as a picture, as a video.

A world has no level that says how it looks, so everything is plain, and the camera stands where all
of it is seen.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from physics import Plane, World
from sandbox.app.camera import Camera
from sandbox.app.view_setup import aim, set_backdrop
from sandbox.record.writers import even, open_writer
from sandbox.render.context import offscreen_context
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer
from sandbox.render.scene import Scene
from sandbox.render.stage import Stage

if TYPE_CHECKING:
    from PIL.Image import Image

Pixels = npt.NDArray[np.uint8]
Place = tuple[float, float, float]
FRAME_RATE = 30  # pictures per second of video
_SLOWEST = 0.1  # s: a frame that took longer does not make up for the time


class Onlooker:
    """A stage with a camera. What comes and goes in the world is noticed."""

    def __init__(self, world: World, size: tuple[int, int], eye: Place | None, at: Place | None):
        if all(_is_endless(world, handle) for handle in world.handles()):
            raise ValueError("there is nothing to see in this world; add a body first")
        self.world = world
        self.camera = Camera(flat=world.dimension == 2, aspect=size[0] / size[1])
        self._stage = Stage(world)
        self._drawn = self._things()
        aim(self.camera, self._stage, None)
        if at is not None and eye is None:
            self.camera.frame(np.asarray(at, float), 0.8 * self._stage.radius)
        if eye is not None and not self.camera.flat:
            middle = self._stage.center if at is None else at
            self.camera.look_from(np.asarray(eye, float), np.asarray(middle, float))
        self.camera.settle()
        set_backdrop(self._stage, self.camera)

    def scene(self) -> Scene:
        things = self._things()
        if things != self._drawn:
            self._stage.rebuild()
            self._drawn = things
        return self._stage.scene(self._stage.poses())

    def _things(self) -> list[Any]:
        return [handle for handle in self.world.handles() if handle.kind != "grab"]


def _is_endless(world: World, handle: Any) -> bool:
    """A plane is wherever one looks, and a joint is nowhere."""
    return handle.kind in ("joint", "grab") or (
        handle.kind == "body" and isinstance(world.shape(handle), Plane)
    )


def as_world(thing: Any) -> World:
    """A world, or one built from a level or its name."""
    from levels import Level, load

    if isinstance(thing, World):
        return thing
    if isinstance(thing, str | Path):
        thing = load(thing)
    if isinstance(thing, Level):
        return thing.build()
    raise TypeError(f"a World is needed, a Level or the name of one, not {type(thing).__name__}")


def _checked_size(size: Any) -> tuple[int, int]:
    width, height = (int(side) for side in size)
    if not (16 <= width <= 7680 and 16 <= height <= 4320):
        raise ValueError(f"size {width} x {height}: between 16 x 16 and 7680 x 4320 pixels")
    return even((width, height))


def _checked_quality(quality: str) -> str:
    if quality not in QUALITIES:
        raise ValueError(f'unknown quality "{quality}"; known: {", ".join(QUALITIES)}')
    return quality


def picture(
    thing: Any, size: Any, quality: str, eye: Place | None = None, at: Place | None = None
) -> "Image":
    """See `sandbox.picture`."""
    from PIL import Image

    world, size = as_world(thing), _checked_size(size)
    onlooker = Onlooker(world, size, eye, at)
    context = offscreen_context()
    renderer = Renderer(context, QUALITIES[_checked_quality(quality)])
    try:
        pixels = renderer.image(onlooker.scene(), onlooker.camera.view(), size)
    finally:
        renderer.release()
        context.release()
    return Image.fromarray(pixels)


def record(
    thing: Any,
    path: Path,
    seconds: float,
    size: Any,
    quality: str,
    eye: Place | None = None,
    at: Place | None = None,
) -> Path:
    """See `sandbox.record`."""
    world, size = as_world(thing), _checked_size(size)
    if not 0 < seconds <= 3600:
        raise ValueError(f"seconds = {seconds:g}: must be above 0 and at most 3600")
    onlooker = Onlooker(world, size, eye, at)
    context = offscreen_context()
    renderer = Renderer(context, QUALITIES[_checked_quality(quality)])
    start = float(world.time)
    try:
        with open_writer(path, size, FRAME_RATE) as writer:
            for i in range(max(1, round(seconds * FRAME_RATE))):
                writer.add(renderer.image(onlooker.scene(), onlooker.camera.view(), size))
                _step_to(world, start + (i + 1) / FRAME_RATE)
    finally:
        renderer.release()
        context.release()
    return path


def _step_to(world: World, time: float) -> None:
    """Whole steps up to a time, as near as they come."""
    while float(world.time) < time - 0.5 * world.h and not world.diverged:
        world.step()


def in_notebook() -> bool:
    """Is this Jupyter, where a picture is shown and not a window?"""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


def show(thing: Any, size: Any, quality: str, eye: Place | None, at: Place | None) -> Any:
    """See `sandbox.show`."""
    if in_notebook():
        return picture(thing, size, quality, eye, at)
    world = as_world(thing)
    _in_window(world, _checked_size(size), _checked_quality(quality), eye, at)
    return None


def _in_window(
    world: World, size: tuple[int, int], quality: str, eye: Place | None, at: Place | None
) -> None:
    from sandbox.window.window import Window

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
