"""`sandbox bench`: how long a step and a frame take on this machine."""

import argparse
import json
import math
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sandbox.messages import tell

if TYPE_CHECKING:
    from sandbox.app.frame_budget import Row

HELP = "Measure steps (or, with --render, frames) on this machine."
EXAMPLES = (
    "sandbox bench",
    "sandbox bench --json --seconds 0.2",
    "sandbox bench --render",
    "sandbox bench --render crane --quality low --size 1280x720",
)
DETAILS = """
--json prints one object: format 1; and
  steps: scenes [{scene, microseconds, mujoco_microseconds (null without MuJoCo)}],
    growth {exponent, microseconds {links: time}}, topology_change {milliseconds, longest}
  frames (--render): size [width, height], frames [{level, quality, parts {part: ms}, total,
    cpu, python (ms)}]
"""
_RENDERED = ("crane", "trampoline", "tower of 200", "cloth 40x40")
_LINKS = (10, 30, 100, 300, 1000)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("levels", nargs="*", metavar="LEVEL", help="levels to draw")
    parser.add_argument("--render", action="store_true", help="frames: physics, upload, draw, UI")
    parser.add_argument("--quality", default="low,medium,high", help="rungs, with commas between")
    parser.add_argument("--size", default="1280x720", help="of the window, WIDTHxHEIGHT")
    parser.add_argument("--seconds", type=float, default=1.0, help="time per scene, for steps")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")


def run(arguments: argparse.Namespace) -> int:
    if arguments.render:
        return _frames(arguments)
    with _leaving_nothing():
        if arguments.json:
            print(json.dumps({"format": 1, **_steps(arguments.seconds)}))
            return 0
        from physics import bench

        sys.argv = ["sandbox bench", "--seconds", str(arguments.seconds)]
        bench.main()
    return 0


@contextmanager
def _leaving_nothing() -> Iterator[None]:
    """MuJoCo writes a log where it runs, and games are recorded beside the settings: both happen
    in a folder that is thrown away."""
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


def _steps(seconds: float) -> dict[str, Any]:
    from physics import bench

    scenes = []
    for scene in (bench.chain(10), bench.ragdoll_on_liana(), bench.chain(100), bench.ropes()):
        ours, peer = bench.compare(scene, seconds)
        other = 1e6 * peer if math.isfinite(peer) else None
        row = {"scene": scene.name, "microseconds": 1e6 * ours, "mujoco_microseconds": other}
        scenes.append(row)
    slope, times = bench.exponent(list(_LINKS), seconds)
    growth = {str(n): 1e6 * time for n, time in zip(_LINKS, times, strict=True)}
    usual, longest = bench.topology_change()
    return {
        "scenes": scenes,
        "growth": {"exponent": slope, "microseconds": growth},
        "topology_change": {"milliseconds": 1e3 * usual, "longest": 1e3 * longest},
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
    from sandbox.app.frame_budget import EXTRA, frame_table, heading, line

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
