"""`sandbox profile LEVEL`: where the time of a step goes, by stage and by kernel."""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from levels.exit_codes import ExitCode
from sandbox.messages import UsageProblem, tell

if TYPE_CHECKING:
    from sandbox.measure.call_tree import Call

HELP = "Show where the time of a step goes, by stage and kernel; a flame graph."
EXAMPLES = (
    "sandbox profile crane",
    "sandbox profile wall-50 --steps 300 --out wall.svg",
    "sandbox profile trampoline --json",
)
DETAILS = """
Stages are told by the engine's own clock; functions by Python's profiler, which slows down what is
Python and not what is compiled: believe shares of stages and kernels, and call counts.
--json prints one object: format 1; steps, ms (a step), stages {name: ms}, functions [{name, ms,
calls}], both a step.
"""
_SHOWN = 25  # functions


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("level", metavar="LEVEL", help="or a scene of `sandbox bench --list`")
    parser.add_argument("--steps", type=int, default=200, help="that are looked at")
    parser.add_argument("--warm", type=int, default=30, help="steps before them")
    parser.add_argument("--out", metavar="FILE.svg", help="flame graph; default: LEVEL.flame.svg")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")


def run(arguments: argparse.Namespace) -> int:
    from levels.files import write_atomically
    from sandbox.measure.bench_scenes import world_and_step
    from sandbox.measure.call_tree import add_stages, by_function, profiled
    from sandbox.measure.flame import flame

    if arguments.steps < 1 or arguments.warm < 0:
        raise UsageProblem("--steps must be at least 1 and --warm at least 0")
    world, step = world_and_step(arguments.level)
    for _ in range(arguments.warm):
        step()
    stages: dict[str, float] = {}

    def work() -> None:
        for _ in range(arguments.steps):
            step()
            for stage, seconds in world.stats.times.items():
                stages[stage] = stages.get(stage, 0.0) + seconds

    tree = profiled(work)
    found = by_function(tree)
    add_stages(tree, "run_steps", stages)
    out = Path(arguments.out or f"{Path(arguments.level).stem}.flame.svg")
    write_atomically(out, flame(tree, f"{arguments.level}: {arguments.steps} steps"))
    if arguments.json:
        _print_json(arguments.steps, tree.seconds, stages, found)
    else:
        _print_tables(arguments.steps, tree.seconds, stages, found)
        tell(f"  {out}")
    return ExitCode.PASSED


def _print_json(
    steps: int, seconds: float, stages: Mapping[str, float], found: list["Call"]
) -> None:
    each = 1e3 / steps
    functions = [
        {"name": call.name, "ms": each * call.seconds, "calls": call.count / steps}
        for call in found[:_SHOWN]
    ]
    told = {name: each * value for name, value in stages.items()}
    head = {"format": 1, "steps": steps, "ms": each * seconds}
    print(json.dumps({**head, "stages": told, "functions": functions}))


def _print_tables(
    steps: int, seconds: float, stages: Mapping[str, float], found: list["Call"]
) -> None:
    each, whole = 1e3 / steps, sum(stages.values()) or 1.0
    tell(f"{each * seconds:.3f} ms a step with the profiler, {each * whole:.3f} in the engine\n")
    tell(f"{'stage':40} {'ms a step':>12} {'share':>8}")
    for name, value in sorted(stages.items(), key=lambda entry: -entry[1]):
        tell(f"{name:40} {each * value:12.4f} {value / whole:8.1%}")
    tell(f"\n{'function or kernel, by its own time':60} {'ms a step':>12} {'calls':>8}")
    for call in found[:_SHOWN]:
        tell(f"{call.name[-60:]:60} {each * call.seconds:12.4f} {call.count / steps:8.1f}")
