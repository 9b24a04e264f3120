"""What is written becomes what is meant: arithmetic is done, repeated entries are copied out.

`"=load * 2"` becomes a number: every string that begins with = is arithmetic over parameters. Where
a thing moves (`levels.movers`), such a text may ask for time() and whatever conditions can ask
for; it is then a program, evaluated at every step, and here only its first value is found.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from levels.arithmetic import ARITHMETIC, Function
from levels.caps import (
    LARGEST_NUMBER,
    MAX_COPIED_VALUES,
    MAX_COPIES,
    MAX_LIST,
    MAX_PROP_COPIES,
    SMALLEST_NUMBER,
)
from levels.document import LISTED, Document
from levels.expressions import Expression, ExpressionProblem, Values, compile_expression
from levels.functions import FUNCTIONS, LIVE
from levels.plain_data import TomlTable, TomlValue
from levels.problems import EnoughProblems, Place, Problem
from levels.repeat import Copy, NoRepeat, copies_of, filled_in, moved_on
from levels.source import Keys

_PLAIN = frozenset(("parameters", "title", "hint", "description", "author", "include"))
REPEATED = ("bodies", "particles", "joints", "props", "cloths", "zones")  # may say `repeat`
_CALLS = re.compile(r"([A-Za-z_]\w*)\s*\(")


@dataclass(frozen=True)
class Written:
    """A program as written: where, its text without =, and the numbers of its copy."""

    keys: Keys
    text: str
    constants: Mapping[str, float]
    place: Place


@dataclass
class Resolved:
    """The data with everything done; `document` knows where copies come from."""

    document: Document
    data: TomlTable
    families: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # names of copies
    programs: list[Written] = field(default_factory=list)
    doubtful: set[str] = field(default_factory=set)  # names whose copies could not be made


def default_values(document: Document) -> dict[str, float]:
    """The parameters' defaults; a malformed one counts as 1 here and is reported elsewhere."""
    section = document.data.get("parameters")
    values: dict[str, float] = {}
    for name, entry in section.items() if isinstance(section, dict) else ():
        default = entry.get("default") if isinstance(entry, dict) else entry
        is_number = isinstance(default, int | float) and not isinstance(default, bool)
        values[name] = float(default) if is_number and default is not None else 1.0
    return values


def resolve(document: Document, values: Mapping[str, float], problems: list[Problem]) -> Resolved:
    """The document's data as it is meant; mistakes are added to `problems`."""
    return _Resolver(document, values, problems).run()


