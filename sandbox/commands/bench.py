"""`sandbox bench`: how long a step and a frame take on this machine."""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sandbox.messages import tell

if TYPE_CHECKING:
    from sandbox.window.frame_budget import Row

HELP = "Measure steps (or, with --render, frames) on this machine."
EXAMPLES = (
    "sandbox bench",
    "sandbox bench crane hammock",
    "sandbox bench --json --seconds 0.2",
    "sandbox bench --render",
    "sandbox bench --render crane --quality low --size 1280x720",
)
DETAILS = """
--json prints one object: format 1; and
  steps: levels [{level, milliseconds, longest (ms), of_real_time (share)}]
  frames (--render): size [width, height], frames [{level, quality, parts {part: ms}, total,
    cpu, python (ms)}]
"""
_RENDERED = ("crane", "trampoline", "tower of 200", "cloth 40x40")
_WARM = 30  # steps before they are timed: they load what is compiled


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("levels", nargs="*", metavar="LEVEL", help="all, or with --render some")
    parser.add_argument("--render", action="store_true", help="frames: physics, upload, draw, UI")
    parser.add_argument("--quality", default="low,medium,high", help="rungs, with commas between")
    parser.add_argument("--size", default="1280x720", help="of the window, WIDTHxHEIGHT")
    parser.add_argument("--seconds", type=float, default=1.0, help="time per level, for steps")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")


def run(arguments: argparse.Namespace) -> int:
    if arguments.render:
        return _frames(arguments)
    return _steps(arguments)


@contextmanager
def _leaving_nothing() -> Iterator[None]:
    """Games are recorded beside the settings: that happens in a folder that is thrown away."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        places = dict.fromkeys(("XDG_CONFIG_HOME", "APPDATA"), folder)
        if sys.platform == "darwin":  # settings have no place of their own there
            places["HOME"] = folder
        before = dict(os.environ)
        os.environ.update(places)
        try:
            with chdir(folder):
                yield
        finally:
            for name in places:
                os.environ.pop(name)
            os.environ.update({name: before[name] for name in places if name in before})


def _steps(arguments: argparse.Namespace) -> int:
    from levels.library import find, shipped

    chosen = arguments.levels or shipped()
    for name in chosen:
        find(name)
    if not arguments.json:
        tell(f"{'level':24} {'ms a step':>10} {'longest':>10} {'of real time':>13}", flush=True)
    rows = []
    for name in chosen:
        rows.append(_step_times(name, arguments.seconds))
        if not arguments.json:
            tell(_step_line(rows[-1]), flush=True)
    if arguments.json:
        print(json.dumps({"format": 1, "levels": rows}))
    return 0


def _step_line(row: dict[str, Any]) -> str:
    times = f"{row['milliseconds']:10.3f} {row['longest']:10.3f}"
    return f"{row['level']:24} {times} {row['of_real_time']:12.1%}"


def _step_times(name: str, seconds: float) -> dict[str, Any]:
    """The median and longest time of a step of a level that plays its own input."""
    from levels import load
    from levels.runtime import Session

    session = Session(load(name), scripted=True)
    session.step(_WARM)
    spent: list[float] = []
    end = time.perf_counter() + seconds
    while not spent or time.perf_counter() < end:
        began = time.perf_counter()
        session.step()
        spent.append(time.perf_counter() - began)
    typical = statistics.median(spent)
    return {
        "level": name,
        "milliseconds": 1e3 * typical,
        "longest": 1e3 * max(spent),
        "of_real_time": typical * session.world.rate,
    }


def _frames(arguments: argparse.Namespace) -> int:
    from levels.library import find, is_shipped
    from sandbox.commands.render import parse_size
    from sandbox.messages import UsageProblem
    from sandbox.render.quality import QUALITIES

    qualities = arguments.quality.split(",")
    unknown = [name for name in qualities if name not in QUALITIES]
    if unknown:
        raise UsageProblem(f"--quality {unknown[0]}: choose from {', '.join(QUALITIES)}")
    size = parse_size(arguments.size)
    from sandbox.window.frame_budget import EXTRA, frame_table, heading, line

    chosen = arguments.levels or [n for n in _RENDERED if n in EXTRA or is_shipped(n)]
    for i, name in enumerate(chosen):
        if name not in EXTRA and not is_shipped(name):
            chosen[i] = str(find(name).resolve())  # the measuring happens in another folder

    def show(row: "Row") -> None:
        if not arguments.json:
            tell(line(row), flush=True)

    if not arguments.json:
        tell(f"ms per frame at {size[0]}x{size[1]}\n\n{heading()}", flush=True)
    with _leaving_nothing():
        rows = frame_table(chosen, qualities, size, tell=show)
    if arguments.json:
        frames = [{**asdict(row), "total": row.total} for row in rows]
        print(json.dumps({"format": 1, "size": size, "frames": frames}))
    return 0
