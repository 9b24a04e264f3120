"""Every level with its interface: `python -m tests.app.contact_sheet FOLDER [SIZE] [LEVEL…]`.

SIZE is 1280x720 if left out. Opens the levels one after the other in the real window on a virtual
display, lets each play itself for a moment, and keeps what is seen in FOLDER, with one sheet of all
of them.
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from tests.app.display import Hand, virtual_display

SECONDS = 1.5  # of play before the picture
ACROSS = 5  # pictures in a row of the sheet


def take(folder: Path, size: tuple[int, int], names: list[str]) -> list[Path]:
    """One picture per level."""
    os.environ["SDL_VIDEODRIVER"], os.environ["SDL_AUDIODRIVER"] = "x11", "dummy"
    from sandbox.render.quality import QUALITIES
    from sandbox.window.game import Game
    from sandbox.window.window import Window
    from tests.app.desk import Desk

    window = Window("contact sheet", size)
    game = Game(window, names[0])
    game.background = False
    game.quality.choose(QUALITIES["low"])
    desk, paths = Desk(game, Hand(os.environ["DISPLAY"])), []
    for name in names:
        game.open_level(name)
        desk.run(SECONDS)
        path = folder / f"{name}_{size[0]}.png"
        Image.fromarray(desk.pixels().astype(np.uint8)).save(path)
        print(path, flush=True)
        paths.append(path)
    window.close()
    return paths


def sheet(paths: list[Path], path: Path) -> None:
    small = [Image.open(one).convert("RGB") for one in paths]
    width, height = 384, round(384 * small[0].height / small[0].width)
    rows = -(-len(small) // ACROSS)
    whole = Image.new("RGB", (ACROSS * width, rows * height), "white")
    for i, one in enumerate(small):
        whole.paste(one.resize((width, height)), (i % ACROSS * width, i // ACROSS * height))
    whole.save(path)


def main(words: list[str]) -> int:
    from levels import shipped
    from sandbox.catalogue import ordered

    folder, rest = Path(words[0]), words[1:]
    folder.mkdir(parents=True, exist_ok=True)
    size = (1280, 720)
    if rest and rest[0][0].isdigit():
        width, height = rest.pop(0).split("x")
        size = (int(width), int(height))
    with (
        tempfile.TemporaryDirectory() as home,
        virtual_display(f"{size[0]}x{size[1]}x24") as display,
    ):
        os.environ.update(DISPLAY=display, XDG_CONFIG_HOME=home)
        paths = take(folder, size, rest or ordered(shipped()))
    sheet(paths, folder / f"sheet_{size[0]}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
