"""The levels on the wall: titles, pictures, and whether they can be played at once.

Nothing here is made on the thread that draws: titles are read one a frame, pictures are taken by a
process of their own (`sandbox.record.thumbnails`) and shown as they appear.
"""

import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox import preparing
from sandbox.catalogue import ordered
from sandbox.record.thumbnails import SIZE, best_picture, start_taking, unseen, wanted
from sandbox.settings import settings_path

if TYPE_CHECKING:
    import moderngl

    from levels import Level
    from sandbox.window.game import Game

_LOOK_EVERY = 1.0  # s between looks at what other processes have done
_MOST_OWN = 24  # levels of one's own


@dataclass
class Entry:
    """One level of the wall."""

    name: str  # or the path of a level of one's own
    title: str
    about: str = ""  # one sentence
    goal: bool = False  # can be won
    level: "Level | None" = None  # None: it is broken, which is told when it is opened
    needs: list[str] = field(default_factory=list)  # kernels that are not compiled yet
    shown: Path | None = None  # the file of the picture


class LevelWall:
    """Names, titles and pictures of all levels that come with the game."""

    def __init__(self, game: "Game") -> None:
        from levels import shipped

        self._game = game
        self.names = ordered(shipped())
        self._own: list[str] = []  # paths
        self._looked_for_own = False
        self._entries: dict[str, Entry] = {}
        self._textures: dict[str, tuple[moderngl.Texture, Any]] = {}
        self._photographer: subprocess.Popen[bytes] | None = None
        self._asked: set[tuple[str, bool]] = set()  # names, and whether the level could move then
        self._fresh: list[tuple[Entry, Path]] = []  # pictures to be shown, one a frame
        self._next_look = 0.0
        self._ahead = False

    def entries(self) -> list[Entry]:
        """All of them; those not read yet are known by their names."""
        return [self._entries.get(name) or Entry(name, name) for name in self.names]

    def own_entries(self) -> list[Entry]:
        """Levels in the folder of the game's start, and others that were played from files."""
        return [self._entries[path] for path in self._own if path in self._entries]

    def recent(self) -> list[Entry | None]:
        """Those that were played last, the newest first; None: not read yet."""
        return [self._entries.get(name) for name in self._game.progress.recent]

    def _find_own(self) -> None:
        """Once a visit: files may come and go."""
        self._looked_for_own = True
        played = [Path(name) for name in self._game.progress.recent if name.endswith(".toml")]
        found = [path for path in played if path.is_file()]
        try:
            built = settings_path().parent / "levels"
            here = [*sorted(built.glob("*.toml")), *sorted(Path.cwd().glob("*.toml"))][:_MOST_OWN]
        except OSError:
            here = []
        found += [path for path in here if _is_level(path)]
        self._own = list(dict.fromkeys(str(path.resolve()) for path in found))[:_MOST_OWN]

    def look_again(self) -> None:
        """A level of one's own was saved."""
        self._looked_for_own = False
        for path in self._own:
            self._entries.pop(path, None)

    def picture(self, name: str) -> Any:
        """The ImGui texture of a level's picture, or None while it is not there yet."""
        found = self._textures.get(name)
        return found[1] if found else None

    def seconds_until_ready(self, entry: Entry) -> float:
        """0 for a level that can be played at once."""
        return float(self._game.compiler.seconds_until(entry.needs)) if entry.needs else 0.0

    def update(self) -> None:
        """Once a frame while the wall is seen: one title, or one picture, or a look around."""
        if not self._looked_for_own:
            self._find_own()
        wanted = (*self.names, *self._own)
        unread = next((name for name in wanted if name not in self._entries), None)
        if unread is not None:
            self._entries[unread] = _read(unread)
        elif self._fresh:
            self._show(*self._fresh.pop(0))
        elif time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + _LOOK_EVERY
            self._look_around()

    def look_ahead(self) -> None:
        """Nothing is left to be compiled: have pictures before somebody asks for them. Once."""
        if not self._ahead:
            self._ahead = True
            names = unseen(self.names)
            if names and not self._busy:
                self._photographer = start_taking(names)

    def _look_around(self) -> None:
        """What has been compiled and drawn by now?"""
        requests = []
        for entry in self._entries.values():
            if entry.level is None:
                continue
            entry.needs = preparing.unready(entry.needs)
            best = best_picture(entry.level)
            if best is not None and best != entry.shown:
                self._fresh.append((entry, best))
            request = (entry.name, not entry.needs)
            if wanted(entry.level, ready=not entry.needs) and request not in self._asked:
                requests.append(request)
        if requests and not self._busy:
            self._asked.update(requests)
            self._photographer = start_taking([name for name, _ in requests])

    @property
    def _busy(self) -> bool:
        return self._photographer is not None and self._photographer.poll() is None

    def _show(self, entry: Entry, path: Path) -> None:
        """A picture that cannot be read is left out: the wall works without."""
        from PIL import Image

        entry.shown = path
        try:
            with Image.open(path) as image:
                pixels = image.convert("RGB").resize(SIZE).tobytes()
        except OSError:
            return
        texture = self._game.window.context.texture(SIZE, 3, pixels, alignment=1)
        self._textures[entry.name] = (texture, self._game.interface.backend.register(texture))

    def close(self) -> None:
        """No process outlives the game."""
        if self._photographer is not None and self._busy:
            self._photographer.terminate()
            self._photographer.wait()


def _read(name: str) -> Entry:
    from levels import load

    try:
        level = load(name)
    except Exception:  # reported when it is opened
        return Entry(name, name)
    about = str(level.document.data.get("description") or level.hint)
    goal = level.goal is not None and level.goal.win is not None
    return Entry(name, level.title, about, goal, level, preparing.missing(level))


def _is_level(path: Path) -> bool:
    """By its first lines, as `sandbox test FOLDER` does."""
    try:
        with path.open(encoding="utf-8") as file:
            return "format = 1" in file.read(4000)
    except (OSError, UnicodeDecodeError):
        return False
