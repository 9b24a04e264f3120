"""Compiled entry points on disk: checked, healed, private.

One file per function and signature, named by everything it depends on: the sources it is made of
(`sources.py`), the versions of Python and Numba, the processor. A file that is there is therefore
the right one, and files of other versions do no harm. Two processes may write at once: a file is
put in place whole.

A kernel is a pickle with machine code, so a planted file would run with our rights. Nothing is read
that another user owns or may write. A damaged file fails its checksum and is compiled anew; a full
or read-only disk costs the compilation and one line of text.

`prebuilt/` in this package, where a wheel brought one, is looked at first: `prebuilt.py`.
"""

import contextlib
import hashlib
import logging
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import compiler, config, serialize
from numba.core.caching import NullCache
from numba.core.registry import cpu_target

from physics.jit.prebuilt import FOLDER as PREBUILT
from physics.jit.prebuilt import prebuilt_target
from physics.jit.sources import stamp

_MAGIC = b"taut kernel 1\n"
_DIGEST = hashlib.sha256().digest_size
_KEPT_VERSIONS = 12  # of one function: sources that were edited, branches, versions of Python
_log = logging.getLogger("taut")
_told: set[str] = set()


def _tell_once(message: str) -> None:
    if message not in _told:
        _told.add(message)
        _log.warning(message)


# --- the folder -------------------------------------------------------------------------------


def _usable(path: Path) -> bool:
    """Makes the folder if need be; whether it is private and can be written."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(path.stat()):
            return False
        with tempfile.TemporaryFile(dir=path):
            return True
    except OSError:
        return False


def _candidates() -> Iterator[Path]:
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        home = Path(base) if base else Path.home() / ".cache"
        yield home / "taut" / "kernels"
    except RuntimeError:  # no home at all
        pass
    user = os.geteuid() if os.name == "posix" else "user"
    yield Path(tempfile.gettempdir()) / f"taut-{user}" / "kernels"


@cache
def cache_folder() -> Path | None:
    """Where this user's kernels are kept; None where no folder can be trusted and written."""
    for path in _candidates():
        if _usable(path.parent) and _usable(path):
            return path
    _tell_once("compiled physics cannot be kept: no private, writable cache folder was found")
    return None


def _is_ours(status: os.stat_result) -> bool:
    """Whether nobody else can have written the file or folder."""
    if os.name != "posix":
        return True  # profiles are private on Windows
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


# --- files ------------------------------------------------------------------------------------


def read_kernel(path: Path) -> bytes | None:
    """What the file holds if it is whole and nobody else can have written it.

    Prebuilt kernels are as safe as the code they came with.
    """
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if path.parent != PREBUILT and not _is_ours(status):
                return None
            content = file.read()
    except OSError:
        return None
    head, payload = content[: len(_MAGIC) + _DIGEST], content[len(_MAGIC) + _DIGEST :]
    return payload if head == _MAGIC + hashlib.sha256(payload).digest() else None


def write_kernel(path: Path, payload: bytes) -> None:
    """Put in place whole or not at all; a full disk is told once and is no error."""
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        with os.fdopen(handle, "wb") as file:
            file.write(_MAGIC + hashlib.sha256(payload).digest() + payload)
        os.replace(temporary, path)
    except OSError as error:
        _tell_once(f"compiled physics cannot be kept in {path.parent}: {error.strerror or error}")
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _note_use(path: Path) -> None:
    with contextlib.suppress(OSError):  # a folder that can only be read
        os.utime(path)


def _drop_old(folder: Path, prefix: str) -> None:
    """Keeps the files of one function that were used last."""
    try:
        versions = [(entry.stat().st_mtime, entry) for entry in folder.glob(f"{prefix}-*.kernel")]
        for _, path in sorted(versions, reverse=True)[_KEPT_VERSIONS:]:
            path.unlink(missing_ok=True)
    except OSError:
        pass  # another process was faster


# --- Numba's side -----------------------------------------------------------------------------


def target_of(codegen: Any) -> str:
    """The processor that code is made for."""
    return "\n".join(map(str, codegen.magic_tuple()))


def target() -> str:
    """The processor that this process compiles for."""
    return target_of(cpu_target.target_context.codegen())


def versions() -> str:
    """Of everything else that a compiled kernel depends on."""
    checked = " bounds checked" if config.BOUNDSCHECK else ""
    return f"{sys.version_info[:2]} {numba.__version__} {llvmlite.__version__}{checked}"


class KernelCache(NullCache):
    """What a dispatcher asks before it compiles and tells afterwards."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    @property
    def cache_path(self) -> str | None:
        folder = cache_folder()
        return str(folder) if folder else None

    @property
    def _prefix(self) -> str:
        return f"{self.function.__module__}.{self.function.__qualname__}"

    def file_name(self, signature: Any, target: str) -> str:
        parts = (stamp(Path(self.function.__code__.co_filename)), versions(), target, signature)
        key = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:24]
        return f"{self._prefix}-{key}.kernel"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()  # makes its run-time library ready, which loaded code calls
        for path in self.places(sig, target_of(target_context.codegen())):
            payload = read_kernel(path)
            if payload is None:
                continue
            try:
                found = compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))
                _note_use(path)
                return found
            except Exception as error:  # whatever is wrong with it, compiling mends it
                _log.info("kernel %s is compiled anew: %s", path.name, error)
        return None

    def places(self, sig: Any, target: str) -> Iterator[Path]:
        baseline = prebuilt_target()
        if baseline is not None:
            yield PREBUILT / self.file_name(sig, baseline)
        folder = cache_folder()
        if folder is not None:
            yield folder / self.file_name(sig, target)

    def save_overload(self, sig: Any, cres: Any) -> None:
        folder = cache_folder()
        if folder is None or cres.lifted or cres.library.has_dynamic_globals:
            return
        path = folder / self.file_name(sig, target_of(cres.codegen))
        write_kernel(path, serialize.dumps(cres._reduce()))
        _drop_old(folder, self._prefix)
