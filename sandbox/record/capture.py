"""Screenshots and recordings of the window."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from sandbox.record.writers import even, open_writer
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer

if TYPE_CHECKING:
    from sandbox.app.game import Game
    from sandbox.app.window import Window

_RATE = 30  # frames per second of a recording


def folder() -> Path:
    """Where pictures go: the person's Pictures folder, or where the game was started."""
    pictures = Path.home() / "Pictures"
    return pictures / "Taut" if pictures.is_dir() else Path.cwd()


def _name(game: "Game", suffix: str) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    return folder() / f"{game.player.session.level.name}-{stamp}{suffix}"


def save_screenshot(game: "Game") -> Path:
    """The scene as it is now, drawn once more at high quality without the interface."""
    renderer = Renderer(game.window.context, QUALITIES["high"])
    player = game.player
    pixels = renderer.image(player.scene(), player.camera.view(), game.window.size)
    renderer.release()
    path = _name(game, ".png")
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)
    return path


class Recording:
    """The window's picture, `_RATE` frames per second of real time, into an MP4."""

    def __init__(self, game: "Game") -> None:
        self._size = even(game.window.size)
        self._writer: Any = open_writer(_name(game, ".mp4"), self._size, _RATE)
        self._next = time.monotonic()

    def add(self, window: "Window") -> None:
        """Frames repeat when drawing is slower than the recording."""
        now = time.monotonic()
        if now < self._next:
            return
        frame = self._read(window)
        while self._next <= now:
            self._writer.add(frame)
            self._next += 1 / _RATE

    def _read(self, window: "Window") -> npt.NDArray[np.uint8]:
        data = window.canvas.read(components=3, alignment=1)
        width, height = window.size
        frame = np.frombuffer(data, np.uint8).reshape(height, width, 3)[::-1]
        wide, tall = self._size
        if (width, height) < (wide, tall) or width < wide or height < tall:
            frame = np.asarray(Image.fromarray(frame).resize(self._size))
        return frame[:tall, :wide]

    def close(self) -> Path:
        path: Path = self._writer.close()
        return path
