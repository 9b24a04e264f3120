"""Falls back, never over: each thing a machine may lack, in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.conftest import PLAYGROUND
from tests.app.desk import Desk

ROOT = Path(__file__).parents[2]
MODULES = os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))


def sandbox(folder: Path, *words: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
    """Run the program; None removes a variable."""
    environment = {**os.environ, "SDL_AUDIODRIVER": "dummy", "PYTHONPATH": MODULES}
    environment |= {key: value for key, value in changes.items() if value is not None}
    for key in [key for key, value in changes.items() if value is None]:
        environment.pop(key, None)
    return subprocess.run(
        [sys.executable, "-m", "sandbox.cli", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        encoding="utf-8",
    )


def short(folder: Path) -> Path:
    """The playground with a headless run of a moment."""
    path = folder / "playground.toml"
    text = PLAYGROUND.read_text(encoding="utf-8")
    path.write_text(f"{text}\n[simulation]\nseconds = 0.4\n", encoding="utf-8")
    return path


HEADLESS = {"DISPLAY": None, "WAYLAND_DISPLAY": None, "SDL_VIDEODRIVER": None}
NO_EGL = (
    "import moderngl\n"
    "def none(*words, **options):\n"
    "    raise Exception('libEGL.so not loaded')\n"
    "moderngl.create_context = none\n"
)


def test_no_display_and_no_opengl_leaves_numbers_and_a_plot(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_EGL, encoding="utf-8")
    done = sandbox(
        tmp_path, "play", str(short(tmp_path)), **HEADLESS, PYTHONPATH=f"{tmp_path}:{MODULES}"
    )
    assert "Traceback" not in done.stderr + done.stdout
    assert "there is no display" in done.stderr
    assert "doctor" in done.stdout
    assert done.returncode == 0
    assert (tmp_path / "playground.png").stat().st_size > 1000  # the plot


def test_a_wrong_display_is_said_and_a_video_is_left(tmp_path: Path) -> None:
    done = sandbox(
        tmp_path,
        "play",
        str(short(tmp_path)),
        DISPLAY=":987",
        WAYLAND_DISPLAY=None,
        SDL_VIDEODRIVER=None,
    )
    assert "Traceback" not in done.stderr
    assert "No window" in done.stderr
    assert (tmp_path / "playground.mp4").stat().st_size > 1000


def test_an_old_opengl_is_said(
    display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = sandbox(
        tmp_path,
        "play",
        str(short(tmp_path)),
        DISPLAY=display,
        SDL_VIDEODRIVER="x11",
        MESA_GL_VERSION_OVERRIDE="2.1",
    )
    assert "Traceback" not in done.stderr
    assert "OpenGL 3.3" in done.stderr


def test_no_sound_device_is_silence(desk: Desk) -> None:
    assert desk.game.sound.silent
    desk.key("m")
    desk.run(0.2)
    assert desk.game.muted


def test_broken_settings_are_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandbox.settings import load_settings

    path = tmp_path / "settings.toml"
    path.write_text("volume = loud\n", encoding="utf-8")
    assert load_settings(path).volume == 0.6
    assert not path.exists()
    (aside,) = tmp_path.glob("settings.broken-*.toml")
    assert aside.read_text(encoding="utf-8") == "volume = loud\n"


def test_wrong_keys_in_the_settings_are_told_in_the_game(sit_down: Callable[..., Desk]) -> None:
    from sandbox.settings import Settings

    desk = sit_down(settings=Settings(keys={"pause": "Blorp", "fly": "F"}))
    assert "Blorp" in desk.said()
    assert "fly" in desk.said()
    assert desk.game.keys.label("pause") == "Space"


@pytest.mark.parametrize("size", [(1, 1), (16, 400), (400, 8)])
def test_a_window_of_next_to_nothing(desk: Desk, size: tuple[int, int]) -> None:
    import pygame

    flags = pygame.OPENGL | pygame.DOUBLEBUF | pygame.RESIZABLE
    pygame.display.set_mode(size, flags)
    desk.run(0.2)
    desk.key("c")
    desk.run(0.1)
    pygame.display.set_mode((640, 400), flags)
    desk.run(0.2)
    assert desk.game.window.size == (640, 400)
    assert desk.pixels().std() > 5


def test_a_hidden_window_pauses(desk: Desk) -> None:
    import pygame

    desk.run(0.2)
    pygame.event.post(pygame.event.Event(pygame.WINDOWMINIMIZED))
    desk.game.frame(1 / 30)
    tick = desk.session.tick
    desk.run(0.2)
    assert desk.session.tick == tick
    pygame.event.post(pygame.event.Event(pygame.WINDOWRESTORED))
    desk.run(0.2)
    assert desk.session.tick > tick


def test_a_lost_display_ends_with_a_line(tmp_path: Path) -> None:
    """The X server dies under the running game: no traceback, the machine's exit code."""
    from tests.app.display import Hand, virtual_display

    with virtual_display() as name:
        environment = {
            **os.environ,
            "DISPLAY": name,
            "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "dummy",
            "PYTHONPATH": MODULES,
        }
        game = subprocess.Popen(
            [sys.executable, "-m", "sandbox.cli", "play", str(PLAYGROUND)],
            cwd=tmp_path,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        Hand(name).find()
    _, errors = game.communicate(timeout=60)
    assert "Traceback" not in errors
    assert game.returncode != 0
