"""The wall of levels: pictures come from another process and are kept as long as they are true."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from levels import load
from sandbox.preparing import being_prepared
from sandbox.record import offline, thumbnails
from tests.app.desk import Desk
from tests.app.fakes import FakeKernels


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("physics.jit.cache_folder", lambda: tmp_path / "kernels")
    return tmp_path / "pictures"


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []

    def picture(kind: str) -> Callable[..., np.ndarray]:
        def take(level: object, size: tuple[int, int], *_: object) -> np.ndarray:
            found.append(kind)
            return np.zeros((size[1], size[0], 3), np.uint8)

        return take

    monkeypatch.setattr(offline, "thumbnail", picture("moving"))
    monkeypatch.setattr(offline, "still_picture", picture("at rest"))
    return found


def test_other_drawing_code_takes_the_pictures_anew(
    pictures: Path, taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    level = load("domino")
    for digest in ("a" * 64, "a" * 64, "b" * 64):
        monkeypatch.setattr(thumbnails, "drawing_digest", lambda digest=digest: digest)
        if thumbnails.wanted(level, ready=True):
            thumbnails.take(level, None, ready=True)
    assert taken == ["moving", "moving"]
    assert len(list(pictures.iterdir())) == 2


def test_a_level_without_kernels_is_taken_at_rest_and_again_when_it_moves(
    pictures: Path, taken: list[str]
) -> None:
    level = load("trampoline")
    thumbnails.take(level, None, ready=False)
    assert not thumbnails.wanted(level, ready=False)
    first = thumbnails.best_picture(level)
    assert thumbnails.wanted(level, ready=True)
    thumbnails.take(level, None, ready=True)
    assert taken == ["at rest", "moving"]
    assert thumbnails.best_picture(level) not in (None, first)
    assert not thumbnails.wanted(level, ready=True)
    assert not thumbnails.wanted(level, ready=False)


def test_pictures_are_taken_ahead_once_and_only_those_that_are_missing(
    sit_down: Callable[..., Desk],
    pictures: Path,
    taken: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    FakeKernels(missing=[]).install(monkeypatch)
    monkeypatch.setattr("sandbox.window.background_compile._QUIET", 0.0)
    asked: list[list[str]] = []
    monkeypatch.setattr("sandbox.ui.wall.start_taking", lambda names: asked.append(names))
    thumbnails.take(load("crane"), None, ready=False)
    desk = sit_down()
    desk.run(0.3)
    assert asked == [[name for name in desk.game.wall.names if name != "crane"]]


def test_where_nothing_can_be_kept_nothing_is_taken(
    taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("physics.jit.cache_folder", lambda: None)
    level = load("domino")
    thumbnails.take(level, None, ready=True)
    assert not taken
    assert thumbnails.best_picture(level) is None
    assert thumbnails.unseen(["domino"]) == []


def test_the_digest_knows_every_shader(monkeypatch: pytest.MonkeyPatch) -> None:
    before = thumbnails.drawing_digest()
    assert before == thumbnails.drawing_digest.__wrapped__()
    read = Path.read_bytes

    def changed(path: Path) -> bytes:
        return read(path) + (b"//" if path.name == "smooth.glsl" else b"")

    monkeypatch.setattr(Path, "read_bytes", changed)
    assert thumbnails.drawing_digest.__wrapped__() != before


def test_the_window_only_shows_what_another_process_has_taken(
    sit_down: Callable[..., Desk], pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeKernels(missing=[]).install(monkeypatch)
    asked: list[list[str]] = []

    def start(names: list[str]) -> subprocess.Popen[bytes]:
        asked.append(list(names))
        for name in names:
            path = thumbnails.picture_path(load(name), moving=True)
            assert path is not None
            path.parent.mkdir(exist_ok=True)
            Image.new("RGB", thumbnails.SIZE, "red").save(path)
        return subprocess.Popen([sys.executable, "-c", ""])

    def never(*_: object) -> None:
        raise AssertionError("a picture was taken on the thread that draws")

    monkeypatch.setattr("sandbox.ui.wall.start_taking", start)
    monkeypatch.setattr("sandbox.ui.wall._LOOK_EVERY", 0.0)
    monkeypatch.setattr(offline, "thumbnail", never)
    monkeypatch.setattr(offline, "still_picture", never)
    desk = sit_down()
    desk.key("Escape")
    wall = desk.game.wall
    assert desk.until(lambda: all(wall.picture(name) for name in wall.names))
    taken = {name for names in asked for name in names}
    assert taken >= set(wall.names)
    red = (desk.pixels() == (255, 0, 0)).all(axis=2).mean()
    assert red > 0.1


def test_a_level_that_is_not_ready_says_so(
    sit_down: Callable[..., Desk], pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = FakeKernels(missing=[]).install(monkeypatch)
    monkeypatch.setattr("sandbox.ui.wall.start_taking", lambda names: None)
    monkeypatch.setattr("sandbox.ui.wall._LOOK_EVERY", 0.0)
    desk = sit_down()
    kernels.missing = ["soft"]
    desk.key("Escape")
    wall = desk.game.wall
    assert desk.until(
        lambda: [wall.seconds_until_ready(e) for e in wall.entries()] == [20.0] * len(wall.names)
    )
    kernels.missing = []
    assert desk.until(lambda: not any(entry.needs for entry in wall.entries()))


def test_waiting_in_words() -> None:
    assert being_prepared(38.0) == "being prepared, 40 s"
    assert being_prepared(0.0) == "being prepared, 5 s"
    assert being_prepared(80.0) == "being prepared, 1 min 20 s"
