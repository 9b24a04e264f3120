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
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levels.plain_data import JsonTable
from sandbox.messages import tell

if TYPE_CHECKING:
    from sandbox.engines.boxes import Stood
    from sandbox.measure.beside import Beside
    from sandbox.measure.step_times import StepTimes
    from sandbox.window.frame_budget import Row

HELP = "Measure steps (or, with --render, frames) on this machine."
EXAMPLES = (
    "sandbox bench",
    "sandbox bench crane chain-100 wall-50 --stages",
    "sandbox bench --json --seconds 0.2",
    "sandbox bench --csv benchmarks --start-up",
    "sandbox bench --compare HEAD~20 crane chain-100",
    "sandbox bench --peers",
    "sandbox bench --friction",
    "sandbox bench --render",
    "sandbox bench --render crane --quality low --size 1280x720",
)
DETAILS = """
What is measured: levels, and scenes that `sandbox bench --list` names. Without names: all levels;
growth, too, if chain-10, chain-100 and chain-1000 are among them. --compare checks the other commit
out into a temporary folder and steps both in turn; a difference counts only beyond the bounds of
noise. --peers steps other engines (pip install 'taut[bench,peers]') on the same mechanisms.
--friction compares a chain over a drum with e^(μθ), and falling dominoes with fine steps.

--json prints one object: format 1; and
  steps: levels [{level, milliseconds (median), p99, longest (ms), of_real_time (share), steps,
    megabytes, stages {name: ms}}]; with --start-up also start_up {part: s}
  --compare: compared [{scene, before, now (ms), ratio, low, high}]
  --peers: peers [{scene, engine, setting, microseconds, stable, gap, gain, lost}], walls
    [{engine, setting, boxes, milliseconds, worst, drift, sunk, speed, lost}]
  --friction: friction [{name, found, exact}]
  frames (--render): size [width, height], frames [{level, quality, parts {part: ms}, total,
    cpu, python (ms)}]
"""
_RENDERED = ("crane", "trampoline", "tower of 200", "cloth 40x40")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("levels", nargs="*", metavar="LEVEL", help="all, or with --render some")
    parser.add_argument("--render", action="store_true", help="frames: physics, upload, draw, UI")
    parser.add_argument("--quality", default="low,medium,high", help="rungs, with commas between")
    parser.add_argument("--size", default="1280x720", help="of the window, WIDTHxHEIGHT")
    parser.add_argument("--seconds", type=float, default=1.0, help="time per level, for steps")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--list", action="store_true", help="name the scenes beside the levels")
    parser.add_argument("--stages", action="store_true", help="ms by stage of a step")
    parser.add_argument("--csv", metavar="FOLDER", help="one file by machine and commit")
    parser.add_argument("--start-up", action="store_true", help="seconds until the first step")
    parser.add_argument("--compile", action="store_true", help="seconds to compile everything")
    parser.add_argument("--compare", metavar="REV", help="in turn with another commit")
    parser.add_argument("--peers", action="store_true", help="in turn with other engines")
    parser.add_argument("--friction", action="store_true", help="capstan and dominoes")


def run(arguments: argparse.Namespace) -> int:
    if arguments.render:
        return _frames(arguments)
    if arguments.list:
        from sandbox.measure.bench_scenes import SCENES

        for name, (what, _) in SCENES.items():
            tell(f"{name:24} {what}")
        return 0
    if arguments.peers:
        return _peers(arguments)
    if arguments.friction:
        return _friction(arguments)
    if arguments.compare:
        return _compared(arguments)
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


def _chosen(names: list[str], default: list[str]) -> list[str]:
    """Scenes of the list and levels; one that is neither is told at once."""
    from levels.library import find
    from sandbox.measure.bench_scenes import SCENES

    for name in names:
        if name not in SCENES:
            find(name)
    return names or default


def _steps(arguments: argparse.Namespace) -> int:
    from levels.library import shipped
    from sandbox.measure.step_times import measure

    chosen = _chosen(arguments.levels, shipped())
    if not arguments.json:
        columns = ("ms a step", "p99", "longest", "of real time")
        head = " ".join(f"{column:>{max(10, len(column) + 1)}}" for column in columns)
        tell(f"{'level':24} {head}", flush=True)
    rows = []
    for name in chosen:
        rows.append(measure(name, arguments.seconds))
        if not arguments.json:
            tell(_step_line(rows[-1]), flush=True)
            if arguments.stages:
                tell(_stage_line(rows[-1]), flush=True)
    told = {"format": 1, "levels": [row.as_json() for row in rows], **_more(arguments, rows)}
    if arguments.json:
        print(json.dumps(told))
    return 0


def _friction(arguments: argparse.Namespace) -> int:
    from sandbox.measure.friction_laws import laws

    found = laws()
    if arguments.json:
        print(json.dumps({"format": 1, "friction": [law._asdict() for law in found]}))
        return 0
    tell(f"{'':32} {'found':>10} {'exact':>10} {'off':>8}")
    for law in found:
        tell(f"{law.name:32} {law.found:10.4f} {law.exact:10.4f} {law.off:8.1%}")
    return 0


def _step_line(row: "StepTimes") -> str:
    times = f"{row.milliseconds:10.3f} {row.p99:10.3f} {row.longest:10.3f}"
    return f"{row.level:24} {times} {row.of_real_time:13.1%}"


def _stage_line(row: "StepTimes") -> str:
    parts = sorted(row.stages.items(), key=lambda entry: -entry[1])
    return "    " + ", ".join(f"{name} {value:.3f}" for name, value in parts if value > 0)


