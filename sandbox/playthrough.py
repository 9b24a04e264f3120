"""A playthrough as a test case: a level file that includes the one that was played, does what the
player did and expects what came of it.

Only what was done since the last restart matters; the values of the sliders at that moment become
the defaults of the test.
"""

from collections.abc import Iterable
from pathlib import Path

import tomlkit

from levels import Level, Session
from levels.commands import Command, Restart
from levels.files import write_atomically
from levels.level import SETTINGS
from levels.library import is_shipped
from levels.plain_data import GivenValues, TomlTable
from sandbox.replay_file import Replay, ReplayError

_OUTCOMES = {"won": "won()", "lost": "lost()", "playing": "finite()"}


def to_test(replay: Replay, level: Level, path: Path) -> None:
    """Write the test to `path`; ReplayError if it could not include the level from there."""
    if path.suffix != ".toml":
        raise ReplayError(f"{path.name}: a test is a level file and ends in .toml")
    if path.resolve().parent != level.path.resolve().parent and not is_shipped(level.name):
        raise ReplayError(f"write the test beside {level.path}, so that it can include the level")
    session = replay.session(level)
    start, given, done = 0, dict(session.given), list[tuple[float, Command]]()
    for tick, command in replay.commands:
        session.step(tick - session.tick)
        if isinstance(command, Restart):
            start, given, done = tick, dict(session.given), []
        else:
            done.append((session.time if tick > start else 0.0, command))
        session.issue(command)
    session.step(replay.end - session.tick)
    write_atomically(path, tomlkit.dumps(_document(replay, level, session, given, done, path)))


def _document(
    replay: Replay,
    level: Level,
    session: Session,
    given: GivenValues,
    done: list[tuple[float, Command]],
    path: Path,
) -> tomlkit.TOMLDocument:
    document = tomlkit.document()
    document.add(tomlkit.comment(f"Recorded play of {level.name}; run: sandbox test {path.name}"))
    document["format"] = 1
    document["title"] = f"{level.title} (recorded)"
    document["include"] = [level.path.name]
    document["without"] = ["expect"] if replay.scripted else ["expect", "input"]
    values = {name: value for name, value in given.items() if name in level.parameters}
    if values:
        document["parameters"] = _parameters(level, values)
    settings = {name: value for name, value in given.items() if name in SETTINGS}
    if settings:
        written = level.document.data.get("simulation", {})
        document["simulation"] = {**written, **settings}
    if done:
        document["input"] = _tables(
            {"at": time, "command": command.encode()} for time, command in done
        )
    end = {"at": session.time, "check": _OUTCOMES[session.status]}
    document["expect"] = _tables([end])
    return document


def _parameters(level: Level, values: GivenValues) -> TomlTable:
    """Entries of an include are replaced whole, so the bounds are written again."""
    tables = {}
    for name, value in values.items():
        table = level.parameters[name].model_dump(exclude_defaults=True)
        tables[name] = {**table, "default": value}
    return tables


def _tables(entries: Iterable[TomlTable]) -> tomlkit.items.AoT:
    array = tomlkit.aot()
    for entry in entries:
        table = tomlkit.table()
        table.update(entry)
        array.append(table)
    return array
