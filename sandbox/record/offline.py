"""Rendering without a window: a level is played headless and every frame drawn offscreen."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sandbox.app.player import Player
from sandbox.messages import Progress
from sandbox.record.writers import even, open_writer
from sandbox.render.context import offscreen_context
from sandbox.render.model import between
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer

FRAME_RATE = 30  # pictures per second of video


class Studio:
    """A renderer without a window, in a context of its own or in the one given.

    Making a context takes the current one away from its window, so the game hands over its own.
    """

    def __init__(self, quality: str, context: Any = None) -> None:
        if quality not in QUALITIES:
            raise ValueError(f'unknown quality "{quality}"; known: {", ".join(QUALITIES)}')
        self._own = context is None
        self.context = offscreen_context() if self._own else context
        self.renderer = Renderer(self.context, QUALITIES[quality])

    def picture(self, player: Player, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
        player.camera.aspect = size[0] / size[1]
        return self.renderer.image(player.scene(), player.camera.view(), size)

    def close(self) -> None:
        self.renderer.release()
        if self._own:
            self.context.release()


def session_of(level: Any) -> Any:
    """A session from a level's name, path, Level or Session."""
    if hasattr(level, "issue"):
        return level
    if hasattr(level, "session"):
        return level.session()
    from levels import load

    return load(level).session()


def render_video(
    level: Any, seconds: float, out: Path, size: tuple[int, int], quality: str
) -> Path:
    """See `sandbox.record.render_video`."""
    session = session_of(level)
    size = even(size)
    studio = Studio(quality)
    player = Player(session, size[1])
    player.camera.aspect = size[0] / size[1]
    player.aim_camera()
    frames = max(1, round(seconds * FRAME_RATE))
    progress = Progress(out.name)
    still = out.suffix.lower() in (".png", ".jpg")
    try:
        with open_writer(out, size, FRAME_RATE) as writer:
            for i in range(frames):
                _advance(player, (i + 1) / FRAME_RATE)
                if not still or i == frames - 1:
                    writer.add(studio.picture(player, size))
                progress((i + 1) / frames)
    finally:
        progress.done()
        studio.close()
    return out


def _advance(player: Player, time: float) -> None:
    """Step to just past `time` and show the moment exactly at it."""
    session, stage = player.session, player.stage
    before = player.shown
    while session.tick * session.world.h < time - 1e-9:
        before = stage.poses()
        player.step_once()
        stage = player.stage
    behind = session.tick * session.world.h - time
    alpha = 1.0 - min(max(behind / session.world.h, 0.0), 1.0)
    player.shown = between(before, stage.poses(), alpha)
    player.camera.update(1 / FRAME_RATE)


def thumbnail(
    level: Any, size: tuple[int, int], steps: int, context: Any = None
) -> npt.NDArray[np.uint8]:
    """One picture of a level after some steps, at high quality."""
    studio = Studio("high", context)
    player = Player(session_of(level), size[1])
    player.camera.aspect = size[0] / size[1]
    player.aim_camera()
    for _ in range(steps):
        player.step_once()
    player.shown = player.stage.poses()
    try:
        return studio.picture(player, size)
    finally:
        studio.close()
