"""Every game is recorded: a replay per level, beside the settings, the one before it kept too.

`sandbox replay crane` finds the last game of that level; a game that was killed is there as well.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.replay_file import Recorder
from sandbox.settings import settings_path

if TYPE_CHECKING:
    from sandbox.protocols import GameSession


def recordings_folder() -> Path:
    return settings_path().parent / "replays"


def recording_path(level: str) -> Path:
    """Where the last game of a level is, if there was one."""
    return recordings_folder() / f"{level}.replay"


def recordings() -> list[str]:
    """Names of the levels with a recorded game."""
    found = recordings_folder().glob("*.replay")
    return sorted(path.stem for path in found if not path.stem.endswith(".previous"))


def record_game(session: "GameSession") -> Recorder:
    """Begin the replay of a game; OSError where nothing can be written."""
    path = recording_path(session.level.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        os.replace(path, path.with_name(f"{path.stem}.previous.replay"))
    return Recorder(session, path)
