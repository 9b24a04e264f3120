"""Tables of a run, written while it runs: .npz, .csv or .parquet.

Each writer takes the rows of a step table by table and forgets them, so that memory does not grow
with the run. Nothing appears under its name before it is whole; see `levels.files`.
"""

import csv
import sys
import tempfile
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TextIO

import numpy as np
import numpy.typing as npt

from levels.files import Aside
from levels.plain_data import TomlTable
from sandbox.messages import MachineProblem

Floats = npt.NDArray[np.float64]
Label = str | int
Constants = dict[str, npt.NDArray[Any]]  # what an .npz file says once: names


@dataclass(frozen=True)
class Part:
    """Some columns of a table, which an .npz file holds as one array."""

    array: str
    columns: tuple[str, ...]
    whole: bool = False  # whole numbers
    flat: bool = False  # one column: the array has no last axis for it


@dataclass(frozen=True)
class Table:
    """One kind of row. `labels` are columns of text or whole numbers before the values."""

    name: str
    labels: tuple[str, ...]
    parts: tuple[Part, ...]
    rows: int | None  # in every step; None where they come and go
    numbered: tuple[str, ...] = ()  # arrays that say step and labels of rows that come and go

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(column for part in self.parts for column in part.columns)


@dataclass(frozen=True)
class Rows:
    """What a table gets in one step."""

    labels: Sequence[tuple[Label, ...]]
    values: Floats  # (rows, columns)
    numbers: Floats | None = None  # (rows, labels): what stands for the labels in an .npz file


class TableWriter(ABC):
    """Rows in, files out: `add` for every step and table, then `finish` or `drop`."""

    bytes_per_number: float  # about what a value takes on the disk while it is being written

    def __init__(self, path: Path, tables: Sequence[Table], constants: Constants) -> None:
        self.path, self.tables, self.constants = path, tables, constants

    @abstractmethod
    def add(self, table: Table, time: float, rows: Rows) -> None: ...

    @abstractmethod
    def finish(self, path: Path) -> list[Path]:
        """Everything was added: the files, under `path` and names made from it."""

    @abstractmethod
    def drop(self) -> None:
        """Nothing shall be left of it."""


def beside(path: Path, table: Table) -> Path:
    """run.csv holds the bodies, run.joints.csv the joints …"""
    return path if table.name == "bodies" else path.with_suffix(f".{table.name}{path.suffix}")


class _FileForEach(TableWriter):
    """A file for each table, written in place of its target until all are finished."""

    def __init__(self, path: Path, tables: Sequence[Table], constants: Constants) -> None:
        super().__init__(path, tables, constants)
        self._asides: dict[str, Aside] = {}
        self._files: TomlTable = {}
        try:
            for table in tables:
                aside = self._asides[table.name] = Aside(beside(path, table))
                self._files[table.name] = self._begin(table, aside.path)
        except BaseException:
            self.drop()
            raise

    @abstractmethod
    def _begin(self, table: Table, path: Path) -> Any:
        """The open file, with its columns named."""

    def _end(self, table: Table) -> None:
        self._files[table.name].close()

    def finish(self, path: Path) -> list[Path]:
        for table in self.tables:
            self._end(table)
        return [self._asides[table.name].put(beside(path, table)) for table in self.tables]

    def drop(self) -> None:
        _close_all(self._files.values())
        for aside in self._asides.values():
            aside.drop()


class CsvWriter(_FileForEach):
    """A line for each row."""

    bytes_per_number = 20.0

    def _begin(self, table: Table, path: Path) -> TextIO:
        file = path.open("w", newline="", encoding="utf-8")
        csv.writer(file).writerow(("time", *table.labels, *table.columns))
        return file

    def add(self, table: Table, time: float, rows: Rows) -> None:
        writer = csv.writer(self._files[table.name])
        for labels, values in zip(rows.labels, rows.values.tolist(), strict=True):
            writer.writerow((time, *labels, *values))


class ParquetWriter(_FileForEach):
    """Groups of rows."""

    bytes_per_number = 9.0
    _GROUP = 20_000  # rows kept until they are written

    def __init__(self, path: Path, tables: Sequence[Table], constants: Constants) -> None:
        self._arrow, self._parquet = _pyarrow()
        self._waiting: dict[str, list[tuple[Any, ...]]] = {table.name: [] for table in tables}
        super().__init__(path, tables, constants)

    def _begin(self, table: Table, path: Path) -> Any:
        return self._parquet.ParquetWriter(path, self._schema(table))

    def _schema(self, table: Table) -> Any:
        arrow = self._arrow
        labels = [(n, arrow.int64() if n == "node" else arrow.string()) for n in table.labels]
        numbers = [(name, arrow.float64()) for name in ("time", *table.columns)]
        return arrow.schema([numbers[0], *labels, *numbers[1:]])

    def add(self, table: Table, time: float, rows: Rows) -> None:
        waiting = self._waiting[table.name]
        pairs = zip(rows.labels, rows.values.tolist(), strict=True)
        waiting += [(time, *labels, *values) for labels, values in pairs]
        if len(waiting) >= self._GROUP:
            self._write(table)

    def _write(self, table: Table) -> None:
        waiting, schema = self._waiting[table.name], self._schema(table)
        if waiting:
            columns = [list(column) for column in zip(*waiting, strict=True)]
            found = self._arrow.table(dict(zip(schema.names, columns, strict=True)), schema=schema)
            self._files[table.name].write_table(found)
            waiting.clear()

    def _end(self, table: Table) -> None:
        self._write(table)
        super()._end(table)


