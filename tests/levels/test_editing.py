"""Every edit of the hand: kept when a slider moves, and the same after saving and opening again."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from levels import LevelError, Session, load
from levels.commands import Cut, Delete, Join, Pin, SetParameter, Sew, Slit, Spawn

SHOP = """
format = 1
title = "Workshop"

[parameters]
weight = { default = 2, min = 1, max = 100, unit = "kg" }

[bodies.ground]
shape = "plane"
fixed = true

[bodies.ball]
shape = "sphere"
radius = 0.3
mass = "=weight"
position = [4, 3, 0]

[bodies.crate]  # spoken of by the goal
shape = "box"
size = [1, 1, 1]
mass = 5
position = [6, 0.5, 0]

[joints.string]
kind = "distance"
bodies = ["ball"]
at_a = [4, 3, 0]
at_b = [4, 6, 0]

[props.rope]
kind = "rope"
from = [8, 6, 0]
to = [10, 6, 0]
length = 3
segments = 8

[props.wall]
kind = "wall"
position = [0, 0, 6]
rows = 2
columns = 2

[props.sheet]
kind = "cloth"
position = [0, 3, 0]
size = [2, 2]
rows = 7
columns = 7
pins = ["top"]

[props.drum]
kind = "cloth"
model = "membrane"
position = [-4, 3, 0]
size = [2, 2]
rows = 7
columns = 7
pins = ["top"]
young = 1e5

[props.jelly]
kind = "solid"
position = [-8, 0.6, 0]
size = [1, 1, 1]
cells = [3, 3, 3]

