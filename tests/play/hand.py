"""A player without a screen: presses the level's keys, moves its sliders, and drags things.

A script is a generator over `Hand`: it does something, yields, and a step is taken. It looks at
positions, speeds and tensions as a person looks at the picture, so that it wins whenever the
physics is right, whatever the last bits are.
"""

from collections.abc import Callable, Generator, Iterator

import numpy as np

from levels import Session, load
from levels.commands import Command, Cut, Drag, Drop, Grab, Key, Place, Push, Restart, SetParameter
from levels.functions import FUNCTIONS

Script = Generator[None, None, None]
Player = Callable[["Hand"], Script]


class Hand:
    def __init__(self, level: str, **given: float) -> None:
        self.session: Session = load(level).session(**given)
        self.session.expecting = False
        self.commands: list[tuple[int, Command]] = []
        self.session.listen(lambda tick, command: self.commands.append((tick, command)))
        self._down: set[str] = set()
        self.after_step: Callable[[], object] = lambda: None

    # --- looking ---------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        return self.session.time

    @property
    def status(self) -> str:
        return self.session.status

    def at(self, body: str) -> np.ndarray:
        session = self.session
        if body in session.softs:
            return np.asarray(session.world.node_positions(session.softs[body]).mean(axis=0), float)
        return np.asarray(session.world.position(session.names.handle(body)), float)

    def velocity(self, body: str) -> np.ndarray:
        return np.asarray(self.session.world.velocity(self.session.names.handle(body)), float)

    def pull(self, rope: str) -> float:
        """The largest force in a rope or cable, N."""
        world, joints = self.session.world, self.session.joints
        forces = [
            float(np.linalg.norm(world.joint_force(joint)[0]))
            for name, joint in joints.items()
            if name.partition(".")[0] == rope
        ]
        return max(forces, default=0.0)

    def angle(self, joint: str) -> float:
        """Of a hinge, rad, in the words of the level's own language."""
        return float(FUNCTIONS["angle"].call(self.session, joint))

    # --- doing -----------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        if key not in self._down:
            self._down.add(key)
            self.session.issue(Key(key, True))

    def let_go(self, key: str) -> None:
        if key in self._down:
            self._down.discard(key)
            self.session.issue(Key(key, False))

    def hold(self, key: str, on: bool) -> None:
        (self.press if on else self.let_go)(key)

    def let_go_of_all(self) -> None:
        for key in sorted(self._down):
            self.let_go(key)

    def tap(self, key: str) -> Script:
        self.press(key)
        yield from self.wait(0.06)
        self.let_go(key)
        yield

    def slide(self, name: str, value: float) -> None:
        self.session.issue(SetParameter(name, value))

    def restart(self) -> None:
        self._down.clear()
        self.session.issue(Restart())

    def cut(self, joint: str) -> None:
        self.session.issue(Cut(joint))

    def push(self, body: str, impulse: tuple[float, float, float]) -> None:
        self.session.issue(Push(body, impulse))

    def place(self, body: str, position: tuple[float, float, float]) -> None:
        self.session.issue(Place(body, position))

    def drag(self, body: str, *way: tuple[float, float, float], speed: float = 2.0) -> Script:
        """Take a body by its middle, lead it along and let it go at the end."""
        point = self.at(body)
        self.session.issue(Grab(0, body, _triple(point)))
        for goal in way:
            target = np.asarray(goal, float)
            while np.linalg.norm(target - point) > 1e-6:
                step = speed * self.session.world.h
                gap = target - point
                size = float(np.linalg.norm(gap))
                point = target if size <= step else point + gap * (step / size)
                self.session.issue(Drag(0, _triple(point)))
                yield
            yield from self.wait(0.4)
        self.session.issue(Drop(0))
        yield

    # --- waiting ---------------------------------------------------------------------------------

    def wait(self, seconds: float) -> Script:
        for _ in range(max(1, round(seconds / self.session.world.h))):
            yield

    def until(self, condition: Callable[[], bool], patience: float = 30.0) -> Script:
        for _ in range(round(patience / self.session.world.h)):
            if condition():
                return
            yield


def _triple(v: np.ndarray) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])


def play(hand: Hand, script: Iterator[None], seconds: float) -> str:
    """Let a script play until the level ends, or for so long; how it ended."""
    going = True
    for _ in range(round(seconds / hand.session.world.h)):
        if going:
            going = next(script, "done") is None
        hand.session.step()
        hand.after_step()
        if hand.status == "won" or (hand.status == "lost" and not going):
            break
    return hand.status


def lazy(level: str, key: str = "", seconds: float = 30.0) -> str:
    """Nothing but one key, held from the start; how it ended."""
    hand = Hand(level)
    if key:
        hand.press(key)
    return play(hand, iter(()), seconds)


def keys_of(level: str) -> list[str]:
    return sorted(load(level).session().keys())
