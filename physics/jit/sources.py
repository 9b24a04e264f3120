"""Which files a kernel is made of.

A compiled entry point contains everything it calls, so it is stale as soon as a file it is made of
has changed. Its *stamp* is a hash over its module and all modules of this package that the module
imports, directly or not. An edit in soft bodies leaves the kernels of collision detection as they
are; an edit in `linalg.py` renews everything. Comments and docstrings do not count, and of
`params.py` only the constants that these modules import.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent  # physics/
# these keep kernels; what is in a kernel does not depend on them
_KEEPERS = {PACKAGE / "jit" / f"{name}.py" for name in ("cache", "prebuild", "prebuilt", "sources")}
PARAMS = PACKAGE / "params.py"
_IMPORT = re.compile(r"^from (physics[\w.]*) import (\([^)]*\)|[^\n(]*)", re.MULTILINE)
_CONSTANT = re.compile(r"^(\w+) = ", re.MULTILINE)


def code(text: str) -> str:
    """The source without docstrings, empty lines and lines of comment."""
    kept, inside, counts = [], False, True  # inside a long string, which counts or does not
    for line in text.splitlines():
        bare = line.lstrip()
        if not inside:
            counts = not bare.startswith(('"""', "#")) and bare != ""
        if counts:
            kept.append(line)
        if not (bare.startswith("#") and not inside) and line.count('"""') % 2:
            inside = not inside
    return "\n".join(kept)


@cache
def _content(path: Path) -> str:
    return code(path.read_text(encoding="utf-8"))


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """Files of the package that a file imports at its top level, other than package doors."""
    found = set()
    for module, names in _IMPORT.findall(_content(path)):
        base = PACKAGE.joinpath(*module.split(".")[1:])
        candidates = [base.with_suffix(".py"), base / "__init__.py"]
        inside = (name.split(" as ")[0].strip(" ()\n") for name in names.split(","))
        candidates += [base / f"{name}.py" for name in inside]
        found |= {candidate for candidate in candidates if candidate.is_file()}
    return tuple(sorted(found - _KEEPERS - {PACKAGE / "__init__.py"}))


def files_behind(path: Path) -> list[Path]:
    """The file and everything of the package that it imports, directly or not."""
    found: set[Path] = set()
    pending = [path]
    while pending:
        file = pending.pop()
        if file not in found:
            found.add(file)
            pending += _imports(file)
    return sorted(found)


@cache
def _names_from_params(path: Path) -> frozenset[str]:
    """The constants that a file imports by name."""
    found = _IMPORT.findall(_content(path))
    listed = ",".join(names for module, names in found if module == "physics.params")
    return frozenset(re.findall(r"\w+", re.sub(r" as \w+", "", listed)))


@cache
def _constants() -> dict[str, str]:
    """How each constant of params.py is defined."""
    lines = _content(PARAMS).splitlines()
    found = {match[1]: line for line in lines if (match := _CONSTANT.match(line))}
    assert len(found) == len(lines), "params.py holds one constant a line, and nothing else"
    return found


@cache
def stamp(path: Path) -> str:
    """Changes whenever something does that the kernels of `path` are made of."""
    digest = hashlib.sha256()
    behind = files_behind(path)
    for file in behind:
        name = file.relative_to(PACKAGE) if file.is_relative_to(PACKAGE) else Path(file.name)
        digest.update(name.as_posix().encode())
        if file != PARAMS:
            digest.update(_content(file).encode())
    for constant in sorted(frozenset[str]().union(*map(_names_from_params, behind))):
        digest.update(_constants()[constant].encode())
    return digest.hexdigest()[:16]
