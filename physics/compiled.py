"""The one decorator for compiled code, and where its cache lives.

Numba keys a cached kernel on the file that defines it, not on the files it calls, so an edit in a
callee would leave the caller stale. Keying the cache *directory* on a hash of every source of the
package that a kernel can see makes that impossible: a changed file means a new, empty directory.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

_KEPT_CACHES = 3  # older directories belong to sources that are no longer there


def _imported(path: Path, package: Path) -> set[Path]:
    """Files of the package that a file imports from."""
    found = set()
    pattern = re.compile(r"^from (physics[\w.]*) import ([^#]*?)$", re.MULTILINE)
    for module, names in pattern.findall(path.read_text(encoding="utf-8")):
        base = package.joinpath(*module.split(".")[1:])
        candidates = [base.with_suffix(".py"), base / "__init__.py"]
        candidates += [base / f"{name.strip(' (),')}.py" for name in names.split(",")]
        found |= {candidate for candidate in candidates if candidate.is_file()}
    return found - {package / "__init__.py"}


def kernel_sources() -> list[Path]:
    """Every file that compiled code is made of: those with kernels, and what they import."""
    package = Path(__file__).parent
    pending = [
        path for path in package.rglob("*.py") if "\n@kernel" in path.read_text(encoding="utf-8")
    ]
    sources: set[Path] = set()
    while pending:
        path = pending.pop()
        if path not in sources:
            sources.add(path)
            pending += _imported(path, package)
    return sorted(sources)


def _source_hash() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for path in kernel_sources():
        digest.update(path.relative_to(Path(__file__).parent).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _writable(path: Path) -> bool:
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return True
    except OSError:
        return False


def _cache_root() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    home = Path(base) if base else Path.home() / ".cache"
    root = home / "taut"
    return root if _writable(root) else Path(tempfile.gettempdir()) / "taut-cache"


def _choose_cache() -> Path:
    """The directory of this version's kernels; drops those of forgotten versions."""
    root = _cache_root()
    current = root / f"kernels-{_source_hash()}"
    if not current.exists() and root.exists():
        old = sorted(root.glob("kernels-*"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in old[_KEPT_CACHES - 1 :]:
            shutil.rmtree(path, ignore_errors=True)
    current.mkdir(parents=True, exist_ok=True)
    return current


if "NUMBA_CACHE_DIR" not in os.environ:
    numba.config.CACHE_DIR = str(_choose_cache())

CACHE_DIR = Path(numba.config.CACHE_DIR)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile once, keep on disk; IEEE semantics throughout, so that results are reproducible."""
    return numba.njit(cache=True, error_model="numpy")(function)


def kernel_without_lock(function: Callable[..., Any]) -> Any:
    """A kernel that lets other Python threads run meanwhile: entry of work shared by two threads.

    Its arrays must be nobody else's business until it returns.
    """
    return numba.njit(cache=True, error_model="numpy", nogil=True)(function)
