"""`sandbox run`: a level without a window, its expectations checked, its numbers printed.

The JSON of --json is stable: keys are added, never renamed. See DETAILS for its contents.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.messages import MachineProblem, Progress, UsageProblem, error
from sandbox.options import add_level, add_values, checked_variant, parse_values

if TYPE_CHECKING:
    from levels import Session
    from levels.headless import Result
    from sandbox.replay import Recorder, Replay

HELP = "Run a level without a window and check what it expects."
EXAMPLES = (
    "sandbox run crane --seconds 10 --set load=1e6",
    "sandbox run million --json",
    "sandbox run liana --out swing.npz",
)
DETAILS = """
--json prints one object:
  format 1; level, level_digest; parameters {name: value}; settings {rate, stabilization, solver};
  steps; seconds; wall_seconds; status "playing" | "won" | "lost"; stars 0 … 3;
  expectations [{name, state "passed" | "failed" | "unreached", at, values, line}];
  energy {start, end, gain} (J, J, share of what a fall through the level's height releases);
  worst_constraint_error (m); guard {kind: interventions}; diverged_at (s or null);
  hash (of the final state, bit by bit); exit_code
"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_level(parser)
    add_values(parser)
    parser.add_argument("--seconds", type=float, help="simulated time; default: what it expects")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.add_argument("--out", metavar="FILE", help="trajectories: .npz, .csv or .parquet")
    parser.add_argument("--video", metavar="FILE", help="also render an .mp4")
    parser.add_argument("--replay", metavar="FILE", help="play the commands of a replay")
    parser.add_argument("--record", metavar="FILE", help="write a replay of this run")


def run(arguments: argparse.Namespace) -> int:
    from levels import Session, load
    from levels.headless import run as run_session

    level = load(arguments.level)
    replay = _replay(arguments.replay)
    values = {**(replay.given if replay else {}), **parse_values(arguments.values)}
    checked_variant(level, values)

    def start() -> Session:
        """A replay brings the sliders it was played with and whether the level played itself."""
        session = Session(level, scripted=replay.scripted if replay else True, **values)
        session.schedule(replay.commands if replay else ())
        return session

    session = start()
    usual = replay.end * session.world.h if replay else level.seconds(session.variant)
    seconds = _seconds(arguments.seconds, usual)
    observers, finish = _observers(arguments, session)
    progress = Progress(level.name)

    def observe(_: Any) -> None:
        for observer in observers:
            observer()

    result = run_session(session, seconds, progress=progress, observe=observe)
    progress.done()
    for close in finish:
        close()
    print_result(result, arguments.json)
    if arguments.video:
        _video(start(), seconds, arguments.video)
    return result.exit_code


def _seconds(asked: float | None, default: float) -> float:
    if asked is None:
        return default
    if not 0 < asked <= 36_000:
        raise UsageProblem(f"--seconds {asked:g}: must be above 0 and at most 36000")
    return asked


def _observers(arguments: argparse.Namespace, session: Any) -> tuple[list[Any], list[Any]]:
    """What looks on after every step, and what has to be closed in the end."""
    observers: list[Any] = []
    finish: list[Any] = []
    if arguments.record:
        from sandbox import replay

        recorder = replay.Recorder(session, _writable(arguments.record))
        observers.append(recorder.after_step)
        finish.append(lambda: _end_replay(recorder, arguments.record))
    if arguments.out:
        from sandbox.trajectory import Trajectory

        trajectory = Trajectory(session, _writable(arguments.out))
        observers.append(trajectory.after_step)
        finish.append(trajectory.write)
    return observers, finish


def _end_replay(recorder: "Recorder", name: str) -> None:
    recorder.close()
    if recorder.failed:
        error(f"{name}: the replay is not complete: {recorder.failed}")


def _replay(name: str | None) -> "Replay | None":
    from sandbox.replay import Replay, ReplayError

    try:
        return Replay.read(Path(name)) if name else None
    except ReplayError as error:
        raise UsageProblem(str(error)) from None


def _writable(name: str) -> Path:
    path = Path(name)
    if not path.parent.is_dir():
        raise UsageProblem(f"{name}: there is no folder {path.parent}")
    return path


def print_result(result: "Result", as_json: bool) -> None:
    if as_json:
        print(json.dumps(result.as_json(), allow_nan=False, default=str))
        return
    speed = result.seconds / result.wall_seconds if result.wall_seconds else 0.0
    print(
        f"{result.level}: {result.steps} steps, {result.seconds:g} s simulated in "
        f"{result.wall_seconds:.2f} s ({speed:.1f} x real time)"
    )
    for outcome in result.outcomes:
        mark = {"passed": "ok  ", "failed": "FAIL"}.get(outcome.state, "-   ")
        when = f" [{outcome.when:.2f} s: {outcome.values}]" if outcome.values else ""
        late = " (not reached)" if outcome.state == "unreached" else ""
        print(f"  {mark} {outcome.name}{when}{late}")
    if result.status != "playing":
        print(f"  {result.status}" + (f", {result.stars} of 3 stars" if result.stars else ""))
    guard = ", ".join(f"{kind} {count}" for kind, count in result.guard.items()) or "none"
    print(
        f"  energy {result.energy_start:.6g} → {result.energy_end:.6g} J "
        f"(gain {result.energy_gain:+.2%})\n"
        f"  worst constraint error {result.worst_constraint_error:.2e} m, "
        f"guard interventions: {guard}\n"
        f"  state hash {result.hash}"
    )
    if result.diverged_at is not None:
        print(f"sandbox: diverged at {result.diverged_at:.3f} s", file=sys.stderr)


def _video(session: "Session", seconds: float, name: str) -> None:
    """The same run once more, with a camera."""
    try:
        from sandbox.record import render_video
    except ImportError as error:
        raise MachineProblem(f"cannot render: {error}; `sandbox doctor` says what to do") from None
    try:
        path = render_video(session, seconds, _writable(name), (1280, 720), "high")
    except ValueError as error:
        raise UsageProblem(str(error)) from None
    print(f"  video {path}", file=sys.stderr)
