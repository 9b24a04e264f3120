"""One virtual display for all tests that open a window, and a desk in front of it."""

import os
from collections.abc import Callable, Iterator
from ctypes import CDLL
from ctypes.util import find_library
from pathlib import Path
from typing import Any

import pytest

from tests.app.desk import Desk
from tests.app.display import Hand, available, virtual_display

PLAYGROUND = Path(__file__).with_name("playground.toml")


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without a Pictures folder above it."""
    kept = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    monkeypatch.setenv("XDG_CACHE_HOME", kept)  # the kernels that are there
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    assert available(), "these tests need the programs Xvfb and xdotool"
    with virtual_display() as name:
        yield name


def _leave_the_machine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a level needs is compiled; nothing else is, and no pictures are taken, beside a test.
    What a test plays beyond that is compiled where it is met."""
    monkeypatch.setattr("sandbox.window.background_compile._QUIET", 0.0)
    monkeypatch.setattr("sandbox.preparing.rest", lambda level: [])
    monkeypatch.setattr("sandbox.preparing.missing_for", lambda option, value: [])
    monkeypatch.setattr("sandbox.ui.wall.start_taking", lambda names: None)


def _let_go_of_offscreen_contexts() -> None:
    """A window gets no context in a thread in which one without a window is current: GLX ends the
    program. The game never has both; tests of pictures and of windows share a process."""
    library = find_library("EGL")
    if library is not None:
        CDLL(library).eglReleaseThread()


@pytest.fixture
def sit_down(display: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Desk]]:
    """sit_down(level, settings, size) opens the game in a window of the virtual display."""
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    _leave_the_machine_alone(monkeypatch)
    _let_go_of_offscreen_contexts()
    from sandbox.app.level_loader import LevelLoader
    from sandbox.render.quality import QUALITIES
    from sandbox.window.game import Game
    from sandbox.window.window import Window

    opened: list[Any] = []

    def open_desk(
        level: object = PLAYGROUND, settings: object = None, size: tuple[int, int] = (960, 600)
    ) -> Desk:
        window = Window("Taut", size)
        opened.append(window)
        game = Game(window, level if isinstance(level, LevelLoader) else str(level), settings)
        opened.append(game)
        game.quality.choose(QUALITIES["lowest"])
        hand = Hand(display)
        hand.find()
        return Desk(game, hand)

    yield open_desk
    for thing in reversed(opened):
        thing.close()


@pytest.fixture
def desk(sit_down: Callable[..., Desk]) -> Desk:
    return sit_down()
