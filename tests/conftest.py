"""Tests that need more than Python: pictures need OpenGL, the real window a display and a hand.

On a machine without those programs their files are left out and the first lines of the run say so.
CI installs everything and fails when anything is left out.
"""

import gc
import shutil
import subprocess
import sys
from ctypes.util import find_library

import pytest

NEEDS_DRAWING = [
    "render/test_pictures.py",
    "render/test_level_pictures.py",
    "app/test_monkey.py",
    "app/test_frame_budget.py",
    "research/test_level_env_pictures.py",
]
NEEDS_WINDOW = [
    f"app/test_{name}.py"
    for name in (
        "compare",
        "controls",
        "fallbacks",
        "files",
        "first_minute",
        "forces",
        "gamepad",
        "layout",
        "loading",
        "program",
        "saving",
        "side_thread",
        "soft_hands",
        "startup",
        "wall",
    )
]


def _missing() -> dict[str, list[str]]:
    """What is not installed → the files that cannot run without it."""
    found: dict[str, list[str]] = {}
    if sys.platform == "linux" and not (find_library("EGL") and find_library("GL")):
        found["OpenGL (libgl1 libegl1 libgl1-mesa-dri)"] = NEEDS_DRAWING + NEEDS_WINDOW
    if not (shutil.which("Xvfb") and shutil.which("xdotool")):
        found["a virtual display (xvfb xdotool)"] = NEEDS_WINDOW
    return found


collect_ignore = sorted({file for files in _missing().values() for file in files})


def pytest_collection_finish() -> None:
    """What was imported and collected stays: collections of garbage need not look at it again.
    There are a million objects; each full collection went through them, a twentieth of the run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_configure(config: pytest.Config) -> None:
    """A whole run compiles the engine first, on all cores, rather than in every worker."""
    whole = config.args_source is not pytest.Config.ArgsSource.ARGS
    if whole and not hasattr(config, "workerinput") and not config.option.collectonly:
        subprocess.run([sys.executable, "-m", "physics.prepare"], check=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for what, files in _missing().items():
        terminalreporter.write_line(f"left out: {', '.join(files)}; needs {what}")
