"""What happens, picture by picture: `python -m tests.play.film_strips FOLDER [LEVEL…]`.

Every level is played by its script; FOLDER gets one sheet per level with a picture every half
second until it ends, to be looked at. Without levels: the scenes of the papers.
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
SIZE = (384, 216)
ACROSS, DOWN = 5, 6  # pictures of a sheet


def strip(studio: Studio, level: str, every: float) -> Image.Image:
    hand = Hand(level)
    player = Player(hand.session, SIZE[1])
    player.explains = False
    player.camera.aspect = SIZE[0] / SIZE[1]
    player.aim_camera()
    script, pictures = played(hand, level), list[Image.Image]()
    while len(pictures) < ACROSS * DOWN:
        for _ in range(round(every / hand.session.world.h)):
            next(script, None)
            player.step_once()
            player.camera.update(hand.session.world.h)
        player.show(1.0)
        pictures.append(Image.fromarray(studio.picture(player, SIZE)))
    sheet = Image.new("RGB", (ACROSS * SIZE[0], DOWN * SIZE[1]))
    for i, picture in enumerate(pictures):
        sheet.paste(picture, (i % ACROSS * SIZE[0], i // ACROSS * SIZE[1]))
    return sheet


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=float, default=0.5, help="seconds between pictures")
    parser.add_argument("folder", type=Path)
    parser.add_argument("levels", nargs="*")
    given = parser.parse_args(words)
    given.folder.mkdir(parents=True, exist_ok=True)
    studio = Studio("low")
    for level in given.levels or PAPERS:
        path = given.folder / f"{level}.png"
        strip(studio, level, given.every).save(path)
        print(path, flush=True)
    studio.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
