"""A draft: one text, checked changes, a way back; every other line of the file stays as it was."""

import difflib
from pathlib import Path

import pytest

from levels import load, shipped
from levels.draft import about, fields
from levels.draft.changes import Change
from levels.draft.draft import Draft, Refused
from levels.draft.ends import Held, ends, hold
from levels.draft.fragments import put, removed, taken
from levels.draft.level_text import LevelText
from levels.draft.parts import Palette
from levels.draft.shaping import align, change, spread
from levels.draft.sizing import own_box, resize
from levels.draft.things import Things
from levels.frames import about as turned
from levels.level import load_text

COMMENTED = """# A level with words.
format = 1
title = "Words"   # of its author

[parameters]
h = { default = 2, min = 1, max = 4 }

# the floor
[bodies.ground]
shape = "plane"
fixed = true

[bodies.shelf]           # hangs
shape = "box"
size = [2, 0.2, 1]
position = [0, "=h", 0]  # as high as the slider says
mass = 5

[bodies.cup]
shape = "cylinder"
radius = 0.2
length = 0.4
position = [0.5, 3, 0]
frames = { rim = [0, 0.2, 0] }

[joints.nail]
kind = "hinge"
bodies = ["shelf"]
at = [0, 2, 0]
axis = [0, 0, 1]

[joints.string]
kind = "distance"
bodies = ["shelf", "cup"]
at_a = [0.5, 2.1, 0]
at_b = [0.5, 2.8, 0]
length = 0.7

[goal]
win = "y('cup') < 1"
# the end
"""


def drafted(tmp_path: Path, text: str = COMMENTED) -> Draft:
    return Draft(load_text(text, tmp_path / "words.toml"))


def changed_lines(before: str, after: str) -> list[str]:
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in lines if line[0] in "+-"]


@pytest.mark.parametrize("name", shipped())
def test_the_text_of_every_level_is_its_blocks(name: str) -> None:
    text = load(name).document.source.text
    assert str(LevelText(text)) == text


def test_moving_changes_only_lines_with_places(tmp_path: Path) -> None:
    draft = drafted(tmp_path)
    change(draft, Things(draft.level), (("bodies", "shelf"),), Change(shift=(1.0, 0.5, 0.0)))
    assert changed_lines(COMMENTED, draft.text) == [
        '- position = [0, "=h", 0]  # as high as the slider says',
        '+ position = [1, "=(h) + 0.5", 0]  # as high as the slider says',
        "- at = [0, 2, 0]",
        "+ at = [1, 2.5, 0]",
        "- at_a = [0.5, 2.1, 0]",
        "+ at_a = [1.5, 2.6, 0]",
        "- length = 0.7",
        "+ length = 1.019804",
    ]
    assert draft.undo() == "move"
    assert draft.text == COMMENTED
    assert draft.redo() == "move"
    assert draft.level.default.plan.bodies["shelf"].frame.position == (1.0, 2.5, 0.0)


def test_a_change_that_would_break_the_level_is_refused_whole(tmp_path: Path) -> None:
    draft = drafted(tmp_path)
    with pytest.raises(Refused, match="cup"):
        removed(draft, Things(draft.level), (("bodies", "cup"),))  # the goal speaks of it
    assert draft.text == COMMENTED
    assert not draft.can_undo
    with pytest.raises(Refused, match="greater than 0"):
        fields.set_value(draft, ("bodies", "cup"), ("mass",), -1.0)
    assert draft.text == COMMENTED


def test_turning_takes_anchors_and_axes_along(tmp_path: Path) -> None:
    draft = drafted(tmp_path)
    quarter = Change((0.0, 2.0, 0.0), turn=turned((0.0, 1.0, 0.0), 1.5707963267948966))
    change(draft, Things(draft.level), (("bodies", "shelf"), ("bodies", "cup")), quarter)
    plan = draft.level.default.plan
    assert plan.bodies["cup"].frame.position == pytest.approx((0.0, 3.0, -0.5))
    assert plan.joints["nail"].axis == pytest.approx((1.0, 0.0, 0.0))
    assert plan.joints["string"].at_b == pytest.approx((0.0, 2.8, -0.5))


def test_a_mirrored_wheel_turns_the_other_way(tmp_path: Path) -> None:
    draft = drafted(tmp_path)
    things = Things(draft.level)
    fragment = taken(draft, things, (("bodies", "shelf"),))
    assert set(fragment.entries) == {("bodies", "shelf"), ("joints", "nail")}
    added = put(draft, fragment, "mirror", Change((1.0, 0.0, 0.0), mirror=0))
    plan = draft.level.default.plan
    assert set(added) == {("bodies", "shelf_2"), ("joints", "nail_2")}
    assert plan.joints["nail_2"].a == "shelf_2"
    assert plan.bodies["shelf_2"].frame.position == (2.0, 2.0, 0.0)
    assert plan.joints["nail_2"].axis == (0.0, 0.0, -1.0)
    assert draft.undo() == "mirror"  # one step, though it was two changes
    assert draft.text == COMMENTED


