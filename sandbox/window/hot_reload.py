"""Hot reload: a saved file is played at once; a broken one shows its error."""

import time
from typing import TYPE_CHECKING

from levels.problems import LevelError
from sandbox.window.level_wait import Left

if TYPE_CHECKING:
    from sandbox.window.game import Game

_EVERY = 0.5  # s between looks at the level's files
_PUT_OFF = 30.0  # s until a new version is tried again that somebody did not want to wait for


class HotReload:
    """Looks at the files of the level that is played or built."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._last_look = time.monotonic()

    def look(self) -> None:
        """Once a frame."""
        now, game = time.monotonic(), self._game
        if now - self._last_look < _EVERY:
            return
        self._last_look = now
        if game.building.builder is not None:
            game.building.look_at_file()
        elif game.player.session.level.changed():
            self._reload(now)

    def _reload(self, now: float) -> None:
        from levels import load

        game, old = self._game, self._game.player
        level = old.session.level
        try:
            fresh = load(level.path)
            kept = {k: v for k, v in old.session.given.items() if k in fresh.parameters}
            player = game.load(fresh, kept)
        except (LevelError, ValueError) as error:
            old.state.error = str(error)
            return
        except Left:
            self._last_look = now + _PUT_OFF
            game.compiler.resume(level)
            return
        player.state, player.camera = old.state, old.camera
        player.state.error = ""
        player.state.selected = None
        player.state.say("reloaded")
        game.stop_comparing()
        game.enter(player)