class _Resolver:
    def __init__(
        self, document: Document, values: Mapping[str, float], problems: list[Problem]
    ) -> None:
        self.document = replace(document, origins=dict(document.origins))
        self.values = values
        self.scope = Values(values)
        self.problems = problems
        self.result = Resolved(self.document, {})
        self.copy: Copy | None = None  # which is being made
        self.copies = self.prop_copies = self.copied = 0
        self._compiled: dict[tuple[str, tuple[str, ...]], Expression] = {}

    def run(self) -> Resolved:
        for key, value in self.document.data.items():
            if key in REPEATED and isinstance(value, dict):
                self.result.data[key] = self._entries(key, value)
            elif key in LISTED and isinstance(value, list):
                self.result.data[key] = self._list(key, value)
            elif key != "changed":
                plain = key in _PLAIN
                self.result.data[key] = value if plain else self.walk(value, (key,), (key,))
        self._change()
        return self.result

    # --- copies -------------------------------------------------------------------------------

    def _entries(self, section: str, entries: TomlTable) -> TomlTable:
        result: TomlTable = {}
        for name, entry in entries.items():
            keys = (section, name)
            if not isinstance(entry, dict) or "repeat" not in entry:
                result[name] = self.walk(entry, keys, keys)
                continue
            origin = self.document.place(*keys)
            family = self.result.families.setdefault(keys, [])
            said = len(self.problems)
            copies = self._copies(section, entry["repeat"], keys)
            self.result.doubtful |= {name} if len(self.problems) > said else set()
            for copy in copies:
                own = name + copy.ending
                result[own] = self._copied(section, entry, keys, (section, own), copy)
                self.document.origins[section, own] = origin
                family.append(own)
        return result

    def _list(self, section: str, entries: list[Any]) -> list[Any]:
        """[[on]] and its like: the copies of an entry stand where it stood."""
        result: list[Any] = []
        origins: dict[Keys, Place] = {}
        repeats = False
        for i, entry in enumerate(entries):
            place, keys = self.document.place(section, i), (section, i)
            if isinstance(entry, dict) and "repeat" in entry:
                repeats = True
                found = [
                    self._copied(section, entry, keys, (section, len(result)), copy)
                    for copy in self._copies(section, entry["repeat"], keys)
                ]
            else:
                found = [self.walk(entry, keys, keys)]
            for made in found:
                origins[section, len(result)] = place
                result.append(made)
        if repeats:
            self.document.origins.update(origins)
        return result

    def _copies(self, section: str, written: TomlValue, keys: Keys) -> list[Copy]:
        place = self.document.place(*keys, "repeat")
        said = len(self.problems)
        resolved = self.walk(written, (*keys, "repeat"), (*keys, "repeat"))
        if len(self.problems) > said:
            return []
        try:
            dimension = self.document.data.get("dimension", 3)
            copies = copies_of(resolved, place, self.values, dimension)
        except NoRepeat as reason:
            self.problems.append(reason.problem)
            return []
        self.copies += len(copies)
        self.prop_copies += len(copies) if section in ("props", "cloths") else 0
        if self.copies > MAX_COPIES:
            self._enough(f"repeat makes more than {MAX_COPIES:,} entries in all", place)
        if self.prop_copies > MAX_PROP_COPIES:
            self._enough(f"repeat makes more than {MAX_PROP_COPIES:,} props in all", place)
        return copies

    def _copied(
        self, section: str, entry: TomlTable, keys: Keys, own: Keys, copy: Copy
    ) -> TomlTable:
        self.copy = copy
        self.scope = Values({**self.values, **copy.indices})
        kept = {key: value for key, value in entry.items() if key != "repeat"}
        made = self.walk(kept, keys, own)
        self.copy, self.scope = None, Values(self.values)
        return moved_on(section, made, copy)

    def _change(self) -> None:
        """[changed.bodies."plank.3"]: what is different about one of the copies."""
        written = self.document.data.get("changed", {})
        for section, names in written.items() if isinstance(written, dict) else ():
            known = {
                name: base
                for (where, base), family in self.result.families.items()
                if where == section
                for name in family
            }
            for name, entry in names.items() if isinstance(names, dict) else ():
                place = self.document.place("changed", section, name)
                if name not in known or not isinstance(entry, dict):
                    message = f'"{name}" is not one of the copies in [{section}]'
                    hint = 'a copy is called "plank.3"'
                    self.problems.append(Problem(message, place.key(), hint))
                    continue
                changed = self.walk(entry, ("changed", section, name), (section, name))
                self.result.data[section][name].update(changed)
                for key in changed:
                    self.document.origins[section, name, key] = place.child(key)
            if not isinstance(names, dict) or section not in REPEATED:
                place = self.document.place("changed", section).key()
                self.problems.append(Problem(f'[changed] has no section "{section}"', place))
        if not isinstance(written, dict):
            place = self.document.place("changed")
            message = "[changed] must hold tables"
            self.problems.append(Problem(message, place, 'write [changed.bodies."plank.3"]'))

    def _enough(self, message: str, place: Place) -> None:
        self.problems.append(Problem(message, place))
        raise EnoughProblems

    # --- values -------------------------------------------------------------------------------

    def walk(self, value: TomlValue, keys: Keys, own: Keys) -> Any:
        """`keys` is where it is written, `own` where it ends up."""
        if self.copy is not None:
            self.copied += 1
            if self.copied > MAX_COPIED_VALUES:
                message = f"the copies hold more than {MAX_COPIED_VALUES:,} values"
                self._enough(message, self.document.place(*keys))
        if type(value) is float or type(value) is int:
            return value if value == 0 or _is_usable(value) else self._refuse(value, keys)
        if isinstance(value, dict):
            return {
                self._text(key, keys): self.walk(entry, (*keys, key), (*own, key))
                for key, entry in value.items()
            }
        if isinstance(value, list):
            if len(value) > MAX_LIST:
                message = f"the list has {len(value):,} entries; {MAX_LIST:,} are allowed"
                self.problems.append(Problem(message, self.document.place(*keys)))
                return []
            return [self.walk(entry, (*keys, i), (*own, i)) for i, entry in enumerate(value)]
        if isinstance(value, str):
            text = self._text(value, keys)
            return self._number(text, keys, own) if text.startswith("=") else text
        return value

    def _text(self, text: str, keys: Keys) -> str:
        """In a copy, {i} stands for its number."""
        if self.copy is None or "{" not in text:
            return text
        try:
            return filled_in(text, self.scope)
        except ExpressionProblem as problem:
            place = self.document.place(*keys).part(problem.offset, problem.length)
            self.problems.append(Problem(problem.message, place, problem.hint, problem.note))
            return text

    def _number(self, text: str, keys: Keys, own: Keys) -> float | int:
        place = self.document.place(*keys)
        scope: Any = self.scope
        functions: Mapping[str, Function] = ARITHMETIC
        is_live = any(name in LIVE for name in _CALLS.findall(text))
        if is_live and may_be_live(own):
            functions, scope = FUNCTIONS, _Start(self.scope.values)
            constants = self.copy.indices if self.copy else {}
            self.result.programs.append(Written(own, text[1:], constants, place))
        try:
            number = float(self._compile(text[1:], functions)(scope))
        except ExpressionProblem as problem:
            hint = _WHERE_LIVE if is_live and functions is ARITHMETIC else problem.hint
            part = place.part(problem.offset + 1, problem.length)
            self.problems.append(Problem(problem.message, part, hint, problem.note))
            return 1.0
        except _NotYet:
            return 0  # nothing has moved yet that could be asked
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

    def _compile(self, text: str, functions: Mapping[str, Function]) -> Expression:
        """Copies have the same texts over and over."""
        known = (text, tuple(self.scope.values))
        if functions is not ARITHMETIC:
            return compile_expression(text, self.scope.values, functions, "number")
        if known not in self._compiled:
            found = compile_expression(text, self.scope.values, functions, "number")
            self._compiled[known] = found
        return self._compiled[known]

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


# --- where a thing moves ----------------------------------------------------------------------

_WHERE_LIVE = "only motor speeds, servo targets, motion and wind can follow it"


def may_be_live(keys: Keys) -> bool:
    """May the value there change while the level runs?"""
    section, inside = keys[0], keys[2:]
    if section == "joints":
        return len(inside) == 2 and inside[1] in ("speed", "target")
    if section == "bodies":
        return len(inside) == 3 and inside[0] == "motion" and inside[1] in ("position", "rotation")
    if section in ("props", "cloths"):
        return len(inside) == 2 and inside[0] == "wind"
    return section == "winds" and len(inside) == 2 and inside[0] == "velocity"


class _NotYet(Exception):
    """A level that does not run has no state."""


class _Start:
    """The moment before a level begins: parameters, and time() is 0."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self.values = values
        self.time = 0.0

    def __getattr__(self, name: str) -> Any:
        raise _NotYet(name)
