"""Files to one document: includes merged, prefabs read, every entry's origin remembered.

A path in a level file names a file below the folder of the level, or below the shipped library. It
is resolved (symbolic links too) before it is opened, and what lies elsewhere is refused.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from levels.caps import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_INCLUDE_DEPTH,
    MAX_NESTING,
    MAX_READINGS,
    MAX_TAKEN_OVER,
)
from levels.library import LIBRARY
from levels.mesh_input import MeshFile, MeshProblem
from levels.plain_data import TomlTable, TomlValue
from levels.problems import (
    EnoughProblems,
    LevelError,
    Place,
    Problem,
    Problems,
    did_you_mean,
    errors,
    listing,
)
from levels.source import Keys, Source, SourceProblem

# Sections whose entries have names; everything else is one table, a list or a plain value.
NAMED = (
    "parameters", "materials", "bodies", "particles", "joints", "props", "cloths", "zones",
    "winds", "templates", "counters", "assemblies",
)  # fmt: skip
LISTED = ("on", "expect", "input")
TABLES = ("simulation", "goal", "camera", "look")
CHANGED = "changed"  # what is different about single copies of repeated entries
SECTIONS = (*NAMED, *LISTED, *TABLES, CHANGED)


@dataclass
class Document:
    """Merged data of a file and its includes. `origins` says which file wrote which entry."""

    source: Source
    data: TomlTable = field(default_factory=dict)
    origins: dict[Keys, Place] = field(default_factory=dict)
    prefabs: dict[str, "Document"] = field(default_factory=dict)  # by the path written
    meshes: dict[str, MeshFile] = field(default_factory=dict)  # by the path written
    sources: list[Source | MeshFile] = field(default_factory=list)

    def size(self) -> int:
        """How many entries it holds, named, listed and plain."""
        return sum(len(v) if isinstance(v, dict | list) else 1 for v in self.data.values())

    def place(self, *keys: str | int) -> Place:
        """Where an entry of the merged data is written."""
        for cut in range(len(keys), 0, -1):
            origin = self.origins.get(keys[:cut])
            if origin is not None:
                return origin.child(*keys[cut:]) if cut < len(keys) else origin
        return Place(self.source, keys)


class Reader:
    """Reads a level with all its files; collects problems instead of stopping at the first."""

    def __init__(self, path: Path) -> None:
        self.folder = path.resolve().parent
        self.problems = Problems()
        self.sources: dict[Path, Source] = {}
        self.meshes: dict[Path, MeshFile] = {}
        self.readings = 0  # of all files, however often each of them
        self.taken_over = 0  # entries of includes
        self._given: Source | None = None  # a text that is read instead of its file

    def read(self, path: Path, display: str | None = None) -> Document:
        """The document of `path`; raises LevelError if any of its files cannot be read."""
        try:
            document = self._document(path.resolve(), (), None, display or path.name)
        except EnoughProblems:
            document = None
        if any(errors(self.problems)) or document is None:
            raise LevelError(self.problems)
        document.sources = [*self.sources.values(), *self.meshes.values()]
        return document

    def give(self, path: Path, text: str) -> None:
        """Read this text instead of the file; its problems are told when it is read."""
        self._given = Source(path.resolve(), text, path.name)
        with suppress(OSError):
            self._given.modified = path.stat().st_mtime_ns

    def _document(
        self, path: Path, stack: tuple[Path, ...], asked: Place | None, display: str
    ) -> Document | None:
        if path in stack:
            chain = " → ".join(p.name for p in (*stack[stack.index(path) :], path))
            self._complain(f"the files include each other in a circle: {chain}", asked)
            return None
        if len(stack) >= MAX_INCLUDE_DEPTH:
            self._complain(f"files include each other more than {MAX_INCLUDE_DEPTH} deep", asked)
            return None
        self.readings += 1
        if self.readings > MAX_READINGS:
            self._complain(f"files are included more than {MAX_READINGS} times in all", asked)
            raise EnoughProblems
        source = self._source(path, asked, display)
        if source is None:
            return None
        document = Document(source)
        self._merge(document, source, (*stack, path))
        self._read_prefabs(document, (*stack, path))
        self._read_meshes(document)
        return document

    def _source(self, path: Path, asked: Place | None, display: str) -> Source | None:
        if path in self.sources:
            return self.sources[path]
        if len(self.sources) + len(self.meshes) >= MAX_FILES:
            self._complain(f"the level needs more than {MAX_FILES} files", asked)
            return None
        try:
            given = self._given if self._given and self._given.path == path else None
            source = given or Source.read(path, display)
        except SourceProblem as problem:
            self.problems.append(Problem(problem.message, asked, problem.hint, file=display))
            return None
        together = len(source.text) + sum(len(other.text) for other in self.sources.values())
        if together > MAX_FILE_BYTES:
            self._complain(
                f"the files of the level have more than {MAX_FILE_BYTES:,} bytes together", asked
            )
            raise EnoughProblems
        try:
            source.parse()
        except SourceProblem as problem:
            place = Place(source) if problem.span else None
            self.problems.append(
                Problem(problem.message, place, problem.hint, file=display, at=problem.span)
            )
            return None
        self.sources[path] = source
        return source

    def _merge(self, document: Document, source: Source, stack: tuple[Path, ...]) -> None:
        """Includes first, in order; then the file itself, whose entries win."""
        deep = _too_deep(source.data)
        if deep is not None:
            self._complain(f"tables are nested more than {MAX_NESTING} deep", Place(source, deep))
            return
        for i, written in enumerate(self._include_list(source)):
            place = Place(source, ("include", i))
            path = self.find(written, place)
            other = path and self._document(path, stack, place, written)
            if other:
                self.taken_over += other.size()
                if self.taken_over > MAX_TAKEN_OVER:
                    self._complain(f"includes bring more than {MAX_TAKEN_OVER:,} entries", place)
                    raise EnoughProblems
                _merge_into(document, _kept(other.data, source.data.get("without")), other)
        _merge_into(document, source.data, Document(source))

    def _include_list(self, source: Source) -> list[str]:
        written = source.data.get("include", [])
        if isinstance(written, list) and all(isinstance(entry, str) for entry in written):
            return written
        return []  # its type is reported with all other types

    def _read_prefabs(self, document: Document, stack: tuple[Path, ...]) -> None:
        for section, name, body in _entries(document, ("bodies", "templates")):
            written = body.get("prefab")
            if not isinstance(written, str) or written in document.prefabs:
                continue
            place = document.place(section, name, "prefab")
            path = self.find(written, place)
            prefab = path and self._document(
                path, stack, place, written.removesuffix(".toml") + ".toml"
            )
            if prefab:
                document.prefabs[written] = prefab

    def _read_meshes(self, document: Document) -> None:
        for section, name, entry in _entries(document, ("props", "cloths")):
            written = entry.get("mesh")
            if not isinstance(written, str) or written in document.meshes:
                continue
            place = document.place(section, name, "mesh")
            path = self._find(written, written, place)
            if path is None:
                continue
            try:
                self.meshes.setdefault(path, MeshFile.read(path))
            except MeshProblem as problem:
                self.problems.append(Problem(str(problem), place, problem.hint))
                continue
            document.meshes[written] = self.meshes[path]

    def find(self, written: str, place: Place) -> Path | None:
        """The level file meant."""
        name = written if written.endswith(".toml") else written + ".toml"
        return self._find(written, name, place)

    def _find(self, written: str, name: str, place: Place) -> Path | None:
        """A file beside the file that names it, beside the level, or in the library."""
        if not _is_relative(name):
            self._complain(f'"{written}" leaves the folder of the level', place, _STAY)
            return None
        folders = (place.source.path.parent, self.folder, LIBRARY)
        for folder in folders:
            try:
                path = (folder / name).resolve()
                if not any(path.is_relative_to(root) for root in (self.folder, LIBRARY)):
                    if path.exists():
                        self._complain(f'"{written}" leaves the folder of the level', place, _STAY)
                        return None
                elif path.is_file():
                    return path
            except (OSError, RuntimeError):
                continue  # a name no file system accepts, or a link to itself
        self._missing(written, Path(name).suffix, place)
        return None

    def _missing(self, written: str, suffix: str, place: Place) -> None:
        known = {
            path.relative_to(root).as_posix().removesuffix(".toml")
            for root in (self.folder, LIBRARY)
            for path in sorted(root.glob(f"*/*{suffix}"))[:200]
        }
        if suffix != ".toml":
            known |= {path.name for path in sorted(self.folder.glob(f"*{suffix}"))[:200]}
        stem = written.removesuffix(".toml")
        note = f"known files: {listing(known)}" if known else ""
        hint = did_you_mean(stem, known)
        name = f"{stem}.toml" if suffix == ".toml" else written
        self.problems.append(Problem(f'there is no file "{name}"', place, hint, note))

    def _complain(self, message: str, place: Place | None, hint: str = "") -> None:
        self.problems.append(Problem(message, place, hint))


_STAY = "use a file beside the level or one of the library"


def _entries(document: Document, sections: tuple[str, ...]) -> Iterator[tuple[str, str, TomlTable]]:
    """Section, name and table of every entry that is a table."""
    for section in sections:
        entries = document.data.get(section)
        for name, entry in list(entries.items()) if isinstance(entries, dict) else ():
            if isinstance(entry, dict):
                yield section, name, entry


def _is_relative(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return not (name.startswith(("/", "\\", "~")) or ":" in name or ".." in parts or "\0" in name)


def _merge_into(document: Document, data: TomlTable, origin: Document) -> None:
    for key, value in data.items():
        if key in ("include", "without") and origin.source is not document.source:
            continue
        if key in NAMED and isinstance(value, dict):
            target = document.data.setdefault(key, {})
            if isinstance(target, dict):
                for name, entry in value.items():
                    target[name] = entry
                    document.origins[key, name] = origin.place(key, name)
                continue
        if key in LISTED and isinstance(value, list):
            target = document.data.setdefault(key, [])
            if isinstance(target, list):
                for i, entry in enumerate(value):
                    document.origins[key, len(target)] = origin.place(key, i)
                    target.append(entry)
                continue
        document.data[key] = value
        document.origins[(key,)] = origin.place(key)
        if key in TABLES:
            _forget_children(document, key)
    document.prefabs.update(origin.prefabs)


def _kept(data: TomlTable, without: Any) -> TomlTable:
    """What an include contributes; a wrong `without` is reported with all other types."""
    dropped = [name for name in without if isinstance(name, str)] if _is_list(without) else []
    return {key: value for key, value in data.items() if key not in dropped}


def _is_list(value: TomlValue) -> bool:
    return isinstance(value, list)


def _forget_children(document: Document, key: str) -> None:
    for keys in [k for k in document.origins if k[0] == key and len(k) > 1]:
        del document.origins[keys]


def _too_deep(data: TomlTable) -> Keys | None:
    """The path of a value nested deeper than allowed; level by level, so that no depth can hurt."""
    level: list[tuple[Keys, Any]] = [((), data)]
    for _ in range(MAX_NESTING + 1):
        level = [
            ((*keys, key), value)
            for keys, table in level
            for key, value in (table.items() if isinstance(table, dict) else enumerate(table))
            if type(value) is dict or type(value) is list
        ]
        if not level:
            return None
    return level[0][0][:MAX_NESTING]