class NpzWriter(TableWriter):
    """One file with an array for each part of a table.

    The length of an array stands at its beginning and is only known at the end, so that rows wait
    in nameless files, which vanish with the program.
    """

    bytes_per_number = 16.0  # twice: waiting, and in its place
    _CHUNK = 4_000_000  # bytes that are in memory at a time

    def __init__(self, path: Path, tables: Sequence[Table], constants: Constants) -> None:
        super().__init__(path, tables, constants)
        self._aside = Aside(path)
        self._spools: dict[str, IO[bytes]] = {}
        self._widths: dict[str, int] = {}
        self._times: IO[bytes] = self._spool()
        self._steps = 0
        for table in tables:
            self._spools[table.name] = self._spool()

    def _spool(self) -> IO[bytes]:
        try:
            return tempfile.TemporaryFile(dir=self.path.resolve().parent, buffering=1 << 20)
        except BaseException:
            self._aside.drop()
            raise

    def add(self, table: Table, time: float, rows: Rows) -> None:
        if table is self.tables[0]:
            self._times.write(np.float64(time).tobytes())
            self._steps += 1
        values = rows.values
        if rows.numbers is not None:
            step = np.full((len(values), 1), self._steps - 1.0)
            values = np.hstack((step, rows.numbers, values))
        self._widths[table.name] = values.shape[1]
        self._spools[table.name].write(np.ascontiguousarray(values).tobytes())

    def finish(self, path: Path) -> list[Path]:
        compressed = zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(self._aside.path, "w", compressed, compresslevel=1) as archive:
            self._write(archive, "time", self._times, 1, (self._steps,), slice(0, 1))
            for name, array in self.constants.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                    np.lib.format.write_array(file, array)
            for table in self.tables:
                self._write_table(archive, table)
        self._close()
        return [self._aside.put(path)]

    def _write_table(self, archive: zipfile.ZipFile, table: Table) -> None:
        spool, width = self._spools[table.name], self._widths[table.name]
        leading: tuple[int, ...] = (self._steps,)
        if table.rows is None:
            leading = (spool.tell() // (8 * width),)
        elif table.labels:
            leading = (self._steps, table.rows)
        first = 0
        numbered = (Part(name, (name,), whole=True, flat=True) for name in table.numbered)
        for part in (*numbered, *table.parts):
            columns = slice(first, first + len(part.columns))
            shape = leading if part.flat else (*leading, len(part.columns))
            self._write(archive, part.array, spool, width, shape, columns, part.whole)
            first = columns.stop

    def _write(
        self,
        archive: zipfile.ZipFile,
        name: str,
        spool: IO[bytes],
        width: int,
        shape: tuple[int, ...],
        columns: slice,
        whole: bool = False,
    ) -> None:
        kind = np.dtype(np.int64 if whole else np.float64)
        head = {"descr": kind.str, "fortran_order": False, "shape": shape}
        with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
            np.lib.format.write_array_header_1_0(file, head)
            for chunk in self._chunks(spool, width):
                file.write(np.ascontiguousarray(chunk[:, columns].astype(kind)).tobytes())

    def _chunks(self, spool: IO[bytes], width: int) -> Iterator[Floats]:
        end = spool.tell()
        spool.seek(0)
        while raw := spool.read(max(1, self._CHUNK // (8 * width)) * 8 * width):
            yield np.frombuffer(raw, np.float64).reshape(-1, width)
        spool.seek(end)

    def _close(self) -> None:
        _close_all([self._times, *self._spools.values()])

    def drop(self) -> None:
        self._close()
        self._aside.drop()


def _close_all(files: Any) -> None:
    """Closing flushes, which fails where the disk is full; all of them are closed all the same."""
    for file in files:
        try:
            file.close()
        except (OSError, ValueError):
            continue


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MachineProblem(
            f"writing .parquet needs pyarrow (.npz and .csv need nothing): "
            f"{sys.executable} -m pip install pyarrow"
        ) from None
    return pyarrow, pyarrow.parquet
