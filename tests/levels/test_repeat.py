"""One entry that stands for many: names, numbers, places, messages, saving, and its bounds."""

from pathlib import Path

import numpy as np
import pytest

from levels import Level, LevelError, load
from levels.caps import MAX_COPIES

_ROW = """\
format = 1
[parameters]
n = { default = 5, min = 1, max = 40, whole = true }
[bodies.plank]
repeat = { count = "=n", step = [0.5, 0, 0] }
shape = "box"
size = [0.48, 0.1, 1]
position = [0, "=3 + 0.01 * i", 0]
mass = "=1 + i"
[joints.link]
repeat = "=n - 1"
kind = "hinge"
bodies = ["plank.{i}", "plank.{i + 1}"]
at = ["=0.25 + 0.5 * i", 3, 0]
axis = [0, 0, 1]
"""


def _load(folder: Path, text: str) -> Level:
    path = folder / "level.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def _message(folder: Path, text: str) -> str:
    with pytest.raises(LevelError) as caught:
        _load(folder, text)
    return str(caught.value)


def test_copies_have_names_numbers_and_places(tmp_path: Path) -> None:
    plan = _load(tmp_path, _ROW).default.plan
    assert list(plan.bodies) == [f"plank.{i}" for i in range(5)]
    assert [plan.bodies[f"plank.{i}"].mass for i in range(5)] == [1, 2, 3, 4, 5]
    assert plan.bodies["plank.3"].frame.position == (1.5, 3.03, 0.0)
    assert [(j.a, j.b) for j in plan.joints.values()] == [
        (f"plank.{i}", f"plank.{i + 1}") for i in range(4)
    ]


def test_a_parameter_counts_them(tmp_path: Path) -> None:
    level = _load(tmp_path, _ROW)
    assert len(level.variant(n=12).plan.bodies) == 12
    session = level.session()
    session.set_parameter("n", 7)
    assert len(session.handles) == 7


def test_repeats_nest_and_name_their_own_numbers(tmp_path: Path) -> None:
    text = """\
format = 1
[bodies.tile]
repeat = [{ count = 2, step = [0, 0, 3] }, { count = 3, index = "column", first = 1 }]
shape = "box"
size = [1, 0.1, 1]
position = ["=column", 0, 0]
color = "red"
fixed = true
"""
    plan = _load(tmp_path, text).default.plan
    assert list(plan.bodies) == [f"tile.{i}.{j}" for i in range(2) for j in (1, 2, 3)]
    assert plan.bodies["tile.1.2"].frame.position == (2.0, 0.0, 3.0)


def test_props_particles_zones_and_lists_repeat(tmp_path: Path) -> None:
    text = """\
format = 1
[particles.drop]
repeat = { count = 3, step = [0, 1, 0] }
mass = 1
[props.rope]
repeat = { count = 2, step = [2, 0, 0] }
kind = "rope"
from = [0, 5, 0]
to = [1, 5, 0]
segments = 3
[zones.box]
repeat = { count = 2, step = [0, 10, 0] }
center = [0, 0, 0]
size = [1, 1, 1]
[[on]]
when = "time() > 100"
then = "win()"
[[on]]
repeat = 3
when = "y('drop.{i}') < -{i}"
then = "say('drop {i} of {}', time())"
[[expect]]
repeat = 2
at = "=1 + i"
check = "finite()"
"""
    level = _load(tmp_path, text)
    plan, rules = level.default.plan, level.default.rules
    assert plan.particles["drop.2"].position == (0.0, 2.0, 0.0)
    assert plan.particles["rope.1.from"].position == (2.0, 5.0, 0.0)
    assert plan.zones["box.1"].center == [0.0, 10.0, 0.0]
    assert [rule.condition.text for rule in rules.triggers][1:] == [
        f"y('drop.{i}') < -{i}" for i in range(3)
    ]
    assert rules.triggers[3].then[0].text == "say('drop 2 of {}', time())"
    assert [e.model.at for e in rules.expectations] == [1, 2]
    assert len(plan.families["rope"].joints) == 6
    assert plan.families["drop"].members == ["drop.0", "drop.1", "drop.2"]


def test_a_family_is_asked_for_as_a_whole(tmp_path: Path) -> None:
    text = _ROW + "[[expect]]\nat = 0.1\ncheck = \"count_above('plank', 2) == 5\"\n"
    session = _load(tmp_path, text + "[[on]]\nwhen = 'time() > 0.2'\nthen = \"release('link')\"\n")
    play = session.session()
    play.step(30)
    assert play.outcomes[0].state == "passed"
    assert not play.joints
    assert play.is_broken("link")


