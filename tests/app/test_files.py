"""What the game reads and writes: hot reload, saving, screenshots, recordings."""

import os
import shutil
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.app.conftest import PLAYGROUND
from tests.app.desk import Desk


def write(path: Path, text: str) -> None:
    """As an editor does; the clock of some file systems is coarse."""
    path.write_text(text, encoding="utf-8")
    later = time.time() + 2
    os.utime(path, (later, later))


def test_a_saved_file_is_played_at_once(sit_down: Callable[..., Desk], at_home: Path) -> None:
    level = at_home / "mine.toml"
    shutil.copy(PLAYGROUND, level)
    desk = sit_down(level)
    desk.run(0.3)
    text = level.read_text(encoding="utf-8")
    write(level, text.replace('color = "red"', 'colour = "red"'))
    time.sleep(0.55)
    desk.run(0.1)
    assert "mine.toml:17" in desk.player.state.error
    assert 'did you mean "color"' in desk.player.state.error
    tick = desk.session.tick
    desk.run(0.2)
    assert desk.session.tick > tick  # the last good version runs on
    shown = desk.pixels()
    write(level, text.replace("radius = 0.6", "radius = 1.2"))
    time.sleep(0.55)
    desk.run(0.1)
    assert desk.player.state.error == ""
    assert "reloaded" in desk.said()
    assert desk.session.world.shape(desk.session.handles["ball"]).radius == 1.2
    assert np.abs(desk.pixels() - shown).mean() > 1.0


def test_saving_keeps_comments_and_the_edit(sit_down: Callable[..., Desk], at_home: Path) -> None:
    level = at_home / "mine.toml"
    text = PLAYGROUND.read_text(encoding="utf-8").replace(
        "[bodies.ball]", "[bodies.ball]  # the hero"
    )
    level.write_text(text, encoding="utf-8")
    desk = sit_down(level)
    desk.run(0.1)
    desk.key("8")
    desk.click(380, 470)
    desk.key("F5")
    saved = at_home / "mine_edited.toml"
    assert f"saved {saved}" in desk.said()
    assert "# the hero" in saved.read_text(encoding="utf-8")
    assert any(
        name.startswith("crate")
        for name in tomllib.loads(saved.read_text(encoding="utf-8"))["bodies"]
    )
    assert level.read_text(encoding="utf-8") == text
    again = sit_down(saved)
    again.run(0.2)
    assert any(name.startswith("crate") for name in again.session.handles)


def test_a_screenshot_is_the_view_without_panels(desk: Desk, at_home: Path) -> None:
    desk.run(0.2)
    desk.key("F12")
    (path,) = at_home.glob("playground-*.png")
    picture = np.asarray(Image.open(path).convert("RGB"), int)
    assert picture.shape == (600, 960, 3)
    assert picture.std() > 10
    # a panel covers the upper right corner of the window, not of the picture
    assert picture[80:300, -120:].mean() > desk.pixels()[80:300, -120:].mean() + 30


def test_a_screenshot_shows_overlays_and_compared_views(desk: Desk, at_home: Path) -> None:
    from sandbox.record.capture import save_screenshot

    desk.key("space")  # what differs is what was switched on
    plain = save_screenshot(desk.game).rename(at_home / "plain.png")
    desk.key("v")
    overlaid = save_screenshot(desk.game).rename(at_home / "overlaid.png")
    desk.key("c")
    compared = save_screenshot(desk.game)
    pictures = [np.asarray(Image.open(path), int) for path in (plain, overlaid, compared)]
    assert len({picture.shape for picture in pictures}) == 1
    rope = np.abs(pictures[1] - pictures[0]).max(axis=2) > 40
    assert 0 < rope.sum() < 0.05 * rope.size  # only the rope has other colours
    half = pictures[2].shape[1] // 2
    left, right = pictures[2][:, :half], pictures[2][:, half : 2 * half]
    assert np.abs(left - right).mean() < 5  # the same view twice
    assert np.abs(pictures[2] - pictures[0]).mean() > 5


