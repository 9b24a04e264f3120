"""Props: each builds something consistent from its defaults, and says what it can."""

import math
from pathlib import Path

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
}
_BALL = '[bodies.ball]\nshape = "sphere"\nradius = 0.3\nmass = 10\n'


def _level(folder: Path, text: str) -> Level:
    path = folder / "level.toml"
    path.write_text("format = 1\n" + _BALL + text)
    return load(path)


def _prop(folder: Path, kind: str, extra: str = "") -> Plan:
    needed = _NEEDED.get(kind, "")
    return _level(folder, f'[props.it]\nkind = "{kind}"\n{needed}{extra}').default.plan


@pytest.mark.parametrize("kind", PROPS)
def test_builds_from_its_defaults(kind: str, tmp_path: Path) -> None:
    plan = _prop(tmp_path, kind)
    group = plan.groups["it"]
    assert group.members
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
    path.write_text('format = 1\n[props.it]\nkind = "rope"\nfrom = [0, 5, 0]\nlength = 2\n')
    plan = load(path).default.plan
    assert min(p.position[1] for p in plan.particles.values()) == pytest.approx(3)


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


def test_cloth_has_threads_shear_and_bend(tmp_path: Path) -> None:
    plan = _prop(tmp_path, "cloth", "rows = 4\ncolumns = 5\n")
    kinds = [name.split(".")[1] for name in plan.groups["it"].joints]
    # the pinned top row has no links within itself
    assert kinds.count("thread") == 3 * 4 + 3 * 5
    assert kinds.count("shear") == 2 * 3 * 4
    assert kinds.count("bend") == 3 * 3 + 2 * 5
    assert sum(particle.fixed for particle in plan.particles.values()) == 5


def test_wall_stands_on_its_foot(tmp_path: Path) -> None:
    plan = _prop(tmp_path, "wall", "rows = 3\ncolumns = 4\nposition = [0, 2, 0]\n")
    heights = sorted({round(b.frame.position[1], 6) for n, b in plan.bodies.items() if "it." in n})
    assert heights == [2.15, 2.45, 2.75]


def test_prop_may_hang_on_a_later_one(tmp_path: Path) -> None:
    text = '[props.a]\nkind = "chain"\nfrom = [0, 9, 0]\nto = "b.head"\n'
    text += '[props.b]\nkind = "ragdoll"\nposition = [0, 3, 0]\n'
    plan = _level(tmp_path, text).default.plan
    assert plan.joints["a.bottom"].b == "b.head"
