"""Random input over all levels: `python -m tests.app.monkey --minutes 60`.

The game runs invisibly with events posted to SDL as a person's hands would make them: every key of
the key map, drags, wheel, clicks on panels, resizing; and, because few random clicks would meet
them, sliders, compared values, settings and edited level files are changed directly. Pictures,
recordings and saved levels go to a folder that is thrown away. After every level the state must be
finite; memory is read at the end of every round and must not grow from the second round on. An
exception is printed with its level, round and seed, and the game goes on; the exit code is 1 if
there was one or memory grew.
"""

import argparse
import os
import random
import resource
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

# All keys of the key map but those that leave the level; letters that levels bind.
KEYS = (
    *("space", ".", ",", "-", "=", "tab", "f1", "f2", "f3", "f4", "escape"),
    *"r123456789qxgcvfmadwseizjkl",
)
RARE = ("f5", "f12", "ctrl f12", "[", "]", "ctrl z", "ctrl y")  # slow, or far-reaching
SIZE = (640, 360)
SIZES = (SIZE, SIZE, (16, 16), (320, 200), (500, 700), (900, 500))
_SETTINGS = {
    "ui_scale": (0.75, 1.0, 2.0),
    "palette": ("", "night", "dusk"),
    "recording": ("mp4", "gif"),
    "reduced_motion": (True, False),
    "volume": (0.0, 0.6),
    "mute": (True, False),
}


