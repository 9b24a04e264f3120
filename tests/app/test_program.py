"""The real program in a real window on a virtual display, driven by real events.

The assertions look at the world (through the game object) and at the pixels of the window.
"""

import os

import numpy as np
import pytest

from tests.app.desk import Desk


def test_a_ball_can_be_dragged_and_the_level_is_won(desk: Desk) -> None:
    desk.run(0.3)
    x, y = desk.on_screen("ball")
    before = desk.pixels()
    desk.hand.move(x, y)
    desk.settle()
    desk.hand.down()
    desk.settle()
    assert desk.game.player.state.selected == desk.game.player.session.handles["ball"]
    for i in range(1, 9):
        desk.hand.move(x, y - 30 * i)
        desk.settle()
    assert desk.until(lambda: desk.game.player.session.status == "won")
    desk.hand.up()
    desk.settle()
    height = desk.game.player.session.position("ball")[1]
    assert height > 2.0
    assert np.abs(desk.pixels() - before).max(axis=2).mean() > 2.0


def test_pause_step_and_rewind(desk: Desk) -> None:
    desk.run(1.5)
    desk.hand.key("space")
    desk.settle()
    session = desk.game.player.session
    tick = session.tick
    desk.run(0.5)
    assert session.tick == tick
    desk.hand.key("period")
    desk.settle()
    assert session.tick == tick + 1
    desk.hand.key("space")
    desk.hand.key_down("comma")
    desk.settle()
    desk.run(0.5)
    assert session.tick < tick - 15
    desk.hand.key_up("comma")
    desk.settle()
    back = session.tick
    desk.run(0.3)
    assert session.tick > back


def test_the_rope_is_cut_by_a_stroke(desk: Desk) -> None:
    desk.run(0.5)
    desk.hand.key("space")
    desk.hand.key("3")
    desk.settle()
    assert desk.game.player.state.tool == "cut"
    player = desk.game.player
    a, b = player.stage.ropes.spans(player.shown)
    middle = (a[4] + b[4]) / 2
    fx, fy, _ = player.camera.view().project(middle)[0]
    x, y = fx * 960, fy * 600
    joints = len(player.session.joints)
    desk.hand.move(x - 40, y - 40)
    desk.settle()
    desk.hand.down()
    desk.settle()
    desk.hand.move(x + 40, y + 40)
    desk.settle()
    desk.hand.up()
    desk.settle()
    assert len(player.session.joints) < joints
    desk.hand.key("ctrl+z")
    desk.settle()
    assert len(player.session.joints) == joints


def test_a_slider_changes_the_load(desk: Desk) -> None:
    desk.run(0.2)
    # The first slider of the panel: its right end is its maximum.
    x, y = 960 - 16 - 30, 72 + 46
    desk.hand.move(x, y)
    desk.settle()
    desk.hand.down()
    desk.settle()
    desk.hand.up()
    desk.settle()
    desk.run(0.2)
    assert desk.game.player.session.values["weight"] != 20


def test_the_wheel_zooms_and_dragging_nothing_orbits(desk: Desk) -> None:
    desk.run(0.2)
    camera = desk.game.player.camera
    distance, yaw = camera.goal.distance, camera.goal.yaw
    desk.hand.move(480, 120)
    desk.hand("click", 4)
    desk.settle()
    assert camera.goal.distance < distance
    desk.hand.down()
    desk.settle()
    desk.hand.move(600, 120)
    desk.settle()
    desk.hand.up()
    desk.settle()
    assert camera.goal.yaw != yaw


def test_resizing_keeps_the_picture_whole(desk: Desk) -> None:
    import pygame

    pygame.display.set_mode((640, 400), pygame.OPENGL | pygame.DOUBLEBUF | pygame.RESIZABLE)
    desk.run(0.2)
    assert desk.game.window.size == (640, 400)
    assert desk.pixels().shape == (400, 640, 3)
    assert desk.pixels().std() > 5


def test_pages_open_and_close(desk: Desk) -> None:
    desk.run(0.1)
    for key, name in (("F1", "help"), ("F3", "profiler"), ("Tab", "hidden")):
        plain = desk.pixels()
        desk.hand.key(key)
        desk.settle()
        state = desk.game.player.state
        assert name in state.open or state.hidden
        assert np.abs(desk.pixels() - plain).mean() > 0.2
        desk.hand.key(key)
        desk.settle()
        assert name not in state.open
        assert not state.hidden


def test_closing_the_window_ends_the_game(desk: Desk) -> None:
    import pygame

    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert desk.game.run() == 0


def test_without_a_display_there_is_a_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from sandbox.window.window import NoDisplay, Window

    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    assert "DISPLAY" not in os.environ
    with pytest.raises(NoDisplay, match="no display"):
        Window("Taut")


def test_another_quality_comes_without_a_held_up_frame(desk: Desk) -> None:
    from sandbox.render.quality import QUALITIES

    game = desk.game
    desk.run(0.1)
    before = game.renderer
    game.quality.choose(None)
    game.quality.governor.quality = QUALITIES["low"]
    game.quality.governor.update = lambda frame: True
    desk.game.frame(1 / 30)
    game.quality.governor.update = lambda frame: False
    assert game.renderer is before  # it draws on while the other is made ready
    assert desk.until(lambda: game.renderer is not before)
    assert game.renderer.quality.name == "low"
    desk.run(0.1)
    assert desk.pixels().std() > 10
