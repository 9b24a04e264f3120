"""Building by hand without a window: every tool, every action, through the mouse."""

from pathlib import Path

import numpy as np
import pytest

from levels.level import load, load_text
from physics import JOINTS
from sandbox.workshop.build_actions import BUILD_ACTIONS
from sandbox.workshop.outlines import body_of, convex_pieces, simplified
from tests.workshop.workshop import new, shop


def test_a_click_selects_shift_adds_and_a_box_takes_all(tmp_path: Path) -> None:
    work = shop("empty")
    work.click(1.2, 0.4, 0.8)
    assert work.draft.selected == (("bodies", "crate"),)
    work.builder.hand.adding = True
    work.click(-1.2, 0.4, 1.0)
    assert set(work.draft.selected) == {("bodies", "crate"), ("bodies", "ball")}
    work.click(1.2, 0.4, 0.8)
    assert work.draft.selected == (("bodies", "ball"),)
    work.builder.hand.adding = False
    work.click(4.0, 0.0, 6.0)  # nothing there
    assert work.draft.selected == ()
    flat = new(tmp_path, "2-D")
    flat.builder.choose_tool("box")
    for x in (-2.0, 0.0, 2.0):
        flat.drag((x, 1.0), (x + 1.0, 2.0))
    flat.builder.choose_tool("select")
    flat.drag((-2.5, 0.5), (1.5, 2.5))
    assert flat.draft.selected == (("bodies", "box"), ("bodies", "box_2"))


def _moved(point: tuple[float, ...], *way: float) -> tuple[float, ...]:
    return tuple(a + b for a, b in zip(point, way, strict=True))


def test_arrows_move_rings_turn_and_knobs_size_on_the_grid() -> None:
    work = shop("empty")
    work.click(1.2, 0.4, 0.8)
    tip = work.handle("axis", 0)
    work.drag(tip, _moved(tip, 0.97, 0.0, 0.0))
    assert work.table("bodies", "crate")["position"] == [2.2, 0.4, 0.8]
    work.builder.gizmo.mode = "rotate"
    middle = (2.2, 0.4, 0.8)
    radius = 0.8 * work.builder.handle_size()
    work.drag(_moved(middle, radius, 0, 0), _moved(middle, 0, 0, radius), steps=12)
    assert work.table("bodies", "crate")["rotation"] == [0, -65, 0]  # 25° less a quarter
    work.builder.gizmo.mode = "scale"
    knob = work.handle("size", 1)
    work.drag(knob, _moved(knob, 0.0, 0.61, 0.0))
    crate = work.table("bodies", "crate")
    assert crate["size"] == [0.8, 1.4, 0.8]
    assert crate["position"] == [2.2, 0.7, 0.8]  # its foot stays
    for _ in range(3):
        work.act("undo")
    assert work.draft.text == load("empty").document.source.text


def test_dragging_a_thing_slides_it_along_the_ground_and_shows_a_ghost() -> None:
    work = shop("empty")
    work.click(1.2, 0.4, 0.8)
    start, end = np.array(work.seen(0.95, 0.7, 0.95)), np.array(work.seen(1.95, 0.7, 0.95))
    hand = work.builder.hand
    hand.press(*start, 1)
    hand.move(*end)
    before = work.draft.text
    ghosts = work.builder.scene().ghosts
    assert "box" in ghosts
    assert work.draft.text == before  # nothing is written while it is dragged
    hand.release(*end, 1)
    x, y, z = work.table("bodies", "crate")["position"]
    assert (x, y, z) == pytest.approx((2.2, 0.4, 0.8), abs=0.11)


