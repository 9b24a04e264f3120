"""Robots of other programs as levels, beside MuJoCo's reading of the same files."""

import json
import math
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from levels import load
from levels.importers import import_model
from levels.importers.moments import Moments, diagonal, of_shape, principal, together, turned
from physics import Box, Capsule, Cylinder, Sphere
from sandbox.cli import main
from tests.research.mujoco_reference import Comparison, compare
from tests.research.robots import MJCF, MJCF_SWINGING, URDF

PUBLIC = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"  # real public models


@pytest.mark.parametrize(
    ("kind", "size", "shape"),
    [
        ("sphere", (0.3,), Sphere(0.3)),
        ("box", (0.3, 0.5, 0.7), Box((0.3, 0.5, 0.7))),
        ("capsule", (0.2, 0.9), Capsule(0.2, 0.9)),
        ("cylinder", (0.2, 0.9), Cylinder(0.2, 0.9)),
    ],
)
def test_moments_are_those_of_the_engine(
    kind: str, size: tuple[float, ...], shape: Sphere | Box | Capsule | Cylinder
) -> None:
    ours, theirs = of_shape(kind, size, None, 700.0), shape.mass_properties(700.0)
    assert ours.mass == pytest.approx(theirs.mass, rel=1e-14)
    assert np.array(ours.inertia) == pytest.approx(theirs.inertia, rel=1e-12)


def test_principal_axes_turn_an_inertia_back() -> None:
    draw = np.random.default_rng(1)
    for _ in range(50):
        q = draw.normal(size=4)
        q /= np.sqrt((q * q).sum())
        values = np.sort(draw.uniform(0.1, 1.0, 3))
        inertia = turned(diagonal(*values), tuple(q))
        found, axes = principal(inertia)
        assert np.sort(found) == pytest.approx(values, rel=1e-12)
        assert np.array(turned(diagonal(*found), axes)) == pytest.approx(
            np.array(inertia), abs=1e-12
        )


def test_parts_together_by_parallel_axes() -> None:
    """Two halves of a rod are the rod: m l²/12."""
    half = Moments(1.0, (0.5, 0.0, 0.0), diagonal(0.0, 1 / 12, 1 / 12))
    other = Moments(1.0, (-0.5, 0.0, 0.0), diagonal(0.0, 1 / 12, 1 / 12))
    rod = together([half, other])
    assert rod.center == (0.0, 0.0, 0.0)
    assert rod.inertia[1][1] == pytest.approx(2.0 * 2.0**2 / 12)


def _checked(found: Comparison) -> None:
    """Masses, places and axes are read, not computed: rounding only. The swing is that of a
    first-order method at 960 Hz over a quarter of a second, 1/2 a t h = 1.3 mm for free fall."""
    assert found.mass_error < 1e-12
    assert found.place_error < 1e-12
    assert found.inertia_error < 1e-12
    assert found.axis_error < 1e-12
    assert found.swing > 0.02
    assert found.swing_error < 5e-3


@pytest.mark.parametrize("text", [URDF, MJCF_SWINGING], ids=["urdf", "mjcf"])
def test_a_small_robot_swings_as_in_mujoco(text: str, tmp_path: Path) -> None:
    path = tmp_path / ("robot.urdf" if "<robot" in text else "robot.xml")
    path.write_text(text, encoding="utf-8")
    _checked(compare(path, tmp_path))


@pytest.mark.parametrize(
    "name", ["ant", "half_cheetah", "humanoid", "inverted_double_pendulum", "walker2d_v5"]
)
def test_public_models_swing_as_in_mujoco(name: str, tmp_path: Path) -> None:
    found = compare(PUBLIC / f"{name}.xml", tmp_path)
    _checked(found)
    assert found.joints >= 2


@pytest.mark.parametrize("push", [-1.0, 1.0])
def test_limits_stop_where_the_file_says(push: float, tmp_path: Path) -> None:
    """Whichever way it is pushed: -20° or +60° about MuJoCo's axis."""
    path = tmp_path / "door.xml"
    path.write_text(MJCF, encoding="utf-8")
    import_model(path, tmp_path / "door.toml")
    session = load(tmp_path / "door.toml").session()
    for _ in range(480):
        session.world.apply_torque("door", (0.0, 20.0 * push, 0.0))
        session.step()
    angle = session.world.joint_value(session.joints["hinge"])
    assert angle == pytest.approx(math.radians(60.0 if push > 0 else -20.0), abs=0.01)


