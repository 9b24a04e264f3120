"""The journal of a sweep: one line for the plan, then one for every finished run.

A line is on the disk before the next run of that worker begins (written whole, flushed, synced), so
a sweep that is killed at any moment has lost nothing that was finished, and goes on where it was. A
line that was being written just then is cut off, one that the disk has spoilt has a wrong checksum:
their runs are done again. One sweep at a time holds the file, by a lock that the system takes back
from the dead.
"""

import json
import os
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from levels.plain_data import JsonTable
from levels.sweep.one_run import Row

FORMAT = 1
_CHECKSUM = 9  # characters before the entry: eight digits and a blank


class JournalProblem(ValueError):
    """Why a journal cannot be gone on with; the text says what to do."""


class Journal:
    """`rows` are those that were there and those noted since."""

    def __init__(self, path: Path, plan: Mapping[str, Any], *, fresh: bool = False) -> None:
        self.path = path
        self.rows: dict[int, Row] = {}
        self._file = _opened(path)
        try:
            _lock(self._file, path)
            lines = self._file.readlines()
            _check_ours(path, lines)
            self._resume(dict(plan), [] if fresh else lines)
        except BaseException:
            self._file.close()
            raise

    def _resume(self, plan: JsonTable, lines: list[bytes]) -> None:
        """Keep the whole lines, cut off what is torn, and see that the plan is the same."""
        if lines and not lines[-1].endswith(b"\n"):
            lines.pop()
        self._file.truncate(sum(map(len, lines)))
        self._file.seek(0, os.SEEK_END)
        entries = [entry for line in lines if (entry := _decoded(line)) is not None]
        if not entries:
            self._append({"sweep": FORMAT, "plan": plan})
            return
        _check_plan(self.path, entries[0], plan)
        self.rows = {entry["run"]: entry["row"] for entry in entries[1:]}

    def note(self, number: int, row: Row) -> None:
        """A finished run; on return it is on the disk."""
        if number not in self.rows:
            self._append({"run": number, "row": row})
            self.rows[number] = row

    def _append(self, entry: JsonTable) -> None:
        self._file.write(_encoded(entry))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check_ours(path: Path, lines: list[bytes]) -> None:
    """Nobody's file is overwritten. A plan that was torn off is what it begins with."""
    if not lines:
        return
    first, begins = _decoded(lines[0]), b'{"sweep":'
    text = lines[0][_CHECKSUM:]
    torn = not lines[0].endswith(b"\n") and begins.startswith(text[: len(begins)])
    if not torn and (first is None or first.get("sweep") != FORMAT):
        raise JournalProblem(f"{path} is no journal of a sweep; choose another name for the table")


def _check_plan(path: Path, first: JsonTable, plan: JsonTable) -> None:
    there = first["plan"]
    if there == json.loads(json.dumps(plan)):
        return
    names = [key for key in plan if there.get(key) != json.loads(json.dumps(plan[key]))]
    raise JournalProblem(
        f"{path} belongs to another sweep ({', '.join(names)} differ); "
        "choose another name for the table, or begin anew with --fresh"
    )


def _encoded(entry: JsonTable) -> bytes:
    text = json.dumps(entry, allow_nan=False, ensure_ascii=True, separators=(",", ":"))
    return f"{zlib.crc32(text.encode()):08x} {text}\n".encode()


def _decoded(line: bytes) -> JsonTable | None:
    """The entry of a line; None where it is torn."""
    checksum, _, text = line.partition(b" ")
    if checksum != f"{zlib.crc32(text[:-1]):08x}".encode():
        return None
    entry = json.loads(text)
    return entry if isinstance(entry, dict) else None


def _opened(path: Path) -> BinaryIO:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    return os.fdopen(descriptor, "r+b")


def _lock(file: BinaryIO, path: Path) -> None:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1 << 30)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise JournalProblem(f"{path}: another sweep is writing to it at this moment") from None
