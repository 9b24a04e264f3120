"""The gamepad, with a stand-in for the device: sticks, triggers, cross, Start."""

import pytest

from tests.app.desk import Desk


class Device:
    """Axes in SDL's −32768..32767, buttons by number."""

    def __init__(self) -> None:
        self.axes = dict.fromkeys(range(6), 0)
        self.buttons: set[int] = set()

    def get_axis(self, number: int) -> int:
        return self.axes[number]

    def get_button(self, number: int) -> bool:
        return number in self.buttons


@pytest.fixture
def pad(sit_down) -> tuple[Desk, Device]:
    desk = sit_down("crane")
    device = Device()
    desk.game.input.pad.device = device
    return desk, device


def test_sticks_drive_the_level(pad: tuple[Desk, Device]) -> None:
    desk, device = pad
    drives = list({d.name: d for d in desk.session.keys().values()}.values())
    device.axes[0] = -30_000
    device.axes[1] = 30_000
    desk.run(0.1)
    assert desk.session.held == {drives[0].forward, drives[1].back}
    device.axes[0] = device.axes[1] = 4_000  # within the dead zone
    desk.run(0.1)
    assert desk.session.held == set()


def test_triggers_grab_and_slow(pad: tuple[Desk, Device]) -> None:
    desk, device = pad
    x, y = desk.on_screen("ball")
    desk.hand.move(x, y)
    desk.settle()
    device.axes[5] = 32_000
    desk.run(0.1)
    assert desk.player.tools["grab"].held.name == "ball"
    desk.hand.move(x, y - 100)
    desk.settle()
    desk.run(0.6)
    assert desk.session.position("ball")[1] > 1.2
    device.axes[5] = 0
    device.axes[4] = 32_000
    desk.run(0.1)
    assert desk.player.tools["grab"].held is None
    assert desk.player.clock.speed == 0.25
    device.axes[4] = 0
    desk.run(0.1)
    assert desk.player.clock.speed == 1.0


def test_cross_and_start(pad: tuple[Desk, Device]) -> None:
    desk, device = pad
    desk.run(0.6)
    tick = desk.session.tick
    device.buttons = {13}
    desk.run(0.2)
    assert desk.session.tick < tick
    device.buttons = {14}
    desk.game.frame(1 / 30)
    tick = desk.session.tick
    desk.run(0.2)
    assert desk.session.tick == tick  # one step, then it waits
    assert desk.player.clock.paused
    device.buttons = {6}
    desk.run(0.1)
    assert "wall" in desk.player.state.open
