"""`sandbox bench`: how long a step and a frame take on this machine."""

import argparse
import sys

HELP = "Measure steps (or, with --render, frames) on this machine."
EXAMPLES = (
    "sandbox bench",
    "sandbox bench --render",
    "sandbox bench --render crane --quality low --size 1280x720",
)
_RENDERED = ("crane", "trampoline", "tower of 200", "cloth 40x40")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("levels", nargs="*", metavar="LEVEL", help="levels to draw")
    parser.add_argument("--render", action="store_true", help="frames: physics, upload, draw, UI")
    parser.add_argument("--quality", default="low,medium,high", help="rungs, with commas between")
    parser.add_argument("--size", default="1280x720", help="of the window, WIDTHxHEIGHT")


def run(arguments: argparse.Namespace) -> int:
    if not arguments.render:
        from physics import bench

        sys.argv = ["sandbox bench"]
        bench.main()
        return 0
    return _frames(arguments)


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
    from sandbox.app.bench import EXTRA, frame_table, heading, line

    chosen = arguments.levels or [n for n in _RENDERED if n in EXTRA or is_shipped(n)]
    for name in chosen:
        if name not in EXTRA:
            find(name)
    print(f"ms per frame at {size[0]}x{size[1]}\n\n{heading()}", flush=True)
    frame_table(chosen, qualities, size, tell=lambda row: print(line(row), flush=True))
    return 0
