"""Positions and orientations over time, written as .npz, .csv or .parquet.

npz: `time` (T), `names` (n), `positions` (T, n, 3), `orientations` (T, n, 4). The tables have one
row per step and body: time, name, x, y, z, qw, qx, qy, qz.
"""

import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np

from levels import Session
from sandbox.messages import MachineProblem, UsageProblem

_COLUMNS = ("time", "name", "x", "y", "z", "qw", "qx", "qy", "qz")


class Trajectory:
    """Collects a row per step; the bodies are those that exist at the start. One that is gone (cut
    off, wound up) is nan from then on."""

    def __init__(self, session: Session, path: Path) -> None:
        if path.suffix not in (".npz", ".csv", ".parquet"):
            raise UsageProblem(f"{path.name}: trajectories are .npz, .csv or .parquet")
        if path.suffix == ".parquet":
            _parquet()
        self.session, self.path = session, path
        self.names = list(session.handles)
        self.times: list[float] = []
        self.positions: list[Any] = []
        self.orientations: list[Any] = []
        self.after_step()

    def after_step(self) -> None:
        handles = self.session.handles
        positions, orientations = self.session.world.poses()
        slots = np.array([handles[name].slot if name in handles else -1 for name in self.names])
        gone = (slots < 0)[:, None]
        self.times.append(self.session.time)
        self.positions.append(np.where(gone, np.nan, positions[slots]))
        self.orientations.append(np.where(gone, np.nan, orientations[slots]))

    def write(self) -> None:
        write = {".npz": self._npz, ".csv": self._csv, ".parquet": self._parquet}
        write[self.path.suffix]()

    def _npz(self) -> None:
        np.savez_compressed(
            self.path,
            time=np.array(self.times),
            names=np.array(self.names),
            positions=np.array(self.positions),
            orientations=np.array(self.orientations),
        )

    def _rows(self) -> list[list[Any]]:
        return [
            [time, name, *map(float, position), *map(float, orientation)]
            for time, places, turns in zip(
                self.times, self.positions, self.orientations, strict=True
            )
            for name, position, orientation in zip(self.names, places, turns, strict=True)
        ]

    def _csv(self) -> None:
        with self.path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(_COLUMNS)
            writer.writerows(self._rows())

    def _parquet(self) -> None:
        arrow, parquet = _parquet()
        columns = list(zip(*self._rows(), strict=True))
        table = arrow.table(dict(zip(_COLUMNS, map(list, columns), strict=True)))
        parquet.write_table(table, self.path)


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MachineProblem(
            f"writing .parquet needs pyarrow (.npz and .csv need nothing): "
            f"{sys.executable} -m pip install pyarrow"
        ) from None
    return pyarrow, pyarrow.parquet
