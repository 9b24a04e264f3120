"""`sandbox play`: the game. Without a display: a headless run, a video, and where it is."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from sandbox.messages import Interrupted
from sandbox.options import add_level

if TYPE_CHECKING:
    from sandbox.settings import Settings

HELP = "Play a level in a window."
EXAMPLES = ("sandbox", "sandbox play liana", "sandbox play my.toml")


def configure(parser: argparse.ArgumentParser) -> None:
    add_level(parser, default="crane")


def run(arguments: argparse.Namespace) -> int:
    from levels.library import find

    path = find(arguments.level)  # a misspelt name is told at once, before any window opens
    if not has_display():
        from sandbox.window.fallback import run_headless

        return run_headless(arguments.level, "there is no display here")
    from sandbox.window import play

    try:
        return int(play(arguments.level, _settings))
    except KeyboardInterrupt:
        raise Interrupted(_kept(path.stem)) from None


def _kept(level: str) -> str:
    from sandbox.recording import recording_path

    if not recording_path(level).exists():
        return "the game was not recorded"
    return f"`sandbox replay {level}` has the game up to its last second"


def _settings() -> "Settings":
    from sandbox.settings import load_settings

    return load_settings()


def has_display() -> bool:
    """Could a window be opened here?"""
    if os.environ.get("SDL_VIDEODRIVER") in ("dummy", "offscreen"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
