"""`sandbox check`: everything that is wrong with a level, before anything moves."""

import argparse
import sys

HELP = "Check level files; print every mistake with its line."
EXAMPLES = ("sandbox check my.toml", "sandbox check levels/*.toml", "sandbox check crane")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("levels", metavar="LEVEL", nargs="+", help="names or .toml files")
    parser.add_argument("--strict", action="store_true", help="warnings are mistakes too")


def run(arguments: argparse.Namespace) -> int:
    from levels import LevelError, load
    from levels.problems import render_all

    mistakes = 0
    for name in arguments.levels:
        try:
            level = load(name)
            level.build()
        except LevelError as error:
            print(error, file=sys.stderr)
            count = len(error.problems)
            print(f"{name}: {count} problem{'s' * (count != 1)}", file=sys.stderr)
            mistakes += count
            continue
        if level.warnings:
            print(render_all(level.warnings), file=sys.stderr)
            mistakes += len(level.warnings) if arguments.strict else 0
        plan = level.default.plan
        print(
            f"{name}: ok ({len(plan.bodies)} bodies, {len(plan.particles)} particles, "
            f"{len(plan.joints)} joints, {len(level.default.rules.expectations)} expectations)"
        )
    return 2 if mistakes else 0
