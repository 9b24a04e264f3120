"""What moves by itself: paths and formulas of bodies, motors and servos by formula, wind."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from levels import Level, LevelError, Session, load
from levels.air import cross_section
from levels.frames import from_degrees
from levels.motion_tables import Motion
from levels.paths import Path as Way
from levels.paths import offset_at
from levels.waves import clamp, gust, pulse, ramp, saw, square, triangle, wave
from physics import Box, Compound, Part, Sphere


def _load(folder: Path, text: str) -> Level:
    path = folder / "level.toml"
    path.write_text("format = 1\n" + text, encoding="utf-8")
    return load(path)


def _after(folder: Path, text: str, steps: int) -> Session:
    session = _load(folder, text).session()
    session.step(steps)
    return session


_BOX = '[bodies.lift]\nshape = "box"\nsize = [1, 1, 1]\nposition = [1, 2, 3]\n'


@pytest.mark.parametrize("rate", [30, 60, 240])
def test_a_formula_is_followed_exactly(rate: int, tmp_path: Path) -> None:
    """Wherever a step ends the body is where the formula says, to rounding."""
    text = f"[simulation]\nrate = {rate}\n" + _BOX
    text += 'motion = { position = ["=2 * wave(time(), 3)", "=time()", 0], '
    text += 'rotation = [0, "=90 * time()", 10] }\n'
    session = _load(tmp_path, text).session()
    for _ in range(rate):
        session.step()
        t = session.time
        wanted = (1 + 2 * math.sin(math.tau * t / 3), 2 + t, 3)
        assert np.abs(session.position("lift") - wanted).max() < 1e-9
        turn = session.world.orientation(session.handle("lift"))
        assert abs(abs(np.multiply(turn, from_degrees((0, 90 * t, 10))).sum()) - 1) < 1e-9


def test_it_begins_where_the_formula_begins(tmp_path: Path) -> None:
    text = _BOX + 'motion = { position = ["=cos(time())", 0, 0] }\n'
    session = _load(tmp_path, text).session()
    assert tuple(session.position("lift")) == (2.0, 2.0, 3.0)
    assert _load(tmp_path, text).default.plan.bodies["lift"].options.keyframed


def test_a_lift_carries_what_stands_on_it(tmp_path: Path) -> None:
    text = _BOX + "motion = { path = [[0, 0, 0], [0, 2, 0]], times = [0, 2] }\n"
    text += (
        '[bodies.load]\nshape = "box"\nsize = [0.4, 0.4, 0.4]\nposition = [1, 2.7, 3]\nmass = 9\n'
    )
    session = _after(tmp_path, text, 150)
    assert session.position("lift")[1] == pytest.approx(4, abs=1e-9)
    assert session.position("load")[1] == pytest.approx(4.7, abs=0.01)


def test_a_path_goes_through_its_points() -> None:
    points = [[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 0, 3]]
    table = Motion.model_validate({"path": points, "times": [0.0, 1.0, 1.5, 4.0]})
    way = Way.of(table)
    for time, point in zip((0.0, 1.0, 1.5, 4.0), points, strict=True):
        assert offset_at(way, time)[0] == pytest.approx(point, abs=1e-12)
    assert offset_at(way, -1)[0] == offset_at(way, 0)[0]
    assert offset_at(way, 9)[0] == offset_at(way, 4)[0]
    before, after = (offset_at(way, 1.5 + s)[0] for s in (-1e-5, 1e-5))
    at = offset_at(way, 1.5)[0]
    slopes = [np.subtract(at, before) / 1e-5, np.subtract(after, at) / 1e-5]
    assert np.abs(slopes[0] - slopes[1]).max() < 1e-3  # no corner
    assert np.abs(np.subtract(offset_at(way, 1e-5)[0], points[0])).max() < 1e-9  # starts gently


def test_a_loop_comes_back() -> None:
    table = {"path": [[0, 0, 0], [1, 0, 0], [1, 1, 0]], "loop": True}
    way = Way.of(Motion.model_validate(table))
    assert offset_at(way, 3.0)[0] == pytest.approx([0, 0, 0])
    for time in (0.3, 1.7, 2.9):
        assert offset_at(way, time + 3)[0] == pytest.approx(offset_at(way, time)[0], abs=1e-12)
    straight = Way.of(Motion.model_validate({**table, "smooth": False}))
    assert offset_at(straight, 0.5)[0] == pytest.approx([0.5, 0, 0])
    assert offset_at(straight, 2.5)[0] == pytest.approx([0.5, 0.5, 0])


def test_turns_go_the_long_way_round() -> None:
    turns = {"turns": [[0, 0, 0], [0, 720, 0]], "smooth": False}
    assert offset_at(Way.of(Motion.model_validate(turns)), 0.25)[1] == pytest.approx([0, 180, 0])


_WHEEL = """
[bodies.wheel]
shape = "sphere"
radius = 0.3
mass = 2
[bodies.post]
shape = "box"
size = [0.1, 0.1, 0.1]
fixed = true
[joints.axle]
kind = "hinge"
bodies = ["post", "wheel"]
at = [0, 0, 0]
axis = [0, 0, 1]
"""


def test_a_motor_runs_by_its_program(tmp_path: Path) -> None:
    text = _WHEEL + 'motor = { speed = "=3 * wave(time(), 2)", max_force = 1e4 }\n'
    session = _after(tmp_path, text, 30)
    # a step has the speed of its beginning in its middle; what is read is that of its end, with the
    # acceleration of the motor half a step further
    h = session.world.h
    before, now = (3 * math.sin(math.pi * (session.time - steps * h)) for steps in (2, 1))
    speed = session.world.angular_velocity(session.handle("wheel"))[2]
    assert speed == pytest.approx(now + (now - before) / 2, abs=1e-6)


def test_a_servo_can_follow_the_state(tmp_path: Path) -> None:
    text = _WHEEL + "servo = { target = \"=x('slider')\", stiffness = 500, damping = 50 }\n"
    text += (
        _BOX.replace("lift", "slider") + 'motion = { position = ["=-1 + 0.2 * time()", 0, 0] }\n'
    )
    session = _after(tmp_path, text, 300)
    assert session.world.joint_value(session.joints["axle"]) == pytest.approx(1.0, abs=0.05)


def test_an_action_takes_over_from_a_program(tmp_path: Path) -> None:
    text = _WHEEL + 'motor = { speed = "=wave(time(), 2)", max_force = 1e4 }\n'
    text += '[[on]]\nwhen = "time() > 0.3"\nthen = "drive(\'axle\', 5)"\n'
    session = _after(tmp_path, text, 60)
    assert session.world.angular_velocity(session.handle("wheel"))[2] == pytest.approx(5, abs=1e-6)


def test_programs_of_a_prefab_mean_its_own_things(tmp_path: Path) -> None:
    prefab = _WHEEL + "motor = { speed = \"=2 + x('post')\", max_force = 1e4 }\n"
    (tmp_path / "rotor.toml").write_text("format = 1\n" + prefab, encoding="utf-8")
    text = "".join(f'[bodies.rotor{i}]\nprefab = "rotor"\nposition = [{i}, 0, 0]\n' for i in (0, 3))
    session = _after(tmp_path, text, 10)
    for i in (0, 3):
        handle = session.handle(f"rotor{i}.wheel")
        assert session.world.angular_velocity(handle)[2] == pytest.approx(2 + i, abs=1e-6)


def test_wind_carries_a_ball_to_its_own_speed(tmp_path: Path) -> None:
    """m v' = ½ ρ c A (u - v)²: v = u² k t / (1 + u k t) with k = ρ c A / 2 m."""
    text = "[simulation]\ngravity = [0, 0, 0]\nrate = 240\n[winds.breeze]\nvelocity = [8, 0, 0]\n"
    text += '[bodies.ball]\nshape = "sphere"\nradius = 0.2\nmass = 0.05\n'
    session = _after(tmp_path, text, 240)
    k = 1.2 * 1.0 * math.pi * 0.2**2 / (2 * 0.05)
    wanted = 8 * 8 * k / (1 + 8 * k)
    assert session.world.velocity(session.handle("ball"))[0] == pytest.approx(wanted, rel=0.01)


