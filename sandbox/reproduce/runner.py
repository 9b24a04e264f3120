"""Items on processes. A result is a file named by what it was computed from, written whole.

The name is a digest of the engine, the item's own code and what it uses, so that a run that was
killed goes on where it was, and a change of the engine computes everything anew.
"""

import hashlib
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from levels.files import write_atomically
from levels.sweep.local_workers import as_they_come, usual_jobs
from levels.sweep.study import engine_digest
from sandbox.reproduce.item import NONE, Item, Result

PROGRAM = ["-P", "-m", "sandbox.reproduce.item_process"]
_ROOT = Path(__file__).resolve().parents[2]
_HERE = Path(__file__).parent
_WRITES_ONLY = {"charts.py", "report.py", "runner.py", "headlines.py", "results_page.py"}
PACKAGES = ("numpy", "scipy", "numba", "mujoco", "rapier3d", "pybullet", "pymunk", "Box2D")
PATIENCE = 20.0  # a busy machine may take that many times as long as a quiet one
PROCESSOR = ("OPENBLAS_CORETYPE", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


@dataclass
class Finished:
    """An item with its result, and what it took."""

    item: Item
    result: Result
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    kept: bool = False  # it was there already
    failed: bool = False


def versions() -> dict[str, str]:
    """Of what the numbers depend on; "absent" for an engine that is not installed."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found


class Keep:
    """Results on the disk, by content."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._engine = engine_digest()
        self._paths: dict[tuple[str, bool, tuple[str, ...]], Path] = {}
        self._shared = [p for p in sorted(_HERE.glob("*.py")) if p.name not in _WRITES_ONLY]

    def path(self, item: Item, quick: bool) -> Path:
        """As its sources were when first asked for: they may be edited while it runs."""
        processor = tuple(os.environ.get(name, "") for name in PROCESSOR)
        key = (item.name, quick, processor)
        if key not in self._paths:
            self._paths[key] = self._named(item, quick)
        return self._paths[key]

    def _named(self, item: Item, quick: bool) -> Path:
        digest = hashlib.sha256(self._engine.encode())
        paths = [*self._shared, _HERE / "items" / f"{item.module.rpartition('.')[2]}.py"]
        if item.with_peers:
            paths += sorted((_HERE.parent / "engines").glob("*.py"))
            digest.update(json.dumps(versions()).encode())
        for path in paths:
            digest.update(path.read_bytes())
        for name in PROCESSOR:
            digest.update(os.environ.get(name, "").encode())
        ending = "quick" if quick else "full"
        return self.folder / f"{item.name}.{ending}.{digest.hexdigest()[:16]}.json"

    def get(self, item: Item, quick: bool) -> dict[str, Any] | None:
        try:
            found = json.loads(self.path(item, quick).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) and "rows" in found else None

    def put(self, item: Item, quick: bool, answer: dict[str, Any]) -> None:
        if not answer["failed"]:
            write_atomically(self.path(item, quick), json.dumps(answer))


def _finished(item: Item, answer: dict[str, Any], kept: bool) -> Finished:
    return Finished(
        item, Result.from_json(answer), answer["seconds"], answer["cpu_seconds"], kept,
        answer["failed"],
    )  # fmt: skip


class _Worker:
    """One process, started anew after an item that took too long or ended it."""

    def __init__(self, quick: bool) -> None:
        self._quick = quick
        self._process = self._started()

    def _started(self) -> "subprocess.Popen[bytes]":
        paths = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "TAUT_THREADS": "1",  # the other cores have items of their own
            "OPENBLAS_NUM_THREADS": "1",
        }
        return subprocess.Popen(
            [sys.executable, *PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if os.environ.get("TAUT_DEBUG") else subprocess.DEVNULL,
            env=environment,
        )

    def compute(self, item: Item) -> dict[str, Any]:
        began = time.monotonic()
        try:
            answer = self._ask(item)
        except (OSError, ValueError):
            answer = None
        if answer is not None:
            return answer
        spent = time.monotonic() - began
        self.close()
        self._process = self._started()
        told = "it took longer than" if spent >= item.limit else "its process ended after"
        result = Result()
        result.add("could not be computed", "", f"{told} {spent:.0f} s", NONE)
        return {**result.as_json(), "failed": True, "seconds": spent, "cpu_seconds": spent}

    def _ask(self, item: Item) -> dict[str, Any] | None:
        source, target = self._process.stdout, self._process.stdin
        assert source is not None
        assert target is not None
        target.write(json.dumps({"item": item.name, "quick": self._quick}).encode() + b"\n")
        target.flush()
        if not self._readable(source, item.limit):
            return None
        line = source.readline()
        return json.loads(line) if line.endswith(b"\n") else None

    def _readable(self, source: Any, limit: float) -> bool:
        """Whether something comes before the process has worked for that long, or done nothing
        for PATIENCE times as long; where pipes cannot be watched, wait for it."""
        if sys.platform == "win32":
            return True
        began, spent = time.monotonic(), _processor_seconds(self._process.pid)
        while not select.select([source], [], [], min(1.0, limit))[0]:
            passed = time.monotonic() - began
            now = _processor_seconds(self._process.pid)
            used = passed if spent is None or now is None else now - spent
            if used >= limit or passed >= PATIENCE * limit:
                return False
        return True

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


def _processor_seconds(pid: int) -> float | None:
    """That a process has used so far; None where the system does not tell."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        fields = text.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return None


@dataclass
class Run:
    """Items to be computed: those that are kept first, then all others, at last those that compare
    times, one by one while nothing else runs."""

    items: list[Item]
    quick: bool
    keep: Keep
    jobs: int | None = None
    _workers: list[_Worker] = field(default_factory=list)

    def all(self, note: Callable[[Finished, int], None]) -> list[Finished]:
        """Every item in its order; `note` hears of each as it comes, with how many there are."""
        done: dict[str, Finished] = {}
        left = []
        for item in self.items:
            answer = self.keep.get(item, self.quick)
            if answer is None:
                left.append(item)
            else:
                done[item.name] = _finished(item, answer, True)
                note(done[item.name], len(done))
        together = self._computed([item for item in left if not item.alone], self.jobs)
        alone = self._computed([item for item in left if item.alone], 1)
        for finished in chain(together, alone):
            done[finished.item.name] = finished
            note(finished, len(done))
        return [done[item.name] for item in self.items]

    def _computed(self, left: list[Item], jobs: int | None) -> Iterable[Finished]:
        waiting: SimpleQueue[Item] = SimpleQueue()
        for item in sorted(left, key=lambda one: -one.limit):  # the long ones first
            waiting.put(item)
        answers: SimpleQueue[Finished | BaseException | None] = SimpleQueue()
        threads = min(jobs or usual_jobs(), len(left))
        for _ in range(threads):
            serve = threading.Thread(target=self._serve, args=(waiting, answers), daemon=True)
            serve.start()
        try:
            yield from as_they_come(answers, threads)
        finally:
            for worker in list(self._workers):
                worker.close()

    def _serve(
        self,
        waiting: SimpleQueue[Item],
        answers: SimpleQueue[Finished | BaseException | None],
    ) -> None:
        try:
            worker = _Worker(self.quick)
            self._workers.append(worker)
            while True:
                try:
                    item = waiting.get_nowait()
                except Empty:
                    break
                answer = worker.compute(item)
                self.keep.put(item, self.quick, answer)
                answers.put(_finished(item, answer, False))
            answers.put(None)
        except BaseException as problem:
            answers.put(problem)
