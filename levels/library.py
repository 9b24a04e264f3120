"""Where levels are found. Imports nothing heavy, so that the command line answers at once."""

import os
import tomllib
from pathlib import Path

from levels.problems import LevelError, Problem, did_you_mean, listing

LIBRARY = Path(__file__).resolve().parent
STARTER = LIBRARY / "common" / "starter.toml"  # what `sandbox new` writes


def shipped() -> list[str]:
    """Names of the levels that come with the game."""
    return sorted(path.stem for path in LIBRARY.glob("*.toml"))


def is_shipped(name: str) -> bool:
    return _is_plain(name) and (LIBRARY / f"{name}.toml").is_file()


def find(level: str | os.PathLike[str]) -> Path:
    """The file a name or path means; LevelError names the nearest when there is none."""
    text = os.fspath(level)
    path = Path(text)
    try:
        if path.suffix == ".toml" and path.is_file():
            return path
        if is_shipped(text):
            return LIBRARY / f"{text}.toml"
        if path.name and path.with_name(path.name + ".toml").is_file():
            return path.with_name(path.name + ".toml")
    except (OSError, ValueError):
        pass  # a name no file system accepts is simply not there
    if path.suffix == ".toml":
        raise LevelError([Problem("there is no such file", file=text)])
    known = shipped()
    raise LevelError(
        [
            Problem(
                f'there is no level "{text}"',
                hint=did_you_mean(text, known),
                note=f"known levels: {listing(known, 60)}",
            )
        ]
    )


def _is_plain(text: str) -> bool:
    return bool(text) and all(c.isalnum() or c in "_-" for c in text)


def catalogue() -> list[dict[str, str]]:
    """Name, title, hint, description and path of every shipped level, without checking it."""
    entries = []
    for name in shipped():
        path = LIBRARY / f"{name}.toml"
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        texts = {key: str(data.get(key, "")) for key in ("title", "hint", "description")}
        entries.append({"name": name, **texts, "path": str(path)})
    return entries
