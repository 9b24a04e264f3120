"""`sandbox sweep`: one level under many parameters, on all cores or on a cluster."""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levels.exit_codes import ExitCode
from sandbox.messages import Interrupted, MachineProblem, Progress, UsageProblem, tell
from sandbox.options import add_level, writable
from sandbox.preparing import prepare_level

if TYPE_CHECKING:
    from levels.sweep import Study, Table

HELP = "Run a level under many parameters, on all cores or on a Dask cluster."
EXAMPLES = (
    "sandbox sweep million --set weight=1e2:1e6:log9 --set step=0.01,0.02,0.05 --plot map.png",
    "sandbox sweep crane --set load=1e3:1e6:log --sample 200 --out crane.parquet",
    "sandbox sweep crane --set load=1e3:1e6:log5 --measure height=\"y('truck')\"",
    "sandbox sweep crane --set load=1e3:1e6:log9 --scheduler tcp://10.0.0.1:8786",
)
DETAILS = """
--set NAME=A:B:logN, A:B:linN or values with commas; A:B or A:B:log for --sample. NAME is a
parameter of the level, or rate, stabilization, solver.

The table has a row for each run: run, what is varied, outcome, status, stars, steps, seconds,
energy_start, energy_end, energy_gain, worst_constraint_error, interventions, frozen_steps,
diverged_at, exit_code, hash, error, one column for each expectation and measure, wall_seconds.
Read it with pandas.read_csv(FILE) or pandas.read_parquet(FILE). It is the same, but for the last
column, whatever the number of workers and the order; its digest is printed.

Every finished run is noted at once in FILE.journal. The same command goes on after Ctrl-C or a
kill; --fresh begins anew. The exit code is 0 when every run was made, whatever came of it.

--json prints one object: format 1; level, runs, resumed (were there already), outcomes {outcome:
  runs}, digest, wall_seconds (of all runs together), written [files]
"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_level(parser)
    parser.add_argument(
        "--set", metavar="NAME=VALUES", action="append", default=[], dest="axes", required=True,
        help="what is varied; may be repeated",
    )  # fmt: skip
    parser.add_argument("--sample", type=int, metavar="N", help="N points of a Latin hypercube")
    parser.add_argument("--seed", type=int, default=0, help="of the drawn points")
    parser.add_argument("--seconds", type=float, help="simulated time; default: what it expects")
    parser.add_argument(
        "--measure", metavar="NAME=EXPRESSION", action="append", default=[], dest="measures",
        help="a number noted at the end of each run",
    )  # fmt: skip
    parser.add_argument("--jobs", type=int, help="processes; default: one for each core")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster: tcp://HOST:8786")
    parser.add_argument("--out", metavar="FILE", help=".csv or .parquet; default: LEVEL.sweep.csv")
    parser.add_argument("--plot", metavar="FILE.png", help="a map of the outcomes")
    parser.add_argument("--shown", default="outcome", help="the column that the map shows")
    parser.add_argument("--fresh", action="store_true", help="forget what the journal has")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(arguments: argparse.Namespace) -> int:
    from levels.sweep.study import journal_path
    from levels.sweep.table import check_ending

    with _explained():
        study = _study(arguments)
        out = writable(arguments.out or f"{study.level.name}.sweep.csv")
        plot = writable(arguments.plot) if arguments.plot else None
        check_ending(out)
        journal = journal_path(out)
        if not arguments.scheduler:
            prepare_level(study.level)  # once, on all cores, rather than in every process
        table, resumed = _run(study, journal, arguments)
        written = [table.write(out)]
        if plot:
            from sandbox.sweep_map import save_map

            written.append(save_map(table, plot, arguments.shown))
    _report(study, table, resumed, written, as_json=arguments.json)
    return ExitCode.PASSED


def _study(arguments: argparse.Namespace) -> "Study":
    from levels import load
    from levels.sweep import Study, parse_axis

    axes = [parse_axis(*_pair("--set", entry)) for entry in arguments.axes]
    return Study(
        load(arguments.level),
        axes,
        sample=arguments.sample,
        seed=arguments.seed,
        seconds=arguments.seconds,
        measures=dict(_pair("--measure", entry) for entry in arguments.measures),
    )


def _run(study: "Study", path: Path, arguments: argparse.Namespace) -> tuple["Table", int]:
    from levels.sweep.journal import Journal

    runs = len(study.points)
    with (
        _client(arguments.scheduler) as client,
        Journal(path, study.plan(), fresh=arguments.fresh) as journal,
        Progress(study.level.name) as progress,
    ):
        rows = dict(journal.rows)
        resumed = len(rows)
        try:
            for done in study.run(rows, jobs=arguments.jobs, client=client, note=journal.note):
                progress(done / runs, f"{done} of {runs} runs")
        except KeyboardInterrupt:
            kept = f"{len(rows)} of {runs} runs are in {path}; the same command goes on"
            raise Interrupted(kept) from None
    return study.table(rows), resumed


@contextmanager
def _client(address: str | None) -> Iterator[Any]:
    """A client of the cluster, or None."""
    if address is None:
        yield None
        return
    from levels.sweep.dask_cluster import connected

    try:
        client = connected(address)
    except (OSError, ValueError) as problem:
        raise MachineProblem(f"no Dask scheduler at {address}: {problem}") from None
    try:
        yield client
    finally:
        client.close()


@contextmanager
def _explained() -> Iterator[None]:
    """What was asked wrongly, and what is not installed."""
    try:
        yield
    except ValueError as problem:
        raise UsageProblem(str(problem)) from None
    except ImportError as problem:
        raise MachineProblem(str(problem)) from None


def _pair(option: str, entry: str) -> tuple[str, str]:
    name, equals, text = entry.partition("=")
    if not equals or not name.strip():
        raise UsageProblem(f"{option} {entry}: write NAME=…")
    return name.strip(), text.strip()


def _report(
    study: "Study", table: "Table", resumed: int, written: list[Path], *, as_json: bool
) -> None:
    outcomes = dict(sorted(Counter(table.column("outcome")).items()))
    spent = sum(table.column("wall_seconds"))
    if as_json:
        summary = {
            "format": 1,
            "level": study.level.name,
            "runs": len(table),
            "resumed": resumed,
            "outcomes": outcomes,
            "digest": table.digest(),
            "wall_seconds": round(spent, 6),
            "written": list(map(str, written)),
        }
        print(json.dumps(summary, allow_nan=False))
        return
    before = f", {resumed} of them before" if resumed else ""
    counted = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
    tell(f"{study.level.name}: {len(table)} runs{before}: {counted}")
    tell(f"  {spent:.1f} s of simulation; table {table.digest()[:16]}")
    for path in written:
        tell(f"  {path}")
