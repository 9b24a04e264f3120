"""`sandbox new`: a commented starter level that plays at once."""

import argparse
from pathlib import Path

from sandbox.messages import UsageProblem

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
    try:
        path.write_text(STARTER.read_text(encoding="utf-8"), encoding="utf-8")
    except OSError as error:
        raise UsageProblem(f"cannot write {path}: {error.strerror or error}") from None
    print(f"wrote {path}; play it with `sandbox play {path}` and change it while it runs")
    return 0
