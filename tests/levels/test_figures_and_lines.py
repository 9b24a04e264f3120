"""Poses of figures, and ropes, chains and cables along points."""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from levels import Level, LevelError, load
from levels.frames import distance
from levels.props.curves import through


def _load(folder: Path, text: str) -> Level:
    path = folder / "level.toml"
    path.write_text("format = 1\n" + text, encoding="utf-8")
    return load(path)


def _doll(folder: Path, keys: str) -> Level:
    return _load(folder, f'[props.doll]\nkind = "ragdoll"\nposition = [0, 5, 0]\n{keys}\n')


_CORNERS = [(0.0, 0.0, 0.0), (1.0, 2.0, 0.0), (3.0, 2.0, 1.0), (3.0, 0.0, 4.0)]


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("pieces", [1, 2, 7, 60])
def test_points_on_a_line_are_equally_far_apart(smooth: bool, pieces: int) -> None:
    points = through(list(_CORNERS), smooth, pieces)
    assert len(points) == pieces + 1
    assert points[0] == _CORNERS[0]
    assert points[-1] == _CORNERS[-1]
    spans = [distance(a, b) for a, b in pairwise(points)]
    assert max(spans) - min(spans) < 1e-9


def test_a_fine_line_passes_by_its_corners() -> None:
    for smooth in (False, True):
        points = np.array(through(list(_CORNERS), smooth, 400))
        for corner in _CORNERS:
            gap = np.sqrt(((points - corner) ** 2).sum(axis=1)).min()
            assert gap < 0.02
    straight = sum(distance(a, b) for a, b in pairwise(_CORNERS))
    line = through(list(_CORNERS), False, 400)
    assert sum(distance(a, b) for a, b in pairwise(line)) == pytest.approx(straight, rel=1e-3)


@pytest.mark.parametrize(
    ("kind", "count"), [("rope", "segments"), ("chain", "links"), ("cable", "segments")]
)
def test_lines_are_closed_and_keep_together(kind: str, count: str, tmp_path: Path) -> None:
    text = f'[props.line]\nkind = "{kind}"\nfrom = [0, 5, 0]\nto = [4, 5, 0]\n{count} = 14\n'
    text += "through = [[1, 3, 0], [2, 4, 1], [3, 3, 0]]\nsmooth = true\n"
    session = _load(tmp_path, text).session()
    session.step(30)
    assert session.world.constraint_error() < 1e-6
    assert session.energy_gain() < 0.01
    group = session.plan.groups["line"]
    assert group.rest_length == pytest.approx(session.rest_length("line"), rel=1e-6)


def test_a_line_by_frames_of_bodies(tmp_path: Path) -> None:
    text = '[bodies.post]\nshape = "box"\nsize = [1, 1, 1]\nposition = [2, 6, 0]\nfixed = true\n'
    text += 'frames.top = [0, 0.6, 0]\n[props.line]\nkind = "rope"\nfrom = [0, 5, 0]\n'
    text += 'to = [4, 5, 0]\nthrough = ["post.top"]\nsegments = 30\n'
    particles = _load(tmp_path, text).default.plan.particles
    assert max(p.position[1] for p in particles.values()) == pytest.approx(6.6, abs=0.05)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("length = 9", "length and through both"),
        ("through = [[0, 5, 0]]", "are the same"),
        ('through = ["nobody"]', 'no body "nobody"'),
    ],
)
def test_a_bad_line_says_so(keys: str, says: str, tmp_path: Path) -> None:
    text = f'[props.line]\nkind = "rope"\nfrom = [0, 5, 0]\nto = [4, 5, 0]\n{keys}\n'
    text += "" if "through" in keys else "through = [[1, 3, 0]]\n"
    with pytest.raises(LevelError, match=says.replace("(", r"\(")):
        _load(tmp_path, text)


# --- figures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("pose", ["standing", "sitting", "hanging", "crouching"])
@pytest.mark.parametrize("facing", [0, 90])
def test_poses_are_closed_within_their_limits_and_stay(
    pose: str, facing: int, tmp_path: Path
) -> None:
    level = _doll(tmp_path, f'pose = "{pose}"\nfacing = {facing}\n')
    for joint in level.default.plan.joints.values():
        low, high = joint.parameters.get("limits", (0, 0))
        assert low <= 0 <= high
    session = level.session()
    session.world.gravity = (0, 0, 0)
    start = session.positions("doll")
    session.step(20)
    assert np.abs(session.positions("doll") - start).max() < 1e-6
    assert session.world.constraint_error() < 1e-9


def test_parts_are_where_a_person_has_them(tmp_path: Path) -> None:
    sitting = _doll(tmp_path, 'pose = "sitting"').default.plan.bodies
    at = {name.removeprefix("doll."): body.frame.position for name, body in sitting.items()}
    assert at["shin_left"][2] > 0.3  # in front
    assert at["shin_left"][1] < at["thigh_left"][1] < at["chest"][1]
    assert at["thigh_left"][0] > 0 > at["thigh_right"][0]
    hanging = _doll(tmp_path, 'pose = "hanging"').default.plan.bodies
    assert hanging["doll.hand_left"].frame.position[1] > hanging["doll.head"].frame.position[1]
    turned = _doll(tmp_path, 'pose = "sitting"\nfacing = 90').default.plan.bodies
    assert turned["doll.shin_left"].frame.position[0] > 0.3  # z has become x
    left = _doll(tmp_path, "pose = { shoulder_left = [0, 90] }").default.plan.bodies
    assert left["doll.hand_left"].frame.position[0] > 0.7
    assert left["doll.hand_right"].frame.position[1] < 5.2


def test_bent_joints_keep_the_rest_of_their_way(tmp_path: Path) -> None:
    joints = _doll(tmp_path, "pose = { knee = 60 }").default.plan.joints
    limits = joints["doll.knee_left"].parameters["limits"]
    assert limits == pytest.approx((-math.radians(60), 2.4 - math.radians(60)))


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ('pose = "siting"', 'did you mean "sitting"?'),
        ("pose = { knees = 3 }", 'did you mean "knee"?'),
        ("pose = { knee = [1, 2] }", "needs degrees"),
        ("pose = { hip = 3 }", "forward and to the side"),
        ("pose = { knee = -30 }", "bends from 0 to 138 degrees"),
        ("pose = { hip = [999, 0] }", "at most 180"),
        ("pose = 3", "must be the name of a pose or a table"),
    ],
)
def test_a_bad_pose_says_so(keys: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(LevelError) as caught:
        _doll(tmp_path, keys)
    assert says in str(caught.value)
