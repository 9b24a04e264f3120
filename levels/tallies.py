"""What a level counts for itself: counters and timers, changed by triggers, asked by conditions."""

from __future__ import annotations

from collections.abc import Mapping

from levels.caps import LARGEST_NUMBER
from physics.snapshot import Saved


class Tallies:
    """Counters by name, and when timers were started."""

    def __init__(self, counters: Mapping[str, float], labels: Mapping[str, str]) -> None:
        self._counters, self._labels = dict(counters), labels
        self._started: dict[str, float] = {}  # timer → s of the level

    def save(self) -> Saved:
        return {"counters": dict(self._counters), "timers": dict(self._started)}

    def restore(self, saved: Saved) -> None:
        self._counters, self._started = dict(saved["counters"]), dict(saved["timers"])

    @property
    def counters(self) -> Mapping[str, float]:
        return self._counters

    @property
    def shown(self) -> list[tuple[str, float]]:
        """Those that the level gives a label, for the game to show."""
        return [(label, self._counters[name]) for name, label in self._labels.items()]

    def counter(self, name: str) -> float:
        return self._counters.get(name, 0.0)

    def count(self, name: str, value: float) -> None:
        """Numbers stay within what a level may use; what is none changes nothing."""
        if value == value:
            self._counters[name] = min(max(value, -LARGEST_NUMBER), LARGEST_NUMBER)

    def timer(self, name: str, now: float) -> float:
        return now - self._started[name] if name in self._started else 0.0

    def runs(self, name: str) -> bool:
        return name in self._started

    def start(self, name: str, now: float) -> None:
        self._started[name] = now

    def stop(self, name: str) -> None:
        self._started.pop(name, None)
