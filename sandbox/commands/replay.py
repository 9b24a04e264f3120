"""`sandbox replay`: play a recording again and prove that every bit is the same."""

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.messages import UsageProblem

if TYPE_CHECKING:
    from sandbox.replay import Replay

HELP = "Play a recorded replay again and verify it bit by bit."
EXAMPLES = (
    "sandbox replay play.replay",
    "sandbox replay play.replay --to-test my_test.toml",
    "sandbox replay play.replay --level changed.toml --no-verify",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the replay")
    parser.add_argument("--level", help="the level's file, if it is not one of the game's")
    parser.add_argument("--no-verify", action="store_true", help="only say what it holds")
    parser.add_argument(
        "--to-test", metavar="FILE.toml", help="write a level that replays the input as a test"
    )


def run(arguments: argparse.Namespace) -> int:
    from levels import load
    from sandbox.replay import Replay, ReplayError, to_test, verify

    path = Path(arguments.file)
    try:
        replay = Replay.read(path)
        level = load(arguments.level or replay.level)
        _describe(replay)
        if arguments.to_test:
            to_test(replay, level, Path(arguments.to_test))
            print(f"wrote {arguments.to_test}; check it with `sandbox test {arguments.to_test}`")
        if arguments.no_verify:
            return 0
        began = time.perf_counter()
        session = replay.session(level)
        difference = verify(replay, session)
    except ReplayError as error:
        raise UsageProblem(str(error)) from None
    took = time.perf_counter() - began
    if difference is None:
        print(f"verified: all {replay.end} steps are the same, bit by bit ({took:.1f} s)")
        return 0
    bodies = ", ".join(difference.bodies[:5]) or "the state beyond positions"
    more = f" and {len(difference.bodies) - 5} more" if len(difference.bodies) > 5 else ""
    print(f"differs first at step {difference.tick} ({difference.time:.3f} s): {bodies}{more}")
    return 1


def _describe(replay: "Replay") -> None:
    given = ", ".join(f"{name}={value}" for name, value in replay.given.items())
    print(
        f"{replay.level}{' with ' + given if given else ''}: "
        f"{replay.end} steps, {len(replay.commands)} commands"
        + ("" if replay.complete else ", cut short")
    )
