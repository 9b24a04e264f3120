"""Cloth in the hand: real events on a curtain in the real program."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandbox.app.hand_marks import add_hand_marks
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
    hole = desk.player.pointer.pick(0.5, (left[1] + 7) / 600)
    assert hole is None or hole.name != "curtain" or np.ptp(nodes(desk)[:, 2]) > 0.05
    desk.key("ctrl+z")
    assert len(world.threads(cloth)) == threads  # the whole stroke at once
    assert len(desk.player.scene().sheets[0].triangles) == triangles


def test_where_a_stroke_would_cut_the_cloth_is_shown(curtain: Desk) -> None:
    desk = curtain
    desk.key("3")
    for spot, over in ((desk.seen(nodes(desk)[6 * 17 + 8]), True), ((5.0, 400.0), False)):
        desk.hand.move(*spot)
        desk.settle()
        scene = desk.player.scene()
        add_hand_marks(scene, desk.player)
        marks = scene.glow["ball"]["position"] if "ball" in scene.glow else np.zeros((0, 3))
        assert len(marks) == over
        for mark in marks:
            assert desk.seen(mark.astype(float)) == pytest.approx(spot, abs=2.0)


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


def test_what_is_under_the_pointer_is_outlined_before_it_is_taken(curtain: Desk) -> None:
    desk = curtain
    desk.player.state.toggle("sliders")  # the panel covers the ball
    desk.hand.move(250, 60)  # sky
    desk.settle()
    assert desk.player.pointer.hovered is None
    desk.hand.move(*desk.seen(nodes(desk)[6 * 17 + 8]))
    desk.settle()
    assert desk.player.pointer.hovered == desk.session.softs["curtain"]
    assert desk.player.scene().hovered_sheets
    desk.hand.move(*desk.on_screen("ball"))
    desk.settle()
    assert desk.player.pointer.hovered == desk.session.handles["ball"]
    assert desk.player.scene().hovered
    desk.hand.move(940, 30)  # the toolbar
    desk.settle()
    assert desk.player.pointer.hovered is None


@pytest.fixture
def shop(sit_down: Callable[..., Desk]) -> Desk:
    desk = sit_down(CURTAIN.with_name("soft_shop.toml"))
    desk.run(1.0)
    desk.key("space")  # still, so that strokes meet what is aimed at
    return desk


def places(desk: Desk, name: str) -> np.ndarray:
    return np.asarray(desk.player.world.node_positions(desk.session.softs[name]))


def shown(desk: Desk, name: str) -> int:
    return len(desk.player.world.triangles(desk.session.softs[name]))


@pytest.mark.parametrize("name", ["film", "jelly"])
def test_a_stroke_cuts_membranes_and_solids_and_undo_mends_them(shop: Desk, name: str) -> None:
    desk, soft = shop, shop.session.softs[name]
    before, whole, x = desk.pixels(), shown(desk, name), places(desk, name)
    low, high = x.min(axis=0), x.max(axis=0)
    middle = 0.5 * (low + high) + np.array((0.03, 0.03, 0.0))
    reach = np.array((0.6 * (high - low)[0], 0.0, 0.0))
    desk.key("3")
    desk.drag(desk.seen(middle - reach), desk.seen(middle + reach), steps=8)
    world = desk.player.world
    # triangles along the stroke, or a layer of the bricks
    assert len(world.cut_elements(soft)) >= {"film": 15, "jelly": 10}[name]
    assert shown(desk, name) != whole
    sheet = next(s for s in desk.player.scene().sheets if len(s.points) == len(x))
    assert len(sheet.triangles) == shown(desk, name)
    energy = world.energy().total
    desk.key("space")
    desk.run(0.5)
    assert world.energy().total <= energy + 1e-3 * abs(energy)
    lower = x[:, 1] < middle[1] - 0.3 * (high - low)[1]
    if name == "film":  # the lower half falls, the upper one hangs
        assert (places(desk, name)[lower, 1] < x[lower, 1] - 0.3).all()
        assert np.allclose(places(desk, name)[:11], x[:11])
    assert np.abs(desk.pixels() - before).max(axis=2).mean() > 0.3
    desk.key("ctrl+z")
    assert len(desk.player.world.cut_elements(desk.session.softs[name])) == 0
    assert shown(desk, name) == whole


def test_welding_a_film_to_a_ball_sews_it(shop: Desk) -> None:
    desk = shop
    corner = places(desk, "film")[9 * 11 + 9]
    desk.key("6")
    desk.drag(desk.seen(corner), desk.on_screen("ball"))
    held = desk.player.world.seams(desk.session.softs["film"], desk.session.handles["ball"])
    assert np.linalg.norm(held[0] - corner) < 0.05
    arm = held[0] - desk.player.world.position(desk.session.handles["ball"])
    desk.key("space")
    desk.run(0.6)
    film, ball = desk.session.softs["film"], desk.session.handles["ball"]
    world = desk.player.world
    now = world.seams(film, ball)[0] - world.position(ball)
    assert np.linalg.norm(now) == pytest.approx(np.linalg.norm(arm), abs=0.01)
    desk.key("ctrl+z")
    assert len(desk.player.world.seams(desk.session.softs["film"], ball)) == 0


def test_hinging_a_film_to_nothing_pins_it(shop: Desk) -> None:
    desk = shop
    corner = places(desk, "film")[10 * 11 + 5]
    desk.key("7")
    x, y = desk.seen(corner + np.array((0.0, 0.06, 0.0)))
    desk.drag((x, y), (x, y - 330))
    assert 10 * 11 + 5 in desk.player.world.pinned_nodes(desk.session.softs["film"])


@pytest.mark.parametrize("name", ["film", "jelly"])
def test_a_rope_ties_a_soft_thing_to_the_sky(shop: Desk, name: str) -> None:
    desk = shop
    x = places(desk, name)
    top = x[x[:, 1] > x[:, 1].max() - 0.05].mean(axis=0)
    start = top + np.array((0.0, -0.15, 0.0))
    desk.key("5")
    across = desk.seen(start)
    desk.drag(across, (across[0], across[1] - 150))
    knot = next(name for name in desk.session.handles if name.startswith("knot"))
    rope = next(name for name in desk.session.joints if name.startswith("distance"))
    desk.key("space")
    desk.run(1.0)
    world = desk.player.world
    info = world.joint(desk.session.joints[rope])
    span = float(np.linalg.norm(np.subtract(info.anchor_a, info.anchor_b)))
    assert span <= info.parameters["length"] * 1.01

    def gap() -> float:
        seam = world.seams(desk.session.softs[name], desk.session.handles[knot])
        return float(np.linalg.norm(seam[0] - world.position(desk.session.handles[knot])))

    # how far it has swung by now depends on how many frames the hand took
    assert desk.until(lambda: gap() < 0.02)
    assert world.constraint_error() < 1e-3
    desk.key("ctrl+z")
    assert knot not in desk.session.handles


def test_a_rope_from_a_film_to_a_jelly_carries(shop: Desk) -> None:
    desk = shop
    film, jelly = places(desk, "film"), places(desk, "jelly")
    desk.key("5")
    desk.drag(desk.seen(film[5 * 11 + 9]), desk.seen(jelly.mean(axis=0)), steps=8)
    knots = [name for name in desk.session.handles if name.startswith("knot")]
    assert len(knots) == 2
    desk.key("space")
    desk.run(1.0)
    assert desk.session.is_finite()
    assert desk.player.world.constraint_error() < 1e-3
