"""The table of controls, line by line, with real events in the real window."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sandbox.app.tools import TOOLS
from tests.app.desk import Desk

HERE = Path(__file__).parent
EMPTY = (480.0, 110.0)  # sky, between the panels


def test_right_click_while_holding_pins(desk: Desk) -> None:
    desk.run(0.2)
    x, y = desk.on_screen("ball")
    desk.hand.move(x, y)
    desk.settle()
    desk.hand.down()
    desk.settle()
    desk.hand.move(x, y - 120)
    assert desk.until(lambda: desk.session.position("ball")[1] > 1.0)
    desk.hand.down(3)
    desk.settle()
    desk.hand.up(3)
    desk.hand.up()
    desk.settle()
    height = desk.session.position("ball")[1]
    desk.run(0.5)
    assert desk.session.position("ball")[1] == pytest.approx(height, abs=1e-9)
    assert "pinned" in desk.said()


def test_right_drag_pans_and_f_frames_the_selection(desk: Desk) -> None:
    camera = desk.player.camera
    before = camera.goal
    desk.drag(EMPTY, (EMPTY[0] + 80, EMPTY[1] + 30), button=3)
    assert camera.goal.pivot != before.pivot
    assert camera.goal.yaw == before.yaw
    desk.click(*desk.on_screen("ball"))
    desk.key("f")
    ball = desk.session.position("ball")
    assert np.linalg.norm(np.subtract(camera.goal.pivot, ball)) < 0.6
    assert camera.goal.distance < before.distance
    desk.click(*EMPTY)
    desk.key("f")
    assert camera.goal.distance == pytest.approx(before.distance)


def test_a_box_selects_in_two_dimensions(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down(HERE / "flat.toml")
    desk.run(0.2)
    (ax, ay), (bx, by) = desk.on_screen("a"), desk.on_screen("b")
    before = desk.pixels()
    start, end = (ax - 60, ay - 80), (bx + 50, by + 30)
    desk.hand.move(*start)
    desk.settle()
    desk.hand.down()
    desk.hand.move(*end)
    desk.settle()
    drawn = np.abs(desk.pixels() - before).max(axis=2) > 20
    assert drawn[round(start[1]) + 3 : round(end[1]) - 3, round(start[0]) + 3 : round(end[0])].any()
    desk.hand.up()
    desk.settle()
    names = {desk.session.name_of(handle) for handle in desk.player.chosen()}
    assert names == {"a", "b"}
    desk.drag((ax, ay), (ax, ay - 150))  # both are lifted by the one that is held …
    assert desk.session.position("b")[1] > 0.8
    assert desk.session.position("far")[1] == pytest.approx(0.5, abs=0.02)
    desk.run(1.0)
    desk.key("9")
    desk.click(*desk.on_screen("a"))  # … and removed together
    assert not {"a", "b"} & set(desk.session.handles)
    desk.key("ctrl+z")
    assert {"a", "b"} <= set(desk.session.handles)


def test_playing_on_after_a_rewind_is_a_new_branch(desk: Desk) -> None:
    desk.run(1.0)
    tick, bob = desk.session.tick, desk.session.position("bob").copy()
    desk.hand.key_down("comma")
    desk.settle()
    assert desk.until(lambda: desk.session.tick < tick - 20)
    desk.hand.key_up("comma")
    desk.settle()
    desk.key("2")
    desk.click(*desk.on_screen("bob"))  # a push that the first branch never had
    assert desk.until(lambda: desk.session.tick >= tick)
    assert np.linalg.norm(desk.session.position("bob") - bob) > 0.05


def test_slower_and_faster(desk: Desk) -> None:
    clock = desk.player.clock
    desk.key("minus")
    assert clock.speed == 0.5
    for _ in range(6):
        desk.key("minus")
    assert clock.speed == 1 / 16
    for _ in range(8):
        desk.key("equal")
    assert clock.speed == 4.0


def test_restart_undo_redo(desk: Desk) -> None:
    desk.run(1.0)
    assert desk.session.time > 0.9
    desk.key("8")
    desk.click(380, 470)
    crate = next(name for name in desk.session.handles if name.startswith("crate"))
    desk.key("ctrl+z")
    assert crate not in desk.session.handles
    desk.key("ctrl+y")
    assert crate in desk.session.handles
    desk.key("r")
    assert desk.session.time < 0.2


def test_every_tool_has_its_key(desk: Desk) -> None:
    for number, name in enumerate((tool.name for tool in TOOLS), start=1):
        desk.key(str(number))
        assert desk.player.state.tool == name


def test_push_pin_rope_weld_hinge_spawn_delete(desk: Desk) -> None:
    desk.key("space")
    session = desk.session
    desk.key("2")
    desk.click(*desk.on_screen("bob"))
    desk.key("period")
    assert np.linalg.norm(session.world.velocity(session.handles["bob"])) > 1.0
    for key, kind in (("5", "distance"), ("6", "fixed"), ("7", "hinge")):
        joints = set(session.joints)
        desk.key(key)
        desk.drag(desk.on_screen("ball"), desk.on_screen("bob"))
        made = set(session.joints) - joints
        assert len(made) == 1, kind
        assert session.world.joint(session.joints[made.pop()]).kind == kind
        desk.key("ctrl+z")
        assert set(session.joints) == joints
    joints = set(session.joints)
    desk.key("4")
    desk.click(*desk.on_screen("ball"))
    assert len(set(session.joints) - joints) == 1  # a pin is a joint to the world
    desk.click(*desk.on_screen("ball"))
    assert set(session.joints) == joints
    desk.key("q")
    assert desk.player.state.tool == "spawn"
    kind = desk.player.state.spawn
    assert kind != "crate"
    before = desk.pixels()
    desk.click(380, 470)
    new = [name for name in session.handles if name.startswith(kind.replace(" ", "_"))]
    assert new
    assert (np.abs(desk.pixels() - before).max(axis=2) > 30).sum() > 50
    desk.key("9")
    desk.click(*desk.on_screen(new[0]))
    assert new[0] not in session.handles


def test_stabilization_and_overlays(desk: Desk) -> None:
    desk.run(0.3)
    assert desk.session.world.stabilization == "adaptive"
    desk.key("g")
    assert desk.session.world.stabilization == "none"
    desk.key("space")
    plain = desk.pixels()
    shown = []
    for _ in range(5):
        desk.key("v")
        shown.append(frozenset(desk.player.state.overlays))
    assert shown[-1] == frozenset()
    assert len(set(shown)) == 5
    desk.player.state.toasts.clear()
    desk.key("v")
    desk.player.state.toasts.clear()
    desk.run(0.1)
    x, y = (round(value) for value in desk.seen(desk.player.shown.positions[-2]))
    assert np.abs(desk.pixels() - plain)[:, 500:720].max() > 40, (x, y)


def test_levels_the_wall_and_a_hidden_interface(
    sit_down: Callable[..., Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import Image

    from levels import shipped
    from sandbox.catalogue import ordered

    picture = tmp_path / "level.png"
    Image.new("RGB", (32, 18)).save(picture)
    monkeypatch.setattr("sandbox.ui.wall.best_picture", lambda level: picture)
    monkeypatch.setattr("sandbox.ui.wall._LOOK_EVERY", 0.0)
    desk = sit_down("million")
    names = ordered(shipped())
    here = names.index("million")
    desk.key("bracketright")
    assert desk.session.level.name == names[(here + 1) % len(names)]
    desk.key("bracketleft")
    assert desk.session.level.name == "million"
    desk.run(0.1)
    shown = desk.pixels()
    desk.key("Tab")
    assert np.abs(desk.pixels() - shown)[:60, -300:].mean() > 5
    desk.key("Tab")
    tick = desk.session.tick
    desk.key("Escape")
    assert "wall" in desk.player.state.open
    missing = [entry.name for entry in desk.game.wall.entries()]
    assert missing == names
    for _ in range(2 * len(names) + 1):  # a title a frame, a look around, a picture a frame
        desk.game.frame(1 / 60)
    assert all(desk.game.wall.picture(name) is not None for name in names)
    assert desk.session.tick - tick <= 3  # time stands still behind the wall
    desk.game.progress.recent = []
    desk.run(0.1)
    desk.click(28 + 14 + 120, 28 + 60 + 70)  # the first picture
    assert desk.session.level.name == names[0]
    assert "wall" not in desk.player.state.open


def test_help_remaps_a_key(sit_down: Callable[..., Desk]) -> None:
    from sandbox.settings import Settings

    class Kept(Settings):
        def save_keys(self, changed: dict[str, str]) -> None:
            self.keys = json.loads(json.dumps(changed))

    settings = Kept()
    desk = sit_down(settings=settings)
    desk.key("F1")
    desk.player.state.rebinding = "pause"
    desk.key("p")
    assert settings.keys == {"pause": "P"}
    desk.key("F1")
    desk.key("p")
    assert desk.player.clock.paused
    desk.key("space")
    assert desk.player.clock.paused


def test_the_wheel_goes_to_what_is_under_the_pointer_when_it_has_just_moved(desk: Desk) -> None:
    import pygame

    desk.run(0.2)
    side = desk.game.interface.layout.place("side")
    assert side is not None
    over_panel = (round(side.left) + 20, round(side.top) + 20)

    def move_and_turn(to: tuple[int, int]) -> None:
        """Both within one frame."""
        pygame.mouse.set_pos(to)
        moved = {"pos": to, "rel": (1, 1), "buttons": (0, 0, 0), "touch": False}
        turned = {"x": 0, "y": 1, "precise_y": 1.0, "flipped": False}
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, moved))
        pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, turned))
        for _ in range(3):
            desk.game.frame(1 / 60)

    move_and_turn((300, 300))
    near = desk.player.camera.goal.distance
    move_and_turn(over_panel)
    assert desk.player.camera.goal.distance == near  # the panel has it
    move_and_turn((300, 300))
    assert desk.player.camera.goal.distance < near


def test_full_screen_and_back(desk: Desk) -> None:
    desk.key("F11")
    desk.run(0.1)
    assert desk.game.window.full_screen
    assert desk.game.window.size == (1280, 800)
    assert desk.pixels().shape == (800, 1280, 3)
    desk.key("F11")
    desk.run(0.1)
    assert desk.game.window.size == (960, 600)


def test_settings_take_effect_and_are_kept(
    sit_down: Callable[..., Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sandbox.settings import Settings, load_settings, settings_path

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    desk = sit_down(settings=Settings())
    desk.key("F2")
    assert "settings" in desk.player.state.open
    before = desk.pixels()
    desk.game.change_setting("ui_scale", 2.0)
    desk.game.change_setting("palette", "night")
    desk.game.change_setting("mute", True)
    desk.run(0.2)
    assert np.abs(desk.pixels() - before).mean() > 3
    interface = desk.game.interface
    assert interface.scale == 2.0
    assert interface.fonts.scale == 1.6  # a window of 480x300 at this size: a fifth less
    assert desk.player.stage.look.name == "night"
    assert settings_path().is_file()
    kept = load_settings()
    assert (kept.ui_scale, kept.palette, kept.mute) == (2.0, "night", True)
