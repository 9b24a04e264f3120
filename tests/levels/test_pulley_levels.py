"""Ropes over pulleys in level files."""

from pathlib import Path

import pytest

from levels import LevelError, load

_LEVEL = """\
format = 1
dimension = {dimension}
[bodies.gantry]
shape = "box"
size = [6, 0.2, 0.2]
position = [0, 10, 0]
fixed = true
frames.left = [-2, 0, 0]
frames.right = [2, 0, 0]
[bodies.cart]
shape = "box"
size = [0.2, 0.2, 0.2]
position = [5, 9, 0]
mass = 1
[bodies.bucket]
shape = "box"
size = [0.4, 0.4, 0.4]
position = [-2, 4, 0]
mass = 4
frames.handle = [0, 0.2, 0]
[bodies.stone]
shape = "box"
size = [0.4, 0.4, 0.4]
position = [2, 4, 0]
mass = 8
[joints.rope]
kind = "pulley"
bodies = ["bucket.handle", "stone"]
{rope}
"""
_OVER = 'wheel_a = "gantry.left"\nwheel_b = "gantry.right"'


def level(folder: Path, rope: str, dimension: int = 3) -> Path:
    path = folder / "level.toml"
    path.write_text(_LEVEL.format(rope=rope, dimension=dimension), encoding="utf-8")
    return path


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("wheels", [_OVER, "wheel_a = [-2, 10, 0]\nwheel_b = [2, 10, 0]"])
def test_tackle_of_two_strands_balances(tmp_path: Path, wheels: str, dimension: int) -> None:
    """4 kg hold 8 kg; the tension can be read, and nothing stretches."""
    session = load(level(tmp_path, f"{wheels}\nratio = 2", dimension)).session()
    for _ in range(60):
        session.step()
    assert session.world.velocity("stone") == pytest.approx([0, 0, 0], abs=1e-9)
    assert session.tension("rope") == pytest.approx(4 * 9.81, rel=1e-6)
    assert session.stretch("rope") == pytest.approx(0.0, abs=1e-9)


def test_prefab_takes_its_wheels_along(tmp_path: Path) -> None:
    part = level(tmp_path, "wheel_a = [-2, 10, 0]\nwheel_b = [2, 10, 0]\nratio = 2")
    part.rename(tmp_path / "hoist.toml")
    outer = tmp_path / "outer.toml"
    outer.write_text(
        'format = 1\n[bodies.hoist]\nprefab = "hoist"\nposition = [3, 5, 1]\n', encoding="utf-8"
    )
    assembly = load(outer).assemble()
    info = assembly.world.joint(assembly.joints["hoist.rope"])
    x, y, z = assembly.world.position(assembly.handles["hoist.gantry"])
    assert info.parameters["wheel_a"] == pytest.approx([x - 2, y, z])


@pytest.mark.parametrize(
    ("rope", "message"),
    [
        ("", "wheel_a"),
        ('wheel_a = "cart"', 'is on "cart", which moves'),
        ('wheel_a = "gantry.lift"', 'did you mean "left"?'),
        (f"{_OVER}\nratio = 0", "must be at least 0.001"),
        (f"{_OVER}\nlength = 9", "the way over the wheels is 11.8 m long"),
        (f"{_OVER}\nslack = false\nlength = 14", "but the length is 14 m"),
    ],
)
def test_bad_pulley_is_answered_with_its_place(tmp_path: Path, rope: str, message: str) -> None:
    with pytest.raises(LevelError) as caught:
        load(level(tmp_path, rope))
    assert message in str(caught.value)


def test_rope_longer_than_its_way_hangs_slack(tmp_path: Path) -> None:
    """2 m too long: both fall freely until it is taut."""
    session = load(level(tmp_path, f"{_OVER}\nlength = 13.8")).session()
    for _ in range(20):
        session.step()
    assert session.tension("rope") == 0.0
    assert session.world.velocity("bucket")[1] == pytest.approx(-9.81 / 3, rel=1e-6)
    for _ in range(40):
        session.step()
    assert session.tension("rope") > 1.0
    assert session.stretch("rope") < 1e-3