def memory() -> float:
    """Resident MB of this process now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * resource.getpagesize() / 1e6


class Monkey:
    """One game and a seed; `play(level, seconds)` hammers on it."""

    def __init__(self, seed: int) -> None:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
        os.environ["SDL_AUDIODRIVER"] = "dummy"
        import pygame

        from sandbox.render.quality import QUALITIES
        from sandbox.window.game import Game
        from sandbox.window.window import Window

        self.pygame = pygame
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self._home = Path.cwd()
        os.chdir(self.folder)  # pictures and saved levels go where the game was started
        self.dice = random.Random(seed)
        self.window = Window("monkey", SIZE)
        self.game: Any = Game(self.window, "million")
        self.game.background = False
        self.game.quality.choose(QUALITIES["lowest"])
        self.events = 0
        self.done: Counter[str] = Counter()

    def play(self, level: str, frames: int) -> None:
        self.game.open_level(self._copy(level))
        self.game.frame(1 / 60)
        state = self.game.player.state
        state.open, state.hidden = {"sliders"}, False
        for _ in range(frames):
            for _ in range(self.dice.choice((0, 0, 1, 1, 2))):
                self.poke()
            self.game.frame(self.dice.choice((0.001, 1 / 60, 1 / 30, 0.2)))
        self.release_all()
        self.game.frame(1 / 60)
        self.check(level)

    def _copy(self, level: str) -> str:
        """Every other time the level is played from a file of its own, which may be edited."""
        from levels.library import find

        path = Path(find(level))
        if self.dice.random() < 0.5 or "file =" in path.read_text(encoding="utf-8"):
            return level
        copy = self.folder / path.name
        copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        return str(copy)

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
        deeds: tuple[tuple[float, Callable[[], None]], ...] = (
            (0.42, self.key),
            (0.38, self.mouse),
            (0.06, self.wheel),
            (0.02, self.system),
            (0.02, self.resize),
            (0.025, self.slider),
            (0.02, self.option),
            (0.015, self.compare),
            (0.01, self.overlay),
            (0.015, self.setting),
            (0.007, self.rare_key),
            (0.008, self.edit_file),
        )
        deed = self.dice.choices([d for _, d in deeds], [share for share, _ in deeds])[0]
        self.done[deed.__name__] += 1
        deed()

    def wheel(self) -> None:
        notches = self.dice.choice((-1, 1))
        self.post("MOUSEWHEEL", x=0, y=notches, precise_y=float(notches), flipped=False)

    def system(self) -> None:
        name = self.dice.choice(
            ("WINDOWFOCUSLOST", "WINDOWEXPOSED", "JOYDEVICEREMOVED", "WINDOWHIDDEN")
        )
        self.post(name, instance_id=0)
        self.post("WINDOWSHOWN")

    def resize(self) -> None:
        with warnings.catch_warnings():  # the only way to resize as a person would, said to go
            warnings.simplefilter("ignore", DeprecationWarning)
            window = self.pygame.Window.from_display_module()
        window.size = self.dice.choice(SIZES)

    def slider(self) -> None:
        player = self.game.player
        specs = [
            (name, spec)
            for name, spec in player.session.level.parameters.items()
            if spec.min is not None and spec.max is not None
        ]
        if specs:
            name, spec = self.dice.choice(specs)
            value = self.dice.uniform(float(spec.min), float(spec.max))
            player.set_parameter(name, round(value) if spec.whole else value)

    def option(self) -> None:
        dice = self.dice
        name = dice.choice(("rate", "gravity", "solver", "stabilization"))
        values: dict[str, Any] = {
            "rate": dice.choice((20, 60, 120)),
            "gravity": (0.0, -dice.uniform(0.0, 30.0), 0.0),
            "solver": dice.choice(("direct", "pgs")),
            "stabilization": dice.choice(("none", "geometric", "inertial", "adaptive")),
        }
        self.game.player.set_option(name, values[name])

    def compare(self) -> None:
        from sandbox.app.comparison import CHOICES

        comparison = self.game.comparison
        if comparison is None:
            return self.game.action("compare")
        deed = self.dice.choice(("choose", "toggle", "ghosts", "sync", "stop"))
        if deed == "choose":
            comparison.choose(self.dice.choice(tuple(CHOICES)))
        elif deed == "toggle":
            comparison.toggle(self.dice.choice(CHOICES[comparison.what]))
        elif deed == "ghosts":
            comparison.ghosts = not comparison.ghosts
        elif deed == "sync":
            comparison.sync()
        else:
            self.game.stop_comparing()
        return None

    def overlay(self) -> None:
        from sandbox.app.overlays import OVERLAYS

        self.game.player.state.toggle_overlay(self.dice.choice(tuple(OVERLAYS)))

    def setting(self) -> None:
        name = self.dice.choice(tuple(_SETTINGS))
        self.game.change_setting(name, self.dice.choice(_SETTINGS[name]))

    def rare_key(self) -> None:
        *ctrl, name = self.dice.choice(RARE).split()
        self.press(name, self.pygame.KMOD_CTRL if ctrl else 0, let_go=True)

    def edit_file(self) -> None:
        """Save the level's file with a mistake or without; shipped files are left alone."""
        path = Path(self.game.player.session.level.path)
        if path.parent.resolve() != self.folder.resolve():
            return
        text = path.read_text(encoding="utf-8").removesuffix("\nmistake =\n")
        path.write_text(text + self.dice.choice(("", "\n# saved\n", "\nmistake =\n")), "utf-8")
        self.game._reload._last_look = 0.0  # look at once

    def key(self) -> None:
        self.press(self.dice.choice(KEYS), 0, let_go=self.dice.random() < 0.8)

    def press(self, name: str, mod: int, *, let_go: bool) -> None:
        code, scancode = self.pygame.key.key_code(name), _SCANCODES[name]
        self.post("KEYDOWN", key=code, scancode=scancode, mod=mod, unicode="")
        if let_go:
            self.post("KEYUP", key=code, scancode=scancode, mod=mod)

    def mouse(self) -> None:
        dice = self.dice
        size = self.window.size
        at = (dice.randrange(size[0]), dice.randrange(size[1]))
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
        os.chdir(self._home)
        self._folder.cleanup()


def _scancodes() -> dict[str, int]:
    from sandbox.window.keys import SCANCODES

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
        # what the game itself kept of this round: pictures, videos, levels
        for path in monkey.folder.glob("[!.]*"):  # hidden ones are still being written
            path.unlink()
    print(", ".join(f"{name} {count}" for name, count in sorted(monkey.done.items())))
    monkey.close()
    if grown(rounds):
        print("memory grew")
    return int(failures > 0 or grown(rounds))


if __name__ == "__main__":
    raise SystemExit(main())