[goal]
win = { when = "x('crate') > 100" }
"""

ACROSS = ((-20.0, 3.02, 0.0), (20.0, 3.02, 0.0), (0.0, 0.0, -1.0))
LOW = ((-20.0, 0.61, 0.0), (20.0, 0.61, 0.0), (0.0, 0.0, -1.0))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "shop.toml"
    path.write_text(SHOP, encoding="utf-8")
    session = load(path).session()
    session.step(10)
    return session


def done(session: Session, *commands: Any) -> Session:
    for command in commands:
        session.issue(command)
    said = [event.text for event in session.step() if event.kind == "say"]
    assert said == []
    session.step(20)
    return session


def corner(session: Session, soft: str, node: int = 48) -> tuple[float, ...]:
    return tuple(float(v) for v in session.world.node_positions(session.softs[soft])[node])


def facts(session: Session) -> dict[str, Any]:
    """All that must be the same."""
    world = session.world
    softs = {
        name: (
            world.node_positions(handle).tolist(),
            world.pinned_nodes(handle).tolist(),
            sorted(map(tuple, world.cut_threads(handle).tolist())),
            world.cut_elements(handle).tolist(),
            len(world.triangles(handle)),
        )
        for name, handle in session.softs.items()
    }
    bodies = {
        name: world.position(handle).tolist()
        for name, handle in session.handles.items()
        if "." not in name  # parts of props start where the prop says
    }
    joints = {
        name: (world.joint(handle).kind, world.joint(handle).anchor_a.tolist())
        for name, handle in session.joints.items()
        if "." not in name
    }
    names = set(session.handles) | set(session.joints) | set(session.softs)
    return {"softs": softs, "bodies": bodies, "joints": joints, "names": names}


def assert_same(a: dict[str, Any], b: dict[str, Any], places: float) -> None:
    """Everything equal; places of soft things, bodies and joints within so many metres."""
    assert a["names"] == b["names"]
    for name, (nodes, *rest) in a["softs"].items():
        assert list(b["softs"][name][1:]) == rest, name
        assert np.allclose(b["softs"][name][0], nodes, atol=places), name
    for name, place in a["bodies"].items():
        assert np.allclose(b["bodies"][name], place, atol=places), name
    for name, (kind, place) in a["joints"].items():
        assert b["joints"][name][0] == kind
        assert np.allclose(b["joints"][name][1], place, atol=places), name


def again(session: Session, tmp_path: Path) -> Session:
    path = tmp_path / "saved.toml"
    session.save(path)
    return load(path).session()


EDITS: dict[str, Any] = {
    "nothing": lambda s: [],
    "pin a body": lambda s: [Pin("ball")],
    "pin a cloth": lambda s: [Pin("sheet", corner(s, "sheet"))],
    "let a corner go": lambda s: [Pin("sheet", corner(s, "sheet", 0))],
    "pin a solid": lambda s: [Pin("jelly", corner(s, "jelly", 3))],
    "cut threads": lambda s: [Slit("sheet", *ACROSS)],
    "cut a membrane": lambda s: [Slit("drum", *ACROSS)],
    "cut a solid": lambda s: [Slit("jelly", *LOW)],
    "cut a joint": lambda s: [Cut("string")],
    "cut a rope": lambda s: [Cut(next(n for n in s.joints if n.startswith("rope.")))],
    "delete a body": lambda s: [Delete("ball")],
    "delete a body the goal speaks of": lambda s: [Delete("crate")],
    "delete a brick": lambda s: [Delete(next(n for n in s.handles if n.startswith("wall.")))],
    "delete a cloth": lambda s: [Delete("sheet")],
    "weld": lambda s: [Join("fixed_1", "fixed", "ball", "", {"at": (4.0, 3.0, 0.0)})],
    "hinge": lambda s: [
        Join("hinge_1", "hinge", "ball", "crate", {"at": (5.0, 2.0, 0.0), "axis": (0.0, 0.0, 1.0)})
    ],
    "rope": lambda s: [
        Join(
            "distance_1",
            "distance",
            "ball",
            "crate",
            {"at_a": (4.0, 3.0, 0.0), "at_b": (6.0, 0.5, 0.0), "length": 4.0, "slack": True},
        )
    ],
    "spawn": lambda s: [Spawn("new", {"shape": "sphere", "radius": 0.2, "position": [4, 8, 2]})],
    "sew a cloth": lambda s: [Sew("sheet", "ball", corner(s, "sheet"))],
    "sew a membrane": lambda s: [Sew("drum", "ball", corner(s, "drum"))],
    "sew a solid": lambda s: [Sew("jelly", "crate", corner(s, "jelly", 5))],
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_saved(session: Session, tmp_path: Path, edit: str) -> None:
    before = facts(session)
    done(session, *EDITS[edit](session))
    now = facts(session)
    assert edit == "nothing" or now != before
    opened = again(session, tmp_path)
    assert_same(facts(opened), now, 1e-6)  # as finely as a file is written
    for soft, body in session.edits.sewn:
        a = session.world.seams(session.softs[soft], session.handles[body])
        b = opened.world.seams(opened.softs[soft], opened.handles[body])
        assert np.allclose(a, b, atol=1e-5)
        assert len(a) > 0
    opened.step(10)
    assert opened.is_finite()
    twice = again(opened, tmp_path)  # saving what was saved changes nothing
    assert twice.handles.keys() == opened.handles.keys()
    assert twice.joints.keys() == opened.joints.keys()


@pytest.mark.parametrize("edit", EDITS)
def test_a_slider_keeps_an_edit(session: Session, edit: str) -> None:
    done(session, *EDITS[edit](session))
    was = facts(session)
    session.issue(SetParameter("weight", 4.0))
    session.step()
    assert_same(was, facts(session), 0.3)  # one step further
    for soft, body in session.edits.sewn:
        assert len(session.world.seams(session.softs[soft], session.handles[body])) == 1
    assert session.world.constraint_error() < 1e-3


def test_a_pin_is_let_go_after_opening_again(session: Session, tmp_path: Path) -> None:
    opened = again(done(session, Pin("ball")), tmp_path)
    height = opened.position("ball")[1]
    done(opened, Cut("string"))
    assert opened.position("ball")[1] == pytest.approx(height, abs=1e-3)
    done(opened, Pin("ball"))
    assert opened.position("ball")[1] < height - 0.2


def test_a_cut_saved_twice_and_mended_by_the_author(session: Session, tmp_path: Path) -> None:
    again(done(session, Slit("drum", *ACROSS)), tmp_path)
    path = tmp_path / "saved.toml"
    whole = "\n".join(
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if not line.startswith("cut_out")
    )
    if "cut_out = [\n" in path.read_text(encoding="utf-8"):
        head, _, tail = path.read_text(encoding="utf-8").partition("cut_out = [\n")
        whole = head + tail.partition("]\n")[2]
    path.write_text(whole, encoding="utf-8")
    mended = load(path).session()
    assert len(mended.world.cut_elements(mended.softs["drum"])) == 0


def test_a_level_of_one_cloth_is_a_level(tmp_path: Path) -> None:
    path = tmp_path / "cloth.toml"
    path.write_text(
        'format = 1\n[props.sheet]\nkind = "cloth"\nsize = [1, 1]\npins = ["top"]\n',
        encoding="utf-8",
    )
    session = load(path).session()
    session.step(5)
    assert session.is_finite()
    assert list(session.softs) == ["sheet"]
    opened = again(session, tmp_path)
    assert_same(facts(opened), facts(session), 1e-6)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("pinned = [3, 900]", r"nodes must lie in 0 … 48"),
        ("cut_out = [5]", "has no elements"),
        ("moved = [[0, 0, 0]]", r"positions must be finite and of shape \(49, 3\)"),
        ("cut = [[1]]", "cut"),
    ],
)
def test_wrong_numbers_are_told_with_their_place(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "shop.toml"
    path.write_text(
        SHOP.replace('[props.sheet]\nkind = "cloth"', f'[props.sheet]\n{line}\nkind = "cloth"'),
        encoding="utf-8",
    )
    with pytest.raises(LevelError, match=message) as raised:
        load(path).build()
    assert "shop.toml:" in str(raised.value)


def test_what_cannot_be_removed_is_told(tmp_path: Path) -> None:
    path = tmp_path / "shop.toml"
    path.write_text(SHOP.replace("format = 1", 'format = 1\nremoved = ["bal"]'), encoding="utf-8")
    with pytest.raises(LevelError, match='there is no "bal" to be removed') as raised:
        load(path)
    assert "ball" in str(raised.value)


@pytest.mark.parametrize("name", ["crane", "trampoline", "wrecking_ball", "footbridge", "liana"])
def test_shipped_levels_can_be_saved_while_they_move(name: str, tmp_path: Path) -> None:
    session = load(name).session()
    session.step(40)
    opened = again(session, tmp_path)
    assert opened.handles.keys() == session.handles.keys()
    assert opened.joints.keys() == session.joints.keys()
    opened.step(5)
    assert opened.is_finite()


@pytest.mark.parametrize("name", ["crane", "footbridge"])
def test_what_was_spawned_among_scattered_tables_is_saved(name: str, tmp_path: Path) -> None:
    """The crane's bodies stand before and after its props; saving one more raised an error."""
    session = load(name).session()
    session.issue(Spawn("new", {"shape": "sphere", "radius": 0.2, "position": [4, 30, 2]}))
    session.step(2)
    body = next(body for body in session.handles if body not in ("new", "ground"))
    session.issue(Join("tie", "distance", "new", body, {"slack": True}))
    session.step(2)
    opened = again(session, tmp_path)
    assert "new" in opened.handles
    assert opened.joints.keys() == session.joints.keys()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