def test_sizes_masses_and_the_side_that_stays(tmp_path: Path) -> None:
    draft = drafted(tmp_path)
    resize(draft, ("bodies", "shelf"), (3.0, 0.2, 1.0), (0.5, 0.0, 0.0))
    found = own_box(draft, ("bodies", "shelf"))
    assert found is not None
    frame, half = found
    assert half == (1.5, 0.1, 0.5)
    assert frame.position == (0.5, 2.0, 0.0)
    assert draft.level.default.plan.bodies["shelf"].weight() == pytest.approx(7.5)


def test_lines_of_things_are_straight_and_even(tmp_path: Path) -> None:
    text = "format = 1\n" + "".join(
        f'[bodies.b{i}]\nshape = "box"\nsize = [{0.2 + 0.1 * i}, 1, 1]\n'
        f"position = [{i * i}, {i}, 0]\n"
        for i in range(4)
    )
    draft = drafted(tmp_path, text)
    entries = tuple(("bodies", f"b{i}") for i in range(4))
    align(draft, Things(draft.level), entries, 1, "low")
    assert {b.frame.position[1] for b in draft.level.default.plan.bodies.values()} == {0.0}
    spread(draft, Things(draft.level), entries, 0)
    places = [b.frame.position[0] for b in draft.level.default.plan.bodies.values()]
    assert places == pytest.approx([0.0, 3.0, 6.0, 9.0])
    with pytest.raises(Refused, match="two things"):
        align(draft, Things(draft.level), entries[:1], 0, "low")


