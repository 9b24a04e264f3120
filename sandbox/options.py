"""What several verbs share: which level, which parameter values, which file to write."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from levels.files import write_atomically
from levels.plain_data import Given, GivenValues
from sandbox.messages import UsageProblem

if TYPE_CHECKING:
    from levels import Level
    from levels.level import Variant

_TEXTS = ("stabilization", "solver")


def add_level(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    parser.add_argument(
        "level",
        metavar="LEVEL",
        nargs="?" if default else None,
        default=default,
        help="a name from `sandbox list`, or a .toml file",
    )


def add_values(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        dest="values",
        help="a parameter of the level, or rate, stabilization, solver; may be repeated",
    )


def add_allow_frozen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-frozen",
        action="store_true",
        help="pass also if the guard held something still for a step",
    )


def parse_values(written: list[str]) -> dict[str, Given]:
    """`["load=1e6", "solver=pgs"]` → values for Level.variant."""
    values: dict[str, Given] = {}
    for entry in written:
        name, equals, text = entry.partition("=")
        if not equals or not name:
            raise UsageProblem(f'--set {entry}: write NAME=VALUE, for example "--set load=1e6"')
        values[name.strip()] = text.strip() if name.strip() in _TEXTS else _number(name, text)
    return values


def _number(name: str, text: str) -> float:
    try:
        return float(text.replace("_", ""))
    except ValueError:
        raise UsageProblem(f'--set {name}={text}: "{text}" is not a number') from None


def checked_variant(level: "Level", values: GivenValues) -> "Variant":
    """The level with those values; a refusal is a usage problem."""
    try:
        return level.variant(**values)
    except ValueError as error:
        raise UsageProblem(str(error)) from None


def write_for_user(path: Path, text: str) -> None:
    """All of the text under that name, or a problem with a sentence and the old file."""
    try:
        write_atomically(path, text)
    except OSError as error:
        raise UsageProblem(f"cannot write {path}: {error.strerror or error}") from None


def writable(name: str) -> Path:
    """A file to be written, in a folder that is there."""
    path = Path(name)
    if not path.parent.is_dir():
        raise UsageProblem(f"{name}: there is no folder {path.parent}")
    return path