@pytest.mark.parametrize("kind", ["3-D", "2-D"])
def test_everything_can_be_drawn(tmp_path: Path, kind: str) -> None:
    work = new(tmp_path, kind)
    flat = kind == "2-D"

    def at(x: float, y: float) -> tuple[float, ...]:
        return (x, y + 1.0) if flat else (x, 0.0, y)

    for tool in ("box", "ball", "zone"):
        work.builder.choose_tool(tool)
        work.drag(at(-2.0, 0.0), at(-1.0, 1.0))
        assert len(work.draft.selected) == 1, work.said
    work.builder.choose_tool("polygon")
    for corner in ((1, 0), (2, 0), (2, 1), (1.5, 0.4), (1, 1), (1, 0)):
        work.click(*at(*corner))
    assert work.draft.selected == (("bodies", "polygon"),)
    assert work.table("bodies", "polygon")["shape"] == "compound"  # it is not convex
    work.builder.choose_tool("rope")
    work.drag(at(-1.5, 0.5), at(1.2, 0.2))
    assert work.draft.selected == (("props", "rope"),), work.said
    level = load_text(work.draft.text, tmp_path / "again.toml")
    assert level.default.plan.groups["rope"].members
    session = level.session()
    session.step()
    assert session.is_finite()


def test_outlines_become_convex_pieces_of_the_same_area() -> None:
    outline = np.array([(0, 0), (4, 0), (4, 3), (3, 3), (3, 1), (1, 1), (1, 3), (0, 3)], float)

    def area(points: np.ndarray) -> float:
        x, y = points[:, 0], points[:, 1]
        return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))

    pieces = convex_pieces(outline)
    assert sum(map(area, pieces)) == pytest.approx(area(outline))
    for piece in pieces:
        around = np.roll(piece, -1, axis=0) - piece
        following = np.roll(around, -1, axis=0)
        turns = around[:, 0] * following[:, 1] - around[:, 1] * following[:, 0]
        assert turns.min() >= -1e-9
    flat = np.array([(0, 0, 0), (1, 1, 0), (1, 0, 0), (0, 1, 0)], float)
    with pytest.raises(ValueError, match="crosses itself"):
        body_of(flat, flat=True)
    with pytest.raises(ValueError, match="too thin"):
        body_of(np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0)], float), flat=True)
    line = np.array([(x, 0.01 * (i % 2), 0) for i, x in enumerate(np.linspace(0, 5, 50))])
    assert len(simplified(line)) == 2


def test_every_part_can_be_put_down_turned_and_taken_back() -> None:
    work = shop("empty")
    start = work.draft.text
    for part in work.builder.parts.parts:
        if part.connects:
            continue
        work.builder.choose_part(part)
        work.builder.hand.move(*work.seen(0.0, 0.0, 4.0))
        work.builder.hand.wheel(2, 0.5, 0.5)
        assert work.builder.scene().ghosts, part.title
        work.click(0.0, 0.0, 4.0)
        assert not work.said, (part.title, work.said)
        assert work.draft.selected
        work.act("undo")
        work.said.clear()
        assert work.draft.text == start, part.title
    assert len(work.builder.parts.parts) >= 40


def test_every_connector_ties_two_things_and_the_world() -> None:
    for part in shop("empty").builder.parts.parts:
        if not part.connects:
            continue
        work = shop("empty")
        work.builder.choose_part(part)
        work.drag((1.2, 0.4, 1.2), (-1.2, 0.4, 1.3))
        assert not work.said, (part.title, work.said)
        (section, name), *_ = work.draft.selected
        plan = work.draft.level.default.plan
        joints = [plan.joints[n] for n in plan.joints_of(name)]
        held = {joint.a for joint in joints} | {joint.b for joint in joints}
        assert {"crate", "ball"} <= held, part.title
        if section == "joints":
            work.drag((1.2, 0.4, 1.2), (3.0, 0.0, 4.0))
            assert not work.said, (part.title, work.said)
            (_, second), *_ = work.draft.selected
            assert work.draft.level.default.plan.joints[second].b is None, part.title


def test_a_click_where_two_things_meet_joins_them(tmp_path: Path) -> None:
    work = new(tmp_path, "2-D")
    work.builder.choose_tool("box")
    work.drag((-1.0, 1.0), (1.0, 1.4))
    work.drag((0.6, 0.4), (1.0, 2.0))
    work.take("hinge")
    work.click(0.8, 1.2)
    (_, name), *_ = work.draft.selected
    joint = work.draft.level.default.plan.joints[name]
    assert {joint.a, joint.b} == {"box", "box_2"}
    assert joint.at == pytest.approx((0.8, 1.2, 0.0), abs=0.02)


