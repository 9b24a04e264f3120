"""What is shown is what there is: the picture follows a world that is replaced or loses things."""

from pathlib import Path

import numpy as np

from levels import load
from levels.commands import Cut
from sandbox.app.overlays import add_overlays
from sandbox.app.player import Player

PLAYGROUND = Path(__file__).with_name("playground.toml")


def play() -> Player:
    player = Player(load(PLAYGROUND).session())
    player.state.overlays = {"tension", "joints", "sleep"}
    return player


def look(player: Player) -> None:
    scene = player.scene()
    add_overlays(scene, player)
    assert np.isfinite(scene.tubes["a"]).all()


def test_going_back_over_a_slider_shows_the_world_it_made() -> None:
    player = play()
    for _ in range(8):
        player.step_once()
    player.set_parameter("weight", 50.0)
    for _ in range(12):
        player.step_once()
    shown = player.stage.world
    # the moment before the slider is restored and played forward over it: a world of its own
    player.history._rewind.back_to(10)
    player._jumped()
    assert player.session.values["weight"] == 50.0
    assert player.session.world is not shown
    assert player.stage.world is player.session.world
    look(player)


def test_a_rope_that_loses_a_joint_in_play_has_a_gap_at_once() -> None:
    player = play()
    player.step_once()
    joint = next(j for j in player.stage.ropes.span_joints if j is not None)
    player.issue(Cut(player.session.name_of(joint)))  # not an edit: as rules and breaking do it
    player.step_once()
    assert joint not in player.stage.ropes.span_joints
    look(player)


def test_a_sleeping_body_is_marked_and_wakes() -> None:
    player = play()
    ball = player.session.handles["ball"]
    for _ in range(400):
        player.step_once()
        if player.world.asleep(ball):
            break
    assert player.world.asleep(ball)
    assert colors(player, ball, "sleep") != colors(player, ball, "")
    player.world.apply_impulse(ball, (50.0, 0.0, 0.0))
    player.step_once()
    assert not player.world.asleep(ball)
    assert colors(player, ball, "sleep") == colors(player, ball, "")


def colors(player: Player, handle: object, overlay: str) -> list[float]:
    player.state.overlays = {overlay} if overlay else set()
    player.view.hold()
    scene = player.scene()
    add_overlays(scene, player)
    own = player.stage.of_slots("ball", [handle.slot])
    return [round(float(value), 4) for value in scene.parts["ball"]["color"][own].ravel()]