def test_wind_blows_in_its_zone_only_and_never_throws_things_back(tmp_path: Path) -> None:
    text = "[simulation]\ngravity = [0, 0, 0]\n[zones.tube]\ncenter = [0, 0, 0]\nsize = [9, 2, 2]\n"
    text += '[winds.storm]\nvelocity = [300, 0, 0]\nzone = "tube"\n'
    for name, height in (("leaf", 0), ("stone", 5)):
        text += f'[bodies.{name}]\nshape = "box"\nsize = [1, 1, 0.01]\nmass = 0.001\n'
        text += f"position = [-4, {height}, 0]\n"
    session = _load(tmp_path, text).session()
    for _ in range(30):
        session.step()
        assert -1e-9 <= session.world.velocity(session.handle("leaf"))[0] <= 300 + 1e-6
    assert tuple(session.position("stone")) == (-4, 5, 0)


def test_wind_pushes_a_compound_as_its_parts_and_no_more_than_the_box_around_them() -> None:
    ball, box = Sphere(0.2), Box((0.4, 0.4, 0.4))
    apart = Compound((Part(ball, (-1, 0, 0)), Part(ball, (1, 0, 0))))
    assert cross_section(apart, None, None) == pytest.approx(2 * math.pi * 0.2**2)  # type: ignore[arg-type]
    twice = Compound((Part(box), Part(box)))
    assert cross_section(twice, None, None) == pytest.approx(6 * 0.4**2 / 4)  # type: ignore[arg-type]


