"""`sandbox test`: the expectations of levels as a test run, with JUnit XML for CI systems."""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from levels.exit_codes import ExitCode, worst
from levels.text import printable
from sandbox.messages import Interrupted, Progress, UsageProblem, internal_error, tell
from sandbox.options import add_allow_frozen, write_for_user

if TYPE_CHECKING:
    from levels import Outcome
    from levels.headless import Result

HELP = "Run levels and check every expectation they state."
EXAMPLES = (
    "sandbox test",
    "sandbox test crane million",
    "sandbox test my_levels/ --junit report.xml",
)
DETAILS = """
A folder means all levels in it and in the folders within: .toml files that begin with `format = 1`.

--json prints one object: format 1; cases [{level, file, name, seconds,
  state "passed" | "failed" (an expectation) | "error" (the level, or worse), message}];
  passed, failed (counts); exit_code
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "levels", metavar="LEVEL|FOLDER", nargs="*", help="default: all levels of the game"
    )
    parser.add_argument("--junit", metavar="FILE.xml", help="write a JUnit report")
    parser.add_argument("--json", action="store_true", help="print the cases as JSON")
    add_allow_frozen(parser)


@dataclass(frozen=True)
class Case:
    """One line of the report. `kind` is "failure" for an expectation, "error" for a bad level."""

    level: str
    name: str
    seconds: float
    kind: str = ""
    message: str = ""
    file: str = ""

    @property
    def state(self) -> str:
        return {"": "passed", "failure": "failed"}.get(self.kind, self.kind)


@dataclass(frozen=True)
class Target:
    """A level to be tested, and what it is called in the report."""

    level: str
    name: str

    @property
    def file(self) -> str:
        """As CI systems want it: relative to where they run, with forward slashes."""
        path = Path(self.level)
        if path.suffix != ".toml":
            return ""
        here = Path.cwd()
        return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def run(arguments: argparse.Namespace) -> int:
    cases: list[Case] = []
    codes: list[ExitCode] = []
    targets = list(_targets(arguments.levels))
    stopped = False
    try:
        for target in targets:
            found, code = _test(target, arguments.allow_frozen)
            codes.append(code)
            cases += found
            for case in () if arguments.json else found:
                tell(_line(case), flush=True)
    except KeyboardInterrupt:
        stopped = True
        codes.append(ExitCode.INTERRUPTED)
    _print_totals(cases, worst(codes), arguments.json)
    if arguments.junit:
        _write_junit(cases, Path(arguments.junit))
    if stopped:
        done = len(codes) - 1
        report = f"; {arguments.junit} has them" if arguments.junit else ""
        raise Interrupted(f"{done} of {len(targets)} levels were tested{report}")
    return worst(codes)


def _print_totals(cases: list[Case], code: ExitCode, as_json: bool) -> None:
    failed = sum(bool(case.kind) for case in cases)
    passed = len(cases) - failed
    if not as_json:
        tell(f"{passed} passed, {failed} failed")
        return
    keys = ("level", "file", "name", "seconds", "state", "message")
    written = [{key: getattr(case, key) for key in keys} for case in cases]
    totals = {"passed": passed, "failed": failed, "exit_code": int(code)}
    print(json.dumps({"format": 1, "cases": written, **totals}))


def _targets(written: list[str]) -> Iterator[Target]:
    from levels.library import level_files, shipped

    for name in written or shipped():
        folder = Path(name)
        if not folder.is_dir():
            yield Target(name, folder.stem)
            continue
        found = list(level_files(folder))
        if not found:
            raise UsageProblem(f"{name}: no levels (.toml files with format = 1) in this folder")
        for path in found:
            yield Target(str(path), path.relative_to(folder).with_suffix("").as_posix())


def _test(target: Target, allow_frozen: bool) -> tuple[list[Case], ExitCode]:
    """The cases of one level; a level that cannot be read, or breaks us, is one failed case."""
    from levels import LevelError, Session, load
    from levels.headless import run as run_session

    began = time.perf_counter()

    def failed(what: str, message: str) -> list[Case]:
        seconds = time.perf_counter() - began
        return [Case(target.name, what, seconds, "error", message, target.file)]

    try:
        with Progress(target.name) as progress:
            level = load(target.level)
            result = run_session(Session(level, scripted=True), level.seconds(), progress=progress)
    except LevelError as error:
        return failed("loads", str(error)), ExitCode.BAD_LEVEL
    except Exception as error:  # the other levels shall be tested all the same
        return failed("runs", internal_error(error)), ExitCode.INTERNAL
    result.allow_frozen = allow_frozen
    return list(_cases(target, result)), result.exit_code


def _cases(target: Target, result: "Result") -> Iterator[Case]:
    from levels.headless import frozen_sentence

    failures = {o.name: _reason(o) for o in result.outcomes if o.state == "failed"}
    names = [outcome.name for outcome in result.outcomes]
    if result.diverged_at is not None:
        names.append("stays finite")
        failures["stays finite"] = f"diverged at {result.diverged_at:.3f} s"
    if result.frozen_steps and not result.allow_frozen:
        names.append("nothing is held still")
        failures["nothing is held still"] = frozen_sentence(result.frozen_steps)
    share = result.wall_seconds / max(1, len(names))
    for name in names or ["runs"]:
        message = failures.get(name, "")
        yield Case(target.name, name, share, "failure" if message else "", message, target.file)


def _reason(outcome: "Outcome") -> str:
    return f"at {outcome.when or 0.0:.3f} s: {outcome.values}"


def _line(case: Case) -> str:
    mark = "FAIL" if case.kind else "ok  "
    tail = "\n" + indent(case.message, "       ") if case.message else ""
    return f"{mark} {case.level}: {case.name}{tail}"


def _write_junit(cases: list[Case], path: Path) -> None:
    """The dialect Jenkins, GitLab and GitHub's reporters read."""
    root = ElementTree.Element("testsuites", {"name": "sandbox test", **_totals(cases)})
    for level in dict.fromkeys(case.level for case in cases):
        own = [case for case in cases if case.level == level]
        suite = ElementTree.SubElement(root, "testsuite", attrib={"name": level, **_totals(own)})
        for case in own:
            element = ElementTree.SubElement(
                suite,
                "testcase",
                classname=level,
                name=printable(case.name),
                file=case.file,
                time=f"{case.seconds:.3f}",
            )
            if case.kind:
                text = printable(case.message)
                found = ElementTree.SubElement(element, case.kind, message=text.partition("\n")[0])
                found.text = text
    tree = ElementTree.ElementTree(root)
    ElementTree.indent(tree)
    raw = BytesIO()
    tree.write(raw, encoding="utf-8", xml_declaration=True)
    write_for_user(path, raw.getvalue().decode("utf-8"))


def _totals(cases: list[Case]) -> dict[str, str]:
    return {
        "tests": str(len(cases)),
        "failures": str(sum(case.kind == "failure" for case in cases)),
        "errors": str(sum(case.kind == "error" for case in cases)),
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }
