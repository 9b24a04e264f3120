"""From the command to the window and to the first frame.

The promise is a window within 1 s and, with compiled kernels at hand, the first frame within 3 s on
an idle desktop machine. A busy test machine says little about seconds, so what is asserted is the
order of things: the window is there before anything heavy is imported, the level is built while the
interface is. `python -m tests.app.test_startup` prints seconds.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.another_process import printed
from tests.app.display import Hand, virtual_display

ROOT = Path(__file__).parents[2]
HEAVY = ("numba", "scipy", "imgui_bundle", "pydantic", "physics", "tomlkit", "PIL")
OURS = ("sandbox", "levels", "physics")
NEEDLESS = ("scipy.linalg", "scipy.spatial", "scipy.sparse", "PIL", "imageio_ffmpeg", "meshio")
_PATIENCE = 240.0  # s: a machine without compiled kernels still passes


def measure(display: str, level: str = "crane") -> tuple[float, float]:
    """Seconds until the window exists and until it carries the level's title."""
    environment = {
        **os.environ,
        "DISPLAY": display,
        "SDL_VIDEODRIVER": "x11",
        "SDL_AUDIODRIVER": "dummy",
        "PYTHONPATH": os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", ""))),
    }
    # a program that people start keeps its bytecode; without it every start compiles 300 files
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    hand = Hand(display)
    start = time.monotonic()
    game = subprocess.Popen([sys.executable, "-m", "sandbox.cli", level], env=environment)
    try:
        hand.find()
        window = time.monotonic() - start
        while time.monotonic() - start < _PATIENCE:
            assert game.poll() is None, "the game has ended"
            try:
                title = hand("getwindowname", hand.window)
            except subprocess.CalledProcessError:  # asked while the window was being made
                hand.find()
                continue
            if " · Taut" in title:
                return window, time.monotonic() - start
            time.sleep(0.05)
        raise TimeoutError("no first frame")
    finally:
        game.terminate()
        game.wait(20)


def test_the_window_comes_before_the_first_frame(display: str) -> None:
    window, frame = measure(display)
    assert window < frame


_WATCHED = f"""
import gc, sys
import sandbox.window.start as start
from sandbox.window.window import Window

def told(what, *found):
    print(what, *found, sep="|", flush=True)

def ours():
    return {{name for name in sys.modules if name.split(".")[0] in {OURS!r}}}

def opened(*words):
    told("before the window", [name for name in {HEAVY!r} if name in sys.modules])
    return prepare(*words)

class Watched(start.LevelLoader):
    def __init__(self, level):
        told("level", "imgui_bundle" in sys.modules, "levels.level" in sys.modules)
        super().__init__(level)

def begun(*words):
    before = ours()
    from sandbox.window.game import Game
    load = Game.load
    def loaded(game, *more):
        player = load(game, *more)
        told("while it draws", sorted(ours() - before))
        return player
    Game.load = loaded
    return play(*words)

def drawn(window, title):
    late = [name for name in {NEEDLESS!r} if name in sys.modules]
    told("first frame", late, gc.isenabled(), gc.get_freeze_count() > 100_000)
    raise SystemExit(0)

play, start._play = start._play, begun
prepare, start._prepare = start._prepare, opened
start.LevelLoader = Watched
Window.set_title = drawn
from sandbox.cli import main
main(['play', 'crane'])
"""


@pytest.fixture(scope="module")
def told(display: str) -> dict[str, str]:
    """What a game that is watched says on its way to the first frame."""
    drivers = {"DISPLAY": display, "SDL_VIDEODRIVER": "x11", "SDL_AUDIODRIVER": "dummy"}
    lines = printed(_WATCHED, seconds=_PATIENCE, **drivers).splitlines()
    return dict(line.split("|", 1) for line in lines if "|" in line)


def test_the_thread_that_draws_imports_nothing_of_the_game(told: dict[str, str]) -> None:
    """Importing it takes a second or two, in which the window would not answer."""
    assert told["while it draws"] == "[]"


def test_nothing_heavy_is_imported_before_the_window(told: dict[str, str]) -> None:
    assert told["before the window"] == "[]"


def test_nothing_needless_is_imported_before_the_first_frame(told: dict[str, str]) -> None:
    assert told["first frame"] == "[]|True|True"


def test_the_level_is_built_while_the_interface_is_imported(told: dict[str, str]) -> None:
    assert told["level"] == "False|True"


if __name__ == "__main__":
    import resource

    with virtual_display() as name:
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            opened, drawn = measure(name)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(
                f"window after {opened:.2f} s, first frame after {drawn:.2f} s, "
                f"{spent:.2f} s of processor time"
            )
