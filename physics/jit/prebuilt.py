"""Kernels that came with a wheel: where they are, and whether they fit this processor."""

import json
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "prebuilt"
NOTE = "target.json"


@cache
def prebuilt_target() -> str | None:
    """The processor that the kernels in this package were made for; None if they are of no use."""
    from llvmlite.binding import get_host_cpu_features

    try:
        note = json.loads((FOLDER / NOTE).read_text(encoding="utf-8"))
        made_for, needs = str(note["target"]), list(note["needs"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    here = get_host_cpu_features()
    return made_for if all(here.get(name) for name in needs) else None
