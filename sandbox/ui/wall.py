"""Thumbnails of the levels: rendered by ourselves, one per frame, and kept on disk."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import moderngl

    from sandbox.app.game import Game

SIZE = (480, 270)
_STEPS = 60  # let things settle into motion before the picture is taken


@dataclass(frozen=True)
class Entry:
    name: str
    title: str


class LevelWall:
    """Names, titles and pictures of all levels that come with the game."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._entries: list[Entry] | None = None
        self._textures: dict[str, tuple[moderngl.Texture, Any]] = {}
        self._failed: set[str] = set()

    def entries(self) -> list[Entry]:
        if self._entries is None:
            self._entries = _read_entries()
        return self._entries

    def picture(self, name: str) -> Any:
        """The ImGui texture of a level's picture, or None while it is not there yet."""
        found = self._textures.get(name)
        return found[1] if found else None

    def update(self) -> None:
        """Make one missing picture."""
        for entry in self.entries():
            if entry.name not in self._textures and entry.name not in self._failed:
                self._make(entry.name)
                return

    def _make(self, name: str) -> None:
        try:
            pixels = _cached_picture(name, self._game.window.context)
        except Exception as error:  # a level that cannot be drawn must not take the game down
            self._failed.add(name)
            self._game.player.state.say(f"{name}: {error}", bad=True)
            return
        texture = self._game.window.context.texture(SIZE, 3, pixels.tobytes(), alignment=1)
        self._textures[name] = (texture, self._game.interface.backend.register(texture))


def _read_entries() -> list[Entry]:
    from levels import load, shipped

    entries = []
    for name in shipped():
        try:
            entries.append(Entry(name, load(name).title))
        except Exception:  # reported when it is opened
            entries.append(Entry(name, name))
    return entries


@cache
def drawing_digest() -> str:
    """Of all that decides how a level is drawn: other code makes other pictures."""
    digest = sha256()
    for package in ("sandbox.render", "shaders"):
        folder = resources.files(package)
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if file.name.endswith((".py", ".glsl")):
                digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def _cached_picture(name: str, context: Any) -> np.ndarray:
    from PIL import Image

    from levels import load
    from physics.jit import cache_folder

    level = load(name)
    drawn = f"{name}-{level.digest[:12]}-{drawing_digest()[:12]}.png"
    folder = cache_folder()
    path = folder.parent / "pictures" / drawn if folder else None
    if path and path.is_file():
        return np.asarray(Image.open(path).convert("RGB").resize(SIZE), np.uint8)
    from sandbox.record.offline import thumbnail

    pixels = thumbnail(level, SIZE, _STEPS, context)
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(path)
    return pixels
