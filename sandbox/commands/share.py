"""`sandbox share`: a level as one line of text, to send to somebody."""

import argparse

from sandbox.messages import UsageProblem, tell
from sandbox.options import add_level

HELP = "Print a level as one line of text; `sandbox play` opens it again."
EXAMPLES = ("sandbox share my.toml", "sandbox play 'taut:1:…'", 'sandbox check "$(cat level.txt)"')
DETAILS = """
The text holds the level with its own includes and prefabs, but no meshes: at most 200,000
characters, and at most 4,000,000 bytes once it is unpacked. It is checked like a file before
anything moves.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_level(parser)


def run(arguments: argparse.Namespace) -> int:
    from levels import load
    from levels.sharing import share

    level = load(arguments.level)
    try:
        tell(share(level))
    except ValueError as error:
        raise UsageProblem(str(error)) from None
    return 0
