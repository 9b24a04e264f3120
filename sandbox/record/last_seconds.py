"""The end of a game as a clip: `python -m sandbox.record.last_seconds REPLAY OUT SECONDS [LEVEL]`.

The game starts this as a process of its own, so that its window never waits: the replay is played
again up to its end, and the last seconds of it are drawn.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.replay_file import Replay

SECONDS = 10.0
_SIZE = (1280, 720)
_NICE = 5


def start_clip(replay: Path, out: Path, level: str) -> subprocess.Popen[bytes]:
    """Draw the last seconds of a replay into a video, beside the game."""
    quiet = subprocess.DEVNULL
    words = [str(replay), str(out), str(SECONDS), level]
    return subprocess.Popen(
        [sys.executable, "-m", "sandbox.record.last_seconds", *words],
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
    )


def save_clip(replay: "Replay", level: str, out: Path, seconds: float) -> Path:
    """The last seconds of a replay as a video."""
    from levels import load
    from sandbox.record.offline import render_video

    session = replay.session(load(level))
    session.schedule(replay.commands)
    before = replay.end - round(seconds * float(session.world.rate))
    session.expecting = False
    if before > 0:
        session.step(before)
    return render_video(session, seconds + 0.5, out, _SIZE, "medium", last=replay.end)


def main(words: list[str]) -> int:
    from sandbox.replay_file import Replay

    if hasattr(os, "nice"):
        os.nice(_NICE)
    replay, out, seconds, level = words
    save_clip(Replay.read(Path(replay)), level, Path(out), float(seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
