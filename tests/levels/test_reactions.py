"""What triggers do and conditions ask: forces, counters, timers, spawning, joints, orientation."""

import math
from pathlib import Path

import numpy as np
import pytest

from levels import Level, LevelError, Session, load
from levels.caps import MAX_PUSHES, MAX_SPAWNED

_WORLD = """\
format = 1
[bodies.ground]
shape = "plane"
fixed = true
[bodies.ball]
shape = "sphere"
radius = 0.5
mass = 2
position = [0, 0.5, 0]
"""
_FREE = _WORLD.replace("position = [0, 0.5, 0]", "position = [0, 5, 0]") + (
    "[simulation]\ngravity = [0, 0, 0]\n"
)


def _load(folder: Path, text: str) -> Level:
    path = folder / "level.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def _on(when: str, *then: str, more: str = "") -> str:
    actions = ", ".join(f'"{action}"' for action in then)
    return f'[[on]]\nwhen = "{when}"\nthen = [{actions}]\n{more}'


def _after(folder: Path, text: str, steps: int) -> Session:
    session = _load(folder, text).session()
    session.step(steps)
    return session


def _asked(session: Session, expression: str) -> float:
    from levels.expressions import compile_expression
    from levels.functions import FUNCTIONS

    return float(compile_expression(expression, session.values, FUNCTIONS, "number")(session))


# --- conditions -------------------------------------------------------------------------------


def test_velocities_and_orientation(tmp_path: Path) -> None:
    text = _FREE + '[bodies.box]\nshape = "box"\nsize = [1, 1, 1]\nposition = [5, 5, 0]\n'
    text += "velocity = [1, -2, 3]\nangular_velocity = [0, 2, 0]\nrotation = [0, 30, 0]\n"
    session = _load(tmp_path, text).session()
    asked = [_asked(session, f"{name}('box')") for name in ("vx", "vy", "vz", "wx", "wy", "wz")]
    assert asked == pytest.approx([1, -2, 3, 0, 2, 0])
    assert _asked(session, "yaw('box')") == pytest.approx(math.radians(30))
    assert _asked(session, "tilt('box')") == pytest.approx(0)
    assert _asked(session, "facing('box', 1, 0, 0)") == pytest.approx(0.5)
    tipped = text.replace("rotation = [0, 30, 0]", "rotation = [-20, 0, 0]")
    assert _asked(_load(tmp_path, tipped).session(), "pitch('box')") == pytest.approx(
        math.radians(20)
    )
    rolled = text.replace("rotation = [0, 30, 0]", "rotation = [0, 0, 25]")
    assert _asked(_load(tmp_path, rolled).session(), "roll('box')") == pytest.approx(
        math.radians(25)
    )
    assert _asked(_load(tmp_path, rolled).session(), "tilt('box')") == pytest.approx(
        math.radians(25)
    )


def test_contact_force_is_the_weight_of_what_rests(tmp_path: Path) -> None:
    text = _WORLD + '[bodies.hat]\nshape = "box"\nsize = [1, 0.2, 1]\nposition = [3, 0.1, 0]\n'
    text += 'mass = 7\n[bodies.brick]\nshape = "box"\nsize = [0.4, 0.4, 0.4]\n'
    text += "position = [3, 0.4, 0]\nmass = 5\n"
    session = _after(tmp_path, text, 120)
    assert _asked(session, "contact_force('ball', 'ground')") == pytest.approx(2 * 9.81, rel=1e-3)
    assert _asked(session, "contact_force('ground', 'hat')") == pytest.approx(12 * 9.81, rel=1e-3)
    assert _asked(session, "contact_force('brick', 'hat')") == pytest.approx(5 * 9.81, rel=1e-3)
    assert _asked(session, "contact_force('ball', 'hat')") == 0
    assert _asked(session, "load('hat')") == pytest.approx(7 * 9.81, rel=1e-3)


def test_joint_speed_and_force(tmp_path: Path) -> None:
    text = _WORLD + '[joints.arm]\nkind = "distance"\nbodies = ["ball"]\nat_b = [2, 0.5, 0]\n'
    text = text.replace('[bodies.ground]\nshape = "plane"\nfixed = true\n', "")
    session = _after(tmp_path, text + "[simulation]\nrate = 4000\n", 2000)
    before = session.world.joint_value(session.joints["arm"])
    assert abs(_asked(session, "joint_speed('arm')")) < 3e-3  # it does not stretch
    assert _asked(session, "joint_force('arm')") == pytest.approx(_asked(session, "tension('arm')"))
    assert before == pytest.approx(2)


# --- actions ----------------------------------------------------------------------------------


def test_a_force_acts_for_a_while(tmp_path: Path) -> None:
    """10 N on 2 kg for 0.5 s: 2.5 m/s, then no more."""
    text = _FREE + _on("true", "force('ball', 10, 0, 0, 0.5)", "torque('ball', 0, 0.4, 0, 0.5)")
    session = _after(tmp_path, text, 120)
    assert session.world.velocity(session.handle("ball")) == pytest.approx([2.5, 0, 0], abs=1e-9)
    inertia = 0.4 * 2 * 0.5**2
    spin = session.world.angular_velocity(session.handle("ball"))
    assert spin == pytest.approx([0, 0.4 * 0.5 / inertia, 0], abs=1e-9)


