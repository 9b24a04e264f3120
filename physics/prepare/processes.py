"""The processes that compile, and how far they are.

A worker is `python -m physics.prepare --worker`: it reads the name of a task from its standard
input and answers with a line when it is done. It ends when its input does, so none is left behind
when the program that asked dies.
"""

import contextlib
import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from physics.jit.hasten import hasten
from physics.prepare.tasks import TASKS, do, is_ready

_NEARLY = 0.95  # a task that takes longer than its weight stands at this share of it


class Preparation:
    """Fills the kernel cache in the background; ask `poll` now and then, it never blocks."""

    def __init__(self, names: Iterable[str], workers: int | None = None, nice: int = 0) -> None:
        wanted = list(dict.fromkeys(names))
        self.names = wanted
        self.failed: str | None = None  # what went wrong, for people
        self._waiting = sorted(
            (name for name in wanted if not is_ready(name)), key=lambda name: TASKS[name].weight
        )
        self._total = sum(TASKS[name].weight for name in self._waiting)
        self._finished = 0.0  # weight
        self._spent = 0.0  # s that the finished tasks took
        self._shown = 0.0  # the share that was told last
        self._running: dict[int, tuple[str, float]] = {}  # worker → task and when it began
        self._idle: set[int] = set()  # workers for which no task is free yet
        self._answers: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        count = min(workers or os.cpu_count() or 1, len(self._waiting))
        self._workers = [_start_worker(nice) for _ in range(count)]
        for number, worker in enumerate(self._workers):
            Thread(target=self._listen, args=(number, worker), daemon=True).start()
            self._hand_out(number)

    def _listen(self, number: int, worker: "subprocess.Popen[str]") -> None:
        assert worker.stdout is not None
        for line in worker.stdout:
            self._answers.put((number, json.loads(line)))
        self._answers.put((number, None))

    def _next(self) -> str | None:
        """The longest task that waits for none of those which are still to be done."""
        open_tasks = {*self._waiting, *(name for name, _ in self._running.values())}
        free = [name for name in self._waiting if open_tasks.isdisjoint(TASKS[name].after)]
        return free[-1] if free else None

    def _hand_out(self, number: int) -> None:
        """Gives the worker a task, leaves it idle until one is free, or lets it end."""
        worker = self._workers[number]
        assert worker.stdin is not None
        name = self._next()
        with contextlib.suppress(OSError):  # it died: `_listen` says so
            if self.failed is not None or not self._waiting:
                worker.stdin.close()
            elif name is not None:
                self._waiting.remove(name)
                self._running[number] = (name, time.monotonic())
                worker.stdin.write(name + "\n")
                worker.stdin.flush()
            else:
                self._idle.add(number)

    def _hand_out_again(self, number: int) -> None:
        """To the worker that has finished, and to those that waited for it."""
        idle, self._idle = sorted(self._idle), set()
        for one in (number, *idle):
            self._hand_out(one)

    def poll(self) -> None:
        """Takes note of what was finished, and hands out what is next."""
        while True:
            try:
                number, answer = self._answers.get_nowait()
            except Empty:
                return
            name, began = self._running.pop(number, ("", 0.0))
            if answer is not None and answer["error"] is None:
                self._finished += TASKS[name].weight
                self._spent += time.monotonic() - began
                self._hand_out_again(number)
            elif name:  # an error, or the process ended in the middle
                reason = answer["error"] if answer else "the compiling process ended"
                self.failed = f"{TASKS[name].title}: {reason}"
                self._hand_out_again(number)

    @property
    def done(self) -> bool:
        self.poll()
        return not self._running and (not self._waiting or self.failed is not None)

    @property
    def current(self) -> list[str]:
        """Titles of what is being compiled."""
        return [TASKS[name].title for name, _ in self._running.values()]

    @property
    def _pace(self) -> float:
        """Seconds of this machine for a second of weight: as the finished tasks say, and no less
        than those which already take longer."""
        now, pace = time.monotonic(), self._spent / self._finished if self._finished else 1.0
        late = [(now - began) / TASKS[name].weight for name, began in self._running.values()]
        return max([pace, *late])

    @property
    def share(self) -> float:
        """How much of the work is done, 0 … 1; it never falls."""
        if self._total == 0.0:
            return 1.0
        now, done, pace = time.monotonic(), self._finished, self._pace
        for name, began in self._running.values():
            weight = TASKS[name].weight
            done += min((now - began) / pace, _NEARLY * weight)
        self._shown = max(self._shown, min(done / self._total, 1.0))
        return self._shown

    @property
    def seconds_left(self) -> float:
        """An estimate, from how fast this machine was so far."""
        left = (1.0 - self.share) * self._total * self._pace
        return left / max(len(self._workers), 1)

    def close(self) -> None:
        """Ends the processes, whatever they are doing; what they finished is kept."""
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            worker.wait()
            for pipe in (worker.stdin, worker.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()


def _start_worker(nice: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "physics.prepare", "--worker", "--nice", str(nice)]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )


def serve() -> None:
    """What a worker does: tasks from the standard input, one answer each."""
    gc.disable()  # compiling makes millions of objects that stay; looking at them takes a sixth
    hasten()
    for line in sys.stdin:
        try:
            do(line.strip())
            error = None
        except Exception as problem:
            error = f"{type(problem).__name__}: {problem}"
        print(json.dumps({"error": error}), flush=True)
