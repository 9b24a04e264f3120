"""Includes and prefabs: merged, placed, scaled, confined."""

from pathlib import Path

import pytest

from levels import Level, LevelError, load

_CART = """\
format = 1
root = "box"
[parameters]
wide = { default = 1, min = 0.5, max = 2 }
[bodies.wheel]
shape = "sphere"
radius = 0.2
position = [0.5, -0.5, 0]
mass = 1
[bodies.box]
shape = "box"
size = ["=wide", 0.5, 1]
mass = 3
frames.top = [0, 0.25, 0]
[joints.axle]
kind = "hinge"
bodies = ["box", "wheel"]
at = [0.5, -0.5, 0]
axis = [0, 0, 1]
"""


def _level(folder: Path, text: str, **files: str) -> Level:
    for name, content in files.items():
        (folder / f"{name}.toml").write_text(content, encoding="utf-8")
    path = folder / "level.toml"
    path.write_text("format = 1\n" + text, encoding="utf-8")
    return load(path)


def test_parts_carry_the_prefab_name(tmp_path: Path) -> None:
    level = _level(tmp_path, '[bodies.c]\nprefab = "cart"\nposition = [0, 10, 0]\n', cart=_CART)
    plan = level.default.plan
    assert list(plan.bodies) == ["c.wheel", "c.box"]
    assert plan.joints["c.axle"].a == "c.box"
    assert plan.find("c") == "c.box"
    assert plan.bodies["c.wheel"].frame.position == (0.5, 9.5, 0.0)
    assert plan.joints["c.axle"].at == (0.5, 9.5, 0.0)


def test_rotation_turns_places_axes_and_motion(tmp_path: Path) -> None:
    text = '[bodies.c]\nprefab = "cart"\nrotation = [0, 90, 0]\nangular_velocity = [0, 2, 0]\n'
    plan = _level(tmp_path, text, cart=_CART).default.plan
    assert plan.bodies["c.wheel"].frame.position == pytest.approx((0, -0.5, -0.5))
    assert plan.joints["c.axle"].axis == pytest.approx((1, 0, 0))
    assert plan.bodies["c.wheel"].frame.velocity == pytest.approx((-1, 0, 0))


def test_total_mass_is_shared_in_proportion(tmp_path: Path) -> None:
    level = _level(tmp_path, '[bodies.c]\nprefab = "cart"\nmass = 40\n', cart=_CART)
    assert level.default.plan.bodies["c.wheel"].mass == 10
    assert level.default.plan.bodies["c.box"].mass == 30


def test_prefab_parameters(tmp_path: Path) -> None:
    text = '[bodies.c]\nprefab = "cart"\nparameters = { wide = 2 }\n'
    level = _level(tmp_path, text, cart=_CART)
    assert level.default.plan.bodies["c.box"].shape.size == (2.0, 0.5, 1.0)
    with pytest.raises(LevelError, match=r"level.toml:4:23: error: wide: 9 is above the maximum 2"):
        _level(tmp_path, text.replace("= 2", "= 9"), cart=_CART)


def test_frames_of_a_prefab_and_prefabs_of_prefabs(tmp_path: Path) -> None:
    train = 'format = 1\n[bodies.first]\nprefab = "cart"\nposition = [0, 1, 0]\n'
    text = """\
[bodies.t]
prefab = "train"
position = [0, 4, 0]
[props.r]
kind = "rope"
from = [0, 9, 0]
to = "t.first.top"
segments = 3
"""
    plan = _level(tmp_path, text, cart=_CART, train=train).default.plan
    assert plan.find("t") == "t.first.wheel"
    assert plan.anchor("t.first.top", level_place(plan)).point == (0.0, 5.25, 0.0)
    assert plan.groups["r"].rest_length == pytest.approx(3.75)


def level_place(plan: object) -> object:
    return next(iter(plan.bodies.values())).place  # type: ignore[attr-defined]


def test_include_is_overridden_by_the_file(tmp_path: Path) -> None:
    common = """\
format = 1
hint = "from common"
[bodies.ball]
shape = "sphere"
radius = 1
mass = 1
[bodies.floor]
shape = "plane"
fixed = true
[[expect]]
always = "finite()"
"""
    text = 'include = ["common.toml"]\n[bodies.ball]\nshape = "sphere"\nradius = 1\nmass = 7\n'
    level = _level(tmp_path, text, common=common)
    assert level.hint == "from common"
    assert level.default.plan.bodies["ball"].mass == 7
    assert level.default.plan.bodies["floor"].fixed
    assert len(level.default.rules.expectations) == 1


def test_message_names_the_included_file(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match=r'common.toml:2:1: error: unknown key "titel"'):
        _level(tmp_path, 'include = ["common.toml"]\n', common='format = 1\ntitel = "x"\n')


def test_changed_notices_every_file(tmp_path: Path) -> None:
    level = _level(tmp_path, '[bodies.c]\nprefab = "cart"\n', cart=_CART)
    assert not level.changed()
    (tmp_path / "cart.toml").write_text(_CART + "# saved\n", encoding="utf-8")
    assert level.changed()


def test_digest_depends_on_the_text(tmp_path: Path) -> None:
    first = _level(tmp_path, '[bodies.c]\nprefab = "cart"\n', cart=_CART).digest
    assert _level(tmp_path, '[bodies.c]\nprefab = "cart"\n', cart=_CART).digest == first
    assert _level(tmp_path, '[bodies.c]\nprefab = "cart"\n', cart=_CART + "#\n").digest != first
