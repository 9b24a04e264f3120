"""`sandbox play`: the game. Without a display: a headless run, a video, and where it is."""

import argparse
import os
import sys
from pathlib import Path

from sandbox.messages import Progress, first_start_notice
from sandbox.options import add_level

HELP = "Play a level in a window."
EXAMPLES = ("sandbox", "sandbox play liana", "sandbox play my.toml")

_SECONDS = 6.0


def configure(parser: argparse.ArgumentParser) -> None:
    add_level(parser, default="crane")


def run(arguments: argparse.Namespace) -> int:
    from levels.library import find
    from sandbox.settings import load_settings

    find(arguments.level)  # a misspelt name is told at once, before any window opens
    if not has_display():
        return _without_display(arguments.level)
    from sandbox.app import play

    return int(play(arguments.level, load_settings()))


def has_display() -> bool:
    """Could a window be opened here?"""
    if os.environ.get("SDL_VIDEODRIVER") in ("dummy", "offscreen"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _without_display(name: str) -> int:
    print("There is no display here, so the level runs without a window.", flush=True)
    notice = first_start_notice()
    if notice:
        print(notice, flush=True)
    video = _render(name)
    if video is not None:
        print(f"video: {video}")
        return 0
    from levels import Session, load
    from levels.headless import run as run_session
    from sandbox.commands.run import _print

    level = load(name)
    progress = Progress(level.name)
    result = run_session(Session(level, scripted=True), level.seconds(), progress=progress)
    progress.done()
    _print(result, as_json=False)
    print("No video: OpenGL is not available. `sandbox doctor` says what to do.")
    return result.exit_code


def _render(name: str) -> Path | None:
    """A video of the first seconds, or None where nothing can be drawn."""
    try:
        from sandbox.record import render_video

        out = Path.cwd() / f"{Path(name).stem}.mp4"
        return render_video(name, _SECONDS, out, (1280, 720), "medium")
    except Exception as error:  # a driver may fail in any way; the numbers still follow
        print(f"Drawing failed ({type(error).__name__}: {error}).", file=sys.stderr)
        return None
