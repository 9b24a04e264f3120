"""A mouse on the real window: posts the events SDL would, and finds buttons by their labels."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pygame
import pytest
from imgui_bundle import imgui

_SHELF = (190.0, 670.0)  # pixels: where parts are seen
_LABELLED = ("button", "small_button", "selectable", "begin_combo", "invisible_button")


class Labels:
    """Where the items of the interface are, by what they are called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.places: dict[str, tuple[float, float, float, float]] = {}
        self._ids: list[str] = []
        for name in _LABELLED:
            monkeypatch.setattr(imgui, name, self._noting(getattr(imgui, name)))
        push, pop = imgui.push_id, imgui.pop_id

        def pushed(name: Any) -> None:
            self._ids.append(str(name))
            push(name)

        def popped() -> None:
            self._ids.pop()
            pop()

        monkeypatch.setattr(imgui, "push_id", pushed)
        monkeypatch.setattr(imgui, "pop_id", popped)

    def _noting(self, draw: Callable[..., Any]) -> Callable[..., Any]:
        def noted(label: str, *rest: Any, **more: Any) -> Any:
            result = draw(label, *rest, **more)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            inside = self._ids[-1] if self._ids else ""
            self.places[f"{inside}/{label}"] = (low.x, low.y, high.x, high.y)
            return result

        return noted

    def find(self, word: str) -> tuple[float, float, float, float] | None:
        """The item whose label ends with the word, or with it before its hidden id."""
        for label, place in self.places.items():
            if label.endswith(word) or label.split("##")[0].endswith(word):
                return place
        return None


class Mouse:
    """Moves, presses and lets go; the game runs on a little after each."""

    def __init__(self, game: Any, labels: Labels) -> None:
        self.game, self.labels = game, labels
        self._at = (640, 360)

    @property
    def builder(self) -> Any:
        assert self.game.building.active is not None
        return self.game.building.active

    def frames(self, count: int = 2) -> None:
        for _ in range(count):
            self.game.frame(1 / 30)

    def move(self, x: float, y: float, held: int = 0) -> None:
        at = (round(x), round(y))
        way = (at[0] - self._at[0], at[1] - self._at[1])
        buttons = (1, 0, 0) if held == 1 else (0, 0, 0)
        event = pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=way, buttons=buttons)
        pygame.event.post(event)
        self._at = at
        self.frames(1)

    def button(self, kind: int, number: int = 1) -> None:
        pygame.event.post(pygame.event.Event(kind, pos=self._at, button=number))
        self.frames(2)

    def click(self, x: float, y: float) -> None:
        self.move(x, y)
        self.button(pygame.MOUSEBUTTONDOWN)
        self.button(pygame.MOUSEBUTTONUP)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.move(*start)
        self.button(pygame.MOUSEBUTTONDOWN)
        for i in range(1, 5):
            t = i / 4
            x, y = (a + t * (b - a) for a, b in zip(start, end, strict=True))
            self.move(x, y, held=1)
        self.button(pygame.MOUSEBUTTONUP)

    def press(self, word: str, shelf: tuple[float, float] = (0.0, 720.0)) -> None:
        """Click the item of the interface that is called so; a list, seen between two heights, is
        scrolled to it."""
        for _ in range(60):
            self.labels.places.clear()
            self.frames(2)
            place = self.labels.find(word)
            if place is None:
                continue
            x, y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
            if shelf[0] < y < shelf[1]:
                self.click(x, y)
                return
            self.move(x, sum(shelf) / 2)
            notch = -1 if y > shelf[1] else 1
            pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=notch))
        raise AssertionError(f"there is nothing called {word!r}: {sorted(self.labels.places)[:40]}")

    def at(self, *point: float) -> tuple[float, float]:
        """Where a place of the world is in the window."""
        where = np.array([[*point, 0.0][:3]], float)
        x, y, _ = self.builder.camera.view().project(where)[0]
        width, height = self.game.window.size
        return float(x * width), float(y * height)

    def put(self, stem: str, *point: float) -> None:
        """A part from the palette, put down at a place; a right click ends it."""
        path = next(p.path for p in self.builder.parts.parts if p.path.stem == stem)
        self.press(f"{path}/part", _SHELF)
        self.move(*self.at(*point))
        self.click(*self.at(*point))
        self.button(pygame.MOUSEBUTTONDOWN, 3)
        self.button(pygame.MOUSEBUTTONUP, 3)
