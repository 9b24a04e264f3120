"""With NUMBA_BOUNDSCHECK=1 nothing is written beyond an array unseen, vector code included."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import numpy as np
from physics.jit import kernel
from physics.solver.spd.simd import add_three, dots, tile

@kernel
def inner(A, i):
    A[i] = 1.0

@kernel
def plain(A, i):
    inner(A, i)

@kernel
def product(A, i):
    tile(A, 0, 8, A, 0, 8, 1, 2, A, i, 8, 8, 3)

@kernel
def scalar(A, i):
    dots(A, i, 4, A, 0, 4, A, 0, 3)

@kernel
def added(A, i):
    add_three(A, 0, 4, 3, A, i, 4)

for function, last in ((plain, 23), (product, 0), (scalar, 12), (added, 13)):
    function(np.ones(24), last)
    for beyond in (last + 1, -25):
        try:
            function(np.ones(24), beyond)
        except IndexError:
            continue
        raise SystemExit(f"{function.__name__} wrote or read at {beyond}")
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "NUMBA_BOUNDSCHECK": "1", "XDG_CACHE_HOME": str(tmp_path)}


def test_indices_beyond_an_array_are_caught(tmp_path: Path, environment: dict[str, str]) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    environment["PYTHONPATH"] = str(Path(__file__).parents[3])
    done = subprocess.run(
        [sys.executable, str(program)],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
