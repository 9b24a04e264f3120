"""Screenshots and recordings of the window."""

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PIL import Image

from levels.files import Aside
from sandbox.record.writers import even, open_writer
from sandbox.render.quality import QUALITIES
from sandbox.render.renderer import Renderer

if TYPE_CHECKING:
    from moderngl import Framebuffer

    from sandbox.render.model import Poses
    from sandbox.window.game import Game
    from sandbox.window.window import Window

_RATE = 30  # frames per second of a video
_ANIMATION_RATE, _ANIMATION_WIDTH, _LONGEST_ANIMATION = 15, 640, 40  # 1/s, pixels, s


def folder() -> Path:
    """Where pictures go: the person's Pictures folder, or where the game was started."""
    pictures = Path.home() / "Pictures"
    return pictures / "Taut" if pictures.is_dir() else Path.cwd()


def _name(game: "Game", suffix: str) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    return folder() / f"{game.player.session.level.name}-{stamp}{suffix}"


def save_screenshot(game: "Game") -> Path:
    """What is seen now, overlays and compared views too, drawn once more at high quality without
    the interface."""
    renderer = Renderer(game.window.context, QUALITIES["high"])
    canvas = game.window.spare_canvas()
    try:
        game.draw_views(renderer, canvas)
        pixels = _pixels(canvas, game.window.size)
    finally:
        game.window.release(canvas)
        renderer.release()
    path = _name(game, ".png")
    path.parent.mkdir(parents=True, exist_ok=True)
    with Aside(path) as aside:
        Image.fromarray(pixels).save(aside.path)
    return path


def clip_path(game: "Game") -> Path:
    """Where a clip of the game goes."""
    return _name(game, ".mp4")


def save_film(game: "Game", film: "list[Poses]") -> Path:
    """Moments of what was seen, drawn again one after the other."""
    player, size, path = game.player, even(game.window.size), clip_path(game)
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas, shown = game.window.spare_canvas(), player.view.shown
    try:
        with open_writer(path, size, _RATE) as writer:
            for moment in film:
                player.view.shown = moment
                game.draw_views(game.renderer, canvas)
                writer.add(_pixels(canvas, game.window.size)[: size[1], : size[0]])
    finally:
        player.view.shown = shown
        game.window.release(canvas)
    return path


def _pixels(canvas: "Framebuffer", size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    data = canvas.read(components=3, alignment=1)
    return np.frombuffer(data, np.uint8).reshape(size[1], size[0], 3)[::-1]


class Recording:
    """The window's picture at a fixed rate of real time, as MP4, GIF or WebP.

    Animations are kept in memory until they are written, so they are smaller, slower and end by
    themselves.
    """

    def __init__(self, game: "Game", kind: str = "mp4") -> None:
        animation = kind != "mp4"
        self._rate = _ANIMATION_RATE if animation else _RATE
        self._left = _ANIMATION_RATE * _LONGEST_ANIMATION if animation else None
        width, height = game.window.size
        share = min(1.0, _ANIMATION_WIDTH / width) if animation else 1.0
        self._size = even((round(width * share), round(height * share)))
        self._writer = open_writer(_name(game, f".{kind}"), self._size, self._rate)
        self._next = time.monotonic()

    def add(self, window: "Window") -> bool:
        """Frames repeat when drawing is slower than the recording; false when it is full."""
        now = time.monotonic()
        if now < self._next:
            return True
        frame = self._read(window)
        while self._next <= now:
            self._next += 1 / self._rate
            if self._left is not None:
                if self._left <= 0:
                    return False
                self._left -= 1
            self._writer.add(frame)
        return True

    def _read(self, window: "Window") -> npt.NDArray[np.uint8]:
        data = window.canvas.read(components=3, alignment=1)
        width, height = window.size
        frame = np.frombuffer(data, np.uint8).reshape(height, width, 3)[::-1]
        wide, tall = self._size
        if 0 <= width - wide < 2 and 0 <= height - tall < 2:
            return frame[:tall, :wide]
        return np.asarray(Image.fromarray(frame).resize(self._size))  # smaller, or it was resized

    def close(self) -> Path:
        path: Path = self._writer.close()
        return path

    def abandon(self) -> None:
        """Leave nothing behind."""
        with suppress(OSError):  # it is being given up because of one
            self._writer.abandon()
