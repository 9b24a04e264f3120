"""Recorded play: which level, which values, which commands at which tick, and proof of the result.

The file is lines of JSON, appended and flushed once a second, so that a killed game leaves a replay
that is readable up to its last second:

    {"taut-replay": 1, "level": "crane", "digest": …, "given": {…}, "names": [...]}   first line
    {"t": 12, "do": [["key", "a", true]]}              commands applied before step 12
    {"t": 60, "hash": "…", "steps": "…", "bodies": "…"} state after 60 steps, see below
    {"rewind": 30}                                     play went on from tick 30
    {"end": 600, "hash": "…", "status": "won"}

`hash` is the world's own hash. `steps` holds four bytes for each step since the last such line, and
`bodies` one byte per body and step: enough to name the first step and body that differ.
"""

import base64
import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from levels import Level, Session, load
from levels.commands import Command, decode_command, is_number
from levels.plain_data import GivenValues, JsonTable

if TYPE_CHECKING:
    from sandbox.protocols import GameSession

_FORMAT = 1
_MAX_BYTES = 1_000_000_000  # ten hours of a large level are about half of it
_LONGEST_GAP = 100_000  # steps between two marks; they come once a second, at most 10,000 steps
_LONGEST = 360_000_000  # steps: ten hours at the highest rate
_FOLD = 256  # bodies beyond share a byte, which bounds a replay at 16 kB a second
_MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, so that multiplying loses no bits


T = TypeVar("T")


class ReplayError(Exception):
    """The file is no replay, or belongs to another level."""


def state_bytes(session: "GameSession") -> tuple[bytes, bytes]:
    """Four bytes of the whole state and one byte per body, both of the exact bits."""
    positions, orientations = session.world.poses()
    table = np.ascontiguousarray(np.hstack((positions, orientations)), dtype=np.float64)
    bits = table.view(np.uint64)
    per_body = _fold(bits)
    return zlib.crc32(table.tobytes()).to_bytes(4, "little"), per_body.tobytes()