def _more(arguments: argparse.Namespace, rows: list["StepTimes"]) -> JsonTable:
    """What is asked for beside the times of steps: growth, start-up, compiling, a file."""
    from sandbox.measure.bench_scenes import GROWING
    from sandbox.measure.start_up import compile_seconds, start_up
    from sandbox.measure.step_times import exponent

    found: JsonTable = {}
    times = {row.level: row.milliseconds for row in rows}
    if all(name in times for name in GROWING):
        sizes = [float(name.rpartition("-")[2]) for name in GROWING]
        found["growth"] = exponent(sizes, [times[name] for name in GROWING])
    if arguments.start_up:
        found["start_up"] = start_up()
    if arguments.compile:
        found["compile"] = compile_seconds()
    if arguments.csv:
        from sandbox.measure.bench_records import write

        found["csv"] = str(write(rows, Path(arguments.csv)))
    if not arguments.json:
        _tell_more(found)
    return found


def _tell_more(found: JsonTable) -> None:
    if "growth" in found:
        tell(f"growth with the number of links: exponent {found['growth']:.2f}")
    if "start_up" in found:
        parts = ", ".join(f"{name} {value:.2f} s" for name, value in found["start_up"].items())
        tell(f"until the first step of the crane: {parts}")
    if "compile" in found:
        tell(f"compiling everything from nothing: {found['compile']:.0f} s")
    if "csv" in found:
        tell(f"  {found['csv']}")


def _compared(arguments: argparse.Namespace) -> int:
    from sandbox.measure.revisions import compare

    chosen = _chosen(arguments.levels, ["chain-10", "chain-100", "wall-10", "crane"])
    if not arguments.json:
        columns = f"{'before':>10} {'now':>10} {'ratio':>8} {'bounds':>15}"
        tell(f"{'scene, ms of processor a step':30} {columns}", flush=True)
    rows = []
    for row in compare(chosen, arguments.compare, arguments.seconds):
        rows.append(asdict(row))
        if not arguments.json:
            bounds = f"{row.low:.2f} … {row.high:.2f}"
            times = f"{row.before:10.4f} {row.now:10.4f} {row.ratio:8.2f} {bounds:>15}"
            tell(f"{row.scene:30} {times}  {row.verdict}", flush=True)
    left_out = [name for name in chosen if name not in {row["scene"] for row in rows}]
    if left_out and not arguments.json:
        tell(f"not in both of them: {', '.join(left_out)}")
    if arguments.json:
        print(json.dumps({"format": 1, "compared": rows}))
    return 0


def _peers(arguments: argparse.Namespace) -> int:
    from sandbox.engines.boxes import FAIR as FAIR_WALLS
    from sandbox.engines.boxes import stood
    from sandbox.engines.engine import ENGINES
    from sandbox.measure.beside import FAIR, beside

    quick = arguments.seconds < 0.5
    rows, scene = [], ""
    for row in beside(quick):
        rows.append(asdict(row))
        if not arguments.json:
            scene = _tell_peer(row, scene)
    walls = []
    for boxes in (10,) if quick else (10, 55, 210):
        for wall in stood(boxes, 2.0 if quick else 4.0):
            walls.append(asdict(wall))
            if not arguments.json:
                scene = _tell_wall(wall, scene)
    absent = [engine.title for engine in ENGINES.values() if not engine.installed]
    if arguments.json:
        told: JsonTable = {"format": 1, "absent": absent}
        for name, table in (("peers", rows), ("walls", walls)):
            told[name] = [{k: _finite(v) for k, v in row.items()} for row in table]
        print(json.dumps(told))
        return 0
    for engine in ENGINES.values():
        tell(f"\n{engine.title}: {engine.notes}" if engine.installed else "", end="")
    tell(f"\n\n{FAIR}\n\n{FAIR_WALLS}")
    if absent:
        tell(f"absent: {', '.join(absent)}; pip install 'taut[bench,peers]'")
    return 0


def _tell_peer(row: "Beside", scene: str) -> str:
    """One line, under a heading where a scene begins; the scene."""
    if row.scene != scene:
        columns = f"{'µs a step':>10} {'holds':>6} {'gap, m':>9} {'gain':>8} {'lost':>8}"
        tell(f"\n{row.scene:40} {columns}")
    held = "yes" if row.stable else "no"
    figures = f"{row.gap:9.1e} {row.gain:8.1%} {row.lost:8.1%}"
    told = f"{row.engine}, {row.setting}"
    tell(f"{told:40} {row.microseconds:10.1f} {held:>6} {figures}", flush=True)
    return row.scene


def _tell_wall(row: "Stood", scene: str) -> str:
    name = f"wall of {row.boxes} boxes, 1/60 s"
    if name != scene:
        columns = (
            f"{'ms a step':>10} {'longest':>8} {'stands':>7} {'drift, mm':>10} {'sunk, mm':>9}"
        )
        tell(f"\n{name:40} {columns} {'lost':>6}")
    held = "yes" if row.stands else "no"
    figures = f"{held:>7} {1e3 * row.drift:10.3f} {1e3 * row.sunk:9.3f} {row.lost:6.2f}"
    told = f"{row.engine}, {row.setting}"
    tell(f"{told:40} {row.milliseconds:10.3f} {row.worst:8.2f} {figures}", flush=True)
    return name


def _finite(value: Any) -> Any:
    """JSON has neither infinity nor NaN."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


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
