"""`sandbox new`: a commented starter level that plays at once."""

import argparse
from pathlib import Path

from sandbox.messages import UsageProblem, tell
from sandbox.options import writable, write_for_user

HELP = "Write a commented starter level that plays at once."
EXAMPLES = ("sandbox new my.toml", "sandbox play my.toml")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.toml", help="the file to write")
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")


def run(arguments: argparse.Namespace) -> int:
    from levels.library import STARTER

    path = Path(arguments.file)
    if path.suffix != ".toml":
        raise UsageProblem(f"{path}: a level file ends in .toml, for example {path.stem}.toml")
    if path.exists() and not arguments.force:
        raise UsageProblem(f"{path} exists already; --force overwrites it")
    write_for_user(writable(arguments.file), STARTER.read_text(encoding="utf-8"))
    tell(f"wrote {path}; play it with `sandbox play {path}` and change it while it runs")
    return 0
