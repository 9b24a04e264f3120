"""Random input over all levels: `python -m tests.app.monkey --minutes 60`.

The game runs invisibly with events posted to SDL as a person's hands would make them: keys, drags,
wheel, resizing, pages, tools. After every level the state must be finite; memory is read at the
end of every round and must not grow from the second round on. An exception is printed with its
level, round and seed, and the game goes on; the exit code is 1 if there was one or memory grew.
"""

import argparse
import os
import random
import resource
import time
import traceback
from pathlib import Path
from typing import Any

import numpy as np

KEYS = (
    *("space", ".", ",", "-", "=", "tab", "f1", "f2", "f3", "f4"),
    *"r123456789qxgcvfmadwse",
)
SIZE = (320, 200)


def memory() -> float:
    """Resident MB of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


class Monkey:
    """One game and a seed; `play(level, seconds)` hammers on it."""

    def __init__(self, seed: int) -> None:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
        os.environ["SDL_AUDIODRIVER"] = "dummy"
        import pygame

        from sandbox.app.game import Game
        from sandbox.app.window import Window
        from sandbox.render.quality import QUALITIES

        self.pygame = pygame
        self.dice = random.Random(seed)
        self.window = Window("monkey", SIZE)
        self.game: Any = Game(self.window, "million")
        self.game.set_quality(QUALITIES["lowest"])
        self.events = 0

    def play(self, level: str, frames: int) -> None:
        self.game.open_level(level)
        self.game.frame(1 / 60)
        state = self.game.player.state
        state.wall = state.help = state.settings = False
        for _ in range(frames):
            for _ in range(self.dice.choice((0, 0, 1, 1, 2))):
                self.poke()
            self.game.frame(self.dice.choice((0.001, 1 / 60, 1 / 30, 0.2)))
        self.release_all()
        self.game.frame(1 / 60)
        self.check(level)

    def check(self, level: str) -> None:
        """Nothing drawn may be without a place, whatever was done to the level."""
        session = self.game.player.session
        scene = self.game.player.scene()
        for rows in scene.parts.values():
            assert np.isfinite(rows["position"]).all(), level
        assert np.isfinite(scene.tubes["a"]).all(), level
        for sheet in scene.sheets:
            assert np.isfinite(sheet.points).all(), level
        assert np.isfinite(session.world.poses()[0]).all(), level

    def poke(self) -> None:
        self.events += 1
        dice = self.dice
        chance = dice.random()
        if chance < 0.45:
            self.key()
        elif chance < 0.85:
            self.mouse()
        elif chance < 0.93:
            self.post("MOUSEWHEEL", x=0, y=dice.choice((-1, 1)), precise_y=1.0, flipped=False)
        elif chance < 0.96:
            name = dice.choice(("WINDOWFOCUSLOST", "WINDOWEXPOSED", "JOYDEVICEREMOVED"))
            self.post(name, instance_id=0)
        elif chance < 0.98:
            player = self.game.player
            for name, spec in player.session.level.parameters.items():
                if spec.min is not None and spec.max is not None and not spec.whole:
                    player.set_parameter(name, dice.uniform(float(spec.min), float(spec.max)))
                    break
        else:
            self.game.player.set_option("rate", dice.choice((20, 60, 120)))

    def key(self) -> None:
        pygame, dice = self.pygame, self.dice
        code = pygame.key.key_code({".": ".", ",": ","}.get(name := dice.choice(KEYS), name))
        scancode = _SCANCODES[name]
        mod = pygame.KMOD_CTRL if dice.random() < 0.1 and name in ("z", "y") else 0
        self.post("KEYDOWN", key=code, scancode=scancode, mod=mod, unicode="")
        if dice.random() < 0.8:
            self.post("KEYUP", key=code, scancode=scancode, mod=mod)

    def mouse(self) -> None:
        dice = self.dice
        at = (dice.randrange(SIZE[0]), dice.randrange(SIZE[1]))
        button = dice.choice((1, 1, 1, 2, 3))
        kind = dice.choice(("MOUSEBUTTONDOWN", "MOUSEMOTION", "MOUSEMOTION", "MOUSEBUTTONUP"))
        if kind == "MOUSEMOTION":
            self.post(kind, pos=at, rel=(1, 1), buttons=(1, 0, 0), touch=False)
        else:
            self.post(kind, pos=at, button=button, touch=False)

    def post(self, name: str, **data: Any) -> None:
        pygame = self.pygame
        pygame.event.post(pygame.event.Event(getattr(pygame, name), **data))

    def release_all(self) -> None:
        for button in (1, 2, 3):
            self.post("MOUSEBUTTONUP", pos=(5, 5), button=button, touch=False)
        for name in KEYS:
            code = self.pygame.key.key_code(name)
            self.post("KEYUP", key=code, scancode=_SCANCODES[name], mod=0)

    def close(self) -> None:
        self.game.close()
        self.window.close()


def _scancodes() -> dict[str, int]:
    from sandbox.app.keys import SCANCODES

    return {name.lower(): code for name, code in SCANCODES.items()}


_SCANCODES = _scancodes()


def grown(rounds: list[float]) -> bool:
    """Memory is flat: the last rounds hold no more than the first ones did after warming up."""
    if len(rounds) < 4:
        return False
    early, late = rounds[1 : 1 + len(rounds) // 3], rounds[-(len(rounds) // 3) :]
    return min(late) > 1.1 * max(early) + 20.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--frames", type=int, default=150, help="per level and round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", nargs="*", help="all that ship, if not given")
    arguments = parser.parse_args()
    from levels import shipped

    names = arguments.levels or list(shipped())
    monkey = Monkey(arguments.seed)
    until = time.monotonic() + 60 * arguments.minutes
    rounds: list[float] = []
    failures = 0
    while time.monotonic() < until:
        for level in names:
            try:
                monkey.play(level, arguments.frames)
            except Exception:
                failures += 1
                print(f"seed {arguments.seed}, round {len(rounds) + 1}, {level}:", flush=True)
                traceback.print_exc()
        rounds.append(memory())
        print(
            f"round {len(rounds)}: {monkey.events} events, {rounds[-1]:.0f} MB, "
            f"{failures} failures",
            flush=True,
        )
    monkey.close()
    if grown(rounds):
        print("memory grew")
    return int(failures > 0 or grown(rounds))


if __name__ == "__main__":
    raise SystemExit(main())
