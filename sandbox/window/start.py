"""From the command to the first frame: the window at once, everything else behind it.

Importing the physics and the interface takes longer than opening a window, and compiling the
kernels on the very first run takes much longer. So the window comes first, with a mark that moves,
and a thread does the rest.
"""

import gc
import importlib
import math
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from levels.plain_data import TomlTable
from sandbox.app.level_loader import LevelLoader
from sandbox.render.context import GraphicsError
from sandbox.window.window import Closed, NoDisplay, Window

if TYPE_CHECKING:
    from levels import Level
    from sandbox.settings import Settings

    SettingsSource = Settings | Callable[[], Settings] | None

_SKY, _TRACK, _BAR = (0.62, 0.70, 0.82), (0.35, 0.40, 0.48), (1.0, 0.69, 0.125)
_ROUND = 1.6  # s in which the mark on the splash goes there and back
_SPLASH_EVERY = 0.15  # s: a software driver would take the processors that importing needs
# what a game is made of: importing takes a second, in which the window must answer
_OF_THE_GAME = (
    "sandbox.window.game",
    "sandbox.audio",
    "sandbox.ui.interface",
    "sandbox.ui.wall",
    "sandbox.ui.loading",
    "levels.still",
)
_TIDY_AFTER = 5.0  # s: by then kernels are being compiled, which leaves much to collect


def play(level: "str | Path | Level", settings: "SettingsSource" = None) -> int:
    """Open a window on the level; where there is none, fall back to a headless run.

    `settings` may be a function that reads them: it is called behind the open window.
    """
    try:
        window = Window("Taut")
    except (NoDisplay, GraphicsError) as error:
        from sandbox.window.fallback import run_headless

        return run_headless(level, str(error))
    try:
        return _play(window, *_prepare(window, level, settings))
    except Closed:
        return 0
    finally:
        window.close()


def _play(window: Window, level: LevelLoader, settings: "Settings | None") -> int:
    from sandbox.window.game import Game

    game = Game(window, level, settings)
    gc.freeze()  # what was imported stays: collections in play need not look at it again
    gc.enable()
    try:
        return game.run()
    finally:
        game.close()


def _prepare(
    window: Window, level: "str | Path | Level", settings: "SettingsSource"
) -> "tuple[LevelLoader, Settings | None]":
    """Import the game and read the settings while the window shows that it is alive.

    Returns the level, which is being built by then, and the settings.
    """
    done: TomlTable = {}

    def work() -> None:
        try:
            _skip_blas()
            import levels.level  # noqa: F401 - brings the physics

            done["level"] = LevelLoader(level)  # loads kernels, most of it outside the interpreter
            done["settings"] = settings() if callable(settings) else settings
            for module in _OF_THE_GAME:
                importlib.import_module(module)
        except BaseException as error:
            done["error"] = error

    gc.disable()  # importing makes a million objects that all stay
    thread = threading.Thread(target=work, daemon=True)
    start = drawn = time.monotonic()
    splash(window, 0.0)
    thread.start()
    try:
        while thread.is_alive():
            window.watch()
            now = time.monotonic()
            if now - drawn >= _SPLASH_EVERY:
                splash(window, now - start)
                drawn = now
            if now - start > _TIDY_AFTER:
                gc.enable()
            thread.join(0.04)
    except Closed:
        thread.join()  # it may just be starting processes
        if "level" in done:
            done["level"].cancel()
        raise
    if "error" in done:
        raise done["error"]
    return done["level"], done["settings"]


def _skip_blas() -> None:
    """Spare the import of scipy.linalg, a tenth of the way to the first frame.

    Numba makes it with the first kernel, to learn whether np.convolve and np.correlate may use
    BLAS; without it they use loops. No kernel here has either.
    """
    from numba.np import linalg

    def no_blas() -> None:
        raise ImportError("not wanted in the game")

    asked, linalg.ensure_blas = linalg.ensure_blas, no_blas
    try:
        import numba.np.arraymath  # noqa: F401 - asks once, when it is imported
    finally:
        linalg.ensure_blas = asked


def splash(window: Window, elapsed: float) -> None:
    """A sky and a mark that goes to and fro: no shader, no font, nothing to wait for."""
    width, height = window.size
    window.canvas.clear(*_SKY, 1.0)
    long, thick = min(240, width - 20), 6
    left, low = (width - long) // 2, height // 2
    window.canvas.clear(*_TRACK, 1.0, viewport=(left, low, long, thick))
    mark = long // 5
    swing = 0.5 - 0.5 * math.cos(2 * math.pi * elapsed / _ROUND)
    at = left + int((long - mark) * swing)
    window.canvas.clear(*_BAR, 1.0, viewport=(at, low, mark, thick))
    window.present()


def main() -> int:
    """`python -m sandbox.window.start LEVEL`, for development."""
    return play(sys.argv[1] if len(sys.argv) > 1 else "crane")


if __name__ == "__main__":
    raise SystemExit(main())
