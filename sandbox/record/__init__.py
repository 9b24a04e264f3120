"""Pictures and videos: of the window, or rendered headless."""

from pathlib import Path
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
