"""A small level for sweeps: quick to run, with outcomes of every kind."""

import subprocess
import sys
from pathlib import Path

FALLING = """\
format = 1
[parameters]
weight = { default = 2, min = 1, max = 100, scale = "log" }
height = { default = 5, min = 1, max = 50 }
links = { default = 2, min = 1, max = 9, whole = true }
[bodies.ground]
shape = "plane"
fixed = true
[bodies.ball]
shape = "sphere"
radius = 0.5
position = [0.3, "=height", 0]
mass = "=weight"
restitution = 0.5
[props.chain]
kind = "chain"
from = [2, "=height", 0]
to = "ball"
links = "=links + 1"
link_mass = 0.1
[[expect]]
name = "it falls"
at = 0.3
check = "y('ball') < height"
[[expect]]
name = "it stays light"
always = "weight < 20"
[simulation]
seconds = 0.5
"""


def falling(folder: Path) -> Path:
    path = folder / "falling.toml"
    path.write_text(FALLING, encoding="utf-8")
    return path


def begun(*words: str, cwd: Path) -> "subprocess.Popen[bytes]":
    """A `sandbox` command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "sandbox.cli", *words],
        cwd=cwd,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
