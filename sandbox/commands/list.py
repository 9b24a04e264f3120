"""`sandbox list`: the levels that come with the game."""

import argparse
import json

from sandbox.messages import tell

HELP = "List the levels that come with the game."
EXAMPLES = ("sandbox list", "sandbox list --json")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="name, title, hint and path as JSON")


def run(arguments: argparse.Namespace) -> int:
    from levels.library import catalogue

    entries = catalogue()
    if arguments.json:
        print(json.dumps(entries))
        return 0
    width = max((len(entry["name"]) for entry in entries), default=0)
    for entry in entries:
        tell(f"  {entry['name']:{width}}  {entry['title']}")
    tell("\nplay one with `sandbox play NAME`")
    return 0
