"""Warnings before playing: mass ratio and h²k/m beyond what the chosen stabilization holds."""

from pathlib import Path

import pytest

from levels import load
from levels.problems import render_all

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
