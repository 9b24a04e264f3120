"""Pictures for the wall of levels: `python -m sandbox.record.thumbnails LEVEL…` makes them.

The game starts this as a process of its own and at low priority, so that its window never waits.
A level whose kernels are compiled is drawn in motion; another one at rest, which needs none, until
its turn comes.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox import preparing

if TYPE_CHECKING:
    from levels import Level

SIZE = (480, 270)
_STEPS = 60  # let things settle into motion before the picture is taken
_NICE = 5  # a software driver draws the wall on all processors: more, and it would never come


@cache
def drawing_digest() -> str:
    """Of all that decides how a level is drawn: other code makes other pictures."""
    digest = sha256()
    for package in ("sandbox.render", "shaders"):
        folder = resources.files(package)
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if file.name.endswith((".py", ".glsl")):
                digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def pictures_folder() -> Path | None:
    """Where pictures are kept; None where nothing can be kept."""
    from physics.jit import cache_folder

    kernels = cache_folder()
    return kernels.parent / "pictures" if kernels is not None else None


def unseen(names: Sequence[str]) -> list[str]:
    """Levels of which there is no picture yet; does not read the levels."""
    folder = pictures_folder()
    if folder is None:
        return []
    ending = f"-{drawing_digest()[:12]}*.png"
    return [name for name in names if next(folder.glob(f"{name}-*{ending}"), None) is None]


def picture_path(level: "Level", *, moving: bool) -> Path | None:
    """Where the picture of a level is kept; None where nothing can be kept."""
    folder = pictures_folder()
    kind = "" if moving else "-rest"
    name = f"{level.name}-{level.digest[:12]}-{drawing_digest()[:12]}{kind}.png"
    return folder / name if folder is not None else None


def best_picture(level: "Level") -> Path | None:
    """In motion, else at rest; None where none was taken yet."""
    paths = (picture_path(level, moving=moving) for moving in (True, False))
    return next((path for path in paths if path is not None and path.is_file()), None)


def wanted(level: "Level", *, ready: bool) -> bool:
    """Is there none, or could there be a better one now that the level can move?"""
    best = best_picture(level)
    return best is None or (ready and best != picture_path(level, moving=True))


def take(level: "Level", context: Any, *, ready: bool) -> None:
    """Draw the level, in motion if it is ready for that, and keep the picture."""
    from PIL import Image

    from levels.files import Aside
    from sandbox.record.offline import still_picture, thumbnail

    path = picture_path(level, moving=ready)
    if path is None:
        return
    if ready:
        pixels = thumbnail(level, SIZE, _STEPS, context)
    else:
        pixels = still_picture(level, SIZE, context)
    path.parent.mkdir(parents=True, exist_ok=True)
    with Aside(path) as aside:
        Image.fromarray(pixels).save(aside.path, format="png")


def start_taking(names: Sequence[str]) -> subprocess.Popen[bytes]:
    """A process that takes the pictures of these levels, as far as they are missing."""
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-m", "sandbox.record.thumbnails", *names],
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
    )


def main(names: Sequence[str]) -> int:
    """Take what is missing; a level that cannot be drawn does not keep the others from it."""
    from levels import load
    from sandbox.render.context import offscreen_context

    if hasattr(os, "nice"):
        os.nice(_NICE)
    context = offscreen_context()
    failed = 0
    for name in names:
        try:
            level = load(name)
            ready = not preparing.missing(level)
            if wanted(level, ready=ready):
                take(level, context, ready=ready)
        except Exception as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed += 1
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
