"""The recorded hashes, and what a run of the scenes makes of them."""

import json
from collections.abc import Iterable
from pathlib import Path

from tests.golden.scenes import SCENES

FILE = Path(__file__).with_name("hashes.json")
SHORT, LONG = 20, 200  # steps after which a state is recorded; SHORT for tests that run always


def recorded() -> dict[str, dict[str, str]]:
    """Name → steps → hash."""
    found: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def computed(name: str, marks: Iterable[int] = (SHORT, LONG)) -> dict[str, str]:
    """Steps → hash of one scene, run now."""
    run, done, hashes = SCENES[name](), 0, {}
    for mark in sorted(marks):
        run.step(mark - done)
        done = mark
        hashes[str(mark)] = run.hash()
    return hashes


def write(hashes: dict[str, dict[str, str]]) -> None:
    """Replace the given scenes; scenes that are no more are left out."""
    kept = {**(recorded() if FILE.exists() else {}), **hashes}
    table = {name: kept[name] for name in SCENES if name in kept}
    FILE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
