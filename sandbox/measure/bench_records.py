"""CSV files by machine and commit: one row for every scene, to lay runs side by side."""

import csv
import io
import platform
import re
from collections.abc import Sequence
from pathlib import Path

from levels.files import write_atomically
from sandbox.measure.step_times import StepTimes
from sandbox.revision import revision

COLUMNS = (
    "machine",
    "commit",
    "scene",
    "ms",
    "p99_ms",
    "longest_ms",
    "of_real_time",
    "steps",
    "MB",
)


def machine() -> str:
    """A word for this machine: its processor's model, or what the system calls it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
        name = found[1] if found else ""
    except OSError:
        name = ""
    return re.sub(r"[^\w.]+", "-", name or platform.processor() or platform.machine()).strip("-")


def path_for(folder: Path) -> Path:
    commit = revision().replace("+", "-changed") or "no-commit"
    return folder / f"{machine()}_{commit}.csv"


def write(rows: Sequence[StepTimes], folder: Path) -> Path:
    """One file; written anew by every run of the same commit on the same machine."""
    stages = sorted({stage for row in rows for stage in row.stages})
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, *(f"{stage}_ms" for stage in stages)])
    for row in rows:
        writer.writerow(
            [
                machine(), revision(), row.level, f"{row.milliseconds:.6g}", f"{row.p99:.6g}",
                f"{row.longest:.6g}", f"{row.of_real_time:.6g}", row.steps,
                f"{row.megabytes:.4g}", *(f"{row.stages.get(stage, 0.0):.6g}" for stage in stages),
            ]
        )  # fmt: skip
    path = path_for(folder)
    write_atomically(path, text.getvalue())
    return path
