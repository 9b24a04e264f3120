"""Everything a player can do to a running level, as data.

The game, scripted inputs and replays all issue the same commands; `Session` applies them between
two steps. Things are called by name, never by slot, so that a recorded command means the same in
another process. A command is written as a short list: `["key", "a", true]`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, ClassVar

from levels.caps import LARGEST_NUMBER
from levels.plain_data import TomlTable, TomlValue
from levels.problems import did_you_mean

if TYPE_CHECKING:
    from levels.runtime import Session

Vector = tuple[float, float, float]
OptionValue = str | float | Vector  # of stabilization, solver, rate or gravity
COMMANDS: dict[str, type[Command]] = {}


class Command:
    """Base: subclasses are frozen dataclasses with an `apply`."""

    verb: ClassVar[str]

    def __init_subclass__(cls) -> None:
        COMMANDS[cls.verb] = cls

    def apply(self, session: Session) -> None:
        raise TypeError(f"{self.verb} cannot be applied")

    def encode(self) -> list[TomlValue]:
        values = list(asdict(self).values())  # type: ignore[call-overload]
        while values and values[-1] is None:  # neither JSON nor TOML needs to say nothing
            values.pop()
        return [self.verb, *values]


@dataclass(frozen=True)
class Key(Command):
    """A key bound by the level goes down or up."""

    verb: ClassVar[str] = "key"
    key: str
    down: bool

    def apply(self, session: Session) -> None:
        if self.down:
            session.held.add(self.key)
        else:
            session.held.discard(self.key)


@dataclass(frozen=True)
class SetParameter(Command):
    """A slider of the level moves; the world is rebuilt around its present state."""

    verb: ClassVar[str] = "set"
    name: str
    value: float

    def apply(self, session: Session) -> None:
        session.set_parameter(self.name, self.value)


@dataclass(frozen=True)
class SetOption(Command):
    """stabilization, solver, rate or gravity changes while running."""

    verb: ClassVar[str] = "option"
    name: str
    value: OptionValue | None

    def apply(self, session: Session) -> None:
        session.set_option(self.name, self.value)


@dataclass(frozen=True)
class Grab(Command):
    """Take hold of a body at a world point; `hand` tells several hands apart."""

    verb: ClassVar[str] = "grab"
    hand: int
    body: str
    point: Vector

    def apply(self, session: Session) -> None:
        session.hands.grab(self.hand, self.body, self.point)


@dataclass(frozen=True)
class Drag(Command):
    verb: ClassVar[str] = "drag"
    hand: int
    target: Vector

    def apply(self, session: Session) -> None:
        session.hands.drag(self.hand, self.target)


@dataclass(frozen=True)
class Drop(Command):
    verb: ClassVar[str] = "drop"
    hand: int

    def apply(self, session: Session) -> None:
        session.hands.drop(self.hand)


@dataclass(frozen=True)
class Pin(Command):
    """Fix a body, or what of a cloth or solid is at a point, where it is; again: let it go."""

    verb: ClassVar[str] = "pin"
    body: str
    point: Vector | None = None

    def apply(self, session: Session) -> None:
        session.edits.pin(self.body, self.point)


@dataclass(frozen=True)
class Place(Command):
    """Put a body somewhere else, at rest; for things that no joint holds."""

    verb: ClassVar[str] = "place"
    body: str
    position: Vector

    def apply(self, session: Session) -> None:
        handle = session.names.handle(self.body)
        session.world.set_position(handle, self.position)
        session.world.set_velocity(handle, (0.0, 0.0, 0.0))
        if not session.world.is_particle(handle):
            session.world.set_angular_velocity(handle, (0.0, 0.0, 0.0))


@dataclass(frozen=True)
class Slit(Command):
    """Cut the threads of a cloth between two world points, as seen along a direction."""

    verb: ClassVar[str] = "slit"
    cloth: str
    a: Vector
    b: Vector
    along: Vector

    def apply(self, session: Session) -> None:
        session.edits.slit(self.cloth, self.a, self.b, self.along)


@dataclass(frozen=True)
class Cut(Command):
    """Remove a joint, or every joint of a prop."""

    verb: ClassVar[str] = "cut"
    joint: str

    def apply(self, session: Session) -> None:
        session.edits.cut(self.joint)


@dataclass(frozen=True)
class Delete(Command):
    verb: ClassVar[str] = "delete"
    body: str

    def apply(self, session: Session) -> None:
        session.edits.delete(self.body)


@dataclass(frozen=True)
class Push(Command):
    """An impulse in N s at a world point."""

    verb: ClassVar[str] = "push"
    body: str
    impulse: Vector
    point: Vector | None = None

    def apply(self, session: Session) -> None:
        session.world.apply_impulse(session.names.soft_or_body(self.body), self.impulse, self.point)


@dataclass(frozen=True)
class Join(Command):
    """A joint made by a tool: weld, hinge, rope … `b` empty joins to the world."""

    verb: ClassVar[str] = "join"
    name: str
    kind: str
    a: str
    b: str
    parameters: TomlTable

    def apply(self, session: Session) -> None:
        session.edits.join(self)


@dataclass(frozen=True)
class Sew(Command):
    """Hold a point of a cloth or solid to a body, where both are now."""

    verb: ClassVar[str] = "sew"
    soft: str
    body: str
    point: Vector

    def apply(self, session: Session) -> None:
        session.edits.sew(self.soft, self.body, self.point)


@dataclass(frozen=True)
class Spawn(Command):
    """A new body: its name and the table a level file would have under [bodies.name]."""

    verb: ClassVar[str] = "spawn"
    name: str
    table: TomlTable

    def apply(self, session: Session) -> None:
        session.edits.spawn(self.name, self.table)


@dataclass(frozen=True)
class Restart(Command):
    verb: ClassVar[str] = "restart"

    def apply(self, session: Session) -> None:
        session.restart()


def decode_command(written: object) -> Command:
    """The command a list stands for; ValueError says what is wrong with it."""
    if not isinstance(written, list) or not written or not isinstance(written[0], str):
        raise ValueError('a command is a list that begins with its verb: ["key", "a", true]')
    kind = COMMANDS.get(written[0])
    if kind is None:
        hint = did_you_mean(written[0], COMMANDS)
        raise ValueError(f'unknown command "{written[0]}" {hint}'.rstrip())
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    values = [_plain(value) for value in written[1:]]
    if not 0 < len(values) + 1 <= len(names) + 1:
        raise ValueError(f'"{kind.verb}" takes {", ".join(names) or "nothing"}')
    try:
        command = kind(*values)
    except TypeError:
        raise ValueError(f'"{kind.verb}" takes {", ".join(names)}') from None
    _check_types(command)
    return command


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


_CHECKS: dict[str, Callable[[object], bool]] = {
    "str": lambda v: isinstance(v, str),
    "int": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "bool": lambda v: isinstance(v, bool),
    "float": lambda v: is_number(v),
    "Vector": lambda v: _is_vector(v),
    "Vector | None": lambda v: v is None or _is_vector(v),
    "TomlTable": lambda v: isinstance(v, dict),
    "OptionValue | None": lambda v: (
        v is None or isinstance(v, str) or is_number(v) or _is_vector(v)
    ),
}


def _check_types(command: Command) -> None:
    for field in fields(command):  # type: ignore[arg-type]
        if not _CHECKS[str(field.type)](getattr(command, field.name)):
            raise ValueError(f'"{command.verb}": {field.name} has the wrong type')


def is_number(value: object) -> bool:
    """A number that a level could hold, too; nan is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= LARGEST_NUMBER


def _is_vector(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and all(map(is_number, value))
