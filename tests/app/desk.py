"""A person at the real program: hands on mouse and keys, eyes on the window."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pygame

from tests.app.display import Hand

_AWAITED = 0.05  # s


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
        for _ in range(max(1, round(seconds * 30))):
            self.game.frame(1 / 30)

    def until(self, condition: Callable[[], bool], frames: int = 240) -> bool:
        for _ in range(frames):
            self.game.frame(1 / 60)
            if condition():
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
        self.game.frame(1 / 60)
        self.game.frame(1 / 60)

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
