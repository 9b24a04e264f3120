"""`sandbox replay`: play a recording again and prove that every bit is the same."""

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from levels.exit_codes import ExitCode
from sandbox.commands.render import add_picture, parse_size, rendered
from sandbox.messages import Progress, UsageProblem, tell
from sandbox.preparing import prepare_level

if TYPE_CHECKING:
    from levels import Session
    from sandbox.replay_file import Replay

HELP = "Play a recorded game again and verify it bit by bit."
EXAMPLES = (
    "sandbox replay crane                          the last game of that level",
    "sandbox replay play.replay",
    "sandbox replay crane --to-test my_test.toml   turn it into a test case",
    "sandbox replay crane --video crane.mp4 --size 1920x1080 --quality high",
    "sandbox replay play.replay --level mine.toml --no-verify",
)

_LONGEST = 36_000.0  # s of video


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a replay, or the level that was played last")
    parser.add_argument("--level", help="the level's file, if it is not one of the game's")
    parser.add_argument("--no-verify", action="store_true", help="only say what it holds")
    parser.add_argument(
        "--to-test", metavar="FILE.toml", help="write a level that replays the input as a test"
    )
    parser.add_argument("--video", metavar="FILE", help="render it: .mp4, .gif, .webp or .png")
    add_picture(parser)


def run(arguments: argparse.Namespace) -> int:
    from levels import load
    from sandbox.playthrough import to_test
    from sandbox.replay_file import Replay, ReplayError, verify

    path = _find(arguments.file)
    try:
        replay = Replay.read(path)
        level = load(arguments.level or level_of(replay, path))
        _describe(replay)
        if arguments.to_test:
            to_test(replay, level, Path(arguments.to_test))
            tell(f"wrote {arguments.to_test}; check it with `sandbox test {arguments.to_test}`")
        if arguments.video or not arguments.no_verify:
            prepare_level(level)
        if arguments.video:
            _video(replay, replay.session(level), arguments)
        if arguments.no_verify:
            return 0
        began = time.perf_counter()
        session = replay.session(level)
        with Progress(level.name) as progress:
            difference = verify(replay, session, progress)
    except ReplayError as error:
        raise UsageProblem(str(error)) from None
    took = time.perf_counter() - began
    if difference is None:
        tell(f"verified: all {replay.end} steps are the same, bit by bit ({took:.1f} s)")
        return ExitCode.PASSED
    bodies = ", ".join(difference.bodies[:5]) or "the state beyond positions"
    more = f" and {len(difference.bodies) - 5} more" if len(difference.bodies) > 5 else ""
    tell(f"differs first at step {difference.tick} ({difference.time:.3f} s): {bodies}{more}")
    return ExitCode.FAILED


def _video(replay: "Replay", session: "Session", arguments: argparse.Namespace) -> None:
    """The game as it was played, up to its last step, through the level's camera."""
    session.schedule(replay.commands)
    size = parse_size(arguments.size)
    out = Path(arguments.video)
    path = rendered(session, _LONGEST, out, size, arguments.quality, last=replay.end)
    tell(f"video: {path}")


def _find(written: str) -> Path:
    """A file; or a level by name, whose last game is meant."""
    from levels.problems import did_you_mean
    from sandbox.recording import recording_path, recordings

    if Path(written).exists() or Path(written).suffix == ".replay":
        return Path(written)
    found = recording_path(Path(written).stem)
    if not found.exists():
        known = recordings()
        hint = did_you_mean(written, known) or f"recorded: {', '.join(known) or 'none yet'}"
        raise UsageProblem(f'there is no replay "{written}"; {hint}')
    return found


def level_of(replay: "Replay", path: Path) -> str:
    """The level that was played: one of the game's, or a file here or beside the replay."""
    from levels.library import is_shipped

    if is_shipped(replay.level):
        return replay.level
    for folder in (Path.cwd(), path.parent):
        if (folder / replay.path).is_file():
            return str(folder / replay.path)
    raise UsageProblem(f"where is {replay.path}? say it with --level FILE.toml")


def _describe(replay: "Replay") -> None:
    given = ", ".join(f"{name}={value}" for name, value in replay.given.items())
    tell(
        f"{replay.level}{' with ' + given if given else ''}: "
        f"{replay.end} steps, {len(replay.commands)} commands"
        + ("" if replay.complete else ", cut short")
    )
