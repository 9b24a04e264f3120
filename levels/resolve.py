"""`"=load * 2"` becomes a number: every string that begins with = is arithmetic over parameters."""

import math
from collections.abc import Mapping
from typing import Any

from levels.caps import LARGEST_NUMBER, MAX_LIST, SMALLEST_NUMBER
from levels.document import Document
from levels.expressions import ARITHMETIC, ExpressionProblem, Values, compile_expression
from levels.problems import Problem
from levels.source import Keys

_PLAIN = frozenset(("parameters", "title", "hint", "description", "author", "include"))


def default_values(document: Document) -> dict[str, float]:
    """The parameters' defaults; a malformed one counts as 1 here and is reported elsewhere."""
    section = document.data.get("parameters")
    values: dict[str, float] = {}
    for name, entry in section.items() if isinstance(section, dict) else ():
        default = entry.get("default") if isinstance(entry, dict) else entry
        is_number = isinstance(default, int | float) and not isinstance(default, bool)
        values[name] = float(default) if is_number and default is not None else 1.0
    return values


def resolve(
    document: Document, values: Mapping[str, float], problems: list[Problem]
) -> dict[str, Any]:
    """The document's data with all arithmetic done; mistakes are added to `problems`."""
    resolver = _Resolver(document, values, problems)
    return {
        key: value if key in _PLAIN else resolver.walk(value, (key,))
        for key, value in document.data.items()
    }


class _Resolver:
    def __init__(
        self, document: Document, values: Mapping[str, float], problems: list[Problem]
    ) -> None:
        self.document = document
        self.scope = Values(values)
        self.problems = problems

    def walk(self, value: Any, keys: Keys) -> Any:
        if type(value) is float or type(value) is int:
            return value if value == 0 or _is_usable(value) else self._refuse(value, keys)
        if isinstance(value, dict):
            return {key: self.walk(entry, (*keys, key)) for key, entry in value.items()}
        if isinstance(value, list):
            if len(value) > MAX_LIST:
                message = f"the list has {len(value):,} entries; {MAX_LIST:,} are allowed"
                self.problems.append(Problem(message, self.document.place(*keys)))
                return []
            return [self.walk(entry, (*keys, i)) for i, entry in enumerate(value)]
        if isinstance(value, str) and value.startswith("="):
            return self._number(value, keys)
        return value

    def _number(self, text: str, keys: Keys) -> float | int:
        place = self.document.place(*keys)
        try:
            expression = compile_expression(text[1:], self.scope.values, ARITHMETIC, "number")
            number = float(expression(self.scope))
        except ExpressionProblem as problem:
            part = place.part(problem.offset + 1, problem.length)
            self.problems.append(Problem(problem.message, part, problem.hint, problem.note))
            return 1.0
        except ZeroDivisionError:
            self.problems.append(Problem("the arithmetic divides by zero", place))
            return 1.0
        except (ArithmeticError, ValueError):
            self.problems.append(Problem("the arithmetic has no finite result", place))
            return 1.0
        if number != 0 and not _is_usable(number):
            return self._refuse(number, keys)
        # whole results may stand where a count is needed
        return int(number) if number.is_integer() and abs(number) < 1e15 else number

    def _refuse(self, number: float, keys: Keys) -> float:
        size = abs(number)
        if not size < math.inf:
            return number  # each key says so itself
        extreme, most = ("large", "largest") if size > 1 else ("small", "smallest")
        bound = LARGEST_NUMBER if size > 1 else SMALLEST_NUMBER
        message = f"the number is too {extreme}; {bound:g} is the {most} a level may use"
        self.problems.append(Problem(message, self.document.place(*keys)))
        return 1.0


def _is_usable(number: float) -> bool:
    return SMALLEST_NUMBER <= abs(number) <= LARGEST_NUMBER
