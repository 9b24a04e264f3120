"""Cloth in the hand: real events on a curtain in the real program."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.desk import Desk

CURTAIN = Path(__file__).with_name("curtain.toml")


@pytest.fixture
def curtain(sit_down: Callable[..., Desk]) -> Desk:
    desk = sit_down(CURTAIN)
    desk.run(3.0)  # it comes to rest
    return desk


def nodes(desk: Desk) -> np.ndarray:
    return np.asarray(desk.player.world.node_positions(desk.session.softs["curtain"]))


def held(desk: Desk) -> Any:
    return desk.player.tools["grab"].held


def test_a_corner_is_dragged_and_lets_go_again(curtain: Desk) -> None:
    desk, corner = curtain, 12 * 17  # lower left
    before, plain = nodes(desk), desk.pixels()
    x, y = desk.seen(before[corner] + np.array((0.06, 0.06, 0.0)))
    desk.hand.move(x, y)
    desk.settle()
    desk.hand.down()
    desk.settle()
    assert held(desk).name == "curtain"
    assert desk.player.state.selected == desk.session.softs["curtain"]
    for i in range(1, 7):
        desk.hand.move(x + 25 * i, y - 25 * i)
        desk.settle()
    desk.run(0.5)
    moved = nodes(desk)
    assert moved[corner][0] > before[corner][0] + 0.8  # to the right
    assert moved[corner][1] > before[corner][1] + 0.8  # and up
    assert np.allclose(moved[[0, 16]], before[[0, 16]])  # the pinned ones
    strain = desk.player.world.strain(desk.session.softs["curtain"])
    assert strain < 0.02  # however it is pulled, it does not stretch
    # the selected cloth has a rim of the accent colour, and the picture has changed with it
    picture = desk.pixels()
    accent = (picture[..., 0] > 200) & (picture[..., 1] > 120) & (picture[..., 2] < 90)
    assert accent.sum() > 150
    assert np.abs(picture - plain).max(axis=2).mean() > 2.0
    desk.hand.up()
    desk.settle()
    assert held(desk) is None
    desk.run(2.0)
    assert abs(nodes(desk)[corner][1] - before[corner][1]) < 0.5  # hangs down again


def test_a_held_corner_is_pinned_by_the_right_button(curtain: Desk) -> None:
    desk, corner = curtain, 12 * 17
    x, y = desk.seen(nodes(desk)[corner] + np.array((0.06, 0.06, 0.0)))
    desk.hand.move(x, y)
    desk.settle()
    desk.hand.down()
    desk.settle()
    for i in range(1, 7):
        desk.hand.move(x + 20 * i, y - 20 * i)
        desk.settle()
    desk.run(0.5)
    desk.hand.down(3)
    desk.settle()
    desk.hand.up(3)
    desk.hand.up()
    desk.settle()
    pinned = nodes(desk)[corner]
    desk.run(1.0)
    assert np.allclose(nodes(desk)[corner], pinned)


def test_the_pin_tool_lets_a_corner_of_the_curtain_go(curtain: Desk) -> None:
    desk = curtain
    before = nodes(desk)[0]
    desk.key("4")
    desk.click(*desk.seen(before + np.array((0.05, -0.05, 0.0))))
    desk.run(1.0)
    assert nodes(desk)[0][1] < before[1] - 0.5


def test_a_stroke_cuts_the_cloth_and_undo_mends_it(curtain: Desk) -> None:
    desk = curtain
    world, cloth = desk.player.world, desk.session.softs["curtain"]
    threads = len(world.threads(cloth))
    triangles = len(desk.player.scene().sheets[0].triangles)
    desk.key("space", "3")
    place = nodes(desk)
    left, right = desk.seen(place[6 * 17 + 2]), desk.seen(place[6 * 17 + 14])
    desk.drag((left[0], left[1] + 7), (right[0], right[1] + 7), steps=6)
    assert len(world.threads(cloth)) < threads - 20
    assert len(desk.player.scene().sheets[0].triangles) < triangles - 10
    desk.key("space")
    desk.run(1.5)
    hole = desk.player.pick(0.5, (left[1] + 7) / 600)
    assert hole is None or hole.name != "curtain" or np.ptp(nodes(desk)[:, 2]) > 0.05
    desk.key("ctrl+z")
    assert len(world.threads(cloth)) == threads  # the whole stroke at once
    assert len(desk.player.scene().sheets[0].triangles) == triangles


def test_a_push_sends_a_wave_and_delete_removes(curtain: Desk) -> None:
    desk = curtain
    middle = 8 * 17 + 8
    before = nodes(desk)
    desk.key("2")
    desk.click(*desk.seen(before[middle]))
    desk.run(0.1)
    after = nodes(desk)
    away = before[:, 2] - after[:, 2]
    assert away[middle] > 0.03  # from the eye
    assert away[middle] > 3 * abs(away[12 * 17])  # the corner does not know of it yet
    desk.key("9")
    desk.click(*desk.seen(after[middle]))
    assert "curtain" not in desk.session.softs
    assert not desk.player.scene().sheets
    desk.key("ctrl+z")
    assert "curtain" in desk.session.softs
    assert len(desk.player.scene().sheets) == 1


def test_rewinding_takes_the_hand_back_in_time(curtain: Desk) -> None:
    desk, corner = curtain, 12 * 17
    x, y = desk.seen(nodes(desk)[corner] + np.array((0.06, 0.06, 0.0)))
    before = nodes(desk)
    desk.drag((x, y), (x + 150, y - 100), steps=6)
    desk.hand.key_down("comma")
    desk.settle()
    desk.run(2.0)
    desk.hand.key_up("comma")
    desk.settle()
    assert desk.session.tick < 190
    assert np.abs(nodes(desk)[corner] - before[corner]).max() < 0.3
    desk.run(0.5)
    assert np.isfinite(nodes(desk)).all()


def test_a_slider_keeps_cuts_and_pins(curtain: Desk) -> None:
    from levels.commands import Pin, Slit

    desk = curtain
    corner = nodes(desk)[12 * 17]
    desk.player.edit(
        Slit("curtain", (-1.0, 2.0, 0.0), (1.0, 2.0, 0.0), (0.0, 0.0, -1.0)),
        Pin("curtain", tuple(corner)),
    )
    desk.run(0.3)
    threads = len(desk.player.world.threads(desk.session.softs["curtain"]))
    pinned = nodes(desk)[12 * 17]
    desk.player.set_parameter("weight", 8.0)
    desk.run(0.5)
    assert desk.player.world.mass(desk.session.softs["curtain"]) == pytest.approx(8.0)
    assert len(desk.player.world.threads(desk.session.softs["curtain"])) == threads
    assert np.allclose(nodes(desk)[12 * 17], pinned)
