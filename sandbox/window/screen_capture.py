"""Screenshots and recordings of the game; a place that cannot be written is a message, no more."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.record.capture import Recording
    from sandbox.window.game import Game


class ScreenCapture:
    """What is on screen, kept in files."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self.recording: Recording | None = None

    def _say(self, text: str, bad: bool = False) -> None:
        self._game.player.state.say(text, bad=bad)

    def screenshot(self) -> None:
        from sandbox.record.capture import save_screenshot

        try:
            self._say(f"saved {save_screenshot(self._game)}")
        except OSError as error:
            self._say(f"not saved: {error}", bad=True)

    def toggle_recording(self) -> None:
        from sandbox.record.capture import Recording

        if self.recording is not None:
            return self.stop()
        try:
            self.recording = Recording(self._game, self._game.settings.recording)
        except OSError as error:
            return self._say(f"cannot record: {error}", bad=True)
        return self._say("recording")

    def add_frame(self) -> None:
        """A full disk ends the recording, not the game."""
        if self.recording is None:
            return
        try:
            if not self.recording.add(self._game.window):
                self.stop()
        except OSError as error:
            self.recording.abandon()
            self.recording = None
            self._say(f"recording ended: {error}", bad=True)

    def stop(self) -> None:
        recording, self.recording = self.recording, None
        if recording is None:
            return
        try:
            self._say(f"saved {recording.close()}")
        except OSError as error:
            self._say(f"not saved: {error}", bad=True)