def test_what_is_wrong_is_shown_once_where_it_is_written(tmp_path: Path) -> None:
    wrong = _ROW.replace("size = [0.48, 0.1, 1]", "size = [0.48, 0.1]")
    assert _message(tmp_path, wrong).startswith("level.toml:7:8: error:")
    assert _message(tmp_path, wrong).count("error") == 1
    only_one = _ROW.replace('"=1 + i"', '"=3 - i"')
    assert _message(tmp_path, only_one).startswith("level.toml:9:8: error:")
    text = _ROW.replace("{i + 1}", "{i + 2}")
    assert 'there is no body "plank.5"' in _message(tmp_path, text)
    text = _ROW.replace("{i + 1}", "{i / 2}")
    assert "needs a whole number, not 0.5" in _message(tmp_path, text)
    text = _ROW.replace("{i + 1}", "{j}")
    assert 'unknown parameter "j"' in _message(tmp_path, text)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ('"many"', "must be a whole number or a table"),
        ("{ cuont = 3 }", 'has no "count"'),
        ("-1", "at least 0"),
        ("2.5", "a whole number"),
        (f"{MAX_COPIES + 1}", "at most"),
        ("[200, 200]", "40,000 copies; 20,000 are allowed"),
        ('{ count = 2, index = "n" }', '"n" is a parameter'),
        ('[{ count = 2, index = "i" }, { count = 2, index = "i" }]', 'two repeats count by "i"'),
        ("{ count = 2, step = [1] }", "three numbers"),
        ("[]", "at least 1"),
        ('"=1 / 0"', "divides by zero"),
    ],
)
def test_a_bad_repeat_says_so(written: str, says: str, tmp_path: Path) -> None:
    text = _ROW.replace('{ count = "=n", step = [0.5, 0, 0] }', written)
    message = _message(tmp_path, text)
    assert says in message
    assert "there is no body" not in message  # which would follow from it


def test_many_repeats_end(tmp_path: Path) -> None:
    """Bounded in all, however they are spread."""
    body = '[bodies.b{}]\nrepeat = 15000\nshape = "sphere"\nradius = 1\nposition = [0, "=i", 0]\n'
    text = "format = 1\n" + "".join(body.format(i) for i in range(4))
    assert "more than 20,000 entries in all" in _message(tmp_path, text)
    ropes = "format = 1\n[props.r]\nrepeat = 251\nkind = 'rope'\nfrom = [0, 5, 0]\nto = [1, 5, 0]\n"
    assert "more than 250 props" in _message(tmp_path, ropes)
    long = f"format = 1\n[bodies.h]\nrepeat = 2000\nshape = 'hull'\npoints = {[[0, 0, 0]] * 100}\n"
    assert "values" in _message(tmp_path, long)


def test_one_copy_can_differ(tmp_path: Path) -> None:
    text = _ROW + '[changed.bodies."plank.2"]\nmass = "=10 * n"\ncolor = "red"\n'
    bodies = _load(tmp_path, text).default.plan.bodies
    assert bodies["plank.2"].mass == 50
    assert bodies["plank.2"].look.color == "red"
    assert bodies["plank.1"].look.color is None
    text = _ROW + '[changed.bodies."plank.9"]\nmass = 1\n'
    assert '"plank.9" is not one of the copies in [bodies]' in _message(tmp_path, text)
    text = _ROW + '[changed.bodies."plank.2"]\nmasss = 1\n'
    assert "level.toml:17:1: error: unknown key" in _message(tmp_path, text)


def test_saving_keeps_the_entry_and_opens_to_the_same_world(tmp_path: Path) -> None:
    text = _ROW.replace("[joints.link]", "# between them\n[joints.link]\nlimits = [-2, 2]")
    session = _load(tmp_path, text).session()
    session.step(20)
    session.edits.delete("plank.4")
    session.save(tmp_path / "saved.toml")
    saved = (tmp_path / "saved.toml").read_text(encoding="utf-8")
    assert 'repeat = { count = "=n", step = [0.5, 0, 0] }' in saved
    assert "# between them" in saved
    again = load(tmp_path / "saved.toml").session()
    assert again.handles.keys() == session.handles.keys()
    assert again.joints.keys() == session.joints.keys()
    for name in session.handles:
        assert np.abs(again.position(name) - session.position(name)).max() < 2e-6  # six digits
    for name, joint in session.joints.items():
        turned = session.world.joint_value(joint)
        low, high = again.world.joint(again.joints[name]).parameters["limits"]
        assert (low, high) == pytest.approx((-2 - turned, 2 - turned), abs=1e-5)


def test_a_saved_prefab_is_where_it_was(tmp_path: Path) -> None:
    """Its position is that of its frame, which is not the middle of its main body."""
    text = 'format = 1\n[bodies.ground]\nshape = "plane"\nfixed = true\n[bodies.truck]\n'
    text += 'prefab = "vehicles/truck"\nposition = [0, 0.2, 0]\nrotation = [0, 40, 0]\n'
    session = _load(tmp_path, text).session()
    session.step(20)
    session.save(tmp_path / "saved.toml")
    again = load(tmp_path / "saved.toml").session()
    for name in session.handles:
        assert np.abs(again.position(name) - session.position(name)).max() < 1e-5
