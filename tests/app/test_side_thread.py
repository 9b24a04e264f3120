"""The window answers while a step waits for the compiler."""

import threading
from collections.abc import Callable
from concurrent.futures import TimeoutError

import pytest

from sandbox.app import side_thread
from sandbox.app.side_thread import SideThread
from tests.app.desk import Desk
from tests.app.fakes import FakeKernels


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_thread, "_PATIENCE", 0.01)
    monkeypatch.setattr(side_thread, "_FRAME", 0.01)


def test_quick_work_is_done_without_a_word() -> None:
    done: list[int] = []
    SideThread().do(lambda: done.append(1), lambda: done.append(2))
    assert done == [1]


def test_slow_work_is_drawn_over() -> None:
    enough, frames = threading.Event(), []

    def meanwhile() -> None:
        frames.append(1)
        if len(frames) == 3:
            enough.set()

    SideThread().do(enough.wait, meanwhile)
    assert len(frames) >= 3


@pytest.mark.parametrize("error", [ValueError("no"), TimeoutError("the work's own")])
def test_what_goes_wrong_is_raised_here(error: Exception) -> None:
    def work() -> None:
        raise error

    with pytest.raises(type(error), match=str(error)):
        SideThread().do(work, lambda: None)


def test_a_step_that_compiles_does_not_hold_the_window(
    sit_down: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, shown = a_step_that_compiles(sit_down, monkeypatch)
    tick = desk.session.tick
    desk.run(0.2)
    assert len(shown) > 4
    assert desk.session.tick > tick


def a_step_that_compiles(
    sit_down: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> tuple[Desk, list[int]]:
    """The next step ends when the window has been drawn four times meanwhile; and those frames."""
    kernels = FakeKernels(missing=[]).install(monkeypatch)
    desk = sit_down()
    desk.run(0.1)
    kernels.missing = ["recovery"]
    desk.game.compiler.resume(desk.session.level)
    assert not desk.game.compiler.idle
    shown: list[int] = []
    compiled = threading.Event()
    present = desk.game.window.present

    def presented() -> None:
        present()
        shown.append(1)
        if len(shown) == 4:
            compiled.set()

    step = desk.session.step

    def slow(count: int = 1) -> object:
        assert compiled.wait(60.0), "the window was held up by a step"
        return step(count)

    monkeypatch.setattr(desk.game.window, "present", presented)
    monkeypatch.setattr(desk.session, "step", slow)
    return desk, shown


def test_an_edit_by_a_click_does_not_hold_the_window(
    sit_down: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, shown = a_step_that_compiles(sit_down, monkeypatch)
    desk.player.clock.paused = True
    desk.player.state.tool = "spawn"
    desk.player.pointer.press(0.4, 0.8, 1)
    assert len(shown) >= 4
    assert any(name.startswith("crate") for name in desk.session.handles)


def test_an_edit_by_a_panel_waits_for_the_panels_and_does_not_hold_the_window(
    sit_down: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sandbox.ui import hud

    desk, shown = a_step_that_compiles(sit_down, monkeypatch)
    desk.player.clock.paused = True
    tick, title = desk.session.tick, hud.title
    pressed: list[int] = []

    def with_a_button(*where: object) -> None:
        title(*where)
        if not pressed:
            pressed.append(1)
            desk.player.action("restart")
            assert desk.session.tick == tick  # not in the middle of the panels

    monkeypatch.setattr(hud, "title", with_a_button)
    desk.run(0.2)
    assert pressed
    assert len(shown) > 4
    assert desk.session.tick == tick + 1


def test_an_option_that_is_not_compiled_is_told_and_asked_for(
    sit_down: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = FakeKernels(missing=[]).install(monkeypatch)
    desk = sit_down()
    desk.run(0.1)
    kernels.missing = ["linear"]
    desk.key("g")
    assert "“none” is being prepared, 20 s" in desk.said()
    assert desk.player.option("stabilization") == "adaptive"
    desk.key("c")
    assert desk.game.comparison is None
    kernels.missing = []
    desk.key("g")
    assert desk.player.option("stabilization") == "none"
