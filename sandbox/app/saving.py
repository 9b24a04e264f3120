"""What the player has built, and keeping it: edits that are not saved yet, saving the level."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sandbox.app.player import Player

_BUILDING = frozenset({"spawn", "delete", "join", "sew"})  # cutting and pinning is playing
_MOST_NAMES = 1000


class Saved(NamedTuple):
    """What came of saving, for the player to read."""

    done: bool
    text: str


def unsaved(player: "Player") -> int:
    """How many things were built, since the level began or was saved, and not undone."""
    node, count = player.session.branch, 0
    while node is not None and node[1:] != player.saved_at and node[2].verb != "restart":
        count += node[2].verb in _BUILDING
        node = node[0]
    return count


def save_level(player: "Player") -> Saved:
    """Write the edited level where the player is; no other file is ever touched."""
    session = player.session
    path = player.saved_as or _free_name(session.level.name)
    try:
        session.save(path)
    except (OSError, ValueError) as error:
        return Saved(False, f"not saved: {error}")
    player.saved_as = path
    player.saved_at = session.branch[1:] if session.branch is not None else None
    return Saved(True, _saved_text(path))


def _free_name(level: str) -> Path:
    """`crane_edited.toml`; with a number where there is one already, from another day."""
    first = Path.cwd() / f"{level}_edited.toml"
    names = [first, *(first.with_name(f"{first.stem}_{i}.toml") for i in range(2, _MOST_NAMES))]
    return next((path for path in names if not path.exists()), first)


def _saved_text(path: Path) -> str:
    from levels import load
    from levels.problems import LevelError

    try:
        load(path)
    except LevelError as error:  # it speaks of meshes or other files beside the original
        return f"saved {path}, which cannot be opened there: {error.problems[0].message}"
    return f"saved {path}"