def _fold(bits: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    mixed = np.zeros(len(bits), np.uint64)
    for column in bits.T:
        mixed = (mixed ^ column) * _MIX
    small = (mixed >> np.uint64(56)).astype(np.uint8)
    if len(small) <= _FOLD:
        return small
    padded = np.zeros(-(-len(small) // _FOLD) * _FOLD, np.uint8)
    padded[: len(small)] = small
    return np.bitwise_xor.reduce(padded.reshape(-1, _FOLD), axis=0).astype(np.uint8)


class Recorder:
    """Writes a replay while a session is played. Call `after_step` once per step."""

    def __init__(self, session: "GameSession", path: Path) -> None:
        self.session = session
        self.failure = ""  # why nothing more is recorded: a full disk, a stick that was pulled out
        self.file: TextIOWrapper = path.open("w", encoding="utf-8", newline="\n")
        self._steps, self._bodies = bytearray(), bytearray()
        self._last = session.tick  # up to which steps are noted
        self._commands: list[tuple[int, Command]] = []  # of the present branch
        self._every = max(1, round(session.world.rate))
        self._write(
            {
                "taut-replay": _FORMAT,
                "level": session.level.name,
                "path": session.level.path.name,
                "digest": session.level.digest,
                "given": session.given,
                "scripted": session.scripted,
                "names": _slot_names(session),
            }
        )
        session.listen(self.command)

    def command(self, tick: int, command: Command) -> None:
        if self.file.closed:
            return
        self._commands.append((tick, command))
        self._write({"t": tick, "do": [command.encode()]}, flush=False)

    def after_step(self) -> None:
        if self.session.tick != self._last + 1:  # steps were taken that nobody told of
            self._forget_steps()
        self._last = self.session.tick
        whole, bodies = state_bytes(self.session)
        self._steps += whole
        self._bodies += bodies
        if self.session.tick % self._every == 0:
            self._mark()

    def rewound(self) -> None:
        """The session has gone back to an earlier tick and plays on from there."""
        self._forget_steps()
        self._last = tick = self.session.tick
        while self._commands and self._commands[-1][0] >= tick:
            self._commands.pop()
        self._write({"rewind": tick})

    def jumped(self) -> None:
        """The session is at another moment, perhaps of a branch that was left: undo, redo."""
        led_here = self.session.commands()
        if [entry for entry in self._commands if entry[0] < self.session.tick] == led_here:
            self.rewound()
            return
        self._forget_steps()
        self._last = self.session.tick
        self._write({"rewind": 0}, flush=False)
        self._commands = []
        for tick, command in led_here:
            self.command(tick, command)
        self._attempt(self.file.flush)

    def _forget_steps(self) -> None:
        self._steps.clear()
        self._bodies.clear()

    def mark(self) -> None:
        """Have everything up to the present step on the disk."""
        if not self.file.closed and self.session.tick == self._last:
            self._mark()

    def close(self) -> None:
        if self.file.closed:
            return
        self._mark()
        status = self.session.status
        digest = self.session.world.hash()
        self._write({"end": self.session.tick, "hash": digest, "status": status})
        self._attempt(self.file.close)

    def _mark(self) -> None:
        self._write(
            {
                "t": self.session.tick,
                "hash": self.session.world.hash(),
                "steps": base64.b64encode(self._steps).decode(),
                "bodies": base64.b64encode(self._bodies).decode(),
            }
        )
        self._forget_steps()

    def _write(self, line: JsonTable, flush: bool = True) -> None:
        text = json.dumps(line, separators=(",", ":")) + "\n"
        self._attempt(lambda: self.file.write(text))
        if flush:
            self._attempt(self.file.flush)

    def _attempt(self, action: Callable[[], object]) -> None:
        """A disk that fails ends the recording, never the game."""
        if self.file.closed:
            return
        try:
            action()
        except OSError as problem:
            self.failure = problem.strerror or str(problem)
            with suppress(OSError):
                self.file.close()


def _slot_names(session: "GameSession") -> list[str]:
    names = [""] * len(session.world.poses()[0])
    for name, handle in session.handles.items():
        names[handle.slot] = name
    return names


@dataclass
class Replay:
    """A replay read back; commands and marks of branches that were rewound are already gone."""

    level: str
    path: str
    digest: str
    given: GivenValues
    names: list[str]
    scripted: bool = False
    commands: list[tuple[int, Command]] = field(default_factory=list)
    marks: list[tuple[int, str]] = field(default_factory=list)  # tick, hash
    steps: dict[int, bytes] = field(default_factory=dict)  # tick → 4 bytes
    bodies: dict[int, bytes] = field(default_factory=dict)
    end: int = 0
    complete: bool = False
    _reached: int = 0  # the last step of all branches, those that were left too

    @classmethod
    def read(cls, path: Path) -> "Replay":
        """Everything up to the last complete line."""
        lines = _lines(_text(path))
        head = next(lines, None)
        if head is None or head.get("taut-replay") != _FORMAT:
            raise ReplayError(f"{path.name} is not a replay (its first line does not say so)")
        try:
            replay = _begun(head)
            for line in lines:
                replay._take(line)
            replay._check_end()
        except KeyError as error:
            raise ReplayError(f"{path.name} is damaged: {error} is missing") from None
        except ValueError as error:
            raise ReplayError(f"{path.name} is damaged: {error}") from None
        return replay

    def _take(self, line: JsonTable) -> None:
        if "do" in line:
            tick = _tick(line["t"])
            self.commands += [(tick, decode_command(entry)) for entry in _typed(line, "do", list)]
        elif "rewind" in line:
            self._rewind(_tick(line["rewind"]))
        elif "end" in line:
            self.end, self.complete = _tick(line["end"]), True
        elif "hash" in line:
            self._mark(line)

    def _mark(self, line: JsonTable) -> None:
        tick = _tick(line["t"])
        if tick > self._reached + _LONGEST_GAP:
            raise ValueError(f"nothing is recorded from step {self._reached} to {tick}")
        self._reached = max(self._reached, tick)
        if not self.marks or tick > self.marks[-1][0]:
            self.marks.append((tick, _typed(line, "hash", str)))
        steps = base64.b64decode(_typed(line, "steps", str), validate=True)
        bodies = base64.b64decode(_typed(line, "bodies", str), validate=True)
        count = len(steps) // 4
        width = len(bodies) // count if count else 0
        for i in range(count):
            at = tick - count + 1 + i
            self.steps[at] = steps[4 * i : 4 * i + 4]
            self.bodies[at] = bodies[width * i : width * (i + 1)]
        self.end = max(self.end, tick)

    def _check_end(self) -> None:
        """A replay that is complete has a mark at its end."""
        last = self.marks[-1][0] if self.marks else 0
        if self.end > last:
            raise ValueError(f"it ends at step {self.end}, but nothing is recorded after {last}")

    def _rewind(self, tick: int) -> None:
        self.commands = [entry for entry in self.commands if entry[0] < tick]
        self.marks = [entry for entry in self.marks if entry[0] <= tick]
        self.steps = {t: value for t, value in self.steps.items() if t <= tick}
        self.bodies = {t: value for t, value in self.bodies.items() if t <= tick}
        self.end = tick

    def session(self, level: Level | None = None) -> Session:
        """A fresh session of the replay's level; ReplayError if the file has changed since."""
        level = level or load(self.level)
        if level.digest != self.digest:
            raise ReplayError(
                f'the level "{level.name}" has changed since this was recorded '
                f"({self.digest[:8]} then, {level.digest[:8]} now)"
            )
        try:
            level.variant(**self.given)
        except (TypeError, ValueError) as error:
            raise ReplayError(f"the replay does not fit its level: {error}") from None
        return Session(level, scripted=self.scripted, **self.given)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise ReplayError(f"{path.name} has more than {_MAX_BYTES:,} bytes")
        return path.read_text(encoding="utf-8", errors="strict")
    except OSError as error:
        raise ReplayError(f"cannot read {path.name}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ReplayError(f"{path.name} is not a replay") from None


def _lines(text: str) -> Iterator[JsonTable]:
    for line in text.split("\n")[:-1]:  # what follows the last newline was never finished
        try:
            parsed = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(parsed, dict):
            return
        yield parsed


def _begun(head: JsonTable) -> Replay:
    """The replay of a first line, with nothing done yet."""
    given, names = _typed(head, "given", dict), _typed(head, "names", list)
    for name, value in given.items():
        if not isinstance(value, str) and not is_number(value):
            raise ValueError(f'"given" has something for "{name}" that is no number and no text')
    if not all(isinstance(name, str) for name in names):
        raise ValueError('"names" holds something else than text')
    level, path, digest = (_typed(head, key, str) for key in ("level", "path", "digest"))
    return Replay(level, path, digest, given, names, _typed(head, "scripted", bool))


def _typed(line: JsonTable, key: str, kind: type[T]) -> T:
    value = line[key]
    if not isinstance(value, kind):
        raise ValueError(f'"{key}" is a {type(value).__name__} instead of a {kind.__name__}')
    return value


def _tick(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _LONGEST:
        raise ValueError(f"{str(value)[:40]} is no step of a replay")
    return value


@dataclass(frozen=True)
class Difference:
    """The first step whose state is not the recorded one."""

    tick: int
    time: float
    bodies: tuple[str, ...]


def verify(
    replay: Replay, session: Session, progress: Callable[[float], None] = lambda share: None
) -> Difference | None:
    """Play the commands and compare every step, bit by bit; None if all are the same."""
    marks = dict(replay.marks)
    for tick in _play(replay, session):
        progress(tick / replay.end)
        whole, bodies = state_bytes(session)
        recorded = replay.steps.get(tick)
        if recorded is not None and recorded != whole:
            return _difference(replay, session, tick, bodies)
        if tick in marks and marks[tick] != session.world.hash():
            return _difference(replay, session, tick, bodies)
    return None


def _play(replay: Replay, session: Session) -> Iterator[int]:
    """Step through the replay; yields the tick after each step."""
    session.schedule(replay.commands)
    while session.tick < replay.end:
        session.step()
        yield session.tick


def play(replay: Replay, session: Session) -> Iterator[Session]:
    """The replay as it happened, one step at a time, for showing or measuring it."""
    for _ in _play(replay, session):
        yield session


def _difference(replay: Replay, session: Session, tick: int, now: bytes) -> Difference:
    then = replay.bodies.get(tick, b"")
    names = _slot_names(session)
    changed = [
        names[i] if len(names) <= _FOLD else f"one of {', '.join(names[i::_FOLD])}"
        for i, (a, b) in enumerate(zip(then, now, strict=False))
        if a != b
    ]
    return Difference(tick, session.time, tuple(changed))
