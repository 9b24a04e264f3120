"""The game: `play(level, settings)` opens a window and runs until it is closed.

Everything that can be decided without a window (camera, time keeping, keys, tools, session) is
plain Python with tests; `window` and `game` are the only modules that touch SDL.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from levels import Level
    from sandbox.app.start import SettingsSource


def play(level: "str | Path | Level", settings: "SettingsSource" = None) -> int:
    """Play a level by name or path; returns the process exit code."""
    from sandbox.app.start import play as run

    return run(level, settings)
