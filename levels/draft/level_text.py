"""The text of a level file as blocks, one for each heading, so that a change of one entry leaves
every other line of the file as its author wrote it, comments included."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import tomlkit
import tree_sitter
import tree_sitter_toml
from tomlkit.items import AoT, Item

from levels.plain_data import TomlTable, TomlValue

_LANGUAGE = tree_sitter.Language(tree_sitter_toml.language())
_DIGITS = 6  # of a metre: a micrometre is finer than any level needs
# in which order sections stand in a file; what is not named here comes last
_ORDER = (
    "parameters", "simulation", "look", "camera", "materials", "templates", "counters", "bodies",
    "particles", "props", "cloths", "joints", "zones", "winds", "assemblies", "goal",
    "on", "input", "expect",
)  # fmt: skip


class EditedTable(Protocol):
    """A table of tomlkit that is being changed: the text around what is written stays."""

    def __getitem__(self, key: str) -> TomlValue: ...
    def __setitem__(self, key: str, value: TomlValue) -> None: ...
    def __contains__(self, key: object) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def get(self, key: str, default: TomlValue = ...) -> TomlValue: ...
    def remove(self, key: str) -> object: ...
    def update(self, values: Mapping[str, TomlValue]) -> None: ...


Work = Callable[[EditedTable], object]  # what it gives back is not looked at


@dataclass(frozen=True)
class Block:
    """A heading with the comment above it and all lines below; the top of the file has none."""

    path: tuple[str, ...]
    text: str


class LevelText:
    """The text, and what can be done to one entry of it."""

    def __init__(self, text: str) -> None:
        self._blocks = _split(text)

    def __str__(self) -> str:
        return "".join(block.text for block in self._blocks)

    def replace(self, text: str) -> None:
        """Another text altogether."""
        self._blocks = _split(text)

    # --- entries with names: [bodies.crate] ----------------------------------------------------

    def has(self, section: str, name: str) -> bool:
        """Is the entry written in this file, and not in one that it includes?"""
        return bool(self._of((section, name))) or self._holder(section, name) is not None

    def read(self, section: str, name: str) -> TomlTable:
        """What is written of an entry, formulas as they stand."""
        found = self._of((section, name))
        holder = self._holder(section, name)
        blocks = [self._blocks[i] for i in found] or (
            [self._blocks[holder]] if holder is not None else []
        )
        data: TomlValue = tomllib.loads("".join(block.text for block in blocks))
        for key in (section, name):
            data = data.get(key, {})
        return data if isinstance(data, dict) else {"default": data}

    def edit(self, section: str, name: str, work: Work) -> None:
        """Let `work` change the table of an entry that is there."""
        found = self._of((section, name))
        if found:
            self._rewrite(found, lambda document: work(document[section][name]))
            return
        holder = self._holder(section, name)
        if holder is None:
            raise KeyError(f"{section}.{name}")

        def within(document: EditedTable) -> None:
            table = document[section]
            if not isinstance(table[name], dict):  # `load = 5` means `load = { default = 5 }`
                table[name] = inline({"default": table[name]})
            work(table[name])

        self._rewrite([holder], within)

    def add(self, section: str, name: str, table: Mapping[str, TomlValue]) -> None:
        """A new entry, behind those of its section."""
        lines = [f"[{section}.{_key(name)}]"]
        lines += [f"{_key(key)} = {item(value).as_string()}" for key, value in table.items()]
        self._insert((section, name), "\n".join(lines) + "\n")

    def remove(self, section: str, name: str) -> None:
        found = self._of((section, name))
        if found:
            self._drop(found)
            return
        holder = self._holder(section, name)
        if holder is not None:
            self._rewrite([holder], lambda document: document[section].remove(name))

    # --- tables: [goal] ------------------------------------------------------------------------

    def table(self, section: str) -> TomlTable:
        """What is written of a table, {} if nothing is."""
        found = self._of((section,))
        data = tomllib.loads("".join(self._blocks[i].text for i in found))
        return dict(data.get(section, {}))

    def edit_table(self, section: str, work: Work) -> None:
        """Change [goal], [camera] …; it is made if it is not there."""
        if not self._of((section,)):
            self._insert((section,), f"[{section}]\n")
        found = self._of((section,))
        self._rewrite(found, lambda document: work(document[section]))
        if not self.table(section):
            self._drop(self._of((section,)))

    # --- lists: [[expect]] ---------------------------------------------------------------------

    def drop_speaking(self, section: str, names: Iterable[str]) -> None:
        """Take out entries of a list that speak of one of the names."""
        words = "|".join(re.escape(name) for name in names)
        spoken = re.compile(rf"""["'](?:{words})["'.]""")
        found = [i for i in self._of((section,)) if spoken.search(self._blocks[i].text)]
        self._drop(found if words else [])

    # --- the top of the file -------------------------------------------------------------------

    def edit_top(self, work: Work) -> None:
        """Change title, hint …"""
        self._rewrite([0], work)

    # --- blocks --------------------------------------------------------------------------------

    def _of(self, path: tuple[str, ...]) -> list[int]:
        """Numbers of the blocks of an entry or table, with the tables within it."""
        deep = len(path)
        return [i for i, block in enumerate(self._blocks) if block.path[:deep] == path]

    def _holder(self, section: str, name: str) -> int | None:
        """The block [section] or the top of the file, if the entry is written within it."""
        for i, block in enumerate(self._blocks):
            if block.path in ((), (section,)):
                data = tomllib.loads(block.text)
                if name in data.get(section, {}):
                    return i
        return None

    def _rewrite(self, numbers: list[int], work: Work) -> None:
        """Blocks as one document; comments and empty lines at their end stay behind them."""
        body, tail = _parted("".join(self._blocks[i].text for i in numbers))
        document = tomlkit.parse(body)
        work(document)
        text = tomlkit.dumps(document)
        if text and not text.endswith("\n"):
            text += "\n"
        first, *others = numbers
        self._drop(others)
        # only what was rewritten is looked at again: a long text has hundreds of blocks
        top, *parts = _split(text + tail)
        if first and top.text:  # nothing is left but a comment, which another block may want
            self._blocks[first] = top
            self._blocks = _split(str(self))
        else:
            self._blocks[first : first + 1] = parts if first else [top, *parts]

    def _drop(self, numbers: list[int]) -> None:
        gone = set(numbers)
        self._blocks = [block for i, block in enumerate(self._blocks) if i not in gone]

    def _insert(self, path: tuple[str, ...], text: str) -> None:
        at = self._place_for(path[0])
        before = self._blocks[at - 1]
        gap = "" if before.text.endswith("\n\n") or not before.text else "\n"
        if before.text and not before.text.endswith("\n"):
            gap = "\n\n"
        after = "\n" if at < len(self._blocks) else ""
        self._blocks[at - 1] = Block(before.path, before.text + gap)
        self._blocks.insert(at, Block(path, text + after))

    def _place_for(self, section: str) -> int:
        """Behind the last block of the section, or of one that stands before it."""
        rank = _ORDER.index(section) if section in _ORDER else len(_ORDER)
        at = 1
        for i, block in enumerate(self._blocks):
            if not block.path:
                continue
            own = _ORDER.index(block.path[0]) if block.path[0] in _ORDER else len(_ORDER)
            if own <= rank:
                at = i + 1
        return min(at, len(self._blocks))


def _split(text: str) -> list[Block]:
    """Where headings begin is asked of a parser: a line of a list may begin with "[", too."""
    tree = tree_sitter.Parser(_LANGUAGE).parse(text.encode())
    lines = _lines(text)
    starts: list[tuple[int, tuple[str, ...]]] = []
    for node in tree.root_node.children:
        if node.type in ("table", "table_array_element"):
            row = node.start_point[0]
            heading = lines[row].strip()
            while row > 0 and lines[row - 1].startswith("#"):
                row -= 1
            starts.append((row, _path(heading)))
    rows = [row for row, _ in starts] + [len(lines)]
    first = Block((), "".join(lines[: rows[0]]))
    return [
        first,
        *(
            Block(path, "".join(lines[row:end]))
            for (row, path), end in zip(starts, rows[1:], strict=True)
        ),
    ]


def _lines(text: str) -> list[str]:
    """With their ends. TOML knows one kind of end; str.splitlines() knows ten."""
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _path(heading: str) -> tuple[str, ...]:
    """The keys of [bodies.crate] or [[on]]."""
    found: TomlValue = tomllib.loads(heading)
    keys: list[str] = []
    while found:
        (key, found), *_ = found.items()
        keys.append(key)
        found = found[0] if isinstance(found, list) else found
    return tuple(keys)


def _parted(text: str) -> tuple[str, str]:
    """A block without the comments and empty lines at its end, and these."""
    lines = _lines(text)
    end = len(lines)
    while end > 0 and not lines[end - 1].partition("#")[0].strip():
        end -= 1
    body = "".join(lines[:end])
    return (body if body.endswith("\n") or not body else body + "\n"), "".join(lines[end:])


def _key(name: str) -> str:
    plain = re.fullmatch(r"[A-Za-z0-9_-]+", name)
    return name if plain else tomlkit.string(name).as_string()


# --- values -------------------------------------------------------------------------------------


def number(value: float) -> float | int:
    """As a person would write it."""
    rounded = round(float(value), _DIGITS)
    return int(rounded) if rounded.is_integer() else rounded


def plain(value: TomlValue) -> TomlValue:
    """Numbers rounded, tuples as lists, tables as dictionaries; nothing of tomlkit."""
    if isinstance(value, bool | str):
        return value if isinstance(value, bool) else str(value)
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value


def inline(table: Mapping[str, TomlValue]) -> TomlValue:
    """{ key = value } on one line."""
    made = tomlkit.inline_table()
    made.update({key: item(value) for key, value in table.items()})
    return made


def item(value: TomlValue) -> Item:
    """What TOML writes for a value: tables within an entry stay on its line."""
    if isinstance(value, Item) and not isinstance(value, AoT):
        return value
    if isinstance(value, Mapping):
        return inline(value)
    if isinstance(value, list | tuple):
        entries = [item(entry) for entry in value]
        made = tomlkit.array()
        made.extend(entries)
        text = made.as_string()
        if len(text) > 90:
            rows = ",\n".join(f"    {entry.as_string()}" for entry in entries)
            return tomlkit.array(f"[\n{rows},\n]")
        return made
    return tomlkit.item(plain(value))
