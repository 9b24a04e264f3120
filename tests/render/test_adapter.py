"""Worlds to scenes: ropes that follow, break and hang on bodies; cloth; props as they look."""

from types import SimpleNamespace

import numpy as np
import pytest

from levels import load
from physics import World
from physics.shapes import Box, Capsule, Sphere
from sandbox.render import rotations
from sandbox.render.level_look import zone_frame
from sandbox.render.model import Node, Poses, Ropes, RopeStyle, between
from sandbox.render.prop_appearance import VisualPart, prop_parts
from sandbox.render.stage import Stage
from tests.app.fakes import FakeWorld, toy

PLAIN = SimpleNamespace(color=None, pattern=None, gloss=None, hidden=False)


class Plan:
    """The half of a level's plan that the renderer reads."""

    def __init__(self, *groups: SimpleNamespace) -> None:
        self.groups = {group.name: group for group in groups}
        self.zones: dict[str, object] = {}
        self.joints: dict[str, object] = {}

    def movable(self, name: str) -> None:
        return None


def rope_group(session, **options: object) -> SimpleNamespace:
    names = {"name": "rope", "kind": "rope", "radius": 0.05, "look": PLAIN, "segment_length": 0.0}
    fields = {
        "members": ["hook", "knot"],
        "joints": list(session.joints),
        "lines": [["hook", "knot", "weight"]],
        "sheets": [],
    }
    return SimpleNamespace(**{**names, **fields, **options})


def named(session) -> FakeWorld:
    """Let the toy world find joints by name, as the real one does."""
    world = session.world
    find = world.find
    world.find = lambda name: session.joints[name] if name in session.joints else find(name)
    return world


def test_a_rope_is_one_smooth_line_and_its_particles_are_not_drawn() -> None:
    session = toy()
    world = named(session)
    scene = (stage := Stage(world, Plan(rope_group(session)))).scene(stage.poses())
    assert len(scene.tubes) == 2 * stage.ropes.pieces
    assert np.allclose(scene.tubes["a"][0], (3, 6, 0))
    assert np.allclose(scene.tubes["b"][-1], (3, 4, 0), atol=1e-5)
    assert "ball" in scene.parts
    assert len(scene.parts["ball"]) == 1


def test_a_cut_rope_has_a_gap() -> None:
    session = toy()
    world = named(session)
    stage = Stage(world, Plan(rope_group(session)))
    del world.links[session.joints.pop("rope.1")]
    stage.rebuild()
    assert len(stage.scene(stage.poses()).tubes) == 1


def test_tubes_follow_the_bodies() -> None:
    session = toy()
    world = named(session)
    stage = Stage(world, Plan(rope_group(session)))
    world.x += (0.0, 0.0, 2.0)
    assert np.allclose(stage.scene(stage.poses()).tubes["a"][:, 2], 2.0)


def test_rigid_links_meet_midway() -> None:
    ropes = Ropes(pieces=1)
    nodes = [
        Node(0, (0, 0.5, 0)),
        Node(0, (0, -0.5, 0), 1, (0, 0.5, 0)),
        Node(1, (0, -0.5, 0)),
    ]
    ropes.add(nodes, RopeStyle(), [None, None])
    places = np.array([(0, 2, 0), (0.2, 1, 0), (0, 0, 0)], float)
    poses = Poses(places, np.tile((1.0, 0, 0, 0), (3, 1)))
    rows = ropes.place(poses)
    assert np.allclose(rows["b"][0], (0.1, 1.5, 0))


def test_cloth_is_a_sheet_that_a_ray_meets_and_a_cut_opens() -> None:
    from physics import World

    world = World()
    cloth = world.add_cloth("flag", size=(2.0, 1.0), rows=5, columns=9, pins=[0, 8])
    stage = Stage(world)
    scene = stage.scene(stage.poses())
    assert len(scene.sheets) == 1
    assert len(scene.sheets[0].triangles) == 2 * 4 * 8
    assert not scene.parts
    eye = np.array((0.31, 0.12, 5.0))
    handle, distance = stage.softs.pick(eye, np.array((0.0, 0.0, -1.0)))
    assert handle == cloth
    assert distance == pytest.approx(5.0)
    assert stage.softs.pick(eye, np.array((0.0, 0.0, 1.0)))[0] is None
    # a slit from the lower edge up to the middle, between two columns: its cells are open
    world.cut(cloth, (0.31, -1.0, 0.0), (0.31, 0.0, 0.0), (0.0, 0.0, 1.0))
    scene = stage.scene(stage.poses())
    assert len(scene.sheets[0].triangles) < 2 * 4 * 8
    below, above = np.array((0.31, -0.28, 5.0)), np.array((0.31, 0.42, 5.0))
    assert stage.softs.pick(below, np.array((0.0, 0.0, -1.0)))[0] is None
    assert stage.softs.pick(above, np.array((0.0, 0.0, -1.0)))[0] == cloth


def test_a_lattice_of_particles_is_a_sheet_picked_by_its_particles() -> None:
    world = FakeWorld()
    names = []
    for i in range(4):
        for j in range(5):
            names.append(f"block.{i}.{j}")
            world.add(names[-1], None, (j * 0.5, 3 - i * 0.5, 0))
    group = SimpleNamespace(
        name="block", kind="solid", members=names, joints=[], lines=[], radius=0.02,
        sheets=[(4, 5, names)], look=PLAIN, segment_length=0.0,
    )  # fmt: skip
    stage = Stage(world, Plan(group))
    scene = stage.scene(stage.poses())
    assert len(scene.sheets) == 1
    assert len(scene.sheets[0].triangles) == 2 * 3 * 4
    assert not scene.parts
    found = stage.pick(np.array((0.95, 2.55, 9.0)), np.array((0.0, 0.0, -1.0)))
    assert found == (names.index("block.1.2"), 9.0)
    assert stage.pick(np.array((3.0, 2.55, 9.0)), np.array((0.0, 0.0, -1.0))) is None


