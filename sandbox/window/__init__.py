"""The program: `play(level, settings)` opens a window and runs until it is closed.

Events, the loop of frames, starting and waiting. What can be decided without a window is in
`sandbox.app`; `window` and `game` are the only modules that touch SDL.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from levels import Level
    from sandbox.window.start import SettingsSource


def play(level: "str | Path | Level", settings: "SettingsSource" = None) -> int:
    """Play a level by name or path; returns the process exit code."""
    from sandbox.window.start import play as run

    return run(level, settings)