def test_forces_do_not_pile_up_without_end(tmp_path: Path) -> None:
    text = _FREE + _on("true", "force('ball', 1e-3, 0, 0, 9999)", more="every = 0.001\n")
    session = _after(tmp_path, text, MAX_PUSHES + 50)
    assert len(session.pushes.save()["acting"]) == MAX_PUSHES


def test_arguments_read_the_state(tmp_path: Path) -> None:
    text = _FREE + _on("time() > 0.1", "push('ball', y('ball'), 2 * time(), 0)")
    session = _after(tmp_path, text, 20)
    velocity = session.world.velocity(session.handle("ball"))
    assert velocity == pytest.approx([2.5, 7 / 60, 0], abs=1e-6)


def test_counters_timers_and_every(tmp_path: Path) -> None:
    text = _FREE + "[counters]\nleft = 3\n"
    text += _on("time() > 0.05", "count('left', -1)", "start('fuse')", more="every = 0.5\n")
    text += _on("counter('left') <= 0", "set_counter('done', 7)", "stop('fuse')")
    text += _on("running('fuse') and timer('fuse') > 0.4", "count('late')", more="once = false\n")
    session = _after(tmp_path, text, 63)
    assert session.tallies.counter("left") == 1
    assert session.tallies.counter("late") == 2
    assert session.tallies.timer("fuse", session.time) == pytest.approx(session.time - 34 / 60)
    session.step(60)
    assert session.tallies.counter("done") == 7


def test_a_family_of_triggers_counts(tmp_path: Path) -> None:
    text = _FREE + '[[on]]\nrepeat = 10\nwhen = "time() > 0.1 * {i}"\nthen = "count(\'all\')"\n'
    assert _after(tmp_path, text, 70).tallies.counter("all") == 10


def test_spawning_from_a_template(tmp_path: Path) -> None:
    text = _WORLD + '[templates.egg]\nshape = "sphere"\nradius = 0.1\nmaterial = "shell"\n'
    text += "[materials.shell]\ndensity = 2000\n"
    text += _on(
        "spawned('egg') < 3", "spawn('egg', x('ball') + 2, 3, 0, 1, 0, 0)", more="every=0.2\n"
    )
    session = _after(tmp_path, text, 60)
    assert [name for name in session.handles if "egg" in name] == ["egg_1", "egg_2", "egg_3"]
    mass = session.world.mass(session.handle("egg_1"))
    assert mass == pytest.approx(2000 * 4 / 3 * math.pi * 1e-3)
    assert session.position("egg_1")[0] > 2.5


def test_spawning_a_prefab_brings_its_joints_and_goes_on_after_a_slider(tmp_path: Path) -> None:
    text = _WORLD + '[templates.car]\nprefab = "vehicles/truck"\n[parameters]\nsize = 1\n'
    text += _on("time() > 0.1", "spawn('car', 0, 5, 9)", "count('cars')")
    session = _after(tmp_path, text, 20)
    parts = [name for name in session.handles if name.startswith("car_1.")]
    assert len(parts) > 3
    joints = [name for name in session.joints if name.startswith("car_1.")]
    assert joints
    height = session.position("car_1")[1]
    session.set_parameter("size", 2)
    assert session.position("car_1")[1] == height
    assert session.tallies.counter("cars") == 1
    assert set(joints) <= session.joints.keys()
    session.step(30)
    assert session.position("car_1")[1] < height
    session.edits.remove("car_1")
    assert not [name for name in session.handles if name.startswith("car_1.")]


def test_spawning_ends(tmp_path: Path) -> None:
    text = _FREE + '[templates.dot]\nshape = "sphere"\nradius = 0.01\n'
    many = ", ".join(["\"spawn('dot', 9 * time(), 9, 9)\""] * 50)
    text += f'[[on]]\nwhen = "true"\nthen = [{many}]\nevery = 0.001\n'
    text = text.replace("[simulation]\n", "[simulation]\nsleeping = false\n")
    session = _load(tmp_path, text).session()
    for _ in range(12):
        session.referee.judge(session, False)
        session._time_before += 1.0
    assert len(session.edits.spawned_from("dot")) == MAX_SPAWNED


def test_remove_weld_pin_and_unpin(tmp_path: Path) -> None:
    text = _FREE + '[bodies.box]\nshape = "box"\nsize = [1, 1, 1]\nposition = [2, 5, 0]\n'
    text += (
        "velocity = [0, 1, 0]\n"
        + '[bodies.third]\nshape = "sphere"\nradius = 1\nposition = [9, 9, 9]\n'
    )
    text += _on("time() > 0.05", "weld('ball', 'box')", "weld('ball', 'box')", "remove('third')")
    text += _on("time() > 0.5", "pin('ball')", "pin('ball')") + _on("time() > 1", "unpin('ball')")
    session = _after(tmp_path, text, 25)
    assert "third" not in session.handles
    gap = session.position("box") - session.position("ball")
    assert len(session.joints) == 1
    session.step(20)
    held = session.position("ball")
    assert np.abs(session.world.velocity(session.handle("ball"))).max() < 1e-6
    assert float(np.sqrt((gap**2).sum())) == pytest.approx(
        float(np.sqrt(((session.position("box") - held) ** 2).sum())), abs=1e-6
    )
    session.step(30)
    assert len(session.joints) == 1


