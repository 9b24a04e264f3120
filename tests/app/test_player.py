"""The game without a window, on the toy world."""

import numpy as np
import pytest

from sandbox.app.choices import GuiState
from sandbox.app.divergence import DivergenceReport
from sandbox.app.hand_marks import add_hand_marks
from sandbox.app.overlays import OVERLAYS, add_overlays, scale_colors
from sandbox.app.player import Player
from tests.app.fakes import toy
from tests.counting import calls


@pytest.fixture
def player() -> Player:
    return Player(toy())


def on_screen(player: Player, name: str) -> tuple[float, float]:
    place = player.shown.positions[player.session.handles[name].slot]
    x, y, _ = player.camera.view().project(place)[0]
    return float(x), float(y)


def test_time_advances_in_fixed_steps(player: Player) -> None:
    player.clock.budget = 1.0  # a busy machine must not slow this down
    for _ in range(30):
        player.update(1 / 30)
    assert player.session.tick == pytest.approx(60, abs=1)


def test_a_picture_lies_between_two_states(player: Player) -> None:
    player.update(0.2)
    before, after = player.view.before.positions[1, 1], player.view.after.positions[1, 1]
    player.clock.debt = 0.5 * player.clock.h
    player.update(0.0)
    assert after < player.shown.positions[1, 1] < before


def test_dragging_a_ball_moves_it_with_the_pointer(player: Player) -> None:
    x, y = on_screen(player, "ball")
    player.pointer.press(x, y, 1)
    assert player.state.selected == player.session.handles["ball"]
    player.pointer.move(x + 0.1, y - 0.1)
    player.update(0.1)
    moved = on_screen(player, "ball")
    assert moved == pytest.approx((x + 0.1, y - 0.1), abs=0.02)
    player.pointer.release(*moved, 1)
    player.update(1.0)
    assert player.world.grabbed is None


def test_dragging_nothing_turns_the_camera(player: Player) -> None:
    yaw = player.camera.goal.yaw
    player.pointer.press(0.02, 0.02, 1)
    player.pointer.move(0.2, 0.02)
    player.pointer.release(0.2, 0.02, 1)
    assert player.camera.goal.yaw != yaw
    assert player.state.selected is None


def test_right_click_while_holding_pins(player: Player) -> None:
    x, y = on_screen(player, "ball")
    player.pointer.press(x, y, 1)
    player.pointer.press(x, y, 3)
    assert [command.verb for command in player.session.log][-2:] == ["drop", "pin"]


def test_a_stroke_of_the_cut_tool_cuts_the_rope(player: Player) -> None:
    player.action("tool_cut")
    top, knot = on_screen(player, "hook"), on_screen(player, "knot")
    y = (top[1] + knot[1]) / 2
    player.pointer.press(top[0] - 0.05, y, 1)
    player.pointer.move(top[0] + 0.05, y)
    assert "rope.0" not in player.session.joints
    assert "rope.1" in player.session.joints


def point_at_rope(player: Player) -> None:
    top, knot = on_screen(player, "hook"), on_screen(player, "knot")
    player.pointer.over_interface = False
    player.pointer.move((top[0] + knot[0]) / 2, (top[1] + knot[1]) / 2)


def test_x_cuts_the_rope_under_the_pointer_even_when_paused(player: Player) -> None:
    player.action("pause")
    point_at_rope(player)
    player.action("cut")
    assert len(player.session.joints) == 1
    assert player.clock.paused


def test_x_cuts_nothing_that_is_not_under_the_pointer(player: Player) -> None:
    player.pointer.over_interface = False
    for place in ((0.02, 0.02), (1.4, 0.5), (0.5, -0.2)):
        player.pointer.move(*place)
        player.action("cut")
    point_at_rope(player)
    player.pointer.over_interface = True  # a panel is in between
    player.action("cut")
    assert len(player.session.joints) == 2


