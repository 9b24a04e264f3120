"""From nothing to the first step, and compiling everything from nothing."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_FIRST_STEP = """
import time
began = time.perf_counter()
from levels import load
imported = time.perf_counter()
world = load("crane").build()
built = time.perf_counter()
world.step()
print(imported - began, built - imported, time.perf_counter() - built)
"""


def _environment(**more: str) -> dict[str, str]:
    paths = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **more}


def start_up() -> dict[str, float]:
    """Seconds of a new process until the crane has moved: program, import, build, first step."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-P", "-c", _FIRST_STEP],
        env=_environment(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    whole = time.perf_counter() - began
    imported, built, stepped = map(float, done.stdout.split())
    program = whole - imported - built - stepped
    return {"program": program, "import": imported, "build": built, "first step": stepped}


def compile_seconds() -> float:
    """Seconds to compile all kernels into an empty cache, on all cores."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-P", "-m", "physics.prepare"],
            env=_environment(XDG_CACHE_HOME=folder, LOCALAPPDATA=folder),
            capture_output=True,
            check=True,
        )
        return time.perf_counter() - began
