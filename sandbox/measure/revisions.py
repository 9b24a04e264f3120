"""This tree and another commit measured in turn, so that a busy machine is busy for both.

The other commit is checked out into a temporary folder and imported from there by a process of its
own; both processes answer one request at a time, never at the same moment.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.messages import UsageProblem
from sandbox.revision import ROOT, git

ROUNDS = 9
_WORKER = Path(__file__).with_name("step_worker.py")


@dataclass(frozen=True)
class Compared:
    """Medians of a scene before and now (ms), and their ratio with the bounds of noise."""

    scene: str
    before: float
    now: float
    ratio: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        if self.low > 1.0:
            return "slower"
        return "faster" if self.high < 1.0 else "no difference to be seen"


class _Side:
    """A process that steps scenes of one tree."""

    def __init__(self, tree: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(tree), "TAUT_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=tree,
        )

    def ask(self, **what: Any) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(what).encode() + b"\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            return float("nan")
        answer = json.loads(line)
        return float(answer["seconds"]) if "seconds" in answer else float("nan")

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """The files of a commit in a folder that is thrown away."""
    name = git("rev-parse", "--verify", "--short=10", f"{commit}^{{commit}}")
    if not name:
        raise UsageProblem(f"--compare {commit}: there is no such commit here")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        archive = subprocess.run(
            ["git", "archive", name, "physics", "levels"], cwd=ROOT, capture_output=True, check=True
        )
        subprocess.run(["tar", "-xf", "-", "-C", folder], input=archive.stdout, check=True)
        yield Path(folder)


def compare(
    scenes: Sequence[str], commit: str, seconds: float, rounds: int = ROUNDS
) -> Iterator[Compared]:
    """Every scene in turn: before, now, before, now … What one of them lacks is left out."""
    with checked_out(commit) as tree:
        sides = (_Side(tree), _Side(ROOT))
        try:
            for scene in scenes:
                found = _in_turn(sides, scene, seconds, rounds)
                if found is not None:
                    yield found
        finally:
            for side in sides:
                side.close()


def _in_turn(
    sides: tuple[_Side, _Side], scene: str, seconds: float, rounds: int
) -> Compared | None:
    for side in sides:
        if side.ask(scene=scene) != 0.0:
            return None
    times: tuple[list[float], list[float]] = ([], [])
    for k in range(rounds):
        order = (0, 1) if k % 2 == 0 else (1, 0)
        for which in order:
            times[which].append(1e3 * sides[which].ask(seconds=seconds / rounds))
    return judged(scene, *times)


def judged(scene: str, before: Sequence[float], now: Sequence[float]) -> Compared:
    """The ratio of medians; its bounds are the second lowest and second highest of pairs."""
    ratios = sorted(b / a for a, b in zip(before, now, strict=True))
    edge = min(1, (len(ratios) - 1) // 2)
    middle = statistics.median(now) / statistics.median(before)
    low, high = min(ratios[edge], middle), max(ratios[-1 - edge], middle)
    return Compared(scene, statistics.median(before), statistics.median(now), middle, low, high)
