"""Runs on the cores of this machine: a thread for each process, which hands it points.

Processes are programs of their own, started anew: nothing of the caller is imported by them, so a
script needs no `if __name__ == "__main__"`. One that ends (out of memory, killed) is started again
and its run repeated, a few times.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeVar

from levels.sweep.axes import Point
from levels.sweep.one_run import Row, Task, crashed

TRIES = 3  # of a run whose process ended
PROGRAM = ["-P", "-m", "levels.sweep.worker"]
_ROOT = Path(__file__).resolve().parents[2]  # where `levels` is found

Answer = tuple[int, Row] | BaseException | None  # None: this thread is done
T = TypeVar("T")


def usual_jobs() -> int:
    """As many as this process may use cores."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def as_they_come(answers: "SimpleQueue[T | BaseException | None]", threads: int) -> Iterator[T]:
    """What so many threads answer, until each has said None; their errors are raised."""
    while threads:
        answer = answers.get()
        if isinstance(answer, BaseException):
            raise answer
        if answer is None:
            threads -= 1
        else:
            yield answer


class _Worker:
    """One process."""

    def __init__(self, task: Task) -> None:
        paths = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "TAUT_THREADS": "1",  # the cores are taken by other runs
        }
        self.process = subprocess.Popen(
            [sys.executable, *PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self._say(task.as_json())

    def run(self, point: Point) -> Row | None:
        """The row, or None if the process ended before it had one."""
        try:
            self._say(point)
            assert self.process.stdout is not None
            line = self.process.stdout.readline()
        except OSError:
            return None
        if not line.endswith(b"\n"):
            return None
        row: Row = json.loads(line)
        return row

    def _say(self, what: Mapping[str, object]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what).encode() + b"\n")
        self.process.stdin.flush()

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


class LocalWorkers:
    """Processes for the points of a sweep; leaving the block ends them."""

    def __init__(self, task: Task, jobs: int | None = None) -> None:
        if jobs is not None and jobs < 1:
            raise ValueError(f"{jobs} jobs: at least 1")
        self._task, self.jobs = task, jobs or usual_jobs()
        self._workers: list[_Worker] = []
        self._answers: SimpleQueue[Answer] = SimpleQueue()
        self._closed = threading.Event()

    def rows(self, points: Mapping[int, Point]) -> Iterator[tuple[int, Row]]:
        """Numbers and rows as they are finished."""
        waiting: SimpleQueue[tuple[int, Point]] = SimpleQueue()
        for entry in points.items():
            waiting.put(entry)
        threads = min(self.jobs, len(points))
        for _ in range(threads):
            threading.Thread(target=self._serve, args=(waiting,), daemon=True).start()
        yield from as_they_come(self._answers, threads)

    def processes(self) -> list["subprocess.Popen[bytes]"]:
        """Those that run at the moment."""
        return [worker.process for worker in self._workers]

    def _serve(self, waiting: SimpleQueue[tuple[int, Point]]) -> None:
        try:
            worker = self._start()
            while not self._closed.is_set():
                try:
                    number, point = waiting.get_nowait()
                except Empty:
                    break
                row, worker = self._insist(worker, point)
                self._answers.put((number, row))
            self._answers.put(None)
        except BaseException as problem:
            self._answers.put(problem)

    def _insist(self, worker: _Worker, point: Point) -> tuple[Row, _Worker]:
        for _ in range(TRIES):
            row = worker.run(point)
            if row is not None:
                return row, worker
            worker.close()
            self._workers.remove(worker)
            worker = self._start()
        return crashed(TRIES), worker

    def _start(self) -> _Worker:
        worker = _Worker(self._task)
        self._workers.append(worker)
        return worker

    def __enter__(self) -> "LocalWorkers":
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        for worker in list(self._workers):
            worker.close()
