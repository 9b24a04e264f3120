"""Warnings before playing: mass ratio and h²k/m beyond what the chosen stabilization holds."""

from pathlib import Path

import pytest

from levels import load
from levels.problems import render_all
from sandbox.cli import main

_SPRING = """\
format = 1
[simulation]
stabilization = "{stabilization}"
solver = "{solver}"
rate = {rate}
[bodies.ball]
shape = "sphere"
radius = 0.5
mass = 1
[joints.coil]
kind = "spring"
bodies = ["ball"]
at_b = [0, 3, 0]
stiffness = {stiffness}
"""

_CHAIN = """\
format = 1
[simulation]
stabilization = "{stabilization}"
solver = "{solver}"
[bodies.ball]
shape = "sphere"
radius = 0.5
mass = {mass}
[props.chain]
kind = "chain"
from = [0, 6, 0]
to = "ball"
links = 5
link_mass = 1
"""


def _warnings(folder: Path, text: str) -> str:
    path = folder / "level.toml"
    path.write_text(text, encoding="utf-8")
    return render_all(load(path).warnings)


def test_stiffness_names_the_number_and_points_at_it(tmp_path: Path) -> None:
    text = _SPRING.format(stabilization="none", solver="direct", rate=60, stiffness=36_000)
    assert _warnings(tmp_path, text) == (
        "level.toml:14:13: warning: h²k/m is 10 here; above 4 it rings without help\n"
        "  14 | stiffness = 36000\n"
        '                   ^^^^^  stabilization = "adaptive", or a higher rate'
    )


@pytest.mark.parametrize(
    ("stabilization", "solver", "rate", "stiffness"),
    [
        ("none", "direct", 60, 14_000),  # h²k/m = 3.9
        ("none", "direct", 240, 200_000),  # 3.5
        ("adaptive", "direct", 60, 1e9),
        ("geometric", "direct", 60, 1e9),
    ],
)
def test_what_is_held_is_not_warned_of(
    stabilization: str, solver: str, rate: int, stiffness: float, tmp_path: Path
) -> None:
    text = _SPRING.format(
        stabilization=stabilization, solver=solver, rate=rate, stiffness=stiffness
    )
    assert _warnings(tmp_path, text) == ""


@pytest.mark.parametrize(
    ("stabilization", "solver", "held", "too_much", "words"),
    [
        ("none", "direct", 40, 60, '"none" holds about 50'),
        ("inertial", "direct", 900, 1100, '"inertial" holds about 1000'),
        ("constraint", "direct", 900, 1100, '"constraint" holds about 1000'),
        ("geometric", "direct", 9e6, 1.1e7, '"geometric" holds about 1e+07'),
        ("adaptive", "direct", 9e6, 1.1e7, '"adaptive" holds about 1e+07'),
        ("adaptive", "pgs", 15, 25, "solver pgs holds about 20"),
    ],
)
def test_mass_ratio(
    stabilization: str, solver: str, held: float, too_much: float, words: str, tmp_path: Path
) -> None:
    settings = {"stabilization": stabilization, "solver": solver}
    assert _warnings(tmp_path, _CHAIN.format(mass=held, **settings)) == ""
    told = _warnings(tmp_path, _CHAIN.format(mass=too_much, **settings))
    assert told.startswith("level.toml:5:2: warning: ")
    assert words in told


def test_a_joint_between_two_fixed_bodies_holds_nothing(tmp_path: Path) -> None:
    box = 'shape = "box"\nsize = [1, 1, 1]\nfixed = true\n'
    text = (
        f"format = 1\n[bodies.a]\n{box}[bodies.b]\n{box}"
        '[joints.j]\nkind = "fixed"\nbodies = ["a", "b"]\nat = [0, 0, 0]\n'
    )
    assert "warning: the joint holds nothing" in _warnings(tmp_path, text)


