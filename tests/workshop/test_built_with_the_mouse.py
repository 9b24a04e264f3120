"""Three levels built with the mouse alone in a window, saved, then played and won.

The mouse posts real events to the window; only what a person could click is clicked. The saved file
is then played by a script without a window, and what the script did, recorded, wins once more.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from levels import load
from tests.app.desk import Desk
from tests.play.hand import Hand, Script, play
from tests.workshop.mouse import Labels, Mouse

Sit = Callable[..., Desk]


@pytest.fixture
def mouse(sit_down: Sit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Mouse:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("sandbox.window.building.settings_path", lambda: tmp_path / "settings.toml")
    # drawing the world takes most of the time and is tested elsewhere; the panels are drawn
    monkeypatch.setattr("sandbox.window.game.Game._draw", lambda game: 0.0)
    monkeypatch.setattr("sandbox.ui.part_pictures.PartPictures.draw_one", lambda pictures: False)
    labels = Labels(monkeypatch)
    desk = sit_down("empty", size=(1280, 720))
    return Mouse(desk.game, labels)


def begin(mouse: Mouse, button: str) -> None:
    mouse.press("Level wall; closes what is open (Escape)")
    mouse.press(button)
    mouse.frames(8)


def save(mouse: Mouse) -> Path:
    mouse.press("##save")
    path = mouse.builder.draft.path
    assert path.is_file(), [toast.text for toast in mouse.game.player.state.toasts]
    return Path(path)


def wish(mouse: Mouse, *choices: tuple[str, str]) -> None:
    """The goal, put together from lists."""
    mouse.press("/Level")
    mouse.press("choose …##win")
    for what, word in choices:
        mouse.press(f"/{what}")
        mouse.press(f"/{word}")
    mouse.press("Take this")


def won(path: Path, script: Callable[[Hand], Script], seconds: float) -> list[Any]:
    """Played by a script; then by what it did, alone."""
    hand = Hand(str(path))
    assert play(hand, script(hand), seconds) == "won"
    again = load(path).session()
    commands = list(hand.commands)
    for _ in range(hand.session.tick):
        for tick, command in commands:
            if tick == again.tick:
                again.issue(command)
        again.step()
    assert again.status == "won"
    assert again.world.hash() == hand.session.world.hash()
    return commands


def test_a_ball_rolls_into_a_basket(mouse: Mouse) -> None:
    """Flat: three parts of the palette and a goal; tested in the window, which wins it, too."""
    begin(mouse, "New flat level")
    mouse.put("ramp", 1.0, 1.5)
    mouse.put("ball", 2.0, 3.0)
    mouse.put("basket", -1.5, 0.0)
    wish(mouse, ("thing", "ball"))
    path = save(mouse)
    mouse.press("Test")
    for _ in range(300):
        mouse.game.frame(1 / 30)
        if mouse.game.player.session.status == "won":
            break
    assert mouse.game.building.testing
    assert mouse.game.player.session.status == "won"
    mouse.press("Back to building")
    assert mouse.game.building.active is not None
    assert not mouse.game.building.unsaved

    def script(hand: Hand) -> Script:
        yield from hand.until(lambda: hand.status != "playing", 12.0)

    won(path, script, 12.0)


def test_a_car_drives_into_a_zone(mouse: Mouse) -> None:
    """On the ground: a part and a drawn zone; won by driving."""
    begin(mouse, "New level")
    mouse.put("car", -2.0, 0.0, 0.0)
    mouse.press("##zone")
    mouse.drag(mouse.at(1.0, 0.0, -1.0), mouse.at(3.4, 0.0, 1.2))
    wish(mouse, ("thing", "car"))
    path = save(mouse)

    def script(hand: Hand) -> Script:
        hand.press("w")
        yield from hand.until(lambda: float(hand.at("car")[0]) > 1.6, 10.0)
        hand.let_go("w")
        yield from hand.until(lambda: hand.status != "playing", 6.0)

    commands = won(path, script, 20.0)
    assert commands  # it was not won by waiting


def test_a_drawn_tower_is_toppled(mouse: Mouse) -> None:
    """Flat: drawn with the mouse, moved by its handle, taken back once; won by a push."""
    begin(mouse, "New flat level")
    mouse.press("##box")
    mouse.drag(mouse.at(-0.4, 0.0), mouse.at(0.4, 3.0))
    text = mouse.builder.draft.text
    mouse.press("##ball")
    mouse.drag(mouse.at(-2.0, 0.5), mouse.at(-1.5, 0.5))
    mouse.press("Undo (Ctrl+Z)")
    assert mouse.builder.draft.text == text
    wish(mouse, ("what", "has fallen over"), ("thing", "box"))
    path = save(mouse)
    assert load(path).default.plan.bodies["box"].frame.position == pytest.approx((0.0, 1.5, 0.0))

    def script(hand: Hand) -> Script:
        yield from hand.wait(0.3)
        mass = hand.session.world.mass(hand.session.handles["box"])
        hand.session.issue(_push(hand, 2.5 * mass))
        yield from hand.until(lambda: hand.status != "playing", 6.0)

    assert won(path, script, 10.0)


def test_what_is_selected_is_plotted_in_a_test_and_afterwards(mouse: Mouse) -> None:
    begin(mouse, "New level")
    mouse.put("car", -2.0, 0.0, 0.0)
    mouse.press("Test")
    mouse.frames(20)
    game = mouse.game
    assert "forces" in game.player.state.open
    course = game.player.monitor.watch.courses["car"]
    assert len(course) > 10
    mouse.press("Back to building")
    assert mouse.builder.tested["car"] is course
    assert "car_drive_front" in mouse.builder.tested
    mouse.press("/Selection")
    mouse.press("Undo (Ctrl+Z)")  # the inspector has nothing to show, and shows it


def test_a_hinge_is_given_another_body_with_the_mouse(mouse: Mouse) -> None:
    begin(mouse, "New level")
    mouse.put("car", -2.0, 0.0, 0.0)
    mouse.put("crate", 1.5, 0.0, 0.0)
    mouse.builder.selection.choose((("joints", "car_drive_front"),))
    mouse.press("first/##holds")
    mouse.press("/crate")
    joints = mouse.builder.draft.level.default.plan.joints
    assert joints["car_drive_front"].a == "crate"
    mouse.press("second/\uf05b##point")
    mouse.click(*mouse.at(-2.0, 0.9, 0.0))
    joints = mouse.builder.draft.level.default.plan.joints
    assert (joints["car_drive_front"].a, joints["car_drive_front"].b) == ("crate", "car")
    assert mouse.builder.tool == "select"


def _push(hand: Hand, impulse: float) -> Any:
    from levels.commands import Push

    return Push("box", (impulse, 0.0, 0.0), (0.0, 2.8, 0.0))
