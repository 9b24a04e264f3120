"""The timeline: forward again after going back, and back into a course of things that was left."""

import numpy as np

from levels import load
from sandbox.app.player import Player


def test_going_back_and_forward_again_gives_the_same_bits() -> None:
    player = Player(load("press").session())
    player.level_key("w", True)
    for _ in range(90):
        player.step_once()
    there = player.session.world.hash()
    player.scrub(30)
    assert player.session.tick == 30
    assert player.clock.paused
    assert player.history.span[1] == 90
    player.scrub(90)
    assert player.session.world.hash() == there


def test_what_was_ahead_becomes_a_lane_that_can_be_entered_again() -> None:
    player = Player(load("press").session())
    player.level_key("w", True)
    for _ in range(120):
        player.step_once()
    up = np.asarray(player.session.world.poses()[0])
    player.scrub(40)
    player.set_parameter("force", 110.0)  # another way from here
    for _ in range(80):
        player.step_once()
    (lane,) = player.history.lanes
    assert (lane.fork, lane.end) == (40, 120)
    other = np.asarray(player.session.world.poses()[0])
    assert np.abs(other - up).max() > 0.05
    player.scrub(120, lane)
    assert np.array_equal(player.session.world.poses()[0], up)
    (back,) = player.history.lanes
    player.scrub(back.end, back)
    assert np.array_equal(player.session.world.poses()[0], other)
