"""Worlds made in Python, seen as a picture or a video.

A world has no level that says how it looks, so everything is plain, and the camera stands where all
of it is seen.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from physics import Plane, World
from physics.records import Handle
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
        self.camera.jump()
        set_backdrop(self._stage, self.camera)

    def scene(self) -> Scene:
        things = self._things()
        if things != self._drawn:
            self._stage.rebuild()
            self._drawn = things
        return self._stage.scene(self._stage.poses())

    def _things(self) -> "list[Handle]":
        return [handle for handle in self.world.handles() if handle.kind != "grab"]


def _is_endless(world: World, handle: Handle) -> bool:
    """A plane is wherever one looks, and a joint is nowhere."""
    return handle.kind in ("joint", "grab") or (
        handle.kind == "body" and isinstance(world.shape(handle), Plane)
    )


def as_world(thing: object) -> World:
    """A world, or one built from a level or its name."""
    from levels import Level, load

    if isinstance(thing, World):
        return thing
    if isinstance(thing, str | Path):
        thing = load(thing)
    if isinstance(thing, Level):
        return thing.build()
    raise TypeError(f"a World is needed, a Level or the name of one, not {type(thing).__name__}")


def checked_size(size: Iterable[int]) -> tuple[int, int]:
    width, height = (int(side) for side in size)
    if not (16 <= width <= 7680 and 16 <= height <= 4320):
        raise ValueError(f"size {width} x {height}: between 16 x 16 and 7680 x 4320 pixels")
    return even((width, height))


def checked_quality(quality: str) -> str:
    if quality not in QUALITIES:
        raise ValueError(f'unknown quality "{quality}"; known: {", ".join(QUALITIES)}')
    return quality


def picture(
    thing: object,
    size: Iterable[int],
    quality: str,
    eye: Place | None = None,
    at: Place | None = None,
) -> "Image":
    """See `sandbox.picture`."""
    from PIL import Image

    world, size = as_world(thing), checked_size(size)
    onlooker = Onlooker(world, size, eye, at)
    context = offscreen_context()
    renderer = Renderer(context, QUALITIES[checked_quality(quality)])
    try:
        pixels = renderer.image(onlooker.scene(), onlooker.camera.view(), size)
    finally:
        renderer.release()
        context.release()
    return Image.fromarray(pixels)


def record(
    thing: object,
    path: Path,
    seconds: float,
    size: Iterable[int],
    quality: str,
    eye: Place | None = None,
    at: Place | None = None,
) -> Path:
    """See `sandbox.record`."""
    world, size = as_world(thing), checked_size(size)
    if not 0 < seconds <= 3600:
        raise ValueError(f"seconds = {seconds:g}: must be above 0 and at most 3600")
    onlooker = Onlooker(world, size, eye, at)
    context = offscreen_context()
    renderer = Renderer(context, QUALITIES[checked_quality(quality)])
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
