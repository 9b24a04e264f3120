"""`sandbox check`: everything that is wrong with a level, before anything moves."""

import argparse
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from levels.exit_codes import ExitCode
from levels.plain_data import JsonTable
from sandbox.messages import tell, warn

if TYPE_CHECKING:
    from levels import Level, Problem

HELP = "Check level files; print every mistake with its line."
EXAMPLES = ("sandbox check my.toml", "sandbox check levels/*.toml", "sandbox check crane")
DETAILS = """
--json prints one object: format 1; levels [{level, ok, problems [{severity "error" | "warning",
  message, file, line, column, hint, note}], and of a good one bodies, particles, joints,
  expectations (counts), resolves (a sentence)}]; exit_code
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("levels", metavar="LEVEL", nargs="+", help="names or .toml files")
    parser.add_argument("--strict", action="store_true", help="warnings are mistakes too")
    parser.add_argument("--json", action="store_true", help="print what is found as JSON")


def run(arguments: argparse.Namespace) -> int:
    found = [_check(name, arguments.json) for name in arguments.levels]
    severities = ("error", "warning") if arguments.strict else ("error",)
    wrong = [p for entry in found for p in entry["problems"] if p["severity"] in severities]
    code = ExitCode.BAD_LEVEL if wrong else ExitCode.PASSED
    if arguments.json:
        print(json.dumps({"format": 1, "levels": found, "exit_code": int(code)}))
    return code


def _check(name: str, silent: bool) -> JsonTable:
    """What is found in one level, as --json has it; said at once unless `silent`."""
    from levels import LevelError, load
    from levels.problems import render_all
    from levels.sanity import resolution
    from levels.start_overlaps import overlap_warnings

    try:
        level = load(name)
        overlaps = overlap_warnings(level.build(), level.default.plan)
        warnings = [*level.warnings, *overlaps]
    except LevelError as error:
        if not silent:
            count = len(error.problems)
            warn(f"{error}\n{name}: {count} problem{'s' * (count != 1)}")
        return {"level": name, "ok": False, "problems": _as_json(error.problems)}
    counts = _counts(level)
    resolves = resolution(level.default.plan, level.default.simulation.rate)
    if not silent:
        if warnings:
            warn(render_all(warnings))
        tell(f"{name}: ok ({', '.join(f'{n} {what}' for what, n in counts.items())})")
        tell(f"  {resolves}")
    good = {"level": name, "ok": True, "problems": _as_json(warnings)}
    return {**good, **counts, "resolves": resolves}


def _counts(level: "Level") -> dict[str, int]:
    plan = level.default.plan
    return {
        "bodies": len(plan.bodies),
        "particles": len(plan.particles),
        "joints": len(plan.joints),
        "expectations": len(level.default.rules.expectations),
    }


def _as_json(problems: "Iterable[Problem]") -> list[JsonTable]:
    written = []
    for problem in problems:
        file, span = problem.position
        line, column = (span.line, span.column) if span else (None, None)
        place = {"file": file, "line": line, "column": column}
        words = {"severity": problem.severity, "message": problem.message}
        written.append({**words, **place, "hint": problem.hint, "note": problem.note})
    return written
