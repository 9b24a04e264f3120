"""Levels: TOML files → checked data → a physics world, and the level in play.

    from levels import load
    world = load("crane").build(load=1e6)
    world.step(600)

load        a level by name or path → Level: parameters, warnings, variant(), build(), session()
shipped     names of the levels that come with the game
Level       a level file, checked; build as many worlds of it as you like
Session     a level in play: issue commands, step(), read events, status and outcomes
LevelError  what load() raises: every mistake with its line

The names below are imported when first used: `sandbox --help` must not wait for compiled physics.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from levels.level import Level, load
    from levels.library import shipped
    from levels.problems import LevelError, Problem
    from levels.referee import Outcome
    from levels.runtime import Event, Session

__all__ = ["Event", "Level", "LevelError", "Outcome", "Problem", "Session", "load", "shipped"]

_HOME = {
    "Level": "level",
    "load": "level",
    "shipped": "library",
    "LevelError": "problems",
    "Problem": "problems",
    "Event": "runtime",
    "Outcome": "referee",
    "Session": "runtime",
}


def __dir__() -> list[str]:
    """So that help(levels) and completion know what there is."""
    return sorted({*globals(), *_HOME})


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'levels' has no attribute {name!r}")
    return getattr(import_module(f"levels.{_HOME[name]}"), name)
