"""From the command to the first frame: the window at once, everything else behind it.

Importing the physics and the interface takes longer than opening a window, and compiling the
kernels on the very first run takes much longer. So the window comes first, with a bar that moves,
and a thread does the rest.
"""

import sys
import threading
import time
from typing import Any

from sandbox.app.window import Closed, NoDisplay, Window
from sandbox.render.context import GraphicsError

_SKY, _TRACK, _BAR = (0.62, 0.70, 0.82), (0.35, 0.40, 0.48), (1.0, 0.69, 0.125)
_USUAL = 2.0  # s that importing takes


def play(level: Any, settings: Any = None) -> int:
    """Open a window on the level; where there is none, fall back to a headless run.

    `settings` may be a function that reads them: it is called behind the open window.
    """
    try:
        window = Window("Taut")
    except (NoDisplay, GraphicsError) as error:
        from sandbox.app.fallback import run_headless

        return run_headless(level, str(error))
    try:
        return _play(window, level, _prepare(window, settings))
    except Closed:
        return 0
    finally:
        window.close()


def _play(window: Window, level: Any, settings: Any) -> int:
    from sandbox.app.game import Game

    game = Game(window, level, settings)
    try:
        return game.run()
    finally:
        game.close()


def _prepare(window: Window, settings: Any) -> Any:
    """Import the game and read the settings while the window shows that it is alive."""
    done: dict[str, Any] = {}

    def work() -> None:
        try:
            import sandbox.app.game
            import sandbox.audio
            import sandbox.ui.interface  # noqa: F401 - brings Dear ImGui

            done["settings"] = settings() if callable(settings) else settings
        except BaseException as error:
            done["error"] = error

    thread = threading.Thread(target=work, daemon=True)
    start = time.monotonic()
    splash(window, 0.0)
    thread.start()
    while thread.is_alive():
        window.watch()
        splash(window, 0.8 * (1.0 - 2.718 ** (-(time.monotonic() - start) / _USUAL)))
        thread.join(0.04)
    if "error" in done:
        raise done["error"]
    return done["settings"]


def splash(window: Window, share: float) -> None:
    """A sky and a bar, by clearing rectangles: no shader, no font, nothing to wait for."""
    width, height = window.size
    window.canvas.clear(*_SKY, 1.0)
    long, thick = min(360, width - 20), 8
    left, low = (width - long) // 2, height // 2
    window.canvas.clear(*_TRACK, 1.0, viewport=(left, low, long, thick))
    window.canvas.clear(*_BAR, 1.0, viewport=(left, low, max(thick, int(long * share)), thick))
    window.present()


def main() -> int:
    """`python -m sandbox.app.start LEVEL`, for development."""
    return play(sys.argv[1] if len(sys.argv) > 1 else "crane")


if __name__ == "__main__":
    raise SystemExit(main())
