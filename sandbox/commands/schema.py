"""`sandbox schema`: the JSON Schema of level files, for editors."""

import argparse
import json
from pathlib import Path

from sandbox.messages import tell
from sandbox.options import write_for_user

HELP = "Print the JSON Schema of level files, for completion and checks in editors."
EXAMPLES = (
    "sandbox schema --write level.schema.json",
    "sandbox schema --reference",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--write", metavar="FILE", help="write to a file instead of printing")
    parser.add_argument(
        "--reference", action="store_true", help="the reference page (Markdown) instead"
    )


def run(arguments: argparse.Namespace) -> int:
    from levels.level_schema import json_schema
    from levels.reference_page import reference

    text = reference() if arguments.reference else json.dumps(json_schema(), indent=1) + "\n"
    if not arguments.write:
        tell(text, end="")
        return 0
    write_for_user(Path(arguments.write), text)
    tell(f"wrote {arguments.write}")
    return 0
