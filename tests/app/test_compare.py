"""Compare, and the report of a divergence: the real program on the crane."""

from collections.abc import Callable

import numpy as np

from tests.app.desk import Desk


def test_four_stabilizations_under_the_same_input(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down("crane")
    desk.run(0.2)
    single = desk.pixels()
    desk.key("c")
    comparison = desk.game.comparison
    assert comparison is not None
    assert [r.value for r in comparison.runs] == ["adaptive", "geometric", "inertial", "none"]
    assert [r.session.world.stabilization for r in comparison.runs] == list(comparison.values)
    assert comparison.runs[0].session.time == desk.session.time  # they begin at this moment
    desk.run(0.1)
    assert np.abs(desk.pixels() - single).mean() > 4.0  # four tiles instead of one
    desk.hand.key_down("a")
    desk.settle()
    desk.run(1.2)
    desk.hand.key_up("a")
    desk.settle()
    ours = desk.session.world.poses()[0]
    twin, *_, none = comparison.runs
    assert np.allclose(twin.session.world.poses()[0], ours, atol=1e-9)  # same bits, same keys
    assert not none.alive
    assert "flew apart" in none.label
    desk.key("g")  # the player's own stabilization changes, the comparison' do not
    assert [r.session.world.stabilization for r in comparison.runs] == list(comparison.values)


def test_what_hangs_at_the_top_of_a_tile_is_not_behind_the_title(
    sit_down: Callable[..., Desk],
) -> None:
    desk = sit_down("ghosts")
    desk.run(0.5)
    game = desk.game
    assert game.comparison is not None  # this level begins with it
    title = game.interface.layout.place("title")
    beam = np.array((0.0, 7.4, 0.5))  # its upper edge
    _, y, _ = desk.player.camera.view().project(beam)[0]
    assert y * game.tiles()[0][3] > title.bottom
    game.action("compare")
    game.action("compare")
    desk.run(0.5)
    assert desk.player.camera.free[1] == 0.0  # levels leave room for it in the whole window


def test_ghosts_appear_where_worlds_differ(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down("crane")
    desk.key("c")
    desk.run(1.0)
    desk.key("c")
    assert desk.game.comparison.ghosts
    desk.game.player.clock.paused = True
    desk.run(0.1)
    ghosts = desk.pixels()
    scene = desk.player.scene()
    desk.game.comparison.add_ghosts(scene)
    assert len(scene.ghost_tubes) > 10  # the cable of "none" is elsewhere
    assert sum(map(len, scene.ghosts.values())) < sum(map(len, scene.parts.values()))
    desk.key("c")
    assert desk.game.comparison is None
    assert desk.player.listeners == []
    desk.player.state.toasts.clear()
    desk.run(0.1)
    assert (np.abs(desk.pixels() - ghosts).max(axis=2) > 25).sum() > 60


def test_step_sizes_side_by_side(desk: Desk) -> None:
    desk.key("c")
    comparison = desk.game.comparison
    comparison.choose("rate")
    assert [r.session.world.rate for r in comparison.runs] == [20, 60, 120, 240]
    desk.run(0.5)
    times = [r.session.time for r in comparison.runs]
    assert max(times) - min(times) <= 1 / 20 + 1e-6
    for value in (60, 120):
        comparison.toggle(value)
    assert comparison.values == (20, 240)
    assert [tile[2:] for tile in desk.game.tiles()] == [(480, 600)] * 2
    desk.run(0.1)
    assert desk.pixels().std() > 5
    for value in (30, 60, 120):
        comparison.toggle(value)
    assert len(comparison.values) == 4  # never more


def test_dragging_in_a_tile_moves_all_worlds(desk: Desk) -> None:
    desk.run(0.1)
    desk.key("c")
    x, y = desk.on_screen("ball")  # of the whole window: half of it in the first tile
    desk.drag((x / 2, y / 2), (x / 2, y / 2 - 60), steps=10)
    assert desk.session.position("ball")[1] > 0.75  # it lay at 0.6
    for run in desk.game.comparison.runs:
        assert run.session.position("ball")[1] > 0.75


def test_rewinding_takes_the_compared_runs_along(desk: Desk) -> None:
    desk.run(1.0)
    desk.key("c")
    desk.run(0.4)
    desk.player.rewind(True)
    desk.game.input.rewinding = True
    desk.run(0.3)
    desk.game.input.rewinding = False
    desk.run(0.1)
    for run in desk.game.comparison.runs:
        assert abs(run.session.time - desk.session.time) < 0.05


def test_none_explodes_and_the_culprit_is_shown(sit_down: Callable[..., Desk]) -> None:
    desk = sit_down("crane")
    desk.run(0.5)
    desk.key("g")
    assert desk.session.world.stabilization == "none"
    assert desk.until(lambda: desk.player.explosion is not None, 400)
    assert desk.until(lambda: desk.player.explosion.phase == "over", 400)
    desk.run(0.1)
    card = desk.game.interface.layout.place("card")
    assert card is not None  # with the buttons to go back and to compare
    desk.click(card.left + 60, card.bottom - 24)
    assert desk.until(lambda: desk.player.explosion is None, 200)
    report = desk.player.divergence
    assert desk.player.clock.paused
    assert report.joint is not None
    assert desk.session.is_finite()  # back at the moment before
    assert desk.session.world.constraint_error() < 2.0
    desk.run(0.1)
    # the joint that went first carries an orange ball
    x, y = desk.seen(np.asarray(desk.session.world.joint(report.joint).anchor_a))
    patch = desk.pixels()[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4]
    assert (patch[..., 0] - patch[..., 2]).max() > 80
    desk.key("g")
    desk.key("space")
    desk.run(0.3)
    assert desk.session.is_finite()
    assert not desk.player.clock.paused
