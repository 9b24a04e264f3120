""" "Save that as a clip": the last seconds of the game, or the explosion that was just seen."""

import shutil
import subprocess
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.window.game import Game

_FRAME = 2  # of the film of an explosion, every so many pictures


class Clips:
    """Videos that are being drawn by other processes."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._making: list[tuple[subprocess.Popen[bytes], Path, Path]] = []

    def save(self) -> None:
        """Of how it ended."""
        game = self._game
        if game.player.explosion is not None:
            return self._save_explosion()
        recorder = game.player.history.recorder
        if recorder is None or recorder.file.closed:
            return game.player.state.say("There is no recording of this game.", bad=True)
        from sandbox.record.capture import clip_path
        from sandbox.record.last_seconds import start_clip

        try:
            recorder.mark()
            folder = Path(mkdtemp(prefix="taut-clip-"))
            replay = Path(shutil.copy(recorder.file.name, folder / "game.replay"))
            out = clip_path(game)
            out.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            return game.player.state.say(f"no clip: {error}", bad=True)
        level = game.player.session.level
        self._making.append((start_clip(replay, out, str(level.path)), out, folder))
        return game.player.state.say("The clip is being made; you can play on.")

    def _save_explosion(self) -> None:
        """From what was seen; the game stops for a moment."""
        from sandbox.record.capture import save_film

        game, explosion = self._game, self._game.player.explosion
        if explosion is None:
            return
        try:
            path = save_film(game, explosion.film[::_FRAME])
            game.player.state.say(f"saved {path}")
        except OSError as error:
            game.player.state.say(f"no clip: {error}", bad=True)

    def poll(self) -> None:
        """Say so when one is ready."""
        for entry in list(self._making):
            process, out, folder = entry
            if process.poll() is None:
                continue
            self._making.remove(entry)
            shutil.rmtree(folder, ignore_errors=True)
            done = process.returncode == 0 and out.exists()
            text = f"saved {out}" if done else "the clip could not be made"
            self._game.player.state.say(text, bad=not done)

    def close(self) -> None:
        """What is nearly done is waited for; nothing outlives the game."""
        for process, _, folder in self._making:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.terminate()
                process.wait()
            shutil.rmtree(folder, ignore_errors=True)
        self._making = []