def test_a_game_that_ends_while_recording_into_a_lost_folder_says_so(
    desk: Desk, at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.key("ctrl+F12")
    desk.run(0.2)
    for path in at_home.iterdir():
        path.unlink()
    desk.game.close()
    desk.game.close = lambda: None  # the desk is tidied up after the test
    assert "not saved" in capsys.readouterr().out


def test_a_recording_is_a_video_and_a_gif(desk: Desk, at_home: Path) -> None:
    import imageio_ffmpeg

    for suffix in (".mp4", ".gif"):
        desk.game.change_setting("recording", suffix[1:])
        desk.key("ctrl+F12")
        assert desk.game.capture.recording is not None
        until = time.monotonic() + 0.4
        while time.monotonic() < until:
            desk.run(0.05)
        desk.key("ctrl+F12")
        assert desk.game.capture.recording is None
        (path,) = at_home.glob(f"playground-*{suffix}")
        frames, _ = imageio_ffmpeg.count_frames_and_secs(str(path))
        assert frames >= 3, suffix


def test_a_folder_that_cannot_be_written_is_a_message(
    desk: Desk, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = at_home / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setattr("sandbox.record.capture.folder", lambda: blocked / "pictures")
    desk.key("F12")
    assert "not saved" in desk.said()
    desk.key("ctrl+F12")
    assert "cannot record" in desk.said()
    assert desk.game.capture.recording is None


def test_a_full_disk_ends_the_recording_and_not_the_game(
    desk: Desk, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sandbox.record.writers import VideoWriter

    def full(writer: VideoWriter, frame: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(VideoWriter, "add", full)
    desk.key("ctrl+F12")
    desk.run(0.2)
    assert "recording ended" in desk.said()
    assert desk.game.capture.recording is None
    assert not list(at_home.glob("*.mp4")) + list(at_home.glob(".*.mp4"))
    tick = desk.session.tick
    desk.run(0.2)
    assert desk.session.tick > tick


def test_an_encoder_that_dies_is_told_in_one_line(tmp_path: Path) -> None:
    from sandbox.record.writers import open_writer

    writer = open_writer(tmp_path / "a.mp4", (64, 64), 30)
    writer._sink.close()  # type: ignore[attr-defined]
    with pytest.raises(OSError, match="encoder stopped") as told:
        writer.add(np.zeros((64, 64, 3), np.uint8))
    assert "\n" not in str(told.value)
    writer._partial.write_bytes(b"half a video")
    with pytest.raises(OSError, match="encoder stopped"):
        writer.close()
    assert not list(tmp_path.iterdir())


def test_a_place_without_room_for_replays_is_told_once(
    sit_down: Callable[..., Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setattr("sandbox.recording.recordings_folder", lambda: blocked / "replays")
    desk = sit_down()
    assert "no replay of this game" in desk.said()
    desk.run(0.2)
    assert desk.session.tick > 0


def test_a_disk_that_fills_up_ends_the_replay_and_not_the_game(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = desk.player.history.recorder
    assert recorder is not None

    class Full:
        closed = False

        def write(self, text: str) -> None:
            raise OSError(28, "No space left on device")

        def flush(self) -> None:
            pass

        def close(self) -> None:
            self.closed = True

    recorder.file.close()
    recorder.file = Full()
    desk.run(1.2)
    assert "the replay of this game ended: No space left" in desk.said()
    assert desk.player.history.recorder is None
    tick = desk.session.tick
    desk.key("8")
    desk.click(380, 470)  # commands are no longer written either
    desk.run(0.2)
    assert desk.session.tick > tick


def test_settings_that_cannot_be_written_still_apply(sit_down: Callable[..., Desk]) -> None:
    from sandbox.settings import Settings

    class Locked(Settings):
        def save(self) -> None:
            raise OSError(30, "Read-only file system")

        def save_keys(self, changed: dict[str, str]) -> None:
            raise OSError(30, "Read-only file system")

    desk = sit_down(settings=Locked())
    desk.game.change_setting("volume", 0.1)
    assert "settings not saved" in desk.said()
    assert desk.game.sound.volume == 0.1
    desk.player.state.toasts.clear()
    desk.player.state.rebinding = "pause"
    desk.key("k")
    assert "settings not saved" in desk.said()
    assert desk.game.keys.label("pause") == "K"