def test_where_a_rope_would_be_cut_is_shown(player: Player) -> None:
    player.action("tool_cut")
    point_at_rope(player)
    for _ in range(2):
        scene = player.scene()
    add_overlays(scene, player)
    add_hand_marks(scene, player)
    assert player.pointer.cuts is not None
    seen = player.camera.view().project(scene.glow["ball"]["position"].astype(float))
    assert np.abs(seen[:, :2] - player.pointer.at).max(axis=1).min() < 0.02


@pytest.mark.parametrize("frame", [1 / 200, 1 / 60, 1 / 5])
def test_a_tap_within_one_frame_is_seen_by_the_level(player: Player, frame: float) -> None:
    player.clock.budget = 1.0
    held: list[bool] = []
    step = player.session.step

    def stepping() -> object:
        events = step()
        held.append("a" in player.session.held)
        return events

    player.session.step = stepping  # type: ignore[method-assign]
    player.level_key("a", True)
    player.level_key("a", False)
    for _ in range(40):
        player.update(frame)
    assert 1 <= sum(held) <= 4
    assert not held[-1]


def test_the_wheel_moves_what_is_held_in_depth_and_shift_keeps_it_level(player: Player) -> None:
    x, y = on_screen(player, "ball")
    player.pointer.press(x, y, 1)
    grab, away = player.tools["grab"], player.camera.goal.distance
    eye = np.asarray(player.camera.view().eye)
    before = grab.target.copy()
    player.pointer.wheel(3.0, x, y)
    assert np.linalg.norm(grab.target - eye) > 1.1 * np.linalg.norm(before - eye)
    assert player.camera.goal.distance == away  # it does not zoom
    seen = player.camera.view().project(grab.target)[0]
    assert seen[:2] == pytest.approx((x, y), abs=1e-6)
    player.pointer.level = True
    height = grab.target[1]
    player.pointer.move(x + 0.05, y + 0.03)
    assert grab.target[1] == pytest.approx(height)
    player.pointer.release(x, y, 1)
    player.pointer.wheel(3.0, x, y)
    assert player.camera.goal.distance != away


def test_undo_brings_the_rope_back_and_redo_cuts_it_again(player: Player) -> None:
    point_at_rope(player)
    player.action("cut")
    player.action("undo")
    assert len(player.session.joints) == 2
    player.action("redo")
    assert len(player.session.joints) == 1


def test_rewind_goes_back_and_play_goes_on(player: Player) -> None:
    for _ in range(60):
        player.update(1 / 60)
    height = player.world.x[1, 1]
    player.rewind(True)
    for _ in range(20):
        player.update(1 / 60)
    assert player.session.tick < 45
    assert player.world.x[1, 1] > height
    player.rewind(False)
    tick = player.session.tick
    player.update(0.1)
    assert player.session.tick > tick


def test_spawn_and_delete(player: Player) -> None:
    player.action("tool_spawn")
    player.pointer.press(0.3, 0.8, 1)
    name = next(name for name in player.session.handles if name.startswith("crate"))
    place = player.world.position(player.session.handles[name])
    assert place[1] > 0
    player.action("tool_delete")
    player.pointer.press(*on_screen(player, name), 1)
    assert name not in player.session.handles
    assert player.state.selected is None  # what is gone is not selected
    player.action("frame")


def test_level_keys_reach_the_level_and_others_do_not(player: Player) -> None:
    assert player.level_key("a", True)
    assert not player.level_key("z", True)
    player.update(0.05)
    assert player.session.held == {"a"}


def test_g_cycles_the_stabilization(player: Player) -> None:
    seen = []
    for _ in range(5):
        player.action("stabilization")
        player.update(0.05)
        seen.append(player.world.stabilization)
    assert sorted(seen) == sorted({*seen})
    assert seen[-1] == "adaptive"


