"""What is selected, as numbers over the last seconds."""

from pathlib import Path

import pytest

from levels.level import load_text
from sandbox.app.player import Player

LEVEL = """
format = 1
title = "One falls, one hangs"
[bodies.ball]
shape = "sphere"
radius = 0.5
mass = 2
position = [3, 100, 0]
[bodies.weight]
shape = "box"
size = [1, 1, 1]
mass = 20
position = [0, 5, 0]
[bodies.post]
shape = "box"
size = [1, 1, 1]
position = [0, 9, 0]
fixed = true
[joints.rope]
kind = "distance"
bodies = ["weight"]
at_a = [0, 5.5, 0]
at_b = [0, 8, 0]
"""


@pytest.fixture
def player() -> Player:
    return Player(load_text(LEVEL, Path("watched.toml")).session())


def run(player: Player, steps: int) -> None:
    for _ in range(steps):
        player.step_once()


def test_the_course_of_a_fall(player: Player) -> None:
    player.state.selected = player.session.handles["ball"]
    run(player, 31)
    course = player.monitor.watch.courses["ball"]
    time, height, speed, force = course.columns()
    assert len(course) == len(time) == 30  # the first step has no speed before it
    assert speed == pytest.approx(9.81 * time, rel=1e-6)
    assert height[0] > height[-1]
    assert force == pytest.approx(0.0, abs=1e-6)  # nothing but its weight


def test_a_joint_bears_what_hangs_on_it_and_so_does_the_weight(player: Player) -> None:
    player.state.joint = player.session.joints["rope"]
    player.monitor.watch.also([player.session.handles["weight"]])
    run(player, 60)
    courses = player.monitor.watch.courses
    assert courses["rope"].last(0) == pytest.approx(20 * 9.81, rel=1e-3)
    assert courses["weight"].last(2) == pytest.approx(20 * 9.81, rel=1e-3)


def test_a_fixed_body_is_no_subject_and_the_joint_is_the_next(player: Player) -> None:
    player.state.selected = player.session.handles["post"]
    assert player.monitor.subject is None
    player.state.joint = player.session.joints["rope"]
    assert player.monitor.subject == player.session.joints["rope"]


def test_turning_back_time_forgets_and_what_goes_is_no_longer_looked_at(player: Player) -> None:
    handle = player.session.handles["ball"]
    player.monitor.watch.also([handle])
    run(player, 40)
    course = player.monitor.watch.courses["ball"]
    player.monitor.back_to(0.25)
    assert 0.2 < course.columns()[0][-1] <= 0.25
    player.cut(player.session.joints["rope"])
    player.session.world.remove(handle)
    length = len(course)
    player.monitor.look()
    assert len(course) == length
    assert player.monitor.watch.always == []
