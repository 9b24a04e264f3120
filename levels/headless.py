"""A level run without a window: `sandbox run`, `sandbox test`, the pytest plugin, scripts."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from levels.progress import Outcome
from levels.runtime import Session

PASSED, FAILED, BAD_LEVEL, DIVERGED, ENVIRONMENT = range(5)  # exit codes
_PROGRESS_EVERY = 0.05  # s of wall time between two progress reports


@dataclass
class Result:
    """What a run came to; `as_json` is the documented, stable form."""

    level: str
    digest: str
    parameters: dict[str, float]
    settings: dict[str, Any]
    steps: int = 0
    seconds: float = 0.0
    wall_seconds: float = 0.0
    status: str = "playing"
    stars: int = 0
    outcomes: list[Outcome] = field(default_factory=list)
    energy_start: float = 0.0
    energy_end: float = 0.0
    energy_gain: float = 0.0
    worst_constraint_error: float = 0.0
    guard: dict[str, int] = field(default_factory=dict)
    diverged_at: float | None = None
    hash: str = ""

    @property
    def exit_code(self) -> int:
        if self.diverged_at is not None:
            return DIVERGED
        return FAILED if any(o.state == "failed" for o in self.outcomes) else PASSED

    def as_json(self) -> dict[str, Any]:
        return {
            "format": 1,
            "level": self.level,
            "level_digest": self.digest,
            "parameters": self.parameters,
            "settings": self.settings,
            "steps": self.steps,
            "seconds": self.seconds,
            "wall_seconds": round(self.wall_seconds, 6),
            "status": self.status,
            "stars": self.stars,
            "expectations": [_expectation(outcome) for outcome in self.outcomes],
            "energy": {
                "start": self.energy_start,
                "end": self.energy_end,
                "gain": self.energy_gain,
            },
            "worst_constraint_error": self.worst_constraint_error,
            "guard": self.guard,
            "diverged_at": self.diverged_at,
            "hash": self.hash,
            "exit_code": self.exit_code,
        }


def _expectation(outcome: Outcome) -> dict[str, Any]:
    return {
        "name": outcome.name,
        "state": outcome.state,
        "at": outcome.when,
        "values": outcome.values,
        "line": outcome.expected.place.span().line,
    }


def run(
    session: Session,
    seconds: float,
    *,
    progress: Callable[[float], None] | None = None,
    observe: Callable[[Session], None] | None = None,
) -> Result:
    """Step until the time is up or the state is no longer finite.

    `progress(share)` is called now and then, `observe(session)` after every step.
    """
    world = session.world
    settings = {"rate": world.rate, "stabilization": world.stabilization, "solver": world.solver}
    result = Result(session.level.name, session.level.digest, dict(session.values), settings)
    result.energy_start = float(world.energy().total)
    began = last = time.perf_counter()
    while session.time < seconds - 0.5 * session.world.h:
        session.step()
        result.steps += 1
        _note(result, session)
        if observe:
            observe(session)
        if result.diverged_at is not None:
            break
        now = time.perf_counter()
        if progress and now - last > _PROGRESS_EVERY:
            progress(min(1.0, session.time / seconds))
            last = now
    result.wall_seconds = time.perf_counter() - began
    if progress:
        progress(1.0)
    return _finished(result, session)


def _note(result: Result, session: Session) -> None:
    world = session.world
    error = float(world.constraint_error())
    result.worst_constraint_error = max(result.worst_constraint_error, error)
    if not session.is_finite():
        result.diverged_at = session.time


def _finished(result: Result, session: Session) -> Result:
    result.seconds = session.time
    result.status, result.stars = session.status, session.stars
    result.outcomes = list(session.close())
    result.energy_end = float(session.world.energy().total)
    result.energy_gain = session.energy_gain()
    result.guard = {kind: int(n) for kind, n in session.world.stats.guard.items() if n}
    result.hash = session.world.hash()
    return result
