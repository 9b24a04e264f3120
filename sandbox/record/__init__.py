"""Pictures and videos: of the window, or rendered headless.

The package can be called: sandbox.record(world, "x.mp4", seconds=5) films a world made in Python.

    world     a World, or a Level or its name, which is built first; it is stepped on
    path      .mp4, .gif or .webp, 30 pictures a second; the file appears when it is complete
    seconds   how long, 5 unless said otherwise
    size      (1280, 720) pixels
    quality   "low", "medium" or "high"
    eye, at   from where and whereto one looks, m; default: all of it is seen
"""

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.app.level_loader import LevelWanted


def render_video(
    level: "LevelWanted",
    seconds: float,
    out: str | Path,
    size: tuple[int, int] = (1280, 720),
    quality: str = "high",
    last: int | None = None,
) -> Path:
    """Simulate a level and write its picture; the ending of `out` decides: mp4, gif, webp, png.

    It ends after `seconds`, after the step `last`, or where the world comes apart.
    """
    from sandbox.record.offline import render_video as run

    return run(level, seconds, Path(out), size, quality, last)


class _Callable(ModuleType):
    """`sandbox.record` is a package, and what scripts call."""

    def __call__(
        self,
        world: object,
        path: str | Path,
        *,
        seconds: float = 5.0,
        size: tuple[int, int] = (1280, 720),
        quality: str = "medium",
        eye: tuple[float, float, float] | None = None,
        at: tuple[float, float, float] | None = None,
    ) -> Path:
        """Step a world on by `seconds` and write a video of it; returns the path."""
        from sandbox.record.viewing import record

        return record(world, Path(path), seconds, size, quality, eye, at)


sys.modules[__name__].__class__ = _Callable
