"""What a sweep varies.

`load=1e2:1e6:log9` is a range cut into nine values, `rate=10,30,60` a list. A grid takes every
combination, the last axis fastest; a Latin hypercube draws points so that each axis, cut into as
many strata as there are points, has one point in every stratum [McKay79].

Values are rounded to twelve significant digits: powers and logarithms may differ in their last bit
from one mathematical library to the next, and the same sweep must give the same bits everywhere.
"""

import math
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from levels.plain_data import GivenValues

Value = float | str
Point = dict[str, Value]

MOST_RUNS = 1_000_000
_DIGITS = 12  # significant ones of a value that was computed
_CUT = re.compile(r"(lin|log)?(\d*)")


@dataclass(frozen=True)
class Axis:
    """A parameter or setting with its values, or with the range it is drawn from."""

    name: str
    values: tuple[Value, ...] = ()
    low: float = math.nan
    high: float = math.nan
    log: bool = False

    @property
    def is_range(self) -> bool:
        return not math.isnan(self.low)

    def at(self, share: float) -> Value:
        """The value at a share of 0 to 1 of the axis, as a drawn point needs it."""
        if not self.is_range:
            return self.values[min(int(share * len(self.values)), len(self.values) - 1)]
        return _between(self.low, self.high, share, self.log)

    def ends(self) -> tuple[Value, ...]:
        """What must be allowed if all of the axis is to be."""
        return (*self.values, self.low, self.high) if self.is_range else self.values


def axis(name: str, given: Any) -> Axis:
    """From text as on the command line, one value, or a sequence of them."""
    if isinstance(given, str):
        return parse_axis(name, given)
    values = list(given) if isinstance(given, Iterable) else [given]
    if not values:
        raise ValueError(f"{name}: no values")
    return Axis(name, tuple(value if isinstance(value, str) else float(value) for value in values))


def parse_axis(name: str, text: str) -> Axis:
    """`1e2:1e6:log9`, `0:1:lin5`, `0:1:5`, `0:1` (to be drawn from), `10,30`, `none,adaptive`."""
    if ":" not in text:
        words = [word.strip() for word in text.split(",") if word.strip()]
        if not words:
            raise ValueError(f"{name}: no values")
        return Axis(name, tuple(_value(word) for word in words))
    low, high, *rest = text.split(":")
    cut = (
        _CUT.fullmatch(rest[0].strip()) if len(rest) == 1 else None if rest else _CUT.fullmatch("")
    )
    if cut is None:
        raise ValueError(f"{name}={text}: write LOW:HIGH:logN, LOW:HIGH:linN or values with commas")
    return _range(name, text, _number(name, low), _number(name, high), cut[1] == "log", cut[2])


def _range(name: str, text: str, low: float, high: float, log: bool, count: str) -> Axis:
    if not low < high or not math.isfinite(high - low):
        raise ValueError(f"{name}={text}: the first number must be below the second")
    if log and low <= 0.0:
        raise ValueError(f"{name}={text}: a logarithmic range begins above 0")
    if not count:
        return Axis(name, (), low, high, log)
    if not 2 <= int(count) <= MOST_RUNS:
        raise ValueError(f"{name}={text}: between 2 and {MOST_RUNS} values")
    last = int(count) - 1
    values = tuple(_between(low, high, i / last, log) for i in range(last + 1))
    return Axis(name, values, low, high, log)


def grid(axes: Sequence[Axis]) -> list[Point]:
    """Every combination, the last axis fastest."""
    _check_names(axes)
    for one in axes:
        if not one.values:
            raise ValueError(
                f"{one.name}: say how many values, as in {one.low:g}:{one.high:g}:log9"
            )
    _check_count(math.prod(len(one.values) for one in axes))
    names = [one.name for one in axes]
    return [dict(zip(names, values, strict=True)) for values in product(*(a.values for a in axes))]


def latin_hypercube(axes: Sequence[Axis], count: int, seed: int = 0) -> list[Point]:
    """`count` points, one in each of `count` strata of every axis."""
    _check_names(axes)
    _check_count(count)
    draw = random.Random(seed)
    columns = []
    for one in axes:
        strata = list(range(count))
        draw.shuffle(strata)
        columns.append([one.at((stratum + draw.random()) / count) for stratum in strata])
    names = [one.name for one in axes]
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def axes_from(given: GivenValues | Sequence[Axis]) -> list[Axis]:
    """A dictionary of names and values, or axes as they are."""
    if isinstance(given, Mapping):
        return [axis(name, values) for name, values in given.items()]
    return list(given)


def _check_names(axes: Sequence[Axis]) -> None:
    names = [one.name for one in axes]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f'"{twice[0]}" is given twice')


def _check_count(count: int) -> None:
    if not 1 <= count <= MOST_RUNS:
        raise ValueError(f"{count} runs: a sweep has between 1 and {MOST_RUNS}")


def _between(low: float, high: float, share: float, log: bool) -> float:
    if share <= 0.0:
        return low
    if share >= 1.0:
        return high
    if log:
        return _rounded(math.exp((1.0 - share) * math.log(low) + share * math.log(high)))
    return _rounded((1.0 - share) * low + share * high)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _number(name: str, text: str) -> float:
    try:
        return float(text.replace("_", ""))
    except ValueError:
        raise ValueError(f'{name}: "{text}" is not a number') from None


def _value(word: str) -> Value:
    try:
        return float(word.replace("_", ""))
    except ValueError:
        return word