def test_interpolation_leaves_new_bodies_where_they_are() -> None:
    turn = np.tile((1.0, 0, 0, 0), (2, 1))
    before = Poses(np.array([(0, 0, 0), (0, 0, 0)], float), turn)
    after = Poses(np.array([(2, 0, 0), (5, 5, 5), (0, 0, 0)], float), np.vstack((turn, turn[:1])))
    middle = between(before, after, 0.5)
    assert np.allclose(middle.positions[0], (1, 0, 0))
    assert np.allclose(middle.positions[1], (5, 5, 5))


@pytest.mark.parametrize(
    ("kind", "part", "shape"),
    [
        ("crane", "tower", Box((1.2, 20, 1.2))),
        ("crane", "boom", Box((18, 0.8, 0.8))),
        ("ragdoll", "head", Sphere(0.12)),
        ("ragdoll", "forearm_left", Capsule(radius=0.05, length=0.3)),
        ("ragdoll", "chest", Box((0.36, 0.42, 0.2))),
        ("", "cab", Box((1.5, 1.7, 2.1))),
        ("", "tower", Box((1.2, 20, 1.2))),
        ("", "boom", Box((18, 0.8, 0.8))),
    ],
)
def test_props_are_dressed(kind: str, part: str, shape: object) -> None:
    groups = prop_parts(kind, VisualPart(part, shape, None, None, np.array((-5.0, 0, 0))))
    assert groups
    assert all(np.isfinite(rows["position"]).all() for rows in groups.values())


def test_a_tyre_is_a_wheel_and_a_plain_box_is_itself() -> None:
    tyre = prop_parts("", VisualPart("w", Capsule(radius=0.5, length=0.2), "black", "tyre"))
    assert tyre is not None
    assert "cylinder" in tyre
    assert prop_parts("", VisualPart("thing", Box((1, 1, 1)), None)) is None


def test_a_zone_lies_on_the_ground() -> None:
    rows = zone_frame(np.array((0.0, 1, 0)), np.array((4.0, 3, 4)), "green", 0.0)
    assert rows["position"][:, 1].min() > 0


def test_a_pulley_is_a_straight_rope_over_two_wheels() -> None:
    world = World()
    world.add_body("left", Box((0.5, 0.5, 0.5)), mass=1.0, position=(-1, 2, 0))
    world.add_body("right", Box((0.5, 0.5, 0.5)), mass=1.0, position=(1, 1, 0))
    world.add_joint(
        "pulley", "left", "right", at_a=(-1, 2.25, 0), at_b=(1, 1.25, 0),
        wheel_a=(-1, 4, 0), wheel_b=(1, 4, 0),
    )  # fmt: skip
    scene = (stage := Stage(world)).scene(stage.poses())
    wheels = np.unique(np.round(scene.parts["cylinder"]["position"], 6), axis=0)
    assert np.allclose(wheels, ((-1, 4, 0), (1, 4, 0)))
    along = np.linalg.norm(scene.tubes["b"] - scene.tubes["a"], axis=1).sum()
    assert along == pytest.approx(1.75 + 2.0 + 2.75, abs=1e-4)


def test_a_chain_is_drawn_as_links_and_as_a_line_when_it_shows_its_tension() -> None:
    session = load("million").session()
    stage = Stage(session.world, session.plan, session.level.look)
    scene = stage.scene(stage.poses())
    links = scene.parts["link"]
    assert len(links) == 10
    assert np.ptp(links["half"][:, 1]) < 1e-6
    # neighbours reach through each other, and lie in planes at right angles
    reach = np.linalg.norm(np.diff(links["position"], axis=0), axis=1)
    assert (reach < 2 * links["half"][0, 1]).all()
    across = rotations.rotate(links["orientation"].astype(float), np.tile((0.0, 0, 1), (10, 1)))
    assert np.abs(np.sum(across[1:] * across[:-1], axis=1)).max() < 1e-5
    assert (scene.tubes["radius"] == 0.0).all()
    stage.ropes.tint(scene.tubes, np.ones((len(stage.ropes.span_joints), 3)))
    assert (scene.tubes["radius"] > 0.0).all()
    assert (stage.scene(stage.poses()).tubes["radius"] == 0.0).all()


def test_a_liana_is_a_chain_that_looks_like_a_rope() -> None:
    session = load("liana").session()
    stage = Stage(session.world, session.plan, session.level.look)
    scene = stage.scene(stage.poses())
    assert "link" not in scene.parts
    assert (scene.tubes["radius"] > 0.0).all()


def test_lines_of_joints_have_their_color_and_are_no_thicker_than_their_length_allows() -> None:
    session = load("knee").session()
    stage = Stage(session.world, session.names.plan)
    tubes = stage.scene(stage.poses()).tubes
    lengths = np.linalg.norm(tubes["b"] - tubes["a"], axis=1)
    short = lengths < 0.1
    assert short.any()
    assert (tubes["radius"][short] < 0.008).all()
    assert not stage._coils.ends  # its springs are hidden: the stiff rows beside them are drawn
