"""What is wrong with a level, said so that its author can mend it.

crane.toml:29:8: error: unknown joint kind "hinje"
  29 | kind = "hinje"
              ^^^^^^^  did you mean "hinge"?
known kinds: ball, cable, distance …
"""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from heapq import nsmallest
from itertools import islice
from typing import Literal

from levels.caps import MAX_PROBLEMS, MAX_PROBLEMS_SHOWN, MAX_SUGGESTIONS
from levels.other_words import our_word
from levels.source import Keys, Source, Span
from levels.text import printable, shortened

_MAX_SHOWN_LINE = 160  # characters; the window slides so that the caret stays in it
_MAX_SENTENCE = 400  # characters of a message, hint or note, which may quote a name
_MAX_WORD = 100  # characters; nothing in a level has a longer name


@dataclass(frozen=True)
class Place:
    """A key or value of a file; `offset`, `length` narrow it to a part of a string value."""

    source: Source
    keys: Keys = ()
    of_key: bool = False
    offset: int | None = None
    length: int = 1

    def span(self) -> Span:
        span = self.source.span(self.keys, self.of_key)
        if self.offset is None:
            return span
        return self._within_string(span)

    def _within_string(self, span: Span) -> Span:
        """Characters are counted from after the quote; escapes and ''' strings keep the whole."""
        written = self.source.lines[span.line - 1][span.column - 1 :][: span.length]
        assert self.offset is not None
        plain = written[:1] in "\"'" and written[:3] not in ('"""', "'''") and "\\" not in written
        if not plain or self.offset + 1 >= span.length:
            return span
        length = min(self.length, span.length - self.offset - 2)
        return Span(span.line, span.column + 1 + self.offset, max(1, length))

    def child(self, *keys: str | int) -> "Place":
        return Place(self.source, (*self.keys, *keys))

    def key(self) -> "Place":
        return Place(self.source, self.keys, of_key=True)

    def part(self, offset: int, length: int) -> "Place":
        return Place(self.source, self.keys, False, offset, length)


@dataclass(frozen=True)
class Problem:
    """One message; `hint` stands behind the caret, `note` on its own line."""

    message: str
    place: Place | None = None
    hint: str = ""
    note: str = ""
    severity: Literal["error", "warning"] = "error"
    file: str = ""
    at: Span | None = None  # where no key can be named, e.g. a syntax error

    @property
    def position(self) -> tuple[str, Span | None]:
        if self.place is None:
            return self.file, self.at
        return self.place.source.display, self.at or self.place.span()

    def render(self) -> str:
        """As text for a person; nothing a file holds can steer the terminal it is shown on."""
        short = replace(
            self,
            message=shortened(self.message, _MAX_SENTENCE),
            hint=shortened(self.hint, _MAX_SENTENCE),
            note=shortened(self.note, _MAX_SENTENCE),
        )
        return printable(_rendered(short))


def _rendered(problem: Problem) -> str:
    file, span = problem.position
    if span is None:
        head = f"{file}: " if file else ""
        tail = f" ({problem.hint})" if problem.hint else ""
        return "\n".join(
            filter(None, (f"{head}{problem.severity}: {problem.message}{tail}", problem.note))
        )
    head = f"{file}:{span.line}:{span.column}: {problem.severity}: {problem.message}"
    return "\n".join(filter(None, (head, _excerpt(problem, span), problem.note)))


def _excerpt(problem: Problem, span: Span) -> str:
    if problem.place is None:
        return ""
    line = problem.place.source.lines[span.line - 1]
    start = max(0, span.column - 1 - _MAX_SHOWN_LINE // 2) if len(line) > _MAX_SHOWN_LINE else 0
    shown = line[start : start + _MAX_SHOWN_LINE]
    before = shown[: span.column - 1 - start]
    length = max(1, min(span.length, len(shown) - len(before)))
    gutter = f"  {span.line} | "
    # A tab keeps its own width when it is repeated under itproblem.
    indent = " " * len(gutter) + "".join("\t" if c == "\t" else " " for c in before)
    hint = f"  {problem.hint}" if problem.hint else ""
    return f"{gutter}{shown}\n{indent}{'^' * length}{hint}"


class LevelError(Exception):
    """A level that cannot be used; `problems` holds everything found at once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        # not made before it is needed: props are tried again and again until they can be placed
        return render_all(self.problems)


class EnoughProblems(Exception):
    """So many are found that looking for more would only cost time."""


class Problems(list[Problem]):
    """A list that raises EnoughProblems when it holds more errors than anyone reads."""

    def __init__(self) -> None:
        super().__init__()
        self._errors = 0

    def append(self, problem: Problem) -> None:
        super().append(problem)
        self._errors += problem.severity == "error"
        if self._errors >= MAX_PROBLEMS:
            raise EnoughProblems

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.append(problem)

    def __iadd__(self, problems: Iterable[Problem]) -> "Problems":  # type: ignore[misc,override]
        self.extend(problems)
        return self


def render_all(problems: Iterable[Problem]) -> str:
    """All problems in the order of the file, with a count when there is more than one."""
    ordered = sorted(set(problems), key=_sort_key)
    shown = [problem.render() for problem in ordered[:MAX_PROBLEMS_SHOWN]]
    if sum(problem.severity == "error" for problem in ordered) >= MAX_PROBLEMS:
        shown.append("… and more")
    elif len(ordered) > MAX_PROBLEMS_SHOWN:
        shown.append(f"… and {len(ordered) - MAX_PROBLEMS_SHOWN} more")
    return "\n".join(shown)


def _sort_key(problem: Problem) -> tuple[str, int, int, str]:
    file, span = problem.position
    return (
        (file, span.line, span.column, problem.message) if span else (file, 0, 0, problem.message)
    )


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant, among the first of about its length."""
    if len(word) > _MAX_WORD:
        return None
    # what is closer than the cutoff differs in length by no more than this
    alike = (n for n in known if 3 * len(n) <= 7 * len(word) and 3 * len(word) <= 7 * len(n))
    by_lower = {name.lower(): name for name in islice(alike, MAX_SUGGESTIONS)}
    found = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    known = list(known)
    found = our_word(word, known) or nearest(word, known)
    return f'did you mean "{found}"?' if found else ""


def listing(known: Iterable[str], limit: int = 12) -> str:
    """`ball, cable, distance …`: sorted, cut to a readable length."""
    names = nsmallest(limit + 1, known)
    shown = ", ".join(shortened(name, _MAX_WORD) for name in names[:limit])
    return shown + (" …" if len(names) > limit else "")


def errors(problems: Iterable[Problem]) -> Iterator[Problem]:
    return (problem for problem in problems if problem.severity == "error")
