"""A level run without a window: `sandbox run`, `sandbox test`, the pytest plugin, scripts."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from numba.core import event

from levels.exit_codes import ExitCode
from levels.plain_data import Given, GivenValues, JsonTable
from levels.referee import Outcome
from levels.runtime import Session


@dataclass
class Result:
    """What a run came to; `as_json` is the documented, stable form."""

    level: str
    digest: str
    parameters: dict[str, float]
    settings: GivenValues
    steps: int = 0
    seconds: float = 0.0
    wall_seconds: float = 0.0  # without the preparation
    prepare_seconds: float = 0.0  # compiling and loading kernels
    status: str = "playing"
    stars: int = 0
    outcomes: list[Outcome] = field(default_factory=list)
    energy_start: float = 0.0
    energy_end: float = 0.0
    energy_gain: float = 0.0
    worst_constraint_error: float = 0.0
    guard: dict[str, int] = field(default_factory=dict)
    diverged_at: float | None = None
    interrupted_at: float | None = None  # s, by Ctrl-C
    allow_frozen: bool = False
    hash: str = ""

    @property
    def frozen_steps(self) -> int:
        """Steps in which the guard held still what it could not solve."""
        return self.guard.get("frozen", 0)

    @property
    def exit_code(self) -> ExitCode:
        if self.interrupted_at is not None:
            return ExitCode.INTERRUPTED
        if self.diverged_at is not None:
            return ExitCode.DIVERGED
        if any(o.state == "failed" for o in self.outcomes):
            return ExitCode.FAILED
        frozen = self.frozen_steps and not self.allow_frozen
        return ExitCode.FROZEN if frozen else ExitCode.PASSED

    def as_json(self) -> JsonTable:
        return {
            "format": 1,
            "level": self.level,
            "level_digest": self.digest,
            "parameters": self.parameters,
            "settings": self.settings,
            "steps": self.steps,
            "seconds": self.seconds,
            "wall_seconds": round(self.wall_seconds, 6),
            "prepare_seconds": round(self.prepare_seconds, 6),
            "status": self.status,
            "stars": self.stars,
            "expectations": [_expectation(outcome) for outcome in self.outcomes],
            "energy": {
                "start": _or_null(self.energy_start),
                "end": _or_null(self.energy_end),
                "gain": _or_null(self.energy_gain),
            },
            "worst_constraint_error": _or_null(self.worst_constraint_error),
            "guard": self.guard,
            "frozen_steps": self.frozen_steps,
            "diverged_at": self.diverged_at,
            "interrupted_at": self.interrupted_at,
            "hash": self.hash,
            "exit_code": int(self.exit_code),
        }


def _or_null(number: float) -> float | None:
    """JSON has no word for what a world holds that came apart."""
    return number if math.isfinite(number) else None


def frozen_sentence(steps: int) -> str:
    """What a run has to say of itself when its motion is not all physics."""
    return f"the guard held something still in {steps} step{'s' * (steps != 1)}"


def _expectation(outcome: Outcome) -> JsonTable:
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
    stop: Callable[[], bool] | None = None,
) -> Result:
    """Step until the time is up or the state is no longer finite.

    `progress(share)` and `observe(session)` are called after every step; when `stop()` is
    true after a step the run ends there, and the result says when.
    """
    world = session.world
    settings: dict[str, Given] = {
        "rate": world.rate,
        "stabilization": world.stabilization,
        "solver": world.solver,
    }
    result = Result(session.level.name, session.level.digest, dict(session.values), settings)
    began = time.perf_counter()
    with _preparation() as prepared:
        result.energy_start = float(world.energy().total)
        for _ in _steps(session, seconds, result):
            if observe:
                observe(session)
            if progress:
                progress(min(1.0, session.time / seconds))
            if stop and stop():
                result.interrupted_at = session.time
                break
    result.prepare_seconds = sum(prepared)
    result.wall_seconds = time.perf_counter() - began - result.prepare_seconds
    return _finished(result, session)


@contextmanager
def _preparation() -> Iterator[list[float]]:
    """Seconds that Numba spends meanwhile on making kernels or reading them from its cache."""
    spent: list[float] = []
    with event.install_timer("numba:compiler_lock", spent.append):
        yield spent


def _steps(session: Session, seconds: float, result: Result) -> Iterator[None]:
    while session.time < seconds - 0.5 * session.world.h and result.diverged_at is None:
        session.step()
        result.steps += 1
        _note(result, session)
        yield


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
