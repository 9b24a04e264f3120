"""What happens, picture by picture: `python -m tests.play.film_strips FOLDER [LEVEL…]`.

Every level is played by its script; FOLDER gets one sheet per level with a picture every half
second until it ends, to be looked at. Without levels: the scenes of the papers. Larger pictures
for a closer look: `--size 640x360 --across 3`.
"""

import argparse
import sys
from pathlib import Path

from PIL import Image

from sandbox.app.player import Player
from sandbox.record.offline import Studio
from tests.play.hand import Hand
from tests.play.pace import played

PAPERS = [
    "crane",
    "bow",
    "knee",
    "strongman",
    "hammock",
    "sheets",
    "twist",
    "jelly_swing",
    "materials",
    "quads",
    "supported_beam",
    "boom_drop",
    "million",
    "liana",
    "integrators",
    "ghosts",
]
SIZE = "384x216"
ACROSS, DOWN = 5, 6  # pictures of a sheet

Size = tuple[int, int]


def strip(studio: Studio, level: str, every: float, size: Size, across: int) -> Image.Image:
    hand = Hand(level)
    player = Player(hand.session, size[1])
    player.explains = False
    player.camera.aspect = size[0] / size[1]
    player.aim_camera()
    script, pictures = played(hand, level), list[Image.Image]()
    while len(pictures) < across * DOWN:
        for _ in range(round(every / hand.session.world.h)):
            next(script, None)
            player.step_once()
            player.camera.update(hand.session.world.h)
        player.show(1.0)
        pictures.append(Image.fromarray(studio.picture(player, size)))
    sheet = Image.new("RGB", (across * size[0], DOWN * size[1]))
    for i, picture in enumerate(pictures):
        sheet.paste(picture, (i % across * size[0], i // across * size[1]))
    return sheet


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=float, default=0.5, help="seconds between pictures")
    parser.add_argument("--size", default=SIZE, help="of a picture, pixels")
    parser.add_argument("--across", type=int, default=ACROSS, help="pictures beside each other")
    parser.add_argument("folder", type=Path)
    parser.add_argument("levels", nargs="*")
    given = parser.parse_args(words)
    given.folder.mkdir(parents=True, exist_ok=True)
    width, height = map(int, given.size.split("x"))
    studio = Studio("low")
    for level in given.levels or PAPERS:
        path = given.folder / f"{level}.png"
        strip(studio, level, given.every, (width, height), given.across).save(path)
        print(path, flush=True)
    studio.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
