"""Seconds that compiling takes, by entry point, with an empty cache.

    python -m tests.benchmarks compiling            all of them
    python -m tests.benchmarks compiling step loop

Each is compiled by a process of its own into the same new folder, one after the other, so that what
two need is counted with the first. Seconds are the processor's: a busy machine changes them little.
Loading Python, NumPy and Numba is taken off.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from physics.prepare import TASKS


def _spent(words: list[str], home: str) -> float:
    """Processor seconds of a command and of what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "XDG_CACHE_HOME": home}
    subprocess.run([sys.executable, *words], env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="compiling")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=f"of: {', '.join(TASKS)}")
    names = parser.parse_args(arguments).tasks or list(TASKS)
    with tempfile.TemporaryDirectory() as home:
        prepare = ["-m", "physics.prepare", "--workers", "1"]
        total, held = 0.0, 0
        print(f"{'entry point':14} {'s':>7} {'kB':>7}")
        for name in names:
            first = _spent([*prepare, name], home)
            again = _spent([*prepare, name], home)  # everything is there: what loading takes
            size = sum(path.stat().st_size for path in Path(home).rglob("*") if path.is_file())
            print(f"{name:14} {first - again:7.1f} {(size - held) / 1000:7.0f}", flush=True)
            total, held = total + first - again, size
        print(f"{'together':14} {total:7.1f} {held / 1000:7.0f}")
