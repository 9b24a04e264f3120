"""Files that are either whole or not there.

What is written goes to a new file beside the target, under a name of its own, and takes the
target's place only when it is complete and on the disk. A crash, a full disk or a killed program
leaves the old file as it was.
"""

import errno
import os
import secrets
import shutil
from pathlib import Path


class Aside:
    """The file to write in place of `target` for now: open `path`, then `put` or `drop` it."""

    def __init__(self, target: Path) -> None:
        self.target = Path(os.path.realpath(target))  # a link stays a link
        if self.target.exists() and not self.target.is_file():  # a folder, /dev/null
            raise OSError(errno.EINVAL, "there is something that is not a file", str(target))
        self.path = _new_file(self.target)

    def put(self, target: Path | None = None) -> Path:
        """Everything is written: take the place of the target, or of another file beside it."""
        place = self.target if target is None else Path(os.path.realpath(target))
        _flush(self.path)
        if place.exists():
            shutil.copymode(place, self.path)
        os.replace(self.path, place)
        return place

    def drop(self) -> None:
        """Nothing came of it."""
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> "Aside":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self.put()
        finally:
            self.drop()


def _new_file(target: Path) -> Path:
    """An empty file in the target's folder; its ending is kept, because writers go by it."""
    while True:
        name = f".{target.stem[:40]}.{secrets.token_hex(6)}.part{target.suffix}"
        path = target.with_name(name)
        try:
            # not tempfile.mkstemp: the file shall be as readable as any other of this user
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except FileExistsError:
            continue
        return path


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def write_atomically(path: Path, text: str) -> None:
    """All of the text or nothing: other readers see the old file until the new one is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with Aside(path) as aside:
        aside.path.write_text(text, encoding="utf-8", newline="\n")
