"""What a person has reached: stars and bests of every level, and what was played last.

One JSON file beside the settings, written whole or not at all. A file that cannot be understood is
set aside under another name, never overwritten; a best is never replaced by something worse.
"""

import json
import os
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from levels.files import write_atomically
from sandbox.settings import settings_path

_RECENT = 12  # levels that are remembered as played last
_LARGEST = 5_000_000  # bytes of a file that is read


@dataclass
class Best:
    """Of one level."""

    stars: int = 0
    seconds: float | None = None  # of the quickest win
    wins: int = 0

    def better(self, stars: int, seconds: float) -> bool:
        """Note a win; true if it is the best so far in stars or time."""
        best = stars > self.stars or self.seconds is None or seconds < self.seconds
        self.wins += 1
        self.stars = max(self.stars, stars)
        self.seconds = seconds if self.seconds is None else min(self.seconds, seconds)
        return best


@dataclass
class Progress:
    """All levels, by name or, for files of one's own, by path."""

    levels: dict[str, Best] = field(default_factory=dict)
    recent: list[str] = field(default_factory=list)  # newest first
    path: Path | None = None  # None: nothing is kept

    def of(self, key: str) -> Best:
        return self.levels.get(key) or Best()

    def won(self, key: str, stars: int, seconds: float) -> bool:
        """Note a win; true if it is the best so far."""
        best = self.levels.setdefault(key, Best()).better(stars, seconds)
        self._save()
        return best

    def played(self, key: str) -> None:
        """The level is opened."""
        if self.recent[:1] != [key]:
            self.recent = [key, *(name for name in self.recent if name != key)][:_RECENT]
            self._save()

    def _save(self) -> None:
        """A disk that cannot be written does not end the game; the next win tries again."""
        if self.path is None:
            return
        data = {
            "taut-progress": 1,
            "levels": {name: asdict(best) for name, best in sorted(self.levels.items())},
            "recent": self.recent,
        }
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, json.dumps(data, indent=1) + "\n")
        except OSError as error:
            print(f"sandbox: progress not saved: {error}", file=sys.stderr)


def progress_path() -> Path:
    return settings_path().parent / "progress.json"


def load_progress(path: Path | None = None) -> Progress:
    """What was reached so far; a broken file is moved aside with a line on stderr."""
    path = path or progress_path()
    try:
        with path.open(encoding="utf-8") as file:
            return _understood(json.loads(file.read(_LARGEST)), path)
    except FileNotFoundError:
        return Progress(path=path)
    except OSError as error:
        print(f"sandbox: cannot read {path.name}: {error.strerror or error}", file=sys.stderr)
        return Progress(path=None)  # it may be there tomorrow: nothing is written over it
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        aside = path.with_name(f"{path.stem}.broken-{time.strftime('%Y%m%d-%H%M%S')}.json")
        try:
            os.replace(path, aside)
        except OSError:
            return Progress(path=None)
        told = f"{path.name} could not be used ({error}); it is now {aside.name}"
        print(f"sandbox: {told}", file=sys.stderr)
        return Progress(path=path)


def _understood(data: Any, path: Path) -> Progress:
    if data["taut-progress"] != 1:
        raise ValueError("it is of another version")
    levels = {}
    for name, best in data["levels"].items():
        seconds = best.get("seconds")
        levels[str(name)] = Best(
            min(max(int(best["stars"]), 0), 3),
            None if seconds is None else float(seconds),
            int(best.get("wins", 1)),
        )
    recent = [str(name) for name in data.get("recent", [])][:_RECENT]
    return Progress(levels, recent, path)
