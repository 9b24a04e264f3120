"""`sandbox run`: a level without a window, its expectations checked, its numbers printed.

The JSON of --json is stable: keys are added, never renamed. See DETAILS for its contents.
"""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from levels.exit_codes import ExitCode, worst
from sandbox.interrupt import asked_to_stop
from sandbox.messages import (
    Interrupted,
    Progress,
    UsageProblem,
    error,
    warn,
    without_progress,
)
from sandbox.options import (
    add_allow_frozen,
    add_level,
    add_values,
    checked_variant,
    parse_values,
    writable,
)
from sandbox.preparing import prepare_level

if TYPE_CHECKING:
    from levels import Session
    from levels.headless import Result
    from sandbox.outputs import Outputs
    from sandbox.replay_file import Replay

HELP = "Run a level without a window and check what it expects."
EXAMPLES = (
    "sandbox run crane --seconds 10 --set load=1e6",
    "sandbox run million --json",
    "sandbox run liana --out swing.npz",
)
DETAILS = """
--json prints one object:
  format 1; level, level_digest; parameters {name: value}; settings {rate, stabilization, solver};
  steps; seconds; wall_seconds (without the next); prepare_seconds (making kernels or reading them);
  status "playing" | "won" | "lost"; stars 0 … 3;
  expectations [{name, state "passed" | "failed" | "unreached", at, values, line}];
  energy {start, end, gain} (J, J, share of what a fall through the level's height releases);
  worst_constraint_error (m; all these are null where they are not finite);
  guard {kind: interventions}; frozen_steps (in which the guard held something still);
  diverged_at, interrupted_at (s or null); hash (of the final state, bit by bit);
  exit_code; written [files]; failures [why a file could not be written]

--out notes the start and every step, in m, kg, s, N, J, rad and world axes:
  bodies    name; position x y z; orientation qw qx qy qz; velocity vx vy vz; turning wx wy wz
  energies  kinetic, potential, elastic, total
  joints    name; force fx fy fz and torque tx ty tz on the first body, about the anchor
  contacts  a, b (bodies); point x y z; normal nx ny nz from b to a; depth; force along the normal;
            friction gx gy gz on a (between bodies; those of cloths and solids are not noted)
  nodes     name (of a cloth or solid), node; position x y z; velocity vx vy vz
Bodies, joints and nodes are those of the start; what is gone is nan from then on.
.csv and .parquet: a row for each time and thing; FILE.csv holds the bodies, FILE.energies.csv,
  FILE.joints.csv, FILE.contacts.csv and FILE.nodes.csv the rest.
.npz: time (T), names (n), positions (T, n, 3), orientations (T, n, 4), velocities and
  angular_velocities (T, n, 3), energies (T, 4), joint_names (j), joint_forces and joint_torques
  (T, j, 3), soft_names (s), node_softs (m; number in soft_names), node_positions and
  node_velocities (T, m, 3); of all contacts in one row: contact_steps (number in time), contact_a
  and contact_b (number in names, -1 for what came later), contact_points, contact_normals,
  contact_depths, contact_forces, contact_frictions.
A file takes the place of an older one only when it is whole: a run that is killed leaves the old
one, Ctrl-C also leaves what there is as FILE.interrupted.csv (.npz, .parquet).
"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_level(parser)
    add_values(parser)
    parser.add_argument("--seconds", type=float, help="simulated time; default: what it expects")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors (and JSON)")
    add_allow_frozen(parser)
    parser.add_argument("--out", metavar="FILE", help="trajectories: .npz, .csv or .parquet")
    parser.add_argument("--video", metavar="FILE", help="also render an .mp4")
    parser.add_argument("--replay", metavar="FILE", help="play the commands of a replay")
    parser.add_argument("--record", metavar="FILE", help="write a replay of this run")


def run(arguments: argparse.Namespace) -> int:
    from levels import Session, load

    level = load(arguments.level)
    replay = _replay(arguments.replay)
    values = {**(replay.given if replay else {}), **parse_values(arguments.values)}
    checked_variant(level, values)

    def start() -> Session:
        """A replay brings the sliders it was played with and whether the level played itself."""
        session = Session(level, scripted=replay.scripted if replay else True, **values)
        session.schedule(replay.commands if replay else ())
        return session

    asked = _checked_seconds(arguments.seconds)
    if arguments.video:
        _check_video(writable(arguments.video))
    with without_progress(arguments.quiet):
        # on all processors, and not counted as simulation; building a world compiles already
        prepare_level(level)
        session = start()
        usual = replay.end * session.world.h if replay else level.seconds(session.variant)
        seconds = usual if asked is None else asked
        code = _simulate(session, seconds, arguments)
        if arguments.video and code != ExitCode.INTERRUPTED:
            _video(start(), seconds, arguments)
    return code


def _simulate(session: "Session", seconds: float, arguments: argparse.Namespace) -> ExitCode:
    from levels.headless import run as run_session
    from sandbox.outputs import Outputs

    with Outputs() as outputs, Progress(session.level.name) as progress:
        if arguments.record:
            outputs.add_recording(session, writable(arguments.record))
        if arguments.out:
            outputs.add_trajectory(session, writable(arguments.out), seconds)
        with asked_to_stop(at_once=lambda: session.tick == 0) as stop:
            result = run_session(
                session,
                seconds,
                progress=progress,
                observe=lambda _: outputs.after_step(),
                stop=stop,
            )
        outputs.close(whole=result.interrupted_at is None)
        progress.done()
    result.allow_frozen = arguments.allow_frozen
    return _report(result, outputs, seconds, arguments)


def _report(
    result: "Result", outputs: "Outputs", seconds: float, arguments: argparse.Namespace
) -> ExitCode:
    """The summary, whatever became of the files; then what did."""
    from sandbox.summary import print_doubts, print_summary

    lost = [ExitCode.ENVIRONMENT] if outputs.failures else []
    code = worst([result.exit_code, *lost])
    if arguments.json:
        files = {"written": list(map(str, outputs.written)), "failures": outputs.failures}
        print(json.dumps({**result.as_json(), **files, "exit_code": int(code)}, allow_nan=False))
    elif arguments.quiet:
        print_doubts(result)
    else:
        print_summary(result)
    for failure in outputs.failures:
        error(failure)
    if result.interrupted_at is not None:
        kept = ", ".join(map(str, outputs.written)) or "nothing was written"
        raise Interrupted(f"{result.interrupted_at:g} s of {seconds:g} s were simulated; {kept}")
    return code


def _checked_seconds(asked: float | None) -> float | None:
    if asked is not None and not 0 < asked <= 36_000:
        raise UsageProblem(f"--seconds {asked:g}: must be above 0 and at most 36000")
    return asked


def _replay(name: str | None) -> "Replay | None":
    from sandbox.replay_file import Replay, ReplayError

    try:
        return Replay.read(Path(name)) if name else None
    except ReplayError as error:
        raise UsageProblem(str(error)) from None


def _check_video(path: Path) -> None:
    """What cannot be a video is told before anything moves."""
    from sandbox.outputs import aside_for
    from sandbox.record.writers import check_ending

    try:
        check_ending(path)
    except ValueError as problem:
        raise UsageProblem(str(problem)) from None
    aside_for(path).drop()


def _video(session: "Session", seconds: float, arguments: argparse.Namespace) -> None:
    """The same run once more, with a camera."""
    from sandbox.commands.render import rendered

    path = rendered(session, seconds, writable(arguments.video), (1280, 720), "high")
    if not arguments.quiet:
        warn(f"  video {path}")