def test_an_explosion_is_seen_before_it_is_taken_back(player: Player) -> None:
    for _ in range(60):
        player.update(1 / 60)
    player.world.scatter = 1e9
    player.update(1 / 30)
    assert player.explosion is not None
    assert player.explosion.phase == "flying"
    before = player.shown.positions.copy()
    for _ in range(90):
        player.update(1 / 60)
    assert player.explosion.phase == "over"
    assert np.isfinite(player.shown.positions).all()
    assert np.abs(player.shown.positions - before).max() > 0.0  # it flies in the picture
    assert player.clock.paused
    assert np.isfinite(player.world.x).all()  # the world itself is back already
    player.world.scatter = 0.0
    player.explosion.go_back()
    for _ in range(60):
        player.update(1 / 60)
    assert player.explosion is None
    assert player.divergence is not None
    player.action("pause")
    assert not player.clock.paused


def test_the_scene_has_everything(player: Player) -> None:
    scene = player.scene()
    assert scene.ground == 0.0
    assert len(scene.parts["ball"]) >= 1
    assert len(scene.parts["box"]) == 1
    assert len(scene.tubes) == 2


def test_two_dimensions_are_flat_and_have_a_slab_to_stand_on() -> None:
    scene = Player(toy(dimension=2)).scene()
    assert scene.look.flat
    assert (scene.parts["box"]["half"][:, 0] > 100).any()


def test_overlays_mark_contacts_axes_and_tension(player: Player) -> None:
    player.state.overlays = set(OVERLAYS)
    player.update(0.1)
    scene = player.scene()
    add_overlays(scene, player)
    assert set(scene.glow) == {"ball", "rod"}
    assert np.allclose(scene.tubes["color"][0], scale_colors(np.array([1.0]))[0], atol=1e-5)


def test_picking_prefers_what_is_in_front(player: Player) -> None:
    assert player.pointer.pick(*on_screen(player, "weight")).name == "weight"
    assert player.pointer.pick(0.01, 0.01) is None


def test_messages_disappear() -> None:
    state = GuiState()
    state.say("hello", now=0.0)
    assert [toast.text for toast in state.messages(now=1.0)] == ["hello"]
    assert state.messages(now=60.0) == []


def test_overlays_cycle_back_to_nothing() -> None:
    state = GuiState()
    shown = [state.cycle_overlays() for _ in range(5)]
    assert shown[-1] == "none"
    assert "tension" in shown[0]


def test_the_frame_work_does_not_grow_with_the_parts(player: Player) -> None:
    """A thousand parts are placed by the same calls as ten: arrays, no loops in Python."""
    from physics.shapes import Box

    work = []
    for first, last in ((0, 10), (10, 1000)):
        for i in range(first, last):
            player.world.add(f"box{i}", Box((0.2, 0.2, 0.2)), (0.01 * i, 5, 0))
        player.refresh()
        player.scene()
        work.append(calls(player.scene))
    assert work[1] <= work[0] + 10


def test_g_goes_on_to_the_next_while_paused(player: Player) -> None:
    player.action("pause")
    for _ in range(2):
        player.action("stabilization")
    assert player.option("stabilization") == "geometric"  # none was passed over
    player.action("step")
    player.update(1 / 60)
    assert player.world.stabilization == "geometric"


def test_plots_and_marks_go_back_with_time(player: Player) -> None:
    player.clock.budget = 1.0
    player.state.reads = frozenset({"stats", "energy"})
    for _ in range(60):
        player.update(1 / 60)
    player.divergence = DivergenceReport(None, "a mark of what went first")
    player.rewind(on=True)
    for _ in range(20):
        player.update(1 / 60)
    player.rewind(on=False)
    time = player.monitor.traces.column("time")
    assert 0.2 < time[-1] <= player.session.time < 0.8
    assert player.divergence is None


def test_statistics_are_seldom_read_while_nobody_looks(player: Player) -> None:
    player.clock.budget = 1.0
    for _ in range(30):
        player.update(1 / 60)
    seldom = len(player.monitor.traces)
    player.state.reads = frozenset({"stats"})
    for _ in range(30):
        player.update(1 / 60)
    assert seldom <= 6
    assert len(player.monitor.traces) - seldom >= 28
