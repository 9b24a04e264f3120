"""Until a level can move: its picture, the truth about how long, and a window that answers."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest

from sandbox.app.level_loader import LevelLoader
from sandbox.preparing import now_compiling, time_left
from sandbox.render.programs import Programs
from sandbox.render.shader_warmup import unfold
from sandbox.ui.loading import LoadingView
from sandbox.window.window import Closed
from tests.app.conftest import PLAYGROUND
from tests.app.desk import Desk
from tests.app.fakes import ENDLESS, FakeKernels


class Watcher:
    """Looks at every frame of the loading view, and may do something at one of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.frames: list[np.ndarray] = []
        self.views: list[Any] = []
        self.at: dict[int, Callable[[], None]] = {}
        draw = LoadingView.draw

        def watched(view: LoadingView, frame: float) -> None:
            draw(view, frame)
            window = view._game.window
            data = window.canvas.read(components=3, alignment=1)
            width, height = window.size
            picture = np.frombuffer(data, np.uint8).reshape(height, width, 3)[::-1].astype(int)
            self.frames.append(picture)
            self.views.append(view.preview.camera.view() if view.preview else None)
            self.at.get(len(self.frames), lambda: None)()

        monkeypatch.setattr(LoadingView, "draw", watched)


@pytest.fixture
def watcher(monkeypatch: pytest.MonkeyPatch) -> Watcher:
    return Watcher(monkeypatch)


def press(key: int, scancode: int) -> None:
    event = pygame.event.Event(pygame.KEYDOWN, key=key, scancode=scancode, mod=0, unicode="")
    pygame.event.post(event)


def drag_left() -> None:
    for kind, more in (
        (pygame.MOUSEBUTTONDOWN, {"button": 1}),
        (pygame.MOUSEMOTION, {"rel": (200, 0), "buttons": (1, 0, 0)}),
        (pygame.MOUSEBUTTONUP, {"button": 1}),
    ):
        pygame.event.post(pygame.event.Event(kind, pos=(500, 300), **more))


def test_the_level_is_seen_while_kernels_are_compiled(
    sit_down: Callable[..., Desk], watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = FakeKernels(looks=ENDLESS).install(monkeypatch)
    watcher.at.update({4: drag_left, 9: kernels.finish})
    desk = sit_down()
    (preparation,) = kernels.started
    assert preparation.done
    assert preparation.closed
    first = watcher.frames[2]
    assert first.std() > 10  # the level, not an empty sky
    card = first[-140:-30, 300:660]
    assert card.mean() < first[200:300, 300:660].mean() - 30  # on dark glass
    assert watcher.views[2] != watcher.views[-1]  # the camera has answered
    desk.run(0.2)
    assert desk.session.tick > 0


def test_the_camera_stays_where_it_was_turned(
    sit_down: Callable[..., Desk], watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = FakeKernels(looks=ENDLESS).install(monkeypatch)
    watcher.at[6] = kernels.finish
    plain = sit_down().player.camera.goal
    watcher.frames.clear()
    watcher.at[3] = drag_left
    turned = sit_down().player.camera.goal
    assert turned.yaw == pytest.approx(plain.yaw - 2 * np.pi * 200 / 960)
    assert turned.distance == plain.distance


def test_nothing_is_said_where_nothing_is_missing(
    sit_down: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = FakeKernels(missing=[]).install(monkeypatch)
    sit_down()
    assert not kernels.started


def test_the_first_picture_is_whole_before_the_game_begins(
    sit_down: Callable[..., Desk], watcher: Watcher
) -> None:
    """Each frame until then brings few shaders to compile; a frame of the game would bring all."""
    loader = LevelLoader(str(PLAYGROUND))
    loader.join()  # the level is there before anything is drawn
    desk = sit_down(loader)
    pieces = len(list(unfold(desk.player.scene())))
    assert pieces >= 4
    assert len(watcher.frames) > pieces
    watcher.frames.clear()
    desk.game.open_level(str(PLAYGROUND))  # no level after it has to wait for shaders
    desk.run(0.1)
    assert len(watcher.frames) < pieces


def test_a_frame_compiles_one_shader_program_at_most(
    sit_down: Callable[..., Desk], watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes up to a tenth of a second, in which the window does not answer."""
    compiled: list[int] = []  # in which frame

    def counted(programs: Programs, name: str, variant: tuple[str, ...]) -> object:
        compiled.append(len(watcher.frames))
        return compile_program(programs, name, variant)

    compile_program = Programs._compile
    monkeypatch.setattr(Programs, "_compile", counted)
    loader = LevelLoader(str(PLAYGROUND))
    loader.join()
    sit_down(loader)
    loading = [frame for frame in compiled if frame < len(watcher.frames)]
    assert len(loading) > 5
    assert len(loading) == len(set(loading))
    differ = [bool((a != b).any()) for a, b in pairwise(watcher.frames)]
    assert sum(differ) > 3  # and the picture comes all the same


def test_closing_the_window_meanwhile_ends_the_processes(
    sit_down: Callable[..., Desk], watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = FakeKernels(looks=ENDLESS).install(monkeypatch)
    watcher.at[3] = lambda: pygame.event.post(pygame.event.Event(pygame.QUIT))
    with pytest.raises(Closed):
        sit_down()
    assert kernels.started[0].closed


def test_escape_goes_back_to_the_level_before(
    sit_down: Callable[..., Desk], watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = FakeKernels(missing=[]).install(monkeypatch)
    desk = sit_down()
    kernels.missing, kernels.looks = ["soft"], ENDLESS
    watcher.frames.clear()
    watcher.at[3] = lambda: press(pygame.K_ESCAPE, 41)
    before = desk.player
    desk.game.open_level("domino")
    desk.run(0.1)
    assert desk.player is before
    assert kernels.started[0].closed  # those after it are compiled while it is played
    desk.run(0.2)
    assert desk.session.tick > 0


def test_what_cannot_be_compiled_elsewhere_is_told_and_played_all_the_same(
    sit_down: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeKernels(looks=1, failed="no process can be started").install(monkeypatch)
    desk = sit_down()
    assert "no process can be started" in desk.said()
    desk.run(0.2)
    assert desk.session.tick > 0


def test_a_broken_level_is_told_and_the_present_one_stays(
    sit_down: Callable[..., Desk], tmp_path: Path
) -> None:
    desk = sit_down()
    broken = tmp_path / "broken.toml"
    broken.write_text(PLAYGROUND.read_text("utf-8").replace("radius", "raduis", 1), "utf-8")
    before = desk.player
    desk.game.open_level(str(broken))
    desk.run(0.1)
    assert desk.player is before
    assert "raduis" in desk.said()


def test_times_are_told_in_steps_that_can_be_kept() -> None:
    assert time_left(None) == ""
    assert time_left(3.0) == "a few seconds left"
    assert time_left(31.0) == "about 35 s left"
    assert time_left(61.0) == "about 1 min 15 s left"
    assert time_left(119.0) == "about 2 min left"


def test_no_more_is_named_than_can_be_read() -> None:
    assert now_compiling([]) == "starting"
    assert now_compiling(["detection", "contacts"]) == "detection, contacts"
    assert now_compiling(list("abcd")) == "a, b, c …"
