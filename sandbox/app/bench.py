"""The frame budget: physics, picture and interface per frame, for levels and qualities.

The game runs in an invisible window (SDL's offscreen driver) with time advancing one sixtieth of a
second per frame, so that the numbers do not depend on how slow drawing is. `python` is the time
of this thread at a window of 64 x 36 pixels without physics, where drawing costs next to nothing:
what remains is our own code.
"""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sandbox.app.game import Game
from sandbox.app.window import Window
from sandbox.render.quality import QUALITIES

_WARM, _FRAMES = 4, 12
_SMALL = (64, 36)


@dataclass(frozen=True)
class Row:
    """Milliseconds per frame."""

    level: str
    quality: str
    physics: float
    picture: float
    interface: float
    python: float

    @property
    def total(self) -> float:
        return self.physics + self.picture + self.interface


def frame_table(
    levels: Iterable[Any],
    qualities: Iterable[str] = ("low", "medium", "high"),
    size: tuple[int, int] = (1280, 720),
) -> list[Row]:
    """Measure every level at every quality."""
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    rows = []
    for level in levels:
        python = _python_time(level)
        window = Window("bench", size)
        game = Game(window, level)
        for name in qualities:
            game.set_quality(QUALITIES[name])
            rows.append(_measure(game, name, python))
        game.close()
        window.close()
    return rows


def _measure(game: Game, quality: str, python: float) -> Row:
    for _ in range(_WARM):
        game.frame(1 / 60)
    sums = {"physics": 0.0, "picture": 0.0, "interface": 0.0}
    for _ in range(_FRAMES):
        game.timer.parts.clear()
        game.frame(1 / 60)
        game.window.context.finish()
        for name in sums:
            sums[name] += 1000 * game.timer.parts[name] / _FRAMES
    return Row(game.player.session.level.name, quality, **sums, python=python)


def _python_time(level: Any) -> float:
    """Our own code of a frame outside physics, ms."""
    window = Window("bench", _SMALL)
    game = Game(window, level)
    game.set_quality(QUALITIES["lowest"])
    game.player.clock.paused = True
    for _ in range(_WARM):
        game.frame(1 / 60)
    start = time.thread_time()
    for _ in range(4 * _FRAMES):
        game.frame(1 / 60)
    spent = 1000 * (time.thread_time() - start) / (4 * _FRAMES)
    game.close()
    window.close()
    return spent


def formatted(rows: Iterable[Row]) -> str:
    """The table as Markdown."""
    lines = [
        "| level | quality | physics | picture | interface | frame | Python outside physics |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        numbers = (row.physics, row.picture, row.interface, row.total, row.python)
        cells = " | ".join(f"{number:.1f}" for number in numbers)
        lines.append(f"| {row.level} | {row.quality} | {cells} |")
    return "\n".join(lines)
