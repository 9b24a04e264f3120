"""`repeat`: one entry of a level file that stands for many.

    [bodies.plank]
    repeat = { count = 40, step = [0.5, 0, 0] }
    position = [0, "=3 + 0.1 * sin(i)", 0]

becomes the bodies plank.0 … plank.39. The number of a copy is `i` in arithmetic and `{i}` in text;
a list of repeats nests, with i, j and k, and names its copies tile.0.0, tile.0.1 … `step` moves
every point of a copy on. Copies are ordinary entries from then on; what is wrong with one is shown
where the entry is written. All of it is bounded by `levels.caps`.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from levels.arithmetic import ARITHMETIC
from levels.caps import MAX_COPIES
from levels.expressions import ExpressionProblem, Values, compile_expression
from levels.plain_data import TomlTable, TomlValue
from levels.problems import Place, Problem
from levels.values import Table, Vector, complain, describe

INDICES = ("i", "j", "k")
# keys that hold a point, and keys that hold a list of them
_POINTS = ("position", "center", "at", "at_a", "at_b", "from", "to", "wheel_a", "wheel_b")
_LINES = ("through",)
# sections whose entries have a place of their own even if they do not say so
_PLACED = ("bodies", "particles", "props", "cloths")
_IN_TEXT = re.compile(r"\{([^{}]+)\}")


def _counted(value: TomlValue) -> Any:
    """`repeat = 40` is short for `repeat = { count = 40 }`."""
    if not isinstance(value, int | float | dict):
        raise complain(
            f"must be a whole number or a table, not {describe(value)}",
            "for example repeat = 40, or { count = 40, step = [0.5, 0, 0] }",
        )
    is_count = isinstance(value, int | float) and not isinstance(value, bool)
    return {"count": value} if is_count else value


class Repeat(Table):
    """How often an entry is there, and how its copies differ."""

    count: Annotated[int, Field(ge=0, le=MAX_COPIES)] = Field(
        description="There are this many copies."
    )
    step: Vector | None = Field(
        default=None,
        description="Every point of the entry is moved by this from one copy to the next, in m.",
    )
    index: Annotated[str, Field(pattern="^[a-z_]{1,20}$")] | None = Field(
        default=None,
        description="Arithmetic calls the number of the copy this; left out, i, and j and k "
        "within it.",
    )
    first: Annotated[int, Field(ge=-MAX_COPIES, le=MAX_COPIES)] = Field(
        default=0, description="The first copy has this number."
    )


def _several(value: TomlValue) -> Any:
    return [_counted(entry) for entry in value] if isinstance(value, list) else [_counted(value)]


Repeats = Annotated[
    list[Repeat], BeforeValidator(_several), Field(min_length=1, max_length=len(INDICES))
]
_REPEATS: TypeAdapter[list[Repeat]] = TypeAdapter(Repeats)


@dataclass(frozen=True)
class Copy:
    """Which of the copies it is: the numbers by their names, and how far it is moved."""

    indices: Mapping[str, int]
    moved: tuple[float, float, float]

    @property
    def ending(self) -> str:
        """What comes behind the name of the entry."""
        return "".join(f".{number}" for number in self.indices.values())


class NoRepeat(Exception):
    """What is written does not say how to repeat; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def copies_of(
    written: TomlValue, place: Place, parameters: Mapping[str, float], dimension: Any
) -> list[Copy]:
    """All copies a checked `repeat` asks for; raises NoRepeat."""
    repeats = _checked(written, place, dimension)
    names = [repeat.index or INDICES[depth] for depth, repeat in enumerate(repeats)]
    for name in names:
        if name in parameters:
            hint = 'say repeat = { count = …, index = "n" }'
            raise NoRepeat(Problem(f'"{name}" is a parameter and cannot count copies', place, hint))
        if names.count(name) > 1:
            raise NoRepeat(Problem(f'two repeats count by "{name}"', place))
    total = 1
    for repeat in repeats:
        total *= repeat.count
    if total > MAX_COPIES:
        raise NoRepeat(Problem(f"{total:,} copies; {MAX_COPIES:,} are allowed", place))
    return list(_counted_through(repeats, names))


def _counted_through(repeats: list[Repeat], names: list[str]) -> Iterator[Copy]:
    for numbers in itertools.product(*(range(repeat.count) for repeat in repeats)):
        moved = [0.0, 0.0, 0.0]
        for number, repeat in zip(numbers, repeats, strict=True):
            for axis, step in enumerate(repeat.step or ()):
                moved[axis] += number * step
        counted = (n + repeat.first for n, repeat in zip(numbers, repeats, strict=True))
        yield Copy(dict(zip(names, counted, strict=True)), (moved[0], moved[1], moved[2]))


def _checked(written: TomlValue, place: Place, dimension: Any) -> list[Repeat]:
    from levels.table_checks import translate

    try:
        return _REPEATS.validate_python(written, context={"dimension": dimension})
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        loc = tuple(part for part in detail["loc"] if isinstance(part, str))
        detail["loc"] = loc
        problem = translate(detail, place.child(*loc), Repeat, '"repeat"', (), "")
        raise NoRepeat(problem) from None


def moved_on(section: str, entry: TomlTable, copy: Copy) -> TomlTable:
    """The entry with every point that is written as numbers moved by the steps of its copy."""
    if not any(copy.moved):
        return entry
    moved = dict(entry)
    for key in _POINTS:
        if key in moved and _is_point(moved[key]):
            moved[key] = _add(moved[key], copy.moved)
    for key in _LINES:
        if isinstance(moved.get(key), list):
            moved[key] = [_add(p, copy.moved) if _is_point(p) else p for p in moved[key]]
    if section in _PLACED and "position" not in moved and "from" not in moved:
        moved["position"] = list(copy.moved)
    return moved


def _is_point(value: TomlValue) -> bool:
    return isinstance(value, list) and 2 <= len(value) <= 3 and all(map(_is_number, value))


def _is_number(value: TomlValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _add(point: list[float], moved: tuple[float, float, float]) -> list[float]:
    """A flat point stays flat unless it is moved out of its plane."""
    if len(point) == 2 and moved[2]:
        point = [*point, 0.0]
    return [a + b for a, b in zip(point, moved, strict=False)]


def filled_in(text: str, scope: Values) -> str:
    """`"plank.{i + 1}"` with its numbers; raises ExpressionProblem. "{}" stays as it is."""

    def number(match: re.Match[str]) -> str:
        offset = match.start(1)
        try:
            value = compile_expression(match[1], scope.values, ARITHMETIC, "number")(scope)
            whole = int(value)
        except ExpressionProblem as problem:
            problem.offset += offset
            raise
        except (ArithmeticError, ValueError):
            message = "the number in { } has no finite value"
            raise ExpressionProblem(message, offset, len(match[1])) from None
        if value != whole:
            message = f"{{ }} needs a whole number, not {value:g}"
            raise ExpressionProblem(message, offset, len(match[1]))
        return str(whole)

    return _IN_TEXT.sub(number, text)
