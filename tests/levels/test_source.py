"""Positions: every value of a file is found where it stands."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from levels.source import Source, SourceProblem, Span

_TEXT = """\
# a comment with é before
format = 1
"quoted key" = 'one'
a.b.c = 2.5
list = [1, [2, 3], { deep = "é", x = 4 }, "last"]   # trailing
multi = [
  10,
  20,   # second
]
[bodies.ball]
frames.tip = [0, 1.5, -2e3]
\tindented = true
[bodies."other ball"]
when = 1979-05-27
[[on]]
when = "a"
[on.extra]
k = 7
[[on]]
when = "b"
"""


def _source(text: str) -> Source:
    source = Source(Path("test.toml"), text)
    source.parse()
    return source


def _leaves(value: Any, keys: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        return [leaf for k, v in value.items() for leaf in _leaves(v, (*keys, k))]
    if isinstance(value, list):
        return [leaf for i, v in enumerate(value) for leaf in _leaves(v, (*keys, i))]
    return [(keys, value)]


@pytest.mark.parametrize(("keys", "value"), _leaves(tomllib.loads(_TEXT)), ids=str)
def test_value_stands_at_its_span(keys: tuple[Any, ...], value: Any) -> None:
    source = _source(_TEXT)
    span = source.span(keys)
    written = source.lines[span.line - 1][span.column - 1 :][: span.length]
    assert tomllib.loads(f"v = {written}")["v"] == value


def test_key_and_heading() -> None:
    source = _source(_TEXT)
    assert source.span(("list",), of_key=True) == Span(5, 1, 4)
    assert source.span(("bodies", "ball")) == Span(10, 2, 11)
    assert source.span(("on", 1)) == Span(19, 3, 2)


def test_missing_key_falls_back_to_its_table() -> None:
    assert _source(_TEXT).span(("bodies", "ball", "mass")) == Span(10, 2, 11)


def test_name_inside_a_longer_heading() -> None:
    assert _source(_TEXT).span(("bodies",)).line == 10


def test_windows_line_ends() -> None:
    source = _source('format = 1\r\ntitle = "x"\r\n')
    assert source.span(("title",)) == Span(2, 9, 3)


def test_deep_nesting_is_a_problem_not_a_crash() -> None:
    with pytest.raises(SourceProblem):
        _source("a = " + "[" * 3000 + "]" * 900)