def test_what_is_not_taken_over_is_listed_by_name(tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(MJCF, encoding="utf-8")
    found = import_model(path, tmp_path / "robot.toml")
    text = "\n".join(found.unsupported)
    for word in ('fixed tendon "pull"', "<sensor>", '"raise"'):
        assert word in text
    assert all(f"# not taken over: {what}" in found.text for what in found.unsupported)
    level = load(tmp_path / "robot.toml")
    assert "servo" in level.default.plan.joints["grip"].parameters
    plain = tmp_path / "robot.urdf"
    plain.write_text(URDF, encoding="utf-8")
    assert "<sensor>" in import_model(plain).unsupported


def test_welded_links_become_one_body(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(URDF, encoding="utf-8")
    links = import_model(path).model.links
    assert sorted(links) == ["base", "slider", "tool", "upper"]
    assert links["tool"].moments.mass == pytest.approx(0.9)
    assert links["base"].fixed
    assert not import_model(path, free=True).model.links["base"].fixed


def test_a_tendon_between_two_sites_is_a_rope(tmp_path: Path) -> None:
    path = tmp_path / "ball.xml"
    path.write_text(
        """<mujoco><worldbody><site name="up" pos="0 0 2"/>
        <body name="ball" pos="0 0 1"><freejoint/><geom size="0.1"/><site name="top" pos="0 0 0.1"/>
        </body></worldbody>
        <tendon><spatial name="rope" range="0 1.2"><site site="up"/><site site="top"/></spatial>
        </tendon></mujoco>""",
        encoding="utf-8",
    )
    import_model(path, tmp_path / "ball.toml")
    world = load(tmp_path / "ball.toml").build()
    world.step(480)
    assert world.position("ball")[1] == pytest.approx(2.0 - 1.2 - 0.1, abs=1e-3)


def test_a_mesh_becomes_its_hull(tmp_path: Path) -> None:
    path = tmp_path / "wedge.obj"
    path.write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", encoding="utf-8"
    )
    import_model(path, tmp_path / "wedge.toml")
    world = load(tmp_path / "wedge.toml").build()
    (body,) = (world.name(h) for h in world.handles("body") if world.name(h) == "wedge")
    assert world.mass(body) == pytest.approx(1000.0 / 6.0)
    assert world.position(body) == pytest.approx((0.25, 0.25, -0.25))


def test_what_is_only_looked_at_weighs_and_touches_nothing(tmp_path: Path) -> None:
    """Robots are drawn by meshes without density and touch by shapes; both are of one body."""
    (tmp_path / "wedge.obj").write_text(
        "v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", encoding="utf-8"
    )
    shown = '<geom type="mesh" mesh="wedge" contype="0" conaffinity="0" density="0"/>'
    (tmp_path / "two.xml").write_text(
        f"""<mujoco><asset><mesh name="wedge" file="wedge.obj"/></asset><worldbody>
        <body name="a"><freejoint/>{shown}<geom size="0.1" mass="2"/></body>
        <body name="b" pos="1 0 0"><freejoint/>{shown}<geom size="0.1" mass="3"/></body>
        <body name="c" pos="2 0 0"><freejoint/>{shown}<inertial pos="0 0 0" mass="4"
        diaginertia="1 1 1"/></body></worldbody></mujoco>""",
        encoding="utf-8",
    )
    import_model(tmp_path / "two.xml", tmp_path / "two.toml")
    world = load(tmp_path / "two.toml").build()
    assert [world.mass(name) for name in "abc"] == pytest.approx([2.0, 3.0, 4.0])
    world.step(10)
    assert len(world.contacts()) == 0


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.urdf", "<robot", "no element found|unclosed"),
        ("a.xml", "<html/>", "neither URDF"),
        (
            "a.urdf",
            "<robot><link name='a'><inertial><mass value='x'/></inertial></link></robot>",
            "x",
        ),
    ],
)
def test_bad_files_are_told(name: str, text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        import_model(tmp_path / name)
    with pytest.raises(ValueError, match="cannot read"):
        import_model(tmp_path / "missing.urdf")


def test_the_command_converts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("robot.urdf").write_text(URDF, encoding="utf-8")
    assert main(["convert", "robot.urdf", "robot.toml", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["bodies"], told["joints"]) == (4, 3)
    assert main(["run", "robot.toml", "--seconds", "0.1", "--quiet"]) == 0
    assert main(["convert", "robot.urdf", "robot.json"]) == 2
    assert main(["convert", "nothing.urdf", "robot.toml"]) == 2


@pytest.mark.parametrize(
    "text",
    [
        "\n\n<?xml version='1.0'?><robot name='a b'><link name='my link'/></robot>",
        "<robot name='r'><link name='a'/><link name='b'/><joint name='a' type='revolute'>"
        "<parent link='a'/><child link='b'/><origin xyz='1,2,3'/></joint></robot>",
        "<mujoco><worldbody><body name='x.y'><joint name='x.y'/><geom size='.1'/></body>"
        "</worldbody></mujoco>",
        "\ufeff<robot name='r'><link name='a'/></robot>\r\n\0",
    ],
    ids=["blanks", "same name, commas, no mass", "dots", "byte order mark, zero at the end"],
)
def test_files_as_people_write_them(text: str, tmp_path: Path) -> None:
    path = tmp_path / ("a.urdf" if "<robot" in text else "a.xml")
    path.write_text(text, encoding="utf-8")
    import_model(path, tmp_path / "a.toml")
    load(tmp_path / "a.toml").build()


def _write_l(path: Path) -> None:
    """An L of three cubes."""
    outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    nodes = [(x, y, z) for z in (0, 1) for x, y in outline]
    lid = [(0, 5, 4), (0, 4, 3), (0, 3, 2), (0, 2, 1)]
    faces = [*lid, *((6 + a, 6 + c, 6 + b) for a, b, c in lid)]
    for i in range(6):
        j = (i + 1) % 6
        faces += [(i, j, 6 + j), (i, 6 + j, 6 + i)]
    text = "".join(f"v {x} {y} {z}\n" for x, y, z in nodes)
    text += "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("how", ["legacy", "exact", "convex"])
def test_a_mesh_weighs_what_mujoco_says(how: str, tmp_path: Path) -> None:
    """Hollow, stretched, turned, and without moments of its own; single precision there."""
    _write_l(tmp_path / "l.obj")
    path = tmp_path / "l.xml"
    path.write_text(
        f"""<mujoco>
        <asset><mesh name="l" file="l.obj" scale="0.1 0.2 -0.3" inertia="{how}"/></asset>
        <worldbody><body name="l" pos="0 0 1"><joint axis="0 1 0"/>
        <geom type="mesh" mesh="l" pos="0.1 0 0.2" euler="20 30 40" density="700"/></body>
        </worldbody></mujoco>""",
        encoding="utf-8",
    )
    found = compare(path, tmp_path)
    cubes = {"exact": 3.0, "convex": 3.5, "legacy": found.mass / 4.2}[how]
    assert found.mass == pytest.approx(700.0 * 0.1 * 0.2 * 0.3 * cubes)
    assert cubes >= 3.0
    assert max(found.mass_error, found.place_error, found.inertia_error) < 1e-6
    assert found.swing_error < 0.02 * found.swing


def test_a_hollow_mesh_becomes_pieces(tmp_path: Path) -> None:
    """An L of three cubes: its hull has a volume of 3.5, its pieces of 3."""
    _write_l(tmp_path / "l.obj")
    whole = import_model(tmp_path / "l.obj").model.links["l"]
    parts = import_model(tmp_path / "l.obj", tmp_path / "l.toml", decompose=True).model.links["l"]
    assert whole.moments.mass == pytest.approx(3500.0)
    assert len(parts.geometries) >= 2
    assert parts.moments.mass == pytest.approx(3000.0, rel=0.02)
    load(tmp_path / "l.toml").build()