def test_servo_gravity_parameter_and_what_the_game_is_told(tmp_path: Path) -> None:
    text = _WORLD + "[parameters]\nheavy = { default = 2, min = 1, max = 9 }\n"
    text = text.replace("mass = 2", 'mass = "=heavy"').replace("[0, 0.5, 0]", "[0, 3, 0]")
    text += '[joints.arm]\nkind = "hinge"\nbodies = ["ground", "ball"]\nat = [0, 3, 0]\n'
    text += "axis = [0, 0, 1]\nservo = { target = 0, stiffness = 500, damping = 50 }\n"
    text += _on("time() > 0.1", "servo('arm', 0.7)", "gravity(0, -1, 0)", "set('heavy', 99)")
    text += _on("time() > 0.2", "sound('bell', 0.5)", "follow('ball')", "look(1, 2, 3)")
    text += _on("time() > 0.2", "say('{} kg, {}', heavy, y('ball'))")
    session = _load(tmp_path, text).session()
    told = [event for _ in range(120) for event in session.step() if event.kind != "contact"]
    assert session.world.joint_value(session.joints["arm"]) == pytest.approx(0.7, abs=0.01)
    assert session.values["heavy"] == 9
    assert session.world.mass(session.handle("ball")) == 9
    kinds = [(event.kind, event.text, event.data) for event in told]
    assert ("sound", "bell", (0.5,)) in kinds
    assert ("camera", "ball", ()) in kinds
    assert ("camera", "", (1.0, 2.0, 3.0)) in kinds
    assert ("say", "9 kg, 3", ()) in kinds


def test_wind_is_set_by_an_action(tmp_path: Path) -> None:
    text = _FREE + "[winds.fan]\nvelocity = [0, 0, 0]\n"
    text += _on("time() > 0.5", "wind('fan', 20, 0, 0)")
    session = _after(tmp_path, text, 29)
    assert session.position("ball")[0] == 0
    session.step(60)
    assert session.position("ball")[0] > 0.5


def test_all_of_it_is_the_same_again_after_going_back(tmp_path: Path) -> None:
    text = _WORLD + '[templates.egg]\nshape = "sphere"\nradius = 0.1\n'
    text += _on(
        "true", "spawn('egg', time(), 3, 0)", "force('ball', 9, 0, 0, 0.3)", more="every = 0.1\n"
    )
    text += _on("counter('n') > 5", "remove('ball')") + _on(
        "true", "count('n')", more="every = 0.1\n"
    )
    session = _after(tmp_path, text, 20)
    moment = session.snapshot()
    session.step(40)
    seen = session.world.hash(), sorted(session.handles), dict(session.tallies.counters)
    session.restore(moment)
    session.step(40)
    assert seen == (session.world.hash(), sorted(session.handles), dict(session.tallies.counters))
    assert _after(tmp_path, text, 60).world.hash() == seen[0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (_on("counter('n') > 1", "win()"), 'there is no counter "n"'),
        (_on("timer('fuse') > 1", "win()"), 'there is no timer "fuse"'),
        (_on("true", "stop('fuse')"), 'there is no timer "fuse"'),
        (_on("true", "spawn('egg', 0, 0, 0)"), 'there is no template "egg"'),
        (_on("true", "spawn('egg', 0, 0)"), "takes 4 to 7 arguments, 3 given"),
        (_on("true", "set('load', 1)"), 'there is no parameter "load"'),
        (_on("true", "sound('bel')"), 'did you mean "bell"?'),
        (_on("true", "wind('ball', 1, 0, 0)"), "there is no wind, cloth or solid"),
        (_on("true", "push('ball', win(), 0, 0)"), "a number is needed here"),
        (_on("true", *["win()"] * 51), "at most 50 entries"),
        ('[templates.egg]\nshape = "sphere"\n', 'template "egg" has no "radius"'),
        ('[templates.egg]\nshape = "plane"\n', "cannot move"),
        ('[templates.egg]\nprefab = "nothing"\n', 'no file "nothing.toml"'),
        ("[counters]\nn = 'x'\n", "must be a table"),
    ],
)
def test_what_is_wrong_is_said(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(LevelError) as caught:
        _load(tmp_path, _WORLD + text)
    assert says in str(caught.value)


def test_counters_with_a_label_are_shown(tmp_path: Path) -> None:
    counters = '[counters]\nhits = { start = 2, label = "hits so far" }\nsecret = { start = 1 }\n'
    level = _WORLD + counters + _on("time() > 0", "count('hits')")
    assert _after(tmp_path, level, 2).shown_counters == [("hits so far", 3.0)]
