"""A level as one line of text: `taut:1:…`, to send, to paste, to open.

The text holds the level's own files (those of the library are on the other side as well) as JSON,
compressed by zlib and written in the alphabet of URLs. Opening one is as safe as opening a file:
what comes out is capped while it is being unpacked, names stay within one folder, the digest must
fit, and then the level is read and checked like any other.
"""

import base64
import binascii
import hashlib
import json
import re
import zlib
from pathlib import Path

from levels.caps import MAX_FILE_BYTES, MAX_FILES, MAX_SHARED_CHARACTERS
from levels.files import write_atomically
from levels.level import Level
from levels.library import LIBRARY
from levels.problems import LevelError, Problem
from levels.source import Source

PREFIX = "taut:"
_VERSION = "1"
_DIGEST = 8  # characters
_NAME = re.compile(r"[\w-][\w. -]{0,80}(/[\w-][\w. -]{0,80}){0,4}\.toml")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)  # on Windows


def is_shared(text: str) -> bool:
    """Does a text claim to be a level?"""
    return text.startswith(PREFIX)


def share(level: Level) -> str:
    """The level as text; ValueError if it needs what a text cannot hold."""
    folder = level.path.resolve().parent
    files: dict[str, str] = {}
    for source in level.document.sources:
        path = source.path.resolve()
        if not isinstance(source, Source):
            raise ValueError(f"{path.name}: meshes cannot be shared as text")
        if path == level.path.resolve():
            files = {f"{_plain(level.name)}.toml": source.text, **files}
        elif not path.is_relative_to(LIBRARY):
            files[path.relative_to(folder).as_posix()] = source.text
    wrong = next((name for name in files if not _is_good(name)), None)
    if wrong is not None:
        raise ValueError(f'"{wrong}": a shared file is named by letters, digits, "_" and "-"')
    packed = zlib.compress(json.dumps(files, ensure_ascii=False).encode(), 9)
    body = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    text = f"{PREFIX}{_VERSION}:{_digest(packed)}:{body}"
    if len(text) > MAX_SHARED_CHARACTERS:
        raise ValueError(
            f"the level becomes {len(text):,} characters; {MAX_SHARED_CHARACTERS:,} can be shared"
        )
    return text


def unpacked(text: str) -> dict[str, str]:
    """The files in a text, the level first; LevelError says why there are none."""
    text = "".join(text.split())  # mail breaks lines
    if len(text) > MAX_SHARED_CHARACTERS:
        raise _error(
            f"the text has {len(text):,} characters; {MAX_SHARED_CHARACTERS:,} are allowed"
        )
    parts = text.removeprefix(PREFIX).split(":")
    if len(parts) != 3 or not is_shared(text):
        raise _error("the text is not whole", 'it begins with "taut:1:" and has two parts more')
    version, digest, body = parts
    if version != _VERSION:
        raise _error(f'the text is of another version, "{version[:20]}"')
    try:
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise _error("the text is damaged") from None
    if _digest(packed) != digest:
        raise _error("the text is damaged", "was all of it copied?")
    return _checked(_inflated(packed))


def _inflated(packed: bytes) -> bytes:
    """Never more than a level may have, however small it was packed."""
    inflate = zlib.decompressobj()
    try:
        raw = inflate.decompress(packed, 2 * MAX_FILE_BYTES)
    except zlib.error:
        raise _error("the text is damaged") from None
    if not inflate.eof or inflate.unconsumed_tail:
        raise _error(f"the text holds more than {2 * MAX_FILE_BYTES:,} bytes")
    return raw


def _checked(raw: bytes) -> dict[str, str]:
    try:
        files = json.loads(raw)
    except (ValueError, RecursionError):
        raise _error("the text is damaged") from None
    if not isinstance(files, dict) or not 0 < len(files) <= MAX_FILES:
        raise _error(f"the text must hold 1 to {MAX_FILES} files")
    for name, content in files.items():
        if not _is_good(name):
            raise _error(f'"{name[:100]}" leaves the folder of the level')
        if not isinstance(content, str):
            raise _error("the text is damaged")
    if sum(len(content) for content in files.values()) > MAX_FILE_BYTES:
        raise _error(f"the files of the level have more than {MAX_FILE_BYTES:,} bytes together")
    return files


def open_shared(text: str, folder: Path) -> Path:
    """Write the files of a text below a folder; returns the level's. The same text gives the same
    files; what was changed there since is kept."""
    files = unpacked(text)
    digest = hashlib.sha256("".join(text.split()).encode()).hexdigest()[:_DIGEST]
    home = folder / f"shared-{digest}"
    for name, content in files.items():
        path = home / name
        if not path.resolve().is_relative_to(home.resolve()):
            raise _error(f'"{name[:100]}" leaves the folder of the level')
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                write_atomically(path, content)
            except UnicodeEncodeError:
                raise _error("the text is damaged") from None
    return home / next(iter(files))


def _plain(name: str) -> str:
    return re.sub(r"[^\w-]", "_", name)[:60] or "level"


def _is_good(name: str) -> bool:
    parts = name.split("/")
    return (
        bool(_NAME.fullmatch(name))
        and not any(_RESERVED.match(part) or part.endswith((".", " ")) for part in parts)
        and name.isascii()
    )


def _digest(packed: bytes) -> str:
    return hashlib.sha256(packed).hexdigest()[:_DIGEST]


def _error(message: str, hint: str = "") -> LevelError:
    return LevelError([Problem(message, file="shared level", hint=hint)])
