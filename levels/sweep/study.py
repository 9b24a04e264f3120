"""`sweep`: a level, what is varied, and somebody who runs it."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import levels
import physics
from levels.level import Level, load
from levels.plain_data import JsonTable
from levels.sensors import sensors
from levels.sweep.axes import Axis, Point, axes_from, grid, latin_hypercube
from levels.sweep.dask_cluster import ClusterWorkers
from levels.sweep.journal import Journal
from levels.sweep.local_workers import LocalWorkers
from levels.sweep.one_run import Row, Task
from levels.sweep.table import Table, check_ending

Asked = Mapping[str, Any] | Sequence[Axis]  # by name, or axes as they are


class Study:
    """A sweep that is planned and checked, but not run: points, task, and their identity."""

    def __init__(
        self,
        level: Level | str | os.PathLike[str],
        varied: Asked,
        *,
        sample: int | None = None,
        seed: int = 0,
        seconds: float | None = None,
        measures: Mapping[str, str] | None = None,
    ) -> None:
        self.level = level if isinstance(level, Level) else load(level)
        self.axes = axes_from(varied)
        _check_values(self.level, self.axes)
        if seconds is not None and not 0 < seconds <= 36_000:
            raise ValueError(f"seconds={seconds:g}: must be above 0 and at most 36000")
        named = dict(measures or {})
        sensors(self.level, named)
        count = sample
        points = grid(self.axes) if count is None else latin_hypercube(self.axes, count, seed)
        self.points = [_whole(self.level, point) for point in points]
        path = str(self.level.path.resolve())
        self.task = Task(path, self.level.digest, seconds, tuple(named.items()))

    def plan(self) -> JsonTable:
        """What must be the same for a journal to be gone on with."""
        points = hashlib.sha256(repr(self.points).encode()).hexdigest()
        return {
            "level": self.level.name,
            "level_digest": self.task.digest,
            "axes": [one.name for one in self.axes],
            "runs": len(self.points),
            "points": points,
            "seconds": self.task.seconds,
            "measures": [list(entry) for entry in self.task.measures],
            "engine": engine_digest(),
        }

    def workers(self, jobs: int | None, client: Any) -> LocalWorkers | ClusterWorkers:
        if client is not None:
            return ClusterWorkers(self.task, self.level, client)
        return LocalWorkers(self.task, jobs)

    def run(
        self,
        rows: dict[int, Row],
        *,
        jobs: int | None = None,
        client: Any = None,
        note: Callable[[int, Row], None] | None = None,
    ) -> Iterator[int]:
        """Every run that is not in `rows` yet; yields how many are there after each."""
        left = {i: point for i, point in enumerate(self.points) if i not in rows}
        if not left:
            return
        with self.workers(jobs, client) as workers:
            for number, row in workers.rows(left):
                if note:
                    note(number, row)
                rows[number] = row
                yield len(rows)

    def table(self, rows: Mapping[int, Row]) -> Table:
        return Table(self.points, rows)


def sweep(
    level: Level | str | os.PathLike[str],
    grid: Asked,
    client: Any = None,
    *,
    sample: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
    measures: Mapping[str, str] | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    fresh: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Table:
    """Run the level at every point of the grid, or at `sample` points drawn from it.

    `grid` maps names of parameters or settings to lists of values, or to text as on the command
    line ("1e2:1e6:log9"). `client` is a Dask client; without one, `jobs` processes of this machine
    do it. `measures` are expressions noted at the end of each run: {"height": "y('truck')"}.
    With `out` (.csv or .parquet) a journal beside it makes the sweep go on after a kill.
    `progress(done, runs)` is called after every run.
    """
    study = Study(level, grid, sample=sample, seed=seed, seconds=seconds, measures=measures)
    runs = len(study.points)
    if out is None:
        rows: dict[int, Row] = {}
        for done in study.run(rows, jobs=jobs, client=client):
            if progress:
                progress(done, runs)
        return study.table(rows)
    path = Path(out)
    check_ending(path)
    with Journal(journal_path(path), study.plan(), fresh=fresh) as journal:
        kept = dict(journal.rows)
        for done in study.run(kept, jobs=jobs, client=client, note=journal.note):
            if progress:
                progress(done, runs)
    table = study.table(kept)
    table.write(path)
    return table


def journal_path(out: Path) -> Path:
    """map.csv has the journal map.journal beside it."""
    return out.with_suffix(".journal")


def engine_digest() -> str:
    """Of everything that a run is computed by; a journal of another engine is another sweep's."""
    digest = hashlib.sha256()
    for package in (physics, levels):
        folder = Path(package.__file__ or "").parent
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _whole(level: Level, point: Point) -> Point:
    """Values between two of a range, rounded where the level takes only whole numbers."""
    counted = {name for name, parameter in level.parameters.items() if parameter.whole}
    return {
        name: float(round(value)) if name in counted and isinstance(value, float) else value
        for name, value in point.items()
    }


def _check_values(level: Level, axes: Sequence[Axis]) -> None:
    """A name the level does not have, or an end of an axis that it refuses, is told at once."""
    if not axes:
        raise ValueError("nothing is varied; give at least one parameter")
    for one in axes:
        parameter = level.parameters.get(one.name)
        for value in one.ends() if parameter else one.values[:1] or (one.low,):
            if parameter is None:
                level.variant(**{one.name: value})
            elif isinstance(value, str):
                raise ValueError(f'{one.name}: "{value}" is not a number')
            elif reason := parameter.refuses(float(value)):
                raise ValueError(f"{one.name}: {reason}")
