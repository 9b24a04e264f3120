"""Props: each builds something consistent from its defaults, and says what it can."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from levels import Level, load
from levels.plan import Plan
from levels.props import PROPS

# The keys each prop cannot do without.
_NEEDED = {
    "rope": 'from = [0, 5, 0]\nto = "ball"\n',
    "cable": 'from = [0, 5, 0]\nto = "ball"\naxial_stiffness = 1e6\n',
    "chain": 'from = [0, 5, 0]\nto = "ball"\nswing = 45\n',
    "cloth": 'size = [1, 1]\npins = ["top"]\n',
    "solid": "size = [1, 1, 1]\n",
}
_BALL = '[bodies.ball]\nshape = "sphere"\nradius = 0.3\nmass = 10\n'


def _level(folder: Path, text: str) -> Level:
    path = folder / "level.toml"
    path.write_text("format = 1\n" + _BALL + text, encoding="utf-8")
    return load(path)


def _prop(folder: Path, kind: str, extra: str = "") -> Plan:
    needed = _NEEDED.get(kind, "")
    return _level(folder, f'[props.it]\nkind = "{kind}"\n{needed}{extra}').default.plan


@pytest.mark.parametrize("kind", PROPS)
def test_builds_from_its_defaults(kind: str, tmp_path: Path) -> None:
    plan = _prop(tmp_path, kind)
    group = plan.groups["it"]
    if "it" not in plan.softs:
        assert group.root in group.members
    assert all(name.startswith("it.") for name in (*group.members, *group.joints))
    assert PROPS[kind].doc


@pytest.mark.parametrize("kind", PROPS)
def test_distances_fit_at_the_start(kind: str, tmp_path: Path) -> None:
    plan = _prop(tmp_path, kind)
    for name in plan.groups["it"].joints:
        joint = plan.joints[name]
        if joint.kind == "distance":
            assert joint.at_a is not None
            assert joint.at_b is not None
            assert math.dist(joint.at_a, joint.at_b) == pytest.approx(joint.parameters["length"])


def test_rope_weighs_what_it_should(tmp_path: Path) -> None:
    plan = _prop(tmp_path, "rope", "mass = 4\nsegments = 8\n")
    free = [p.mass for p in plan.particles.values() if not p.fixed]
    assert len(free) == 7
    assert sum(free) == pytest.approx(4 * 7 / 8)  # half a piece hangs on each end


def test_rope_with_spare_length_sags(tmp_path: Path) -> None:
    plan = _prop(tmp_path, "rope", "length = 8\nsegments = 16\n")
    group = plan.groups["it"]
    assert group.rest_length == pytest.approx(8, rel=1e-3)
    lengths = [plan.joints[name].parameters["length"] for name in group.joints]
    assert sum(lengths) == pytest.approx(8, rel=1e-3)
    assert max(lengths) == pytest.approx(min(lengths), rel=1e-2)


def test_free_rope_hangs_down(tmp_path: Path) -> None:
    path = tmp_path / "level.toml"
    path.write_text(
        'format = 1\n[props.it]\nkind = "rope"\nfrom = [0, 5, 0]\nlength = 2\n', encoding="utf-8"
    )
    plan = load(path).default.plan
    assert min(p.position[1] for p in plan.particles.values()) == pytest.approx(3)


def test_a_damped_rope_stops_ringing(tmp_path: Path) -> None:
    """A load on a rope bounces as exp(-τω²t/2), ω² = EA/(l m): with τ = 0.01 s and ω = 10 rad/s,
    e^-0.94 … e^-1.25 of it is left within the last period."""
    left = {}
    for damping in (0.0, 0.01):
        path = tmp_path / "level.toml"
        path.write_text(
            "format = 1\n[simulation]\nrate = 120\n"
            '[bodies.load]\nshape = "sphere"\nradius = 0.1\nmass = 100\nposition = [0, -2, 0]\n'
            '[props.it]\nkind = "rope"\nfrom = [0, 0, 0]\nto = "load"\nsegments = 1\n'
            f"axial_stiffness = 20_000\ndamping = {damping}\n",
            encoding="utf-8",
        )
        world = load(path).build()
        heights = [(world.step(), world.position("load")[1])[1] for _ in range(300)]
        left[damping] = np.ptp(heights[-75:]) / 2  # from 1.875 to 2.5 s
    assert left[0.0] == pytest.approx(9.81 / 100, rel=2e-3)  # g/ω²
    assert np.exp(-1.25) < left[0.01] / left[0.0] < np.exp(-0.94)


def test_cable_links_touch_each_other(tmp_path: Path) -> None:
    plan = _prop(tmp_path, "cable", "segments = 10\n")
    for i in range(9):
        upper, lower = plan.bodies[f"it.{i}"], plan.bodies[f"it.{i + 1}"]
        half = upper.shape.length / 2
        end = upper.frame.point((0, half, 0))
        start = lower.frame.point((0, -half, 0))
        assert math.dist(end, start) < 1e-9


def test_cable_with_a_winch_has_a_drum(tmp_path: Path) -> None:
    plan = _prop(tmp_path, "cable", 'winch = { keys = "w/s", speed = 1 }\nsegments = 4\n')
    (drive,) = plan.drives
    assert (drive.what, drive.joints, drive.forward, drive.back) == (
        "winch",
        ("it.drum",),
        "w",
        "s",
    )
    assert drive.start == pytest.approx(5.0)
    assert drive.reel is not None
    assert drive.reel.pitch == pytest.approx(1.0)


def test_ragdoll_is_a_whole_person(tmp_path: Path) -> None:
    plan = _prop(tmp_path, "ragdoll", "mass = 80\nheight = 1.8\nposition = [0, 1, 0]\n")
    bodies = [body for name, body in plan.bodies.items() if name.startswith("it.")]
    assert len(bodies) == 15
    assert sum(body.mass or 0 for body in bodies) == pytest.approx(80)
    heights = [body.frame.position[1] for body in bodies]
    assert max(heights) - min(heights) == pytest.approx(1.8 * 0.915, rel=0.02)
    assert all(plan.joints[name].parameters for name in plan.groups["it"].joints)


@pytest.mark.parametrize("arms", ["down", "up", "out"])
def test_ragdoll_arms(arms: str, tmp_path: Path) -> None:
    plan = _prop(tmp_path, "ragdoll", f'arms = "{arms}"\n')
    hand, shoulder = plan.center("it.hand_left"), plan.joints["it.shoulder_left"].at
    assert shoulder is not None
    dx, dy = hand[0] - shoulder[0], hand[1] - shoulder[1]
    assert {"down": dy < -0.5, "up": dy > 0.5, "out": dx > 0.5}[arms]


@pytest.mark.parametrize("stiffness", [60, 6000])
def test_ragdoll_muscles_take_a_fall(stiffness: float, tmp_path: Path) -> None:
    """Arms swing past every axis on the way; whatever the muscles, no energy from nothing."""
    (tmp_path / "fall.toml").write_text(
        'format = 1\n[bodies.ground]\nshape = "plane"\nfixed = true\n'
        '[props.it]\nkind = "ragdoll"\narms = "out"\n'
        f"position = [0.1, 3.6, 0]\nrotation = [8, 30, 0]\nstiffness = {stiffness}\n",
        encoding="utf-8",
    )
    world = load(tmp_path / "fall.toml").build()
    start, most = world.energy().total, 0.0
    for _ in range(240):
        world.step()
        most = max(most, world.energy().total)
    assert most < start * 1.001
    assert world.stats.guard["frozen"] == 0


def test_cloth_is_one_soft_body_held_by_its_edge(tmp_path: Path) -> None:
    plan = _prop(tmp_path, "cloth", "rows = 4\ncolumns = 5\n")
    cloth = plan.softs["it"]
    assert (cloth.kind, cloth.options["rows"], cloth.options["columns"]) == ("cloth", 4, 5)
    assert cloth.options["pins"] == [0, 1, 2, 3, 4]
    assert not plan.particles


def test_sagging_cloth_keeps_its_width(tmp_path: Path) -> None:
    start = (
        _prop(tmp_path, "cloth", "sag = 0.2\nrows = 2\ncolumns = 50\n").softs["it"].options["start"]
    )
    row = start[:50]
    assert math.dist(row[0], row[-1]) == pytest.approx(0.8, rel=1e-6)
    along = sum(math.dist(a, b) for a, b in itertools.pairwise(row))
    assert along == pytest.approx(1.0, rel=1e-3)  # chords of an arc


def test_cloth_sewn_to_a_body(tmp_path: Path) -> None:
    plan = _prop(tmp_path, "cloth", 'sewn = { bottom = "ball" }\nrows = 3\ncolumns = 3\n')
    assert plan.softs["it"].sewn == [((6, 7, 8), "ball")]


def test_level_with_soft_bodies_runs_and_can_be_asked(tmp_path: Path) -> None:
    text = '[props.mat]\nkind = "trampoline"\nposition = [0, -2, 0]\nnodes = 7\n'
    text += '[props.jelly]\nkind = "solid"\nradius = 0.2\ncells = [2, 2, 2]\nposition = [3, 1, 0]\n'
    session = _level(tmp_path, text).session()
    session.step(90)
    assert session.is_finite()
    assert session.stretch("mat") < 0.02
    assert session.tension("mat") > 0.0
    assert not session.is_broken("mat")
    assert min(point[1] for point in session.positions("jelly")) < 0.0
    assert session.position("ball")[1] > -3.0  # caught


def test_wall_stands_on_its_foot(tmp_path: Path) -> None:
    plan = _prop(tmp_path, "wall", "rows = 3\ncolumns = 4\nposition = [0, 2, 0]\n")
    heights = sorted({round(b.frame.position[1], 6) for n, b in plan.bodies.items() if "it." in n})
    assert heights == [2.15, 2.45, 2.75]


def test_prop_may_hang_on_a_later_one(tmp_path: Path) -> None:
    text = '[props.a]\nkind = "chain"\nfrom = [0, 9, 0]\nto = "b.head"\n'
    text += '[props.b]\nkind = "ragdoll"\nposition = [0, 3, 0]\n'
    plan = _level(tmp_path, text).default.plan
    assert plan.joints["a.bottom"].b == "b.head"


@pytest.mark.parametrize("touches", [False, True])
def test_a_rope_touches_itself_only_if_asked_to(touches: bool, tmp_path: Path) -> None:
    """Dropped on a floor it folds; its pieces meet each other or pass."""
    path = tmp_path / "level.toml"
    path.write_text(
        'format = 1\n[bodies.floor]\nshape = "plane"\nfixed = true\n'
        '[bodies.weight]\nshape = "sphere"\nradius = 0.1\nmass = 1\n'
        "position = [0, 2.2, 0]\nvelocity = [0.5, 0, 0.2]\n"
        '[props.it]\nkind = "rope"\nfrom = "weight"\nlength = 2\nsegments = 40\n'
        f"self_collision = {str(touches).lower()}\n",
        encoding="utf-8",
    )
    world = load(path).build()
    floor = world.find("floor").slot
    met = 0
    weight = world.find("weight").slot
    for _ in range(18):
        world.step(5)
        contacts = world.contacts()
        ends = np.stack([contacts["a"], contacts["b"]])
        met += int((~np.isin(ends, (floor, weight)).any(axis=0)).sum())
    assert (met > 0) == touches
