"""Without a window: say why, then run the level headless and leave something to look at."""

import sys
from pathlib import Path
from typing import Any

from sandbox.render.context import GraphicsError

_SECONDS = 10.0


def run_headless(level: Any, reason: str) -> int:
    """A video where OpenGL works offscreen, otherwise the numbers of the run."""
    from sandbox.record.offline import render_video, session_of

    print(f"No window: {reason}. Running the level without one.", file=sys.stderr)
    session = session_of(level)
    out = Path.cwd() / f"{session.level.name}.mp4"
    try:
        print(f"video: {render_video(session, _SECONDS, out, (1280, 720), 'medium')}")
        return 0
    except GraphicsError as error:
        print(f"No video either: {error}.", file=sys.stderr)
    session.step(round(_SECONDS * session.world.rate))
    energy, error_now = session.world.energy(), session.world.constraint_error()
    print(
        f"{session.level.title}: {session.time:.1f} s simulated, {session.tick} steps,"
        f" energy {energy.total:.4g} J, constraint error {1000 * error_now:.3g} mm,"
        f" state {session.world.hash()[:16]}"
    )
    return 0
