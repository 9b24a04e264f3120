"""Files that are whole or not there: a crash, a full disk or a second program never leaves half of
one, and never loses the one that was there before."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def new_beside(path: Path) -> Path:
    """An empty file in the same folder, under a name that is nobody else's.

    It keeps the ending of `path`, from which some libraries learn the format.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.stem}.{secrets.token_hex(6)}.part{path.suffix}")
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _mode(path)))
    return partial


def put_in_place(partial: Path, path: Path) -> None:
    """Give a finished file its name; its contents are on the disk before the old file goes."""
    with partial.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(partial, path)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new file to write to; it takes the name `path` when the block ends well."""
    partial = new_beside(path)
    try:
        yield partial
        put_in_place(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Permissions of the file that is replaced, or of a new one; the system's mask applies."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return 0o666


def write_atomically(path: Path, text: str) -> None:
    """All of the text or nothing: other readers see the old file until the new one is complete."""
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")
