"""A run of a sweep: what it takes, and the row it leaves.

A row is plain data (numbers, texts, None), the same whoever made it and wherever; only
`wall_seconds` tells of the machine.
"""

import functools
import math
from dataclasses import asdict, dataclass
from pathlib import Path

from levels.exit_codes import ExitCode
from levels.headless import Result, run
from levels.level import Level, load
from levels.plain_data import JsonTable
from levels.problems import LevelError
from levels.sensors import reading, sensor
from levels.sweep.axes import Point

Row = JsonTable
WALL = "wall_seconds"  # the one column that differs from machine to machine


@dataclass(frozen=True)
class Task:
    """What all runs of a sweep share. Plain data: it travels to other machines."""

    level: str  # path of the file
    digest: str  # of all files of the level
    seconds: float | None  # simulated; None: what the level says
    measures: tuple[tuple[str, str], ...] = ()  # name and expression, noted at the end

    def as_json(self) -> JsonTable:
        return asdict(self)

    @classmethod
    def from_json(cls, written: JsonTable) -> "Task":
        measures = tuple((name, text) for name, text in written["measures"])
        return cls(written["level"], written["digest"], written["seconds"], measures)


@functools.lru_cache(maxsize=4)
def level_of(path: str, digest: str) -> Level:
    """Read once in each process; the files must be those that the sweep was begun with."""
    level = load(Path(path))
    if level.digest != digest:
        raise ValueError(f"{path} is not the level that the sweep was begun with")
    return level


def row_of(task: Task, point: Point) -> Row:
    """One run; a level that refuses these values, or a mistake of ours, is a row, too."""
    try:
        return _finished(task, level_of(task.level, task.digest), point)
    except (LevelError, ValueError) as problem:
        return _failed("refused", problem, ExitCode.BAD_LEVEL)
    except Exception as problem:  # one run must not cost the other thousands
        return _failed("error", problem, ExitCode.INTERNAL)


def _finished(task: Task, level: Level, point: Point) -> Row:
    session = level.session(scripted=True, **point)
    seconds = level.seconds(session.variant) if task.seconds is None else task.seconds
    result = run(session, seconds)
    row = _summary(result)
    for name, text in task.measures:
        row[name] = _plain(reading(sensor(level, text), session))
    row[WALL] = result.wall_seconds
    return row


def _summary(result: Result) -> Row:
    row: Row = {
        "outcome": result.exit_code.name.lower(),
        "status": result.status,
        "stars": result.stars,
        "steps": result.steps,
        "seconds": result.seconds,
        "energy_start": _plain(result.energy_start),
        "energy_end": _plain(result.energy_end),
        "energy_gain": _plain(result.energy_gain),
        "worst_constraint_error": _plain(result.worst_constraint_error),
        "interventions": sum(result.guard.values()),
        "frozen_steps": result.frozen_steps,
        "diverged_at": result.diverged_at,
        "exit_code": int(result.exit_code),
        "hash": result.hash,
        "error": "",
    }
    for i, outcome in enumerate(result.outcomes):
        row[f"expect {i + 1}: {outcome.name}"] = outcome.state
    return row


def _failed(outcome: str, problem: Exception, code: ExitCode) -> Row:
    text = str(problem).strip() or type(problem).__name__
    line = text.splitlines()[0]
    if code == ExitCode.INTERNAL:
        line = f"{type(problem).__name__}: {line}"
    return {"outcome": outcome, "exit_code": int(code), "error": line, WALL: 0.0}


def crashed(times: int) -> Row:
    """The row of a run that took its process with it, again and again."""
    return {
        "outcome": "crashed",
        "exit_code": int(ExitCode.INTERNAL),
        "error": f"the process of this run ended {times} times",
        WALL: 0.0,
    }


def _plain(value: float) -> float | None:
    """Neither JSON nor anybody's table needs an infinity."""
    return value if math.isfinite(value) else None