_ARM = """\
format = 1
[bodies.arm]
shape = "box"
size = [1, 1, 1]
[joints.pivot]
kind = "hinge"
bodies = ["arm"]
axis = [0, 0, 1]
"""


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("limits = [-90, 90]", 'angles are in radians: "=radians(90)"?'),
        ("limits = [-6, 6]", ""),
        ("motor = { speed = 3 }", "nothing can hold it"),
        ('motor = { speed = "=wave(time(), 2)" }', "nothing can hold it"),
        ('motor = { keys = "a/d", speed = 3 }', "nothing can hold it"),
        ("motor = { speed = 3, max_force = 5 }", ""),
    ],
)
def test_limits_in_degrees_and_motors_without_bound(keys: str, words: str, tmp_path: Path) -> None:
    told = _warnings(tmp_path, _ARM + keys + "\n")
    assert words in told
    assert bool(told) == bool(words)
    assert not told or told.startswith("level.toml:9:")


def test_a_slide_may_be_long(tmp_path: Path) -> None:
    text = _ARM.replace('"hinge"', '"prismatic"') + "limits = [-90, 90]\n"
    assert _warnings(tmp_path, text) == ""


def _body(name: str, position: str, more: str = "") -> str:
    return f'[bodies.{name}]\nshape = "box"\nsize = [1, 1, 1]\nposition = {position}\n{more}'


@pytest.mark.parametrize(
    ("text", "falls"),
    [
        (_body("a", "[0, 5, 0]"), "a"),
        (_body("a", "[0, 5, 0]") + '[bodies.g]\nshape = "plane"\nfixed = true\n', ""),
        (_body("a", "[0, 5, 0]") + _body("b", "[0, 0, 0]", "fixed = true\n"), ""),
        (_body("a", "[9, 5, 0]") + _body("b", "[0, 0, 0]", "fixed = true\n"), "a"),
        (_body("a", "[0, -5, 0]") + _body("b", "[0, 0, 0]", "fixed = true\n"), "a"),
        (_body("a", "[0, 5, 0]", "velocity = [1, 0, 0]\n"), ""),
        (_body("a", "[0, 5, 0]") + "[simulation]\ngravity = [0, 0, 0]\n", ""),
        (_body("a", "[0, 5, 0]") + '[joints.j]\nkind = "ball"\nbodies = ["a"]\n', ""),
        (
            _body("a", "[0, 5, 0]")
            + _body("b", "[1, 5, 0]")
            + '[joints.j]\nkind = "ball"\nbodies = ["a", "b"]\nat = [0, 5, 0]\n'
            + '[joints.k]\nkind = "ball"\nbodies = ["b"]\n',
            "",
        ),
    ],
)
def test_a_body_above_nothing(text: str, falls: str, tmp_path: Path) -> None:
    told = _warnings(tmp_path, "format = 1\n" + text)
    assert bool(told) == bool(falls)
    assert not falls or f'nothing is below "{falls}"' in told


def test_a_solid_one_cell_thick(tmp_path: Path) -> None:
    text = 'format = 1\n[bodies.g]\nshape = "plane"\nfixed = true\n[props.beam]\nkind = "solid"\n'
    text += "size = [2, 0.1, 0.1]\nposition = [0, 1, 0]\n"
    assert "one cell thick (8 x 1 x 1)" in _warnings(tmp_path, text + "cells = [8, 1, 1]\n")
    assert _warnings(tmp_path, text + "cells = [8, 2, 2]\n") == ""


def test_check_says_what_the_rate_resolves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "level.toml"
    settings = {"stabilization": "adaptive", "solver": "direct", "rate": 60}
    for stiffness, fate in ((100, "1.59 Hz, is followed"), (1e6, "159 Hz, is damped")):
        path.write_text(_SPRING.format(stiffness=stiffness, **settings), encoding="utf-8")
        assert main(["check", str(path)]) == 0
        said = capsys.readouterr().out
        assert "60 steps per second follow vibrations up to 6 Hz" in said
        assert fate in said