def test_entries_of_an_included_file_are_taken_over_when_they_are_changed(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(COMMENTED, encoding="utf-8")
    draft = drafted(tmp_path, 'format = 1\ninclude = ["base.toml"]\nwithout = ["goal"]\n')
    change(draft, Things(draft.level), (("bodies", "cup"),), Change(shift=(0.0, 0.0, 1.0)))
    assert draft.level.default.plan.bodies["cup"].frame.position == (0.5, 3.0, 1.0)
    assert "[bodies.cup]" in draft.text
    removed(draft, Things(draft.level), (("bodies", "shelf"),))
    assert "shelf" in draft.checked.header.removed
    assert (tmp_path / "base.toml").read_text(encoding="utf-8") == COMMENTED


def test_every_field_of_every_part_can_be_written_as_it_is_shown() -> None:
    """What the inspector shows of a key is a value that the key takes."""
    count = 0
    for part in Palette().parts:
        draft = Draft(part.level)
        for entry in Things(draft.level).entries:
            for found in fields.fields(draft, entry).values():
                for field in found:
                    written = fields.value_of(draft, entry, field.path)
                    if written is not None and field.path[0] not in ("shape", "kind"):
                        fields.set_value(draft, entry, field.path, written)
                        count += 1
        assert load_text(draft.text, part.path).default.plan.joints.keys() == (
            part.level.default.plan.joints.keys()
        )
    assert count > 500


def test_shapes_kinds_motors_and_names_can_be_changed(tmp_path: Path) -> None:
    draft = drafted(tmp_path)
    for shape in ("sphere", "capsule", "cylinder", "cone", "box"):
        fields.set_value(draft, ("bodies", "shelf"), ("shape",), shape)
        assert draft.level.default.plan.bodies["shelf"].shape.name == shape
    for kind in ("ball", "fixed", "prismatic", "hinge"):
        fields.set_value(draft, ("joints", "nail"), ("kind",), kind)
        assert draft.level.default.plan.joints["nail"].kind == kind
    fields.add_table(draft, ("joints", "nail"), "motor")
    fields.set_value(draft, ("joints", "nail"), ("motor", "speed"), 3.0)
    assert draft.level.default.plan.drives[0].speed == 3.0
    fields.remove_table(draft, ("joints", "nail"), "motor")
    assert not draft.level.default.plan.drives
    assert fields.rename(draft, ("bodies", "cup"), "mug") == ("bodies", "mug")
    assert "y('mug') < 1" in draft.text
    assert draft.level.default.plan.joints["string"].b == "mug"
    with pytest.raises(Refused, match="already"):
        fields.rename(draft, ("bodies", "mug"), "shelf")


def test_what_a_level_is_about(tmp_path: Path) -> None:
    draft = drafted(tmp_path)
    about.set_text(draft, "title", "Other words")
    about.set_text(draft, "hint", "Drop the cup.")
    about.set_condition(draft, "lose", "time() > 9", 0.5, "Too late")
    about.set_stars(draft, (1.0, 2.0, 3.0))
    name = about.add_slider(draft)
    about.set_slider(draft, name, "max", 20)
    about.set_camera(draft, (1.0, 2.0, 9.0), (0.0, 1.0, 0.0), None)
    level = draft.level
    assert (level.title, level.hint) == ("Other words", "Drop the cup.")
    assert level.goal.lose is not None
    assert level.goal.lose.say == "Too late"
    assert level.parameters[name].max == 20
    assert level.camera.position == [1.0, 2.0, 9.0]
    with pytest.raises(Refused, match="still used"):
        about.remove_slider(draft, "h")
    assert "# of its author" in draft.text
    assert draft.text.endswith("# the end\n") or "# the end" in draft.text
    while draft.undo():
        pass
    assert draft.text == COMMENTED


def test_every_wish_is_a_condition(tmp_path: Path) -> None:
    draft = drafted(tmp_path, COMMENTED + "[zones.z]\ncenter = [0, 1, 0]\nsize = [1, 1, 1]\n")
    words = {"thing": "cup", "other": "shelf", "zone": "z", "joint": "string", "number": "1.5"}
    for wish in about.WISHES:
        about.set_condition(draft, "win", wish.condition.format(**words), 0.0, "")
        assert draft.level.goal.win is not None


def test_a_saved_draft_is_its_file(tmp_path: Path) -> None:
    draft = drafted(tmp_path)
    change(draft, Things(draft.level), (("bodies", "cup"),), Change(shift=(0.0, 0.0, 0.5)))
    assert draft.unsaved
    path = draft.save()
    assert path.read_text(encoding="utf-8") == draft.text
    assert not draft.unsaved
    assert not draft.level.changed()
    assert load(path).build().hash() == draft.level.build().hash()


def test_a_joint_is_given_another_body_and_the_world() -> None:
    """Its place stays; what it held at its other end it holds still."""
    draft = Draft(load_text(TWO_CRATES, Path("crates.toml")))
    entry = ("joints", "pin")
    assert [held.body for held in ends(draft, entry)] == ["left", "right"]
    hold(draft, entry, "second", "third")
    joint = draft.level.default.plan.joints["pin"]
    assert (joint.a, joint.b, joint.at) == ("left", "third", (0.5, 1.0, 0.0))
    hold(draft, entry, "first", None)
    joint = draft.level.default.plan.joints["pin"]
    assert (joint.a, joint.b, joint.at) == ("third", None, (0.5, 1.0, 0.0))
    with pytest.raises(Refused, match="at least one body"):
        hold(draft, entry, "first", None)
    assert draft.undo() is not None
    assert draft.undo() is not None
    assert draft.text == TWO_CRATES


def test_a_spring_goes_to_the_middle_and_a_rope_to_the_face_of_what_they_are_given() -> None:
    draft = Draft(load_text(TWO_CRATES, Path("crates.toml")))
    hold(draft, ("joints", "pull"), "second", "third")
    joint = draft.level.default.plan.joints["pull"]
    assert (joint.b, joint.at_b) == ("third", (3.0, 1.0, 0.0))
    hold(draft, ("props", "line"), "to", "third")
    assert [held.body for held in ends(draft, ("props", "line"))] == ["left", "third"]
    assert ends(draft, ("props", "line"))[1].point == pytest.approx((2.5, 1.0, 0.0))  # its face
    hold(draft, ("props", "line"), "from", None, (0.0, 4.0, 0.0))
    assert ends(draft, ("props", "line"))[0] == Held("from", None, (0.0, 4.0, 0.0))
    with pytest.raises(Refused, match="to itself"):
        hold(draft, ("joints", "pull"), "second", "left")


TWO_CRATES = """format = 1
title = "Crates"

[bodies.left]  # with a place to hold it
shape = "box"
size = [1, 1, 1]
position = [0, 1, 0]
mass = 2
frames.edge = [0.5, 0, 0]

[bodies.right]
shape = "box"
size = [1, 1, 1]
position = [1.2, 1, 0]
mass = 2

[bodies.third]
shape = "box"
size = [1, 1, 1]
position = [3, 1, 0]
mass = 2

[props.line]
kind = "rope"
from = "left"
to = [0, 3, 0]

[joints.pin]
kind = "ball"
bodies = ["left.edge", "right"]

[joints.pull]
kind = "spring"
bodies = ["left", "right"]
length = 1
stiffness = 100
"""


def test_what_only_the_engine_refuses_is_refused_at_once() -> None:
    """A particle has no orientation that a hinge could hold."""
    text = TWO_CRATES + "\n[particles.grain]\nposition = [0, 4, 0]\nmass = 1\n"
    draft = Draft(load_text(text, Path("crates.toml")))
    with pytest.raises(Refused, match="cannot hold a particle"):
        draft.edit(
            "weld", lambda t: t.add("joints", "weld", {"kind": "fixed", "bodies": ["grain"]})
        )
    assert draft.text == text
