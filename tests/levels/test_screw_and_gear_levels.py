"""Screws and gears in level files."""

from pathlib import Path

import pytest

from levels import LevelError, load

WHEELS = """
format = 1
{header}
[bodies.a]
shape = "box"
size = [1, 1, 1]
position = [0, 5, 0]
mass = 2
[bodies.b]
shape = "box"
size = [1, 1, 1]
position = [3, 5, 0]
mass = 2
[joints.axle_a]
kind = "hinge"
bodies = ["a"]
at = [0, 5, 0]
{axis}
motor = {{ speed = 2 }}
[joints.axle_b]
kind = "hinge"
bodies = ["b"]
at = [3, 5, 0]
{axis}
[joints.gears]
kind = "gear"
bodies = ["a", "b"]
{axis}
{gear}
"""


def write(folder: Path, **parts: str) -> Path:
    path = folder / "level.toml"
    filled = {"header": "", "axis": "axis = [0, 1, 0]", "gear": "ratio = -3", **parts}
    path.write_text(WHEELS.format(**filled), encoding="utf-8")
    return path


def test_gears_of_a_level_turn(tmp_path: Path) -> None:
    session = load(write(tmp_path)).session()
    session.step(60)
    assert session.world.angular_velocity("a")[1] == pytest.approx(2.0, rel=1e-9)
    assert session.world.angular_velocity("b")[1] == pytest.approx(-6.0, rel=1e-9)


def test_gears_of_a_flat_level_need_no_axis(tmp_path: Path) -> None:
    session = load(write(tmp_path, header="dimension = 2", axis="")).session()
    session.step(60)
    assert session.world.angular_velocity("b")[2] == pytest.approx(-6.0, rel=1e-9)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"gear": "ratio = 5000"}, "ratio"),
        ({"gear": "second_axis = [0, 0, 0]"}, '"second_axis" has no direction'),
        ({"gear": "pitch = 1"}, "pitch"),
    ],
)
def test_bad_gears_are_answered_with_their_place(
    tmp_path: Path, parts: dict[str, str], message: str
) -> None:
    with pytest.raises(LevelError, match=message):
        load(write(tmp_path, **parts)).build()


PLANET = """
format = 1
dimension = 2
[bodies.arm]
shape = "box"
size = [1, 0.1, 0.1]
position = [0, 3, 0]
mass = 1
[bodies.planet]
shape = "sphere"
radius = 0.2
position = [0.5, 3, 0]
mass = 1
[joints.bearing]
kind = "hinge"
bodies = ["arm"]
at = [0, 3, 0]
motor = { speed = 2 }
[joints.pin]
kind = "hinge"
bodies = ["arm", "planet"]
at = [0.5, 3, 0]
[joints.teeth]
kind = "epicyclic_gear"
bodies = ["planet"]
at_b = [0, 3, 0]
ratio = -0.6666666666666667
"""


def test_a_planet_rolls_round_a_sun_of_the_world(tmp_path: Path) -> None:
    path = tmp_path / "planet.toml"
    path.write_text(PLANET, encoding="utf-8")
    session = load(path).session()
    session.step(60)
    assert session.world.angular_velocity("arm")[2] == pytest.approx(2.0, rel=1e-6)
    assert session.world.angular_velocity("planet")[2] == pytest.approx(5.0, rel=1e-4)
