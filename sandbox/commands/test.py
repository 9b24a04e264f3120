"""`sandbox test`: the expectations of levels as a test run, with JUnit XML for CI systems."""

import argparse
import time
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from sandbox.messages import Progress, UsageProblem

if TYPE_CHECKING:
    from levels import Outcome

HELP = "Run levels and check every expectation they state."
EXAMPLES = (
    "sandbox test",
    "sandbox test crane million",
    "sandbox test my_levels/ --junit report.xml",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "levels", metavar="LEVEL|FOLDER", nargs="*", help="default: all levels of the game"
    )
    parser.add_argument("--junit", metavar="FILE.xml", help="write a JUnit report")


@dataclass(frozen=True)
class Case:
    """One line of the report. `kind` is "failure" for an expectation, "error" for a bad level."""

    level: str
    name: str
    seconds: float
    kind: str = ""
    message: str = ""
    file: str = ""


def run(arguments: argparse.Namespace) -> int:
    cases: list[Case] = []
    code = 0
    for target in _targets(arguments.levels):
        found, exit_code = _test(target)
        found = [replace(case, file=_file(target)) for case in found]
        for case in found:
            print(_line(case))
        cases += found
        code = max(code, exit_code)
    failed = sum(bool(case.kind) for case in cases)
    print(f"{len(cases) - failed} passed, {failed} failed")
    if arguments.junit:
        _write_junit(cases, Path(arguments.junit))
    return code


def _targets(written: list[str]) -> list[str]:
    from levels.library import shipped

    if not written:
        return shipped()
    targets: list[str] = []
    for name in written:
        if Path(name).is_dir():
            found = sorted(str(path) for path in Path(name).glob("*.toml"))
            if not found:
                raise UsageProblem(f"{name}: no .toml files in this folder")
            targets += found
        else:
            targets.append(name)
    return targets


def _file(target: str) -> str:
    """As CI systems want it: relative to where they run, with forward slashes."""
    path = Path(target)
    if path.suffix != ".toml":
        return ""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def _test(target: str) -> tuple[list[Case], int]:
    """The cases of one level; a level that cannot be read is one failed case."""
    from levels import LevelError, Session, load
    from levels.headless import DIVERGED
    from levels.headless import run as run_session

    began = time.perf_counter()
    name = Path(target).stem
    progress = Progress(name)
    try:
        level = load(target)
        session = Session(level, scripted=True)
        result = run_session(session, level.seconds(), progress=progress)
    except LevelError as error:
        progress.done()
        return [Case(name, "loads", time.perf_counter() - began, "error", str(error))], 2
    progress.done()
    share = result.wall_seconds / max(1, len(result.outcomes))
    cases = [
        Case(
            name,
            outcome.name,
            share,
            "failure" if outcome.state == "failed" else "",
            _reason(outcome) if outcome.state == "failed" else "",
        )
        for outcome in result.outcomes
    ]
    if result.exit_code == DIVERGED:
        text = f"diverged at {result.diverged_at:.3f} s"
        cases.append(Case(name, "stays finite", share, "failure", text))
    return cases or [Case(name, "runs", result.wall_seconds)], result.exit_code


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
                name=_printable(case.name),
                file=case.file,
                time=f"{case.seconds:.3f}",
            )
            if case.kind:
                text = _printable(case.message)
                found = ElementTree.SubElement(element, case.kind, message=text.partition("\n")[0])
                found.text = text
    tree = ElementTree.ElementTree(root)
    ElementTree.indent(tree)
    try:
        tree.write(path, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        raise UsageProblem(f"cannot write {path}: {error.strerror or error}") from None


def _totals(cases: list[Case]) -> dict[str, str]:
    return {
        "tests": str(len(cases)),
        "failures": str(sum(case.kind == "failure" for case in cases)),
        "errors": str(sum(case.kind == "error" for case in cases)),
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }


def _printable(text: str) -> str:
    """XML has no way to write control characters, which a broken level may well hold."""
    return "".join(c if c in "\t\n" or c.isprintable() else "\ufffd" for c in text)
