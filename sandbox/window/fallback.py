"""Without a window: say why, then run the level headless and leave something to look at."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.messages import MachineProblem, Progress
from sandbox.preparing import prepare_level

if TYPE_CHECKING:
    from levels import Level, Session

_LONGEST = 10.0  # s


def run_headless(level: "str | Path | Level", reason: str) -> int:
    """A video where OpenGL works offscreen, otherwise the numbers of the run and a plot."""
    from levels import load

    print(f"No window: {reason}. The level runs without one.", file=sys.stderr, flush=True)
    chosen = load(level) if isinstance(level, str | Path) else level
    prepare_level(chosen)
    seconds = min(float(chosen.seconds()), _LONGEST)
    out = Path.cwd() / chosen.name
    try:
        from sandbox.record import render_video

        path = render_video(chosen, seconds, out.with_suffix(".mp4"), (1280, 720), "medium")
        print(f"video: {path}")
        return 0
    except (MachineProblem, ImportError, OSError) as error:
        print(f"No video: {error}. `sandbox doctor` says what to do.")
    return _numbers(chosen, seconds, out.with_suffix(".png"))


def _numbers(level: "Level", seconds: float, picture: Path) -> int:
    from levels import Session
    from levels.headless import run
    from sandbox.record.line_graph import save_graph
    from sandbox.summary import print_summary

    times: list[float] = []
    lines: dict[str, list[float]] = {"kinetic": [], "potential": [], "total": []}

    def note(session: "Session") -> None:
        energy = session.world.energy()
        times.append(float(session.time))
        for name, line in lines.items():
            line.append(float(getattr(energy, name)))

    Session(level, scripted=True).step()  # loads kernels, which is not simulation time
    progress = Progress(level.name)
    result = run(Session(level, scripted=True), seconds, progress=progress, observe=note)
    progress.done()
    print_summary(result)
    print(f"plot: {save_graph(picture, f'{level.title}: energy', times, lines, 'J')}")
    return int(result.exit_code)