def test_the_wind_of_a_cloth_comes_and_goes(tmp_path: Path) -> None:
    text = '[cloths.flag]\nsize = [1, 1]\nrows = 5\ncolumns = 5\npins = ["top"]\n'
    text += 'position = [0, 2, 0]\nwind = [0, 0, "=20 * pulse(time(), 0.2, 5)"]\n'
    session = _load(tmp_path, text).session()
    session.step(10)
    still = session.positions("flag")[:, 2].mean()
    session.step(30)
    assert abs(still) < 1e-3 < 0.1 < session.positions("flag")[:, 2].mean()


def test_the_same_again_after_going_back(tmp_path: Path) -> None:
    text = _WHEEL + 'motor = { speed = "=3 * gust(time(), 0.1, 7)", max_force = 1e4 }\n' + _BOX
    text += 'motion = { position = ["=sin(9 * time())", 0, 0] }\n[winds.w]\nvelocity = [3, 0, 0]\n'
    session = _after(tmp_path, text, 20)
    moment = session.snapshot()
    session.step(20)
    hashed = session.world.hash()
    session.restore(moment)
    session.step(20)
    assert session.world.hash() == hashed
    assert _after(tmp_path, text, 40).world.hash() == hashed


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (_BOX + 'mass = "=time()"\n', 'unknown function "time"'),
        (_BOX + 'mass = "=time()"\n', "only motor speeds, servo targets, motion and wind"),
        (_BOX + "motion = { position = [\"=x('nobody')\", 0, 0] }\n", 'no body "nobody"'),
        (_BOX + 'fixed = true\nmotion = { position = [0, "=time()", 0] }\n', "has no motion"),
        (_BOX + "motion = { }\n", "either position and rotation, or a path"),
        (_BOX + "motion = { path = [[0, 0, 0], [1, 0, 0]], times = [1, 0] }\n", "must grow"),
        (_BOX + "motion = { path = [[0, 0, 0], [1, 0, 0]], times = [1, 2, 3] }\n", "3 entries"),
        (_BOX + 'motion = { position = ["=1 / (time() - time())", 0, 0] }\n', "divides by zero"),
        (_WHEEL + 'motor = { keys = "a/d", speed = "=time()" }\n', "keys and a formula both"),
        (_BOX + '[winds.w]\nvelocity = [1, 0, 0]\nzone = "nowhere"\n', 'no zone "nowhere"'),
    ],
)
def test_what_is_wrong_is_said(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(LevelError) as caught:
        _load(tmp_path, text)
    assert says in str(caught.value)


def test_a_formula_that_fails_later_leaves_things_as_they_are(tmp_path: Path) -> None:
    text = _BOX + 'motion = { position = ["=1 / (time() - 0.5) + exp(999 * time())", 0, 0] }\n'
    session = _load(tmp_path, text).session()
    session.step(60)
    assert session.is_finite()


def test_waves_have_their_shapes() -> None:
    assert [wave(t, 4) for t in (0, 1, 3)] == pytest.approx([0, 1, -1])
    assert [square(t, 4) for t in (0, 1.9, 2.1, 4.1)] == [1, 1, -1, 1]
    assert [triangle(t, 4) for t in (0, 1, 2, 3, 3.5)] == pytest.approx([0, 1, 0, -1, -0.5])
    assert [saw(t, 4) for t in (0, 1, 4)] == [0, 0.25, 0]
    assert [pulse(t, 1, 2) for t in (0.9, 1, 1.9, 2)] == [0, 1, 1, 0]
    assert [ramp(t, 1, 3) for t in (0, 2, 4)] == [0, 0.5, 1]
    assert [clamp(x, -1, 2) for x in (-5, 0, 5)] == [-1, 0, 2]
    values = [gust(0.01 * i, 1, 3) for i in range(2000)]
    assert -1 <= min(values) < -0.5 < 0.5 < max(values) <= 1
    assert max(abs(b - a) for a, b in itertools.pairwise(values)) < 0.05
    assert gust(2.5, 1, 3) != gust(2.5, 1, 4)
