"""Python in a process of its own, for what must hold in a fresh one."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def printed(code: str, *arguments: str, seconds: float | None = None, **environment: str) -> str:
    """What the code prints; an error there is one here, with what it said."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=seconds,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