def test_joints_have_marks_that_can_be_clicked() -> None:
    work = shop("empty")
    work.take("motor")
    work.drag((1.2, 0.4, 1.2), (-1.2, 0.4, 1.3))
    (entry,) = work.draft.selected
    work.builder.choose_tool("select")
    work.builder.selection.choose(())
    joint = work.draft.level.default.plan.joints[entry[1]]
    marks = work.builder.joint_marks[entry]
    assert any(len(mark.points) > 10 for mark in marks)  # the arrow round its axis
    assert JOINTS[joint.kind].needs_axis
    work.click(*joint.at)
    assert work.draft.selected == (entry,)


def test_copy_paste_mirror_group_align_delete_and_all_the_way_back() -> None:
    work = shop("empty")
    start = work.draft.text
    work.click(1.2, 0.4, 0.8)
    work.act("copy")
    work.act("paste")
    assert work.draft.selected == (("bodies", "crate_2"),)
    work.act("duplicate")
    work.act("mirror")
    work.act("turn")
    work.builder.selection.choose((("bodies", "crate"), ("bodies", "crate_2")))
    work.act("group")
    work.builder.selection.choose(())
    work.click(1.2, 0.4, 0.8)
    assert len(work.draft.selected) == 2  # a click on one selects both
    work.act("duplicate")
    assert len(work.draft.checked.assemblies) == 2
    work.builder.selection.align(0, "middle")
    work.act("ungroup")
    assert len(work.draft.checked.assemblies) == 1
    work.act("delete")
    work.builder.selection.choose((("bodies", "crate"),))
    work.act("cut")
    assert ("bodies", "crate") not in work.builder.things.entries
    texts = [work.draft.text]
    while work.draft.can_undo:
        work.act("undo")
        texts.append(work.draft.text)
    assert texts[-1] == start
    for text in reversed(texts[:-1]):
        work.act("redo")
        assert work.draft.text == text


def test_a_part_of_ones_own(tmp_path: Path) -> None:
    work = new(tmp_path, "3-D")
    work.take("cart")
    work.click(2.0, 0.0, 1.0)
    work.builder.selection.keep_part("My cart")
    part = next(p for p in work.builder.parts.parts if p.shelf == "Your own")
    assert part.title == "My cart"
    work.builder.choose_part(part)
    work.click(-2.0, 0.0, 1.0)
    assert len(work.draft.level.default.plan.joints) == 4
    plan = work.draft.level.default.plan
    assert {joint.a for joint in plan.joints.values()} == {"cart", "cart_2"}
    assert (part.path.parent / "my_cart.toml").is_file()


def test_a_broken_part_of_ones_own_is_left_out_with_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "bad.toml").write_text("format = 1\n[bodies.x]\nshape = 'bix'\n", encoding="utf-8")
    palette = new(tmp_path).builder.parts
    assert palette.problems == ['bad.toml: unknown shape "bix"']


def test_searching_finds_by_name_use_and_kind() -> None:
    palette = shop("empty").builder.parts
    assert "Pulley" in [part.title for part in palette.search("rope wheel")]
    assert [part.title for part in palette.search("zzz")] == []
    assert all(part.flat for part in palette.search("", flat=True))


def test_every_action_is_done_by_somebody() -> None:
    """Those of the selection here; those of the window in `sandbox/window/building.py`."""
    work = shop("empty")
    window = {
        "test",
        "save",
        "leave",
        "share",
        "cancel",
        "move",
        "rotate",
        "scale",
        "snap",
        "frame",
    }
    for name, _, _ in BUILD_ACTIONS:
        known = name in window or name in work.builder.tools
        assert known or hasattr(work.builder.selection, f"do_{name}"), name
