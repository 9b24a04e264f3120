"""One TOML file: its values, and where in the text each of them stands.

`tomllib` gives the values but forgets the positions; `tree-sitter-toml` gives the positions. The
second parse is only made when there is something to report, so a correct level never pays for it.
Line and column are counted from 1, in characters.
"""

import hashlib
import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import tree_sitter
import tree_sitter_toml

from levels.caps import MAX_COMMAS, MAX_FILE_BYTES, MAX_LINE_CHARACTERS, MAX_NESTING
from levels.plain_data import TomlTable

Keys = tuple[str | int, ...]

_PLACED_ENTRIES = 10_000  # of a list; those after them are shown where the list begins
_VALUES = frozenset(
    [
        "string",
        "integer",
        "float",
        "boolean",
        "array",
        "inline_table",
        "local_date",
        "local_time",
        "local_date_time",
        "offset_date_time",
    ]
)


@dataclass(frozen=True)
class Span:
    """A stretch of one line; `length` is cut at the end of that line."""

    line: int
    column: int
    length: int


class SourceProblem(Exception):
    """The file cannot be read as TOML at all."""

    def __init__(self, message: str, span: Span | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint


class Source:
    """The text of one level file, its parsed `data` and the spans of keys and values."""

    def __init__(self, path: Path, text: str, display: str | None = None) -> None:
        self.path = path
        self.text = text
        self.display = display or path.name
        self.modified = 0  # ns, when it was read
        self.data: TomlTable = {}

    @classmethod
    def read(cls, path: Path, display: str | None = None) -> "Source":
        """The file's text; parse() still has to be called."""
        try:
            status = path.stat()
            if status.st_size > MAX_FILE_BYTES:
                raise SourceProblem(
                    f"the file has {status.st_size:,} bytes; a level may have {MAX_FILE_BYTES:,}"
                )
            raw = path.read_bytes()
        except OSError as error:
            raise SourceProblem(f"cannot read the file: {error.strerror or error}") from None
        source = cls(path, _decode(raw), display)
        source.modified = status.st_mtime_ns
        return source

    def parse(self) -> None:
        """Fill `data`, or raise SourceProblem with the place of the first mistake."""
        self._check_size()
        try:
            self.data = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise _syntax_problem(str(error), self.lines) from None
        except RecursionError:
            raise SourceProblem("lists or tables are nested too deeply") from None
        except ValueError as error:  # a whole number with thousands of digits
            raise SourceProblem(f"not valid TOML: {error}") from None

    def _check_size(self) -> None:
        """What would cost the parser time without end is refused before it begins."""
        for number, line in enumerate(self.lines, 1):
            if len(line) > MAX_LINE_CHARACTERS:
                raise SourceProblem(
                    f"the line has {len(line):,} characters; {MAX_LINE_CHARACTERS:,} are allowed",
                    Span(number, 1, 1),
                    "break the list over several lines",
                )
        commas = self.text.count(",")
        if commas > MAX_COMMAS:
            raise SourceProblem(
                f"the lists of the file have {commas:,} entries; {MAX_COMMAS:,} are allowed"
            )
        deep = _DEEP_KEY.search(self.text)
        if deep:
            before = self.text[: deep.start("key")]
            column = len(before) - (before.rfind("\n") + 1) + 1
            raise SourceProblem(
                f"the key has more than {MAX_NESTING} parts",
                Span(before.count("\n") + 1, column, len(deep["key"])),
            )

    @cached_property
    def lines(self) -> list[str]:
        return self.text.replace("\r\n", "\n").split("\n")

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    def span(self, keys: Keys, of_key: bool = False) -> Span:
        """Where the value (or the key) stands; the nearest enclosing one if it is not written."""
        spans = self._spans
        while keys:
            found = spans.get((keys, of_key)) or spans.get((keys, not of_key))
            found = found or self._first_within(keys)
            if found:
                return found
            keys = keys[:-1]
        return Span(1, 1, max(1, len(self.lines[0])))

    def _first_within(self, keys: Keys) -> Span | None:
        """[body.box] writes "body" only as part of a longer heading."""
        return self._openings.get(keys)

    @cached_property
    def _openings(self) -> dict[Keys, Span]:
        """For the beginning of every path the first place that goes on from there."""
        first: dict[Keys, Span] = {}
        for (path, _), span in self._spans.items():
            for length in range(1, len(path)):
                known = first.setdefault(path[:length], span)
                if (span.line, span.column) < (known.line, known.column):
                    first[path[:length]] = span
        return first

    @cached_property
    def _spans(self) -> dict[tuple[Keys, bool], Span]:
        raw = self.text.encode()
        tree = tree_sitter.Parser(_LANGUAGE).parse(raw)
        return _SpanCollector(raw).collect(tree.root_node)


# tomllib takes time that grows with the square of the parts of a key
_DEEP_KEY = re.compile(
    rf"""(?:^[ \t]*\[{{0,2}}|[{{,])[ \t]*
    (?P<key>(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MAX_NESTING}}})""",
    re.MULTILINE | re.VERBOSE,
)

_LANGUAGE = tree_sitter.Language(tree_sitter_toml.language())


def _decode(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
        raise SourceProblem(
            f"line {line}, column {column}: byte 0x{raw[error.start]:02x} is not UTF-8 text; "
            "save the file as UTF-8"
        ) from None


class _SpanCollector:
    """Walks the syntax tree and notes the span of every key and value under its full path."""

    def __init__(self, raw: bytes) -> None:
        self.raw_lines = [line.rstrip(b"\r") for line in raw.split(b"\n")]
        self.ascii = raw.isascii()  # then a column is a byte, which most files gain by
        self.spans: dict[tuple[Keys, bool], Span] = {}
        self.counts: dict[Keys, int] = {}  # how often [[path]] has been opened

    def collect(self, root: tree_sitter.Node) -> dict[tuple[Keys, bool], Span]:
        for node in root.named_children:
            if node.type == "pair":
                self._pair(node, ())
            elif node.type in ("table", "table_array_element"):
                self._table(node)
        return self.spans

    def _table(self, node: tree_sitter.Node) -> None:
        key, *rest = node.named_children
        prefix = self._open(_key_parts(key), node.type == "table_array_element")
        self._note(prefix, key, of_key=True)
        self._note(prefix, key, of_key=False)
        for child in rest:
            if child.type == "pair":
                self._pair(child, prefix)

    def _open(self, parts: list[str], is_array: bool) -> Keys:
        """[a.b] under an earlier [[a]] means the latest element of a."""
        path: Keys = ()
        for i, part in enumerate(parts):
            path = (*path, part)
            if is_array and i == len(parts) - 1:
                self.counts[path] = self.counts.get(path, 0) + 1
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
        return path

    def _pair(self, node: tree_sitter.Node, prefix: Keys) -> None:
        key, *rest = node.named_children
        value = next((c for c in rest if c.type in _VALUES), None)
        path = (*prefix, *_key_parts(key))
        self._note(path, key, of_key=True)
        if value is not None:
            self._value(value, path)

    def _value(self, node: tree_sitter.Node, path: Keys) -> None:
        self._note(path, node, of_key=False)
        if node.type == "array":
            values = [c for c in node.named_children if c.type in _VALUES]
            for i, child in enumerate(values[:_PLACED_ENTRIES]):
                self._value(child, (*path, i))
        elif node.type == "inline_table":
            for child in node.named_children:
                if child.type == "pair":
                    self._pair(child, path)

    def _note(self, path: Keys, node: tree_sitter.Node, of_key: bool) -> None:
        row, start = node.start_point
        end_row, end = node.end_point
        line = self.raw_lines[row]
        end = end if end_row == row else len(line)
        column, length = start + 1, end - start
        if not self.ascii:
            column = len(line[:start].decode(errors="replace")) + 1
            length = len(line[start:end].decode(errors="replace"))
        self.spans.setdefault((path, of_key), Span(row + 1, column, max(1, length)))


def _key_parts(node: tree_sitter.Node) -> list[str]:
    if node.type == "dotted_key":
        return [part for child in node.named_children for part in _key_parts(child)]
    text = (node.text or b"").decode(errors="replace")
    if node.type == "bare_key":
        return [text]
    return list(tomllib.loads(f"{text} = 0"))  # a quoted key, with its escapes


# tomllib's sentences, and what a level author can do about them.
_SYNTAX_HINTS: tuple[tuple[str, str], ...] = (
    ("Expected '=' after a key", "a line is `key = value`, e.g. `mass = 10`"),
    ("Invalid value", 'numbers are plain, words need quotes: `shape = "box"`'),
    ("Expected newline or end of document", "one `key = value` per line; words need quotes"),
    ("Unclosed array", "a list has commas between its entries, and a closing ]"),
    ("Unclosed inline table", "{ … } must close on the line where it opens"),
    ("Illegal character", "a string must close with the quote it began with"),
    ("Unterminated string", "a string must close with the quote it began with"),
    ("Cannot overwrite a value", "the same key is written twice in this table"),
    ("Cannot declare", "put all keys of a table under one heading"),
    ("Cannot mutate immutable", "this table is already complete above"),
    ("Duplicate inline table key", "the same key is written twice between { and }"),
    ("Invalid initial character for a key part", 'keys are letters, digits, "_" and "-"'),
    ("Expected ']'", "a heading is [section.name]"),
    ("Unescaped", "write a backslash as \\\\"),
)


def _syntax_problem(message: str, lines: list[str]) -> SourceProblem:
    match = re.match(r"(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)$", message, re.S)
    if not match:
        return SourceProblem(f"not valid TOML: {message}")
    text, line, column = match.groups()
    row = int(line) if line else len(lines)
    row = min(row, len(lines))
    place = min(int(column) if column else len(lines[row - 1]) + 1, len(lines[row - 1]) + 1)
    while row > 1 and not lines[row - 1].strip():  # an empty line shows nothing
        row, place = row - 1, len(lines[row - 2]) + 1
    hint = next((hint for start, hint in _SYNTAX_HINTS if text.startswith(start)), "")
    hint = _habit(text, lines, lines[row - 1][max(place - 2, 0) :]) or hint
    words = _WORDS.get(text, text[:1].lower() + text[1:])
    span = Span(row, place, 1)
    if text.startswith("Cannot "):  # the end of the statement is reported, all of it is meant
        written = lines[row - 1].strip()
        span = Span(row, lines[row - 1].find(written) + 1, len(written))
        words = f"{written.partition('=')[0].strip()} is written a second time"
        if written.startswith("[["):
            hint = f"every entry has a heading and a name of its own: [{written.strip('[]')}.name]"
    return SourceProblem(f"not valid TOML: {words}", span, hint)


def _habit(text: str, lines: list[str], here: str) -> str:
    """What people write who are used to something else; `here` begins before what was met."""
    first = next((written for written in lines if written.strip()), "").lstrip()
    if first.startswith("{") and text == "Invalid statement":
        return 'this is JSON; a level has lines like `title = "…"` and headings like [bodies.crate]'
    if re.match(r"\d,\d", here):
        return "a decimal point is written ."
    met = here[1:].lstrip()
    if text != "Invalid value":
        return ""
    if met.startswith("="):
        return 'arithmetic is written in quotes: `mass = "=2 * load"`'
    if met.startswith(("“", "”", "„", "‘", "’", "«")):
        return 'quotes are plain: "…"'
    if re.match(r"(?i)(yes|no|on|off|true|false)\b", met):
        return "write true or false"
    return ""


_WORDS = {
    "Illegal character '\\n'": "the line ends inside a string",
    "Invalid value": "this is not a value",
    "Expected '=' after a key in a key/value pair": "there is no = after the key",
    "Unclosed array": "a list [ … ] is not closed",
}
