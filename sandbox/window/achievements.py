"""What was reached in this game: wins are kept as soon as they happen."""

from typing import TYPE_CHECKING

from levels.library import is_shipped

if TYPE_CHECKING:
    from sandbox.window.game import Game


class Achievements:
    """Between the level in play and the progress that is kept."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._noted: tuple[str, float] | None = None  # the win that was kept last
        self._words = ""

    def _key(self) -> str:
        """Under which a level is remembered."""
        level = self._game.player.session.level
        return level.name if is_shipped(level.name) else str(level.path)

    def begin(self) -> None:
        """Another level is played."""
        self._noted = None
        if self._game.building.builder is None:  # a test of what is being built is no game
            self._game.progress.played(self._key())

    def note(self) -> None:
        """Once a frame; each win counts once, even when time is turned back."""
        game, session = self._game, self._game.player.session
        end = (session.status, game.player.state.ended)
        if session.status != "won" or end == self._noted or session.scripted:
            return
        if self._game.building.builder is not None:
            self._noted, self._words = end, f"{session.time:.1f} s  ·  a test"
            return
        self._noted, seconds = end, session.time
        was = game.progress.of(self._key()).seconds
        best = game.progress.won(self._key(), session.stars, seconds)
        compared = "" if was is None else "  ·  your best" if best else f"  ·  best {was:.1f} s"
        self._words = f"{seconds:.1f} s{compared}"

    def words(self) -> str:
        """Below the title of the card at the end."""
        session = self._game.player.session
        return self._words if session.status == "won" else f"after {session.time:.1f} s"
