"""Taut's game and its commands; and, for scripts and notebooks, a way to see a world.

    import sandbox
    from physics import Plane, Sphere, World

    world = World()
    world.add_body("ground", Plane((0, 1, 0)), fixed=True)
    world.add_body("ball", Sphere(0.3), mass=1, position=(0, 2, 0), restitution=0.8)
    sandbox.show(world)                           # a window; in a notebook a picture
    sandbox.record(world, "ball.mp4", seconds=5)  # steps the world on and films it
    sandbox.picture(world, "ball.png")            # of this moment

`sandbox --help` on the command line lists its verbs.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox import record

if TYPE_CHECKING:
    from PIL.Image import Image

    from levels import Level
    from physics import World

__all__ = ["picture", "record", "show"]

Point = tuple[float, float, float]


def show(
    world: "World | Level | str",
    *,
    size: tuple[int, int] = (1280, 720),
    quality: str = "medium",
    eye: Point | None = None,
    at: Point | None = None,
) -> Any:
    """Open a window in which the world runs, until it is closed; in a notebook give a picture.

    Space pauses, a period takes one step, dragging turns the view (right: moves it), the wheel
    zooms, Esc closes. `eye` and `at` say from where and whereto one looks, in metres. A Level or
    its name is built first.
    """
    from sandbox.window.world_window import show as run

    return run(world, size, quality, eye, at)


def picture(
    world: "World | Level | str",
    path: str | Path | None = None,
    *,
    size: tuple[int, int] = (1280, 720),
    quality: str = "high",
    eye: Point | None = None,
    at: Point | None = None,
) -> "Image":
    """A picture of a world at this moment, as a PIL image; with a path it is written there too."""
    from sandbox.record.viewing import picture as run

    image = run(world, size, quality, eye, at)
    if path is not None:
        image.save(path)
    return image
