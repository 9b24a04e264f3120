"""Which files a kernel is made of.

A compiled entry point contains everything it calls, so it is stale as soon as a file it is made of
has changed. Its *stamp* is a hash over its module and all modules of this package that the module
imports, directly or not. An edit in soft bodies leaves the kernels of collision detection as they
are; an edit in `linalg.py` renews everything.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent  # physics/
# these keep kernels; what is in a kernel does not depend on them
_KEEPERS = {PACKAGE / "jit" / f"{name}.py" for name in ("cache", "prebuild", "sources")}
_IMPORT = re.compile(r"^from (physics[\w.]*) import (\([^)]*\)|[^\n(]*)", re.MULTILINE)


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """Files of the package that a file imports at its top level, other than package doors."""
    found = set()
    for module, names in _IMPORT.findall(_content(path).decode()):
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
def stamp(path: Path) -> str:
    """Changes whenever a file does that the kernels of `path` are made of."""
    digest = hashlib.sha256()
    for file in files_behind(path):
        name = file.relative_to(PACKAGE) if file.is_relative_to(PACKAGE) else Path(file.name)
        digest.update(name.as_posix().encode())
        digest.update(_content(file))
    return digest.hexdigest()[:16]
