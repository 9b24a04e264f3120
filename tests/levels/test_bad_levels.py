"""Every mistake has its message: the table of bad levels, compared word by word.

`bad_levels.txt` holds cases of the form

    === what is wrong
    the level file
    --- says
    the whole message, with {joint kinds}, {functions} … for the lists of them
"""

from pathlib import Path

import pytest

from levels import LevelError, load
from levels.actions import ACTIONS
from levels.document import SECTIONS
from levels.functions import FUNCTIONS
from levels.kinds import shape_models
from levels.level_tables import Header
from levels.problems import listing
from levels.table_checks import keys_of
from physics import JOINTS, SHAPES

_TABLE = Path(__file__).with_name("bad_levels.txt")
_LISTS = {
    "{joint kinds}": ", ".join(JOINTS),
    "{shapes}": listing(SHAPES, 40),
    "{functions}": listing(FUNCTIONS, 100)[: 400 - len("known functions: ") - 1] + "…",
    "{actions}": listing(ACTIONS, 60),
    "{sections}": ", ".join(SECTIONS),
    "{top keys}": listing([*keys_of(Header), *SECTIONS], 60),
    "{box keys}": listing([*keys_of(shape_models()["box"]), "repeat"], 60),
    "{sphere keys}": listing([*keys_of(shape_models()["sphere"]), "repeat"], 60),
}


def _cases() -> list[tuple[str, str, str]]:
    cases = []
    for block in _TABLE.read_text(encoding="utf-8").split("=== ")[1:]:
        name, _, rest = block.partition("\n")
        text, _, message = rest.partition("--- says\n")
        for mark, names in _LISTS.items():
            message = message.replace(mark, names)
        cases.append((name, text, message.rstrip("\n")))
    return cases


CASES = _cases()


def test_the_table_is_large() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize(("text", "message"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_message(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LevelError) as caught:
        load(path).build()
    assert str(caught.value) == message


def test_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(b'format = 1\ntitle = "caf\xe9"\n')
    with pytest.raises(LevelError) as caught:
        load(path)
    assert str(caught.value) == (
        "bad.toml: error: line 2, column 13: byte 0xe9 is not UTF-8 text; save the file as UTF-8"
    )


def test_file_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(b"# " + b"x" * 4_000_000)
    with pytest.raises(LevelError, match=r"the file has 4,000,002 bytes; a level may have"):
        load(path)


def test_line_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("format = 1\n" + "a." * 3000 + "b = 1\n", encoding="utf-8")
    with pytest.raises(LevelError, match=r"bad.toml:2:1: error: the line has 6,005 characters"):
        load(path)


def test_missing_file() -> None:
    with pytest.raises(LevelError, match=r"nowhere.toml: error: there is no such file"):
        load("nowhere.toml")


def test_misspelt_level() -> None:
    with pytest.raises(LevelError) as caught:
        load("crnae")
    assert str(caught.value).startswith('error: there is no level "crnae" (did you mean "crane"?)')


def test_include_circle(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('format = 1\ninclude = ["b.toml"]\n', encoding="utf-8")
    (tmp_path / "b.toml").write_text('format = 1\ninclude = ["a.toml"]\n', encoding="utf-8")
    with pytest.raises(LevelError, match=r"circle: a.toml → b.toml → a.toml"):
        load(tmp_path / "a.toml")


def test_include_through_a_link_stays_inside(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "secret.toml").write_text("format = 1\n", encoding="utf-8")
    (inside / "link.toml").symlink_to(outside / "secret.toml")
    (inside / "level.toml").write_text('format = 1\ninclude = ["link.toml"]\n', encoding="utf-8")
    with pytest.raises(LevelError, match=r'"link.toml" leaves the folder of the level'):
        load(inside / "level.toml")


def test_mistake_in_a_prefab_is_shown_in_the_prefab(tmp_path: Path) -> None:
    (tmp_path / "cart.toml").write_text(
        'format = 1\n[bodies.box]\nshape = "bax"\n', encoding="utf-8"
    )
    (tmp_path / "level.toml").write_text(
        'format = 1\n[bodies.cart]\nprefab = "cart"\n', encoding="utf-8"
    )
    with pytest.raises(LevelError, match=r'cart.toml:3:9: error: unknown shape "bax"'):
        load(tmp_path / "level.toml")
