"""The table of a sweep: a row for every run, in the order of the runs, whoever made them."""

import csv
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from levels.files import Aside
from levels.plain_data import JsonTable
from levels.sweep.axes import Point
from levels.sweep.one_run import WALL, Row


class Table:
    """`columns`, `rows` and ways to hand them on. Equal sweeps have an equal `digest()`."""

    def __init__(self, points: Sequence[Point], rows: Mapping[int, Row]) -> None:
        varied = dict.fromkeys(name for point in points for name in point)
        found = dict.fromkeys(name for number in sorted(rows) for name in rows[number])
        named = [name for name in found if name != WALL]
        self.varied = tuple(varied)
        self.columns = ("run", *varied, *(f"{n}_" if n in varied else n for n in named), WALL)
        self.rows: list[JsonTable] = [
            self._row(number, points[number], rows[number], named) for number in sorted(rows)
        ]

    def _row(self, number: int, point: Point, row: Row, named: list[str]) -> JsonTable:
        varied = (point.get(name) for name in self.varied)
        cells = (number, *varied, *(row.get(name) for name in (*named, WALL)))
        return dict(zip(self.columns, cells, strict=True))

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Table({len(self.rows)} runs x {len(self.columns)} columns, {self.digest()[:12]})"

    def column(self, name: str) -> list[Any]:
        """Its values in the order of the runs."""
        if name not in self.columns:
            raise KeyError(f'the table has no column "{name}"; it has {", ".join(self.columns)}')
        return [row[name] for row in self.rows]

    def digest(self) -> str:
        """Hash of everything but the wall time: where and in which order it was made is unseen."""
        kept = [[row[name] for name in self.columns if name != WALL] for row in self.rows]
        return hashlib.sha256(json.dumps([self.columns, kept]).encode()).hexdigest()

    def to_csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([row[name] for name in self.columns] for row in self.rows)
        return text.getvalue()

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        try:
            import pandas
        except ImportError:
            raise ImportError(
                "to_pandas() needs pandas: pip install 'taut[sweep]'", name="pandas"
            ) from None
        return pandas.DataFrame(self.rows, columns=list(self.columns)).set_index("run")

    def write(self, path: Path) -> Path:
        """.csv or .parquet, by the ending; either all of it or nothing."""
        check_ending(path)
        with Aside(path) as aside:
            if path.suffix == ".csv":
                aside.path.write_text(self.to_csv(), encoding="utf-8", newline="\n")
            else:
                self._write_parquet(aside.path)
        return path

    def _write_parquet(self, path: Path) -> None:
        arrow, parquet = _pyarrow()
        columns = {name: arrow.array(_alike(self.column(name))) for name in self.columns}
        parquet.write_table(arrow.table(columns), path)


def check_ending(path: Path) -> None:
    """ValueError for an ending that stands for no table, ImportError if a library is missing."""
    if path.suffix not in (".csv", ".parquet"):
        raise ValueError(f"{path}: a table ends in .csv or .parquet")
    if path.suffix == ".parquet":
        _pyarrow()


def _alike(values: list[Any]) -> list[Any]:
    """One type in a column: numbers as floats unless all are whole, texts with numbers as texts."""
    kinds = {type(value) for value in values if value is not None}
    if str in kinds and len(kinds) > 1:
        return [value if value is None else str(value) for value in values]
    if kinds == {int, float}:
        return [value if value is None else float(value) for value in values]
    return values


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ImportError(
            "tables as .parquet need pyarrow (.csv needs nothing): pip install 'taut[parquet]'",
            name="pyarrow",
        ) from None
    return pyarrow, pyarrow.parquet
