"""A person at the real program: hands on mouse and keys, eyes on the window."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pygame

from tests.app.display import Hand

_AWAITED = 0.05  # s
_SEEN = 5  # of so many frames that pass by, one is drawn


def frame(game: Any, seconds: float, seen: bool = True) -> None:
    """One turn of the loop. Of one that is not seen only the pictures are left out, of the world
    and on the screen: they take most of a frame where no graphics card draws them. Where a test
    looks at either by itself, or a video is taken, every frame is seen."""
    watched = "_draw" in vars(game) or "present" in vars(game.window)
    if seen or watched or game.capture.recording is not None:
        game.frame(seconds)
        return
    game._draw, game.window.present = lambda: 0.0, lambda: None
    try:
        game.frame(seconds)
    finally:
        del game._draw, game.window.present


class Desk:
    """The game, the hand, and what a person would look at."""

    def __init__(self, game: Any, hand: Hand) -> None:
        self.game, self.hand = game, hand

    @property
    def player(self) -> Any:
        return self.game.player

    @property
    def session(self) -> Any:
        return self.game.player.session

    def run(self, seconds: float) -> None:
        """Let the game go on for that long in its own time, whatever the machine's speed."""
        frames = max(1, round(seconds * 30))
        for left in range(frames - 1, -1, -1):
            frame(self.game, 1 / 30, seen=left % _SEEN == 0)

    def until(self, condition: Callable[[], bool], frames: int = 240) -> bool:
        for i in range(frames):
            frame(self.game, 1 / 60, seen=i % _SEEN == 0)
            if condition():
                frame(self.game, 0.0)
                return True
        return False

    def pixels(self) -> np.ndarray:
        width, height = self.game.window.size
        data = self.game.window.canvas.read(components=3, alignment=1)
        return np.frombuffer(data, np.uint8).reshape(height, width, 3)[::-1].astype(int)

    def on_screen(self, name: str) -> tuple[float, float]:
        place = self.player.world.position(self.session.handles[name])
        return self.seen(np.asarray(place))

    def seen(self, point: np.ndarray) -> tuple[float, float]:
        x, y, _ = self.player.camera.view().project(point)[0]
        width, height = self.game.window.size
        return float(x * width), float(y * height)

    def settle(self) -> None:
        """Events travel through the server; wait until the game has seen them.

        The hand has waited for the server, so what it did is on its way: as soon as anything has
        come, all of it has. Where nothing comes there was nothing to see.
        """
        until = time.monotonic() + _AWAITED
        while not pygame.event.peek() and time.monotonic() < until:
            time.sleep(0.001)
        frame(self.game, 1 / 60, seen=False)
        frame(self.game, 1 / 60)

    def key(self, *names: str) -> None:
        for name in names:
            self.hand.key(name)
            self.settle()

    def click(self, x: float, y: float, button: int = 1) -> None:
        self.hand.move(x, y)
        self.settle()
        self.hand.down(button)
        self.settle()
        self.hand.up(button)
        self.settle()

    def drag(
        self, start: tuple[float, float], end: tuple[float, float], button: int = 1, steps: int = 5
    ) -> None:
        self.hand.move(*start)
        self.settle()
        self.hand.down(button)
        self.settle()
        for i in range(1, steps + 1):
            t = i / steps
            self.hand.move(start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1]))
            self.settle()
        self.hand.up(button)
        self.settle()

    def said(self) -> str:
        return " / ".join(toast.text for toast in self.player.state.toasts)
