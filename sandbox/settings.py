"""One settings file for the game: sizes, sound, quality, keys.

It is TOML, written atomically (a new file, flushed, then renamed over the old one), so that a crash
leaves the old or the new file, never half of one. A file that cannot be understood is set aside
under another name with a message and the defaults are used; nothing a person wrote is ever lost.
"""

import os
import sys
import time
from pathlib import Path
from typing import Annotated, Literal

import tomlkit
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from levels.files import write_atomically
from levels.plain_data import JsonTable
from levels.source import Source, SourceProblem
from levels.text import printable, shortened

_FILE = "settings.toml"
_MOST = 1_000  # characters of a message that quotes the file


class Settings(BaseModel):
    """What a person may change. Unknown keys are kept aside, wrong values are reported.

    `sandbox config` and the settings page of the game follow from this list; a field with a title
    is on the page.
    """

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    ui_scale: Annotated[float, Field(ge=0.5, le=4)] = Field(
        default=1.0,
        title="Text size",
        description="Text is this many times as large as usual, from 0.5 to 4.",
    )
    palette: str = Field(
        default="",
        title="Light",
        description='This palette replaces the look of every level; "" leaves each as it wishes.',
    )
    reduced_motion: bool = Field(
        default=False,
        title="Reduced motion",
        description="If true, the camera does not shake and does not sweep.",
    )
    volume: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.6, title="Volume", description="Sounds are this loud, from 0, silent, to 1."
    )
    mute: bool = Field(
        default=False, title="Mute", description="If true, there is no sound at all."
    )
    quality: Literal["auto", "lowest", "low", "medium", "high"] = Field(
        default="auto",
        title="Quality",
        description="Pictures are drawn with this quality; auto chooses it by the measured time "
        "of a frame.",
    )
    recording: Literal["mp4", "gif", "webp"] = Field(
        default="mp4", title="Recordings", description="Ctrl+F12 records in this format."
    )
    full_screen: bool = Field(
        default=False,
        title="Start in full screen",
        description="If true, the game starts in full screen.",
    )
    keys: dict[str, str] = Field(
        default={}, description='These keys are changed, for example pause = "Space".'
    )

    def save(self) -> None:
        """Keep everything for next time."""
        save_settings(self)

    def save_keys(self, changed: dict[str, str]) -> None:
        """Keep changed key bindings for next time."""
        self.keys = dict(changed)
        save_settings(self)


def settings_path() -> Path:
    """Where the file is (it need not exist)."""
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / "taut" / _FILE


def load_settings(path: Path | None = None) -> Settings:
    """The settings, or the defaults; a broken file is moved aside and a line on stderr says so."""
    path = path or settings_path()
    try:
        source = Source(path, path.read_text(encoding="utf-8"))
        source.parse()
        return Settings.model_validate(source.data)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        _tell(f"cannot read {path} ({error.strerror or error}); using the defaults")
        return Settings()
    except ValidationError as error:
        reason = "; ".join(_finding(dict(detail)) for detail in error.errors(include_url=False))
    except SourceProblem as problem:
        reason = f"{f'line {problem.span.line}: ' if problem.span else ''}{problem.message}"
    except UnicodeDecodeError as error:
        reason = str(error)
    aside = _set_aside(path)
    _tell(f"the settings file could not be used ({reason}); it is now {aside}, the defaults apply")
    return Settings()


def save_settings(settings: Settings, path: Path | None = None) -> Path:
    """Write the file; comments in an existing one are kept."""
    path = path or settings_path()
    document = _existing(path)
    for name, info in Settings.model_fields.items():
        value = getattr(settings, name)
        if name in document or value != info.get_default(call_default_factory=True):
            document[name] = value
    write_atomically(path, tomlkit.dumps(document))
    return path


def _existing(path: Path) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return tomlkit.document()


def _set_aside(path: Path) -> Path:
    aside = path.with_name(f"{path.stem}.broken-{time.strftime('%Y%m%d-%H%M%S')}{path.suffix}")
    try:
        os.replace(path, aside)
    except OSError:
        return path  # a read-only folder: it stays where it is
    return aside


def _finding(detail: JsonTable) -> str:
    key = ".".join(str(part) for part in detail["loc"])
    return f"{key}: {detail['msg'][:1].lower()}{detail['msg'][1:]}"


def _tell(text: str) -> None:
    print(f"sandbox: {printable(shortened(text, _MOST))}", file=sys.stderr)
