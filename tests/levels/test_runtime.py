"""A level in play: keys, goals, triggers, sliders, tools, and coming back to a moment."""

from pathlib import Path

import numpy as np
import pytest

from levels import Session, load
from levels.commands import (
    COMMANDS,
    Command,
    Cut,
    Delete,
    Drag,
    Drop,
    Grab,
    Join,
    Key,
    Pin,
    Place,
    Push,
    Restart,
    SetOption,
    SetParameter,
    Sew,
    Slit,
    Spawn,
    decode_command,
)

_LEVEL = """\
format = 1
# a comment the author wants to keep
[parameters]
weight = { default = 10, min = 1, max = 1000 }
links = { default = 4, min = 2, max = 9, whole = true }

[bodies.post]
shape = "box"
size = [1, 1, 1]
position = [0, 6, 0]
fixed = true

[bodies.arm]
shape = "box"
size = [4, 0.2, 0.2]
position = [2, 5.4, 0]
mass = 20
frames.tip = [2, 0, 0]

[bodies.ball]
shape = "sphere"
radius = 0.2
position = [4, 3, 0]
mass = "=weight"

[joints.turn]
kind = "hinge"
bodies = ["post", "arm"]
at = [0, 5.4, 0]
axis = [0, 1, 0]
motor = { keys = "a/d", speed = 1.0, max_force = 1e5 }

[props.rope]
kind = "rope"
from = "arm.tip"
to = "ball"
segments = "=links"
mass = 0.4
winch = { keys = "w/s", speed = 1.0, min = 1.0, max = 4.0 }

[zones.side]
center = [0, 3, -4]
size = [6, 4, 4]

[goal]
win = { when = "inside('ball', 'side')", for = 0.1, say = "There." }
lose = "broken('rope')"
stars = { time = [1, 5, 9] }

[[on]]
when = "pressed('e')"
then = ["release('rope.drum')", "say('cut')"]
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "play.toml"
    path.write_text(_LEVEL, encoding="utf-8")
    return load(path).session()


def test_motor_follows_its_keys(session: Session) -> None:
    session.issue(Key("a", True))
    session.step(30)
    assert session.world.joint_value("turn") == pytest.approx(0.5, abs=0.01)
    session.issue(Key("a", False))
    session.step(30)
    assert session.world.joint_value("turn") == pytest.approx(0.5, abs=0.01)
    session.issue(Key("d", True))
    session.step(30)
    assert session.world.joint_value("turn") == pytest.approx(0.0, abs=0.01)


def test_winch_shortens_within_its_range(session: Session) -> None:
    assert session.rest_length("rope") == pytest.approx(2.4)
    session.issue(Key("w", True))
    session.step(60)
    session.issue(Key("w", False))
    session.step(30)  # it runs on as long as it took to get going
    assert session.rest_length("rope") == pytest.approx(1.4, abs=0.01)
    assert session.stretch("rope") < 1e-6
    session.issue(Key("w", True))
    session.step(60)
    # min says 1.0, but of its four pieces 1.8 stay off the drum
    assert session.rest_length("rope") == pytest.approx(1.08, abs=0.01)
    session.issue(Key("w", False))
    session.issue(Key("s", True))
    session.step(300)
    assert session.rest_length("rope") == pytest.approx(4.0, abs=0.01)


def test_keys_of_the_level(session: Session) -> None:
    assert set(session.keys()) == {"a", "d", "w", "s", "e"}


def test_goal_is_won_once(session: Session) -> None:
    session.issue(Key("a", True))
    events = []
    for _ in range(150):
        events += session.step()
    assert session.status == "won"
    assert session.stars == 2
    assert [event.text for event in events if event.kind == "won"] == ["There."]


def test_trigger_cuts_and_the_level_is_lost(session: Session) -> None:
    session.issue(Key("e", True))
    events = session.step(2)
    assert ("say", "cut") in [(event.kind, event.text) for event in events]
    assert session.is_broken("rope")
    assert session.status == "lost"


def test_slider_keeps_the_motion(session: Session) -> None:
    session.issue(Push("ball", (20.0, 0.0, 5.0)))
    session.step(30)
    before = {name: session.position(name) for name in session.handles}
    speed = session.world.velocity(session.handle("ball"))
    time = session.time
    session.issue(SetParameter("weight", 500.0))
    session.step()
    assert session.world.mass(session.handle("ball")) == 500
    assert session.generation == 1
    assert session.time == pytest.approx(time + session.world.h)
    for name, place in before.items():
        assert np.linalg.norm(session.position(name) - place) < 0.1, name
    assert np.linalg.norm(session.world.velocity(session.handle("ball")) - speed) < 0.5


def test_slider_that_changes_the_parts_restarts(session: Session) -> None:
    session.step(30)
    session.issue(SetParameter("links", 8.0))
    session.step()
    assert len(session.plan.groups["rope"].joints) == 8
    assert session.time == pytest.approx(session.world.h)


def test_refused_command_is_told_and_play_goes_on(session: Session) -> None:
    session.issue(SetParameter("weight", -3.0))
    session.issue(Cut("nothing"))
    session.issue(Delete("nobody"))
    texts = [event.text for event in session.step()]
    assert texts == [
        "weight: -3 is below the minimum 1",
        'there is no joint "nothing"',
        'there is no body "nobody"',
    ]


def test_grab_drags_and_drops(session: Session) -> None:
    session.issue(Grab(1, "ball", (4.0, 3.0, 0.0)))
    session.issue(Drag(1, (4.0, 3.0, 1.0)))
    session.step(60)
    assert session.position("ball")[2] > 0.5
    session.issue(Drop(1))
    session.step()
    assert not session.grabs


def test_tools(session: Session) -> None:
    crate = {"shape": "box", "size": [1, 1, 1], "position": [8, 5, 0], "mass": 5}
    session.issue(Spawn("crate", crate))
    session.issue(Join("weld 1", "fixed", "crate", "", {"at": (8, 5, 0)}))
    session.step(10)
    assert session.position("crate")[1] == pytest.approx(5)
    session.issue(Cut("weld 1"))
    session.step(30)
    assert session.position("crate")[1] < 4.5
    session.issue(Pin("crate"))
    session.step()
    height = session.position("crate")[1]
    session.step(30)
    assert session.position("crate")[1] == pytest.approx(height, abs=1e-6)
    session.issue(Delete("crate"))
    session.step()
    assert "crate" not in session.handles


def test_bad_spawn_is_told(session: Session) -> None:
    session.issue(Spawn("crate", {"shape": "bax"}))
    (event,) = session.step()
    assert event.text == 'unknown shape "bax"'


def test_option_changes_the_running_world(session: Session) -> None:
    session.issue(SetOption("stabilization", "none"))
    session.step()
    assert session.world.stabilization == "none"


def test_restart(session: Session) -> None:
    start = session.position("ball").copy()
    session.step(60)
    session.issue(Restart())
    session.step()
    assert np.linalg.norm(session.position("ball") - start) < 0.01
    assert session.tick == 61


def test_restore_gives_the_same_future(session: Session) -> None:
    session.issue(Key("a", True))
    session.step(20)
    moment = session.snapshot()
    session.step(40)
    hash_then, status = session.world.hash(), session.status
    for _ in range(2):
        session.restore(moment)
        assert session.tick == 20
        session.step(40)
        assert (session.world.hash(), session.status) == (hash_then, status)


def test_restore_over_a_cut(session: Session) -> None:
    session.step(5)
    moment = session.snapshot()
    session.issue(Cut("rope.piece1"))
    session.step(5)
    assert session.is_broken("rope")
    session.restore(moment)
    assert not session.is_broken("rope")
    session.step(30)
    assert session.stretch("rope") < 1e-6


def test_two_sessions_are_the_same_bit_by_bit(tmp_path: Path) -> None:
    path = tmp_path / "play.toml"
    path.write_text(_LEVEL, encoding="utf-8")
    hashes = []
    for _ in range(2):
        session = load(path).session(weight=123.0)
        session.issue(Key("d", True))
        session.step(100)
        hashes.append(session.world.hash())
    assert hashes[0] == hashes[1]


def test_save_keeps_comments_and_places(session: Session, tmp_path: Path) -> None:
    crate = {"shape": "box", "size": [1, 1, 1], "position": [8, 5, 0], "mass": 5}
    session.issue(Spawn("crate", crate))
    session.issue(SetParameter("weight", 50.0))
    session.step(20)
    saved = tmp_path / "saved.toml"
    session.save(saved)
    text = saved.read_text(encoding="utf-8")
    assert "# a comment the author wants to keep" in text
    again = load(saved)
    assert again.parameters["weight"].default == 50
    plan = again.default.plan
    for name in ("ball", "arm", "crate"):
        assert plan.center(name) == pytest.approx(session.position(name), abs=1e-5)
    assert plan.groups["rope"].rest_length == pytest.approx(2.4, abs=1e-3)
    again.build().step(5)


@pytest.mark.parametrize(
    "command",
    [
        Key("a", True),
        SetParameter("x", 1.5),
        SetOption("rate", 30.0),
        Grab(1, "b", (1.0, 2.0, 3.0)),
        Drag(1, (1.0, 2.0, 3.0)),
        Drop(1),
        Pin("b"),
        Place("b", (1.0, 2.0, 3.0)),
        Pin("cloth", (1.0, 2.0, 3.0)),
        Slit("cloth", (0.0, 1.0, 0.0), (1.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
        Cut("j"),
        Delete("b"),
        Push("b", (1.0, 2.0, 3.0), None),
        Sew("cloth", "b", (1.0, 2.0, 3.0)),
        Join("n", "fixed", "a", "", {"at": [0, 0, 0]}),
        Spawn("n", {"shape": "box"}),
        Restart(),
    ],
    ids=lambda command: command.verb,
)
def test_commands_survive_writing(command: Command) -> None:
    assert decode_command(_plain(command.encode())) == command


def _plain(value: object) -> object:
    return [_plain(entry) for entry in value] if isinstance(value, list | tuple) else value


def test_every_command_is_tested_above() -> None:
    assert len(COMMANDS) == 16


@pytest.mark.parametrize(
    "written",
    [[], "key", ["fly"], ["key", 3, True], ["key", "a"], ["grab", 1, "b", [1, 2]], ["drop", "x"],
     ["push", "b", [1, 2, float("nan")]], ["key", "a", True, 4]],
)  # fmt: skip
def test_damaged_commands_are_refused(written: object) -> None:
    with pytest.raises(ValueError, match=r"command|takes|wrong type"):
        decode_command(written)


def test_motor_runs_on_when_a_slider_moves(session: Session) -> None:
    session.issue(Key("a", True))
    session.step(30)
    session.issue(SetParameter("weight", 30.0))
    session.step(30)
    assert session.world.joint_value("turn") == pytest.approx(1.0, abs=0.03)
