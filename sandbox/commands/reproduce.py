"""`sandbox reproduce`: every table and figure of the papers, computed anew, as one report."""

import argparse
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from levels.exit_codes import ExitCode
from levels.plain_data import JsonTable
from sandbox.messages import Interrupted, Progress, UsageProblem, tell, warn

if TYPE_CHECKING:
    from sandbox.reproduce.item import Item
    from sandbox.reproduce.report import Report
    from sandbox.reproduce.runner import Finished

HELP = "Compute every table and figure of the papers anew; one report."
EXAMPLES = (
    "sandbox reproduce --quick",
    "sandbox reproduce",
    "sandbox reproduce stability_map energy_of_a_swing",
    "sandbox reproduce --list",
    "OPENBLAS_CORETYPE=Prescott sandbox reproduce --quick --against reproduction/report.json",
)
DETAILS = """
Results are kept by content in FOLDER/kept: the same command goes on after a kill, and an item is
computed anew when the engine or its own code has changed. Other engines are optional:
pip install 'taut[bench,peers]'. What is not installed is said to be absent.

FOLDER/report.md, report.html, report.json (format 1: items {name: [{what, ours, verdict, timed}]}).
Exit code 1: a headline has fallen, or with --against a verdict is another.
"""
_FEW = 8  # items that do not need all of the engine to be compiled beforehand


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("items", nargs="*", metavar="ITEM", help="default: all")
    parser.add_argument("--quick", action="store_true", help="shorter runs: at most five minutes")
    parser.add_argument("--out", metavar="FOLDER", default="reproduction", help="of the report")
    parser.add_argument("--jobs", type=int, help="processes; default: one for each core")
    parser.add_argument("--fresh", action="store_true", help="forget what is kept")
    parser.add_argument("--against", metavar="FILE", help="report.json of another run")
    parser.add_argument("--page", metavar="FILE.md", help="also write the page of results")
    parser.add_argument("--list", action="store_true", help="name the items and compute nothing")


def run(arguments: argparse.Namespace) -> int:
    from sandbox.reproduce.item import load_items

    known = load_items()
    if arguments.list:
        for entry in known.values():
            tell(f"{entry.name:28} {entry.source:13} {entry.title}")
        return ExitCode.PASSED
    chosen = _chosen(arguments.items, known)
    if arguments.jobs is not None and arguments.jobs < 1:
        raise UsageProblem(f"--jobs {arguments.jobs}: at least 1")
    other = _other(arguments.against)
    report = _computed(chosen, arguments)
    return _told(report, arguments, other, whole=len(chosen) == len(known))


def _chosen(names: list[str], known: Mapping[str, "Item"]) -> list["Item"]:
    from levels.problems import did_you_mean

    for name in names:
        if name not in known:
            hint = did_you_mean(name, list(known)) or "`sandbox reproduce --list` names them"
            raise UsageProblem(f'there is no item "{name}"; {hint}')
    return [entry for name, entry in known.items() if not names or name in names]


def _other(path: str | None) -> JsonTable | None:
    if path is None:
        return None
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise UsageProblem(f"--against {path}: {problem}") from None
    if not isinstance(found, dict) or not isinstance(found.get("items"), dict):
        raise UsageProblem(f"--against {path}: this is no report.json of `sandbox reproduce`")
    return found


def _computed(chosen: list["Item"], arguments: argparse.Namespace) -> "Report":
    from physics import prepare
    from sandbox.preparing import compile_all, unready
    from sandbox.reproduce.report import Report
    from sandbox.reproduce.runner import Keep, Run
    from sandbox.revision import revision

    kept = Path(arguments.out) / "kept"
    if arguments.fresh and kept.is_dir():
        shutil.rmtree(kept)
    kept.mkdir(parents=True, exist_ok=True)
    if len(chosen) > _FEW:
        compile_all(unready(list(prepare.TASKS)))
    count = 0
    with Progress("reproduce") as progress:

        def note(done: "Finished", number: int) -> None:
            nonlocal count
            count = number
            progress(number / len(chosen), f"{number} of {len(chosen)} items")
            if not done.kept:
                warn(f"  {done.item.name}: {done.result.verdict} ({done.seconds:.0f} s)")

        try:
            finished = Run(chosen, arguments.quick, Keep(kept), arguments.jobs).all(note)
        except KeyboardInterrupt:
            told = f"{count} of {len(chosen)} items are kept; the same command goes on"
            raise Interrupted(told) from None
    return Report(finished, arguments.quick, revision())


def _told(
    report: "Report",
    arguments: argparse.Namespace,
    other: JsonTable | None,
    *,
    whole: bool,
) -> int:
    from sandbox.reproduce.report import differing, write

    written = write(report, Path(arguments.out))
    if arguments.page:
        from sandbox.reproduce.results_page import write_page

        written.append(write_page(report, Path(arguments.page)))
    for one in report.finished:
        tell(f"{one.item.name:28} {one.result.verdict}")
    fallen = []
    for judged in report.headlines:
        if judged.value is None and not whole:
            continue
        value = "not measured" if judged.value is None else f"{judged.value:.4g}"
        word = "kept" if judged.kept else "FALLEN"
        tell(f"{judged.headline.text}: {value} ({judged.headline.bound}), {word}")
        fallen += [] if judged.kept else [judged]
    changed = [] if other is None else differing(report, other)
    for line in changed:
        tell(f"another verdict: {line}")
    if other is not None and not changed:
        tell("the same verdicts as the other run")
    failed = [one.item.name for one in report.finished if one.failed]
    if failed:
        tell(f"could not be computed: {', '.join(failed)}")
    for path in written:
        tell(f"  {path}")
    return ExitCode.FAILED if fallen or changed or failed else ExitCode.PASSED
