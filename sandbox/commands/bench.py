"""`sandbox bench`: how long a step and a frame take on this machine."""

import argparse
import statistics
import time

HELP = "Measure steps (or, with --render, frames) on this machine."
EXAMPLES = (
    "sandbox bench",
    "sandbox bench crane hammock",
    "sandbox bench --render",
    "sandbox bench --render crane --quality low --size 1280x720",
)
_WARM, _STEPS = 30, 120  # steps before and while they are timed
_RENDERED = ("crane", "trampoline", "tower of 200", "cloth 40x40")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "levels",
        nargs="*",
        metavar="LEVEL",
        help="levels to measure; all that are shipped, or with --render a choice of them",
    )
    parser.add_argument("--render", action="store_true", help="frames: physics, upload, draw, UI")
    parser.add_argument("--quality", default="low,medium,high", help="rungs, with commas between")
    parser.add_argument("--size", default="1280x720", help="of the window, WIDTHxHEIGHT")


def run(arguments: argparse.Namespace) -> int:
    return _frames(arguments) if arguments.render else _steps(arguments.levels)


def _steps(levels: list[str]) -> int:
    from levels.library import find, shipped

    chosen = levels or shipped()
    for name in chosen:
        find(name)
    print(f"{'level':24} {'ms a step':>10} {'longest':>10} {'of real time':>13}", flush=True)
    for name in chosen:
        typical, longest, share = _step_times(name)
        print(f"{name:24} {1e3 * typical:10.3f} {1e3 * longest:10.3f} {share:12.1%}", flush=True)
    return 0


def _step_times(name: str) -> tuple[float, float, float]:
    """Typical and longest time of a step (s) of a level and its own input; share of real time."""
    from levels import load
    from levels.runtime import Session

    session = Session(load(name), scripted=True)
    session.step(_WARM)  # loads what is compiled
    spent = []
    for _ in range(_STEPS):
        began = time.perf_counter()
        session.step()
        spent.append(time.perf_counter() - began)
    typical = statistics.median(spent)
    return typical, max(spent), typical * session.world.rate


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
