"""The same runs on a Dask cluster: `sweep(…, client=Client("tcp://scheduler:8786"))`.

Workers need Taut installed, not the level: its files travel with the task and are read from a
folder of the worker, where their digest is checked. A worker that is lost is Dask's business: its
runs go to others. What is finished is noted here, by whoever asked.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from levels.level import Level
from levels.library import LIBRARY
from levels.sweep.axes import Point
from levels.sweep.one_run import Row, Task, crashed, row_of

_AHEAD = 4  # runs that wait at the cluster for every one that is being run
_TRIES = 3  # of a run that took its worker with it


@dataclass(frozen=True)
class Parcel:
    """A task and the files of its level, to be unpacked elsewhere."""

    task: Task
    name: str  # of the level's own file
    files: tuple[tuple[str, bytes], ...]  # path within the level's folder, content


def packed(task: Task, level: Level) -> Parcel:
    """Files of the shipped library stay at home: every Taut has them."""
    folder = level.path.resolve().parent
    files = []
    for source in level.document.sources:
        path = source.path.resolve()
        if path == level.path.resolve() or not path.is_relative_to(LIBRARY):
            files.append((path.relative_to(folder).as_posix(), path.read_bytes()))
    return Parcel(task, level.path.name, tuple(sorted(files)))


def unpacked(parcel: Parcel) -> Task:
    """The task on this machine; the same parcel is unpacked once."""
    key = hashlib.sha256(repr(parcel).encode()).hexdigest()[:24]
    folder = Path(tempfile.gettempdir()) / f"taut-sweep-{_user()}-{key}"
    if not folder.is_dir():
        aside = Path(tempfile.mkdtemp(prefix=".taut-sweep-"))
        for name, content in parcel.files:
            path = aside / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        try:
            aside.rename(folder)
        except OSError:  # another process of this machine was first
            if not folder.is_dir():
                raise
    return replace(parcel.task, level=str(folder / parcel.name))


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "0"


def remote_row(parcel: Parcel, point: Point) -> Row:
    """What a Dask worker runs."""
    os.environ.setdefault("TAUT_THREADS", "1")
    return row_of(unpacked(parcel), point)


def _same(parcel: Parcel) -> Parcel:
    return parcel


def connected(address: str) -> Any:
    """A client of the scheduler at that address; OSError if nobody answers."""
    return _distributed().Client(address, timeout="20s", set_as_default=False)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise ImportError(
            "sweeps on a cluster need Dask: pip install 'taut[dask]'", name="distributed"
        ) from None
    return distributed


class ClusterWorkers:
    """Points go to a Dask client, rows come back."""

    def __init__(self, task: Task, level: Level, client: Any) -> None:
        self._client, self._parcel = client, packed(task, level)
        self._running: dict[Any, int] = {}

    def rows(self, points: Mapping[int, Point]) -> Iterator[tuple[int, Row]]:
        """Numbers and rows as they are finished."""
        distributed = _distributed()
        # a result is made anew when its worker is lost; what is scattered would be gone
        parcel = self._client.submit(_same, self._parcel, pure=False)
        waiting = list(points.items())[::-1]
        finished = distributed.as_completed(loop=self._client.loop)
        while waiting or self._running:
            while waiting and len(self._running) < self._wanted():
                number, point = waiting.pop()
                finished.add(self._submit(parcel, number, point))
            future = next(finished)
            number = self._running.pop(future.key)
            if future.status == "cancelled":
                waiting.append((number, points[number]))
                continue
            yield number, self._row(distributed, future)

    def _submit(self, parcel: Any, number: int, point: Point) -> Any:
        future = self._client.submit(remote_row, parcel, point, pure=False, retries=_TRIES)
        self._running[future.key] = number
        return future

    def _wanted(self) -> int:
        """As many as keep everybody busy; a cluster may grow and shrink meanwhile."""
        threads = sum(self._client.nthreads().values())
        return max(_AHEAD, _AHEAD * threads)

    def _row(self, distributed: Any, future: Any) -> Row:
        """A run whose workers were lost again and again is a row, too."""
        try:
            row: Row = future.result()
        except distributed.KilledWorker:
            return crashed(_TRIES)
        return row

    def __enter__(self) -> "ClusterWorkers":
        return self

    def __exit__(self, *_: object) -> None:
        if self._running:
            self._client.cancel(list(self._running), force=True)
