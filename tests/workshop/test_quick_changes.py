"""A change of a draft costs what it changes: the rest is kept, as if it had been made anew."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from levels.draft import fields
from levels.draft.draft import Draft, Refused
from levels.draft.level_text import LevelText
from levels.level import load_text
from levels.still import StillWorld
from physics import World
from sandbox.render.stage import Stage
from tests.workshop.random_builder import RandomBuilder
from tests.workshop.workshop import Workshop, new

_ROW = 40


def _row_of_boxes(tmp_path: Path) -> Workshop:
    lines = ["format = 1", "[bodies.ground]", 'shape = "plane"', "fixed = true"]
    for i in range(_ROW):
        lines += [f"[bodies.box_{i}]", 'shape = "box"', "size = [0.5, 0.5, 0.5]"]
        lines += [f"position = [{i}, 0.25, 0]"]
    for i in range(_ROW - 1):
        lines += [f"[joints.pin_{i}]", 'kind = "ball"', f'bodies = ["box_{i}", "box_{i + 1}"]']
        lines += [f"at = [{i + 0.5}, 0.25, 0]"]
    return Workshop(Draft(load_text("\n".join(lines) + "\n", tmp_path / "row.toml")))


def _counted(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    asked: dict[str, list[str]] = {"add_body": [], "add_joint": []}
    for kind, names in asked.items():
        real = getattr(World, kind)

        def noted(self, first, *rest, _real=real, _names=names, **more):
            _names.append(more.get("name", first))
            return _real(self, first, *rest, **more)

        monkeypatch.setattr(World, kind, noted)
    return asked


def test_the_engine_is_asked_about_what_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = _row_of_boxes(tmp_path)
    entry = ("bodies", "box_20")
    fields.set_value(work.draft, entry, ("friction",), 0.7)  # the first change asks about all
    asked = _counted(monkeypatch)
    fields.set_value(work.draft, entry, ("friction",), 0.2)
    assert sorted(asked["add_body"]) == ["box_19", "box_20", "box_21"]
    assert sorted(asked["add_joint"]) == ["pin_19", "pin_20"]
    asked["add_body"].clear()
    work.draft.undo()
    fields.set_value(work.draft, entry, ("friction",), 0.7)
    assert set(asked["add_body"]) <= {"box_19", "box_20", "box_21"}


def test_what_the_engine_refuses_is_refused_after_other_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = _row_of_boxes(tmp_path)
    fields.set_value(work.draft, ("bodies", "box_3"), ("friction",), 0.7)
    before = work.draft.text
    real = World.add_joint

    def choosy(self, *rest, **more):
        if more["name"] == "pin_7":
            raise ValueError("nobody likes it")
        return real(self, *rest, **more)

    monkeypatch.setattr(World, "add_joint", choosy)
    for _ in range(2):  # what was refused is not taken for known
        with pytest.raises(Refused, match="nobody likes it"):
            fields.set_value(work.draft, ("bodies", "box_7"), ("friction",), 0.7)
        assert work.draft.text == before
    fields.set_value(work.draft, ("bodies", "box_20"), ("friction",), 0.7)  # taken before


def test_other_settings_ask_about_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = _row_of_boxes(tmp_path)
    fields.set_value(work.draft, ("bodies", "box_3"), ("friction",), 0.7)
    asked = _counted(monkeypatch)
    work.draft.edit("rate", lambda text: text.edit_table("simulation", _faster))
    assert len(asked["add_body"]) == _ROW + 1


def _faster(table) -> None:
    table["rate"] = 240


@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_is_as_if_made_anew(tmp_path: Path, seed: int) -> None:
    builder = RandomBuilder(tmp_path, seed)
    for _ in range(12):
        for _ in range(5):
            builder.act()
        level, kept = builder.work.draft.level, builder.work.builder
        assert not level.default.refused()  # asked about all of it
        world = StillWorld(level.default)
        stage = Stage(world, world.plan, level.look)
        anew, seen = stage.scene(stage.poses()), kept.stage.scene(kept.poses)
        assert anew.parts.keys() == seen.parts.keys()
        for mesh, rows in anew.parts.items():
            assert np.array_equal(rows, seen.parts[mesh]), mesh
        for one, other in zip(anew.sheets, seen.sheets, strict=True):
            assert np.array_equal(one.points, other.points)


def test_the_blocks_of_a_text_are_those_of_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what was rewritten is split anew: it must come to the same."""
    said = LevelText.__str__
    looked_at = []

    def checked(self: LevelText) -> str:
        text = said(self)
        assert self._blocks == LevelText(text)._blocks
        looked_at.append(text)
        return text

    monkeypatch.setattr(LevelText, "__str__", checked)
    builder = RandomBuilder(tmp_path, 5)
    for _ in range(60):
        builder.act()
    assert len(looked_at) > 30


def test_a_block_of_which_only_a_comment_is_left_goes_to_its_neighbour() -> None:
    text = LevelText("format = 1\n[goal]\n# why\nwin = 'time() > 1'\n[[expect]]\nwhen = 'x'\n")
    text.edit_table("goal", lambda table: table.remove("win"))
    assert text._blocks == LevelText(str(text))._blocks


def test_marks_of_joints_are_made_once(tmp_path: Path) -> None:
    work = new(tmp_path)
    work.take("motor")
    first = work.builder.joint_marks
    assert work.builder.joint_marks is first
    pose = work.builder.camera.pose
    work.builder.camera.pose = replace(pose, distance=2 * pose.distance)
    assert work.builder.joint_marks is not first
