"""Where levels are found. Imports nothing heavy, so that the command line answers at once."""

import os
import re
import tomllib
from collections.abc import Iterator
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


_HEADING = re.compile(r"^\s*\[", re.MULTILINE)
_FORMAT = re.compile(r"^\s*format\s*=\s*1\s*(#.*)?$", re.MULTILINE)
_LOOKED_AT = 20_000  # bytes of a file that may be a level


def is_level_file(path: Path) -> bool:
    """Does a file begin like a level: `format = 1` before the first heading? Other TOML files are
    somebody else's. `sandbox test FOLDER` and pytest both go by this."""
    if path.suffix != ".toml":
        return False
    try:
        with path.open("rb") as file:
            text = file.read(_LOOKED_AT).decode("utf-8-sig", errors="replace")
    except OSError:
        return False
    return bool(_FORMAT.search(_HEADING.split(text, maxsplit=1)[0]))


def level_files(folder: Path) -> Iterator[Path]:
    """All levels of a folder and the folders in it, in order of their names; hidden folders and
    environments of Python are left out."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_foreign(Path(place, name)))
        yield from (path for name in sorted(names) if is_level_file(path := Path(place, name)))


def _is_foreign(folder: Path) -> bool:
    return folder.name.startswith(".") or (folder / "pyvenv.cfg").exists()


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
