"""Rendering without a window: a level is played headless and every frame drawn offscreen."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sandbox.app.player import Player
from sandbox.app.preview import Preview
from sandbox.messages import Progress, error
from sandbox.record.writers import even, open_writer
from sandbox.render.context import offscreen_context
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer

if TYPE_CHECKING:
    import moderngl

    from levels import Level, Session
    from sandbox.app.level_loader import LevelWanted

FRAME_RATE = 30  # pictures per second of video


class Studio:
    """A renderer without a window, in a context of its own or in the one given.

    Making a context takes the current one away from its window, so the game hands over its own.
    """

    def __init__(self, quality: str, context: "moderngl.Context | None" = None) -> None:
        if quality not in QUALITIES:
            raise ValueError(f'unknown quality "{quality}"; known: {", ".join(QUALITIES)}')
        self._own = context is None
        self.context = offscreen_context() if context is None else context
        self.renderer = Renderer(self.context, QUALITIES[quality])

    def picture(self, player: Player, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
        player.camera.aspect = size[0] / size[1]
        return self.renderer.image(player.scene(), player.camera.view(), size)

    def close(self) -> None:
        self.renderer.release()
        if self._own:
            self.context.release()


def session_of(level: "LevelWanted") -> "Session":
    """A session from a level's name, path, Level or Session."""
    from levels import Level, Session, load

    if isinstance(level, Session):
        return level
    return (level if isinstance(level, Level) else load(level)).session()


def render_video(
    level: "LevelWanted",
    seconds: float,
    out: Path,
    size: tuple[int, int],
    quality: str,
    last: int | None = None,
) -> Path:
    """See `sandbox.record.render_video`."""
    size = even(size)
    studio = Studio(quality)
    film = _Film(Player(session_of(level), size[1]), size, last)
    frames = max(1, round(seconds * FRAME_RATE))
    progress = Progress(out.name)
    still = out.suffix.lower() in (".png", ".jpg")
    try:
        with open_writer(out, size, FRAME_RATE) as writer:
            for i in range(frames):
                goes_on = film.advance((i + 1) / FRAME_RATE) and i < frames - 1
                if not still or not goes_on:
                    writer.add(studio.picture(film.player, size))
                progress(film.player.session.tick / last if last else (i + 1) / frames)
                if not goes_on:
                    break
    finally:
        progress.done()
        studio.close()
    if film.player.came_apart:
        error(f"diverged at {film.time:.3f} s; the picture ends there")
    return out


class _Film:
    """A session that is stepped picture by picture, up to the step `last` where one is given."""

    def __init__(self, player: Player, size: tuple[int, int], last: int | None) -> None:
        self.player, self.time = player, 0.0  # s of film: restarting does not turn it back
        self._last = last
        player.explains = False  # going back would never come to an end
        player.camera.aspect = size[0] / size[1]
        player.aim_camera()

    def advance(self, time: float) -> bool:
        """Step to just past `time` and show the moment exactly at it; false at the end."""
        player = self.player
        goes_on = True
        while goes_on and self.time < time - 1e-9:
            goes_on = player.step_once() and player.session.tick != self._last
            self.time += float(player.world.h)
        behind = (self.time - time) / float(player.world.h)
        player.show(1.0 - min(max(behind, 0.0), 1.0))
        player.camera.update(1 / FRAME_RATE)
        return goes_on


def thumbnail(
    level: "LevelWanted",
    size: tuple[int, int],
    steps: int,
    context: "moderngl.Context | None" = None,
) -> npt.NDArray[np.uint8]:
    """One picture of a level after some steps, at high quality."""
    studio = Studio("high", context)
    player = Player(session_of(level), size[1])
    player.camera.aspect = size[0] / size[1]
    player.aim_camera()
    for _ in range(steps):
        player.step_once()
    player.show(1.0)
    try:
        return studio.picture(player, size)
    finally:
        studio.close()


def still_picture(
    level: "Level", size: tuple[int, int], context: "moderngl.Context | None" = None
) -> npt.NDArray[np.uint8]:
    """One picture of a level as it begins, at high quality; it needs no compiled kernels."""
    preview = Preview(level, size[0] / size[1])
    studio = Studio("high", context)
    try:
        return studio.renderer.image(preview.scene(), preview.camera.view(), size)
    finally:
        studio.close()
