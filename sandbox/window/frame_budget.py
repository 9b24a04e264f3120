"""The frame budget: physics, upload, drawing and interface per frame, for levels and qualities.

The game runs in an invisible window (SDL's offscreen driver) with time advancing one sixtieth of a
second per frame, so that the numbers do not depend on how slow drawing is. `python` is what our
own code costs besides physics: the time of this thread in a frame of a 640 x 360 window, the
smallest with the whole interface, less what it spends inside `World.step` and inside OpenGL's draw
calls (a software driver transforms vertices in the caller's thread). So rules of the level,
rewinding, recording, placing, upload and interface count.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import moderngl

from physics import World
from sandbox.render.quality import QUALITIES
from sandbox.window.game import Game
from sandbox.window.window import Window

_WARM, _FRAMES = 4, 12
_SMALL = (640, 360)
PARTS = ("physics", "upload", "draw", "interface", "present")

# Levels that only exist to be measured.
EXTRA = {
    "tower of 200": """
format = 1
title = "Two hundred boxes"
[bodies.ground]
shape = "plane"
fixed = true
[props.tower]
kind = "wall"
rows = 20
columns = 10
block = [0.8, 0.4, 0.4]
""",
    "cloth 40x40": """
format = 1
title = "Cloth of 40 by 40"
[bodies.ground]
shape = "plane"
fixed = true
[props.sheet]
kind = "cloth"
position = [0, 3, 0]
size = [4, 4]
rows = 40
columns = 40
pins = ["top_left", "top_right"]
""",
}


@dataclass(frozen=True)
class Row:
    """Milliseconds per frame."""

    level: str
    quality: str
    parts: dict[str, float]
    cpu: float  # of all threads, drawing ones included: what a busy machine does not distort
    python: float

    @property
    def total(self) -> float:
        return sum(self.parts.values())


def frame_table(
    levels: Iterable[str],
    qualities: Iterable[str] = ("low", "medium", "high"),
    size: tuple[int, int] = (1280, 720),
    tell: Callable[[Row], object] = lambda row: None,
) -> list[Row]:
    """Measure every level at every quality; names of `EXTRA` are levels too."""
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    rows = []
    for name in levels:
        with _as_level(name) as level:
            python = _python_time(level)
            window = Window("bench", size)
            game = Game(window, level)
            game.background = False  # nothing else shall run
            for quality in qualities:
                game.quality.choose(QUALITIES[quality])
                rows.append(_measure(game, name, quality, python))
                tell(rows[-1])
            game.close()
            window.close()
    return rows


@contextmanager
def _as_level(name: str) -> Iterator[str]:
    if name not in EXTRA:
        yield name
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name.replace(' ', '_')}.toml"
        path.write_text(EXTRA[name], encoding="utf-8")
        yield str(path)


def _measure(game: Game, level: str, quality: str, python: float) -> Row:
    for _ in range(_WARM):
        game.frame(1 / 60)
    sums = dict.fromkeys(PARTS, 0.0)
    cpu = time.process_time()
    for _ in range(_FRAMES):
        game.timer.parts.clear()
        game.frame(1 / 60)
        start = time.perf_counter()
        game.window.context.finish()
        game.timer.parts["draw"] += time.perf_counter() - start
        for name in sums:
            sums[name] += 1000 * game.timer.parts[name] / _FRAMES
    return Row(level, quality, sums, 1000 * (time.process_time() - cpu) / _FRAMES, python)


def _python_time(level: str) -> float:
    """Our own code of a frame outside physics and OpenGL, ms; the least of a few runs, because
    the processor's cache is shared with whatever else the machine does."""
    window = Window("bench", _SMALL)
    game = Game(window, level)
    game.background = False
    game.quality.choose(QUALITIES["lowest"])
    for _ in range(_WARM):
        game.frame(1 / 60)
    frames, spent = 2 * _FRAMES, []
    for _ in range(3):
        with _elsewhere() as aside:
            start = time.thread_time()
            for _ in range(frames):
                game.frame(1 / 60)
            spent.append(time.thread_time() - start - aside[0])
    game.close()
    window.close()
    return 1000 * min(spent) / frames


@contextmanager
def _elsewhere() -> Iterator[list[float]]:
    """Adds up this thread's time inside the calls that step, draw and present."""
    spent, deep = [0.0], [False]
    places: tuple[tuple[Any, str], ...] = (
        (World, "step"),
        (moderngl.VertexArray, "render"),
        (moderngl.Context, "copy_framebuffer"),
        (moderngl.Framebuffer, "clear"),
        (Window, "present"),
    )
    before = [(owner, name, getattr(owner, name)) for owner, name in places]

    def timed(function: Any) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            if deep[0]:  # presenting copies, too: it is counted once
                return function(*arguments, **named)
            deep[0] = True
            start = time.thread_time()
            result = function(*arguments, **named)
            spent[0] += time.thread_time() - start
            deep[0] = False
            return result

        return call

    for owner, name, function in before:
        setattr(owner, name, timed(function))
    try:
        yield spent
    finally:
        for owner, name, function in before:
            setattr(owner, name, function)


def heading() -> str:
    names = " | ".join((*PARTS, "frame", "frames/s", "CPU", "Python"))
    return f"| level | quality | {names} |\n|---|---|{'---|' * (len(PARTS) + 4)}"


def line(row: Row) -> str:
    """One row of the Markdown table, in ms."""
    numbers = [f"{row.parts[name]:.1f}" for name in PARTS]
    cells = " | ".join((*numbers, f"{row.total:.1f}", f"{1000 / row.total:.0f}"))
    return f"| {row.level} | {row.quality} | {cells} | {row.cpu:.1f} | {row.python:.2f} |"
