"""Levels made to hurt: each ends at once with a sentence, and the work grows with the file.

Nothing here asks for a time: work is counted in calls, which are the same on every machine, and a
level that would never end trips over a limit of calls.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from levels import LevelError, load
from tests.levels.work import CallCounter

BALL = '[bodies.ball]\nshape = "sphere"\nradius = 1\nmass = 1\n'


def _refused(path: Path) -> tuple[str, int]:
    """What is said about a bad level, and how many calls it took to find out and say it."""
    with CallCounter() as counter, pytest.raises(LevelError) as caught:
        load(path)
    with counter:
        return str(caught.value), counter.calls


@pytest.fixture
def refused(tmp_path: Path) -> Callable[..., tuple[str, int]]:
    def refuse(text: str, **files: str) -> tuple[str, int]:
        for name, other in files.items():
            (tmp_path / f"{name}.toml").write_text(f"format = 1\n{other}", encoding="utf-8")
        path = tmp_path / "level.toml"
        path.write_text(f"format = 1\n{text}", encoding="utf-8")
        return _refused(path)

    return refuse


Refuse = Callable[[str], tuple[str, int]]


def _include(names: Iterator[str] | list[str]) -> str:
    return f"include = [{', '.join(repr(name) for name in names)}]\n"


def test_an_include_bomb_ends(refused: Callable[..., tuple[str, int]]) -> None:
    """Thirty files that name each other thirty times."""
    names = [f"f{i}" for i in range(30)]
    text, _ = refused(_include(["f0"]), **dict.fromkeys(names, _include(names)))
    assert "the files include each other in a circle: f0.toml → f0.toml" in text


def test_includes_that_multiply_end(refused: Callable[..., tuple[str, int]]) -> None:
    """Without a circle: each file includes the next one thirty times."""
    files = {f"f{i}": _include([f"f{i + 1}"] * 30) for i in range(6)}
    text, _ = refused(_include(["f0"]), **files, f6=BALL)
    assert "error: files are included more than 256 times in all" in text


@pytest.mark.parametrize("mass", ["", "mass = 2\n"])
def test_prefabs_that_multiply_end(mass: str, refused: Callable[..., tuple[str, int]]) -> None:
    """Also where their masses are weighed beforehand."""
    use = '[bodies.x{}]\nprefab = "p{}"\n' + mass
    files = {f"p{i}": "".join(use.format(k, i + 1) for k in range(30)) for i in range(6)}
    text, _ = refused(use.format(0, 0), **files, p6=BALL)
    assert "error: prefabs are used more than 2,000 times in all" in text


def _materials(n: int) -> str:
    return BALL + "".join(f"[materials.m{i}]\nfriction = 1\n" for i in range(n))


def test_a_large_file_that_is_included_again_and_again(
    refused: Callable[..., tuple[str, int]],
) -> None:
    text, _ = refused(_include(["big"] * 200), big=_materials(2000))
    assert "error: includes bring more than 100,000 entries" in text


def test_a_large_prefab_that_is_used_again_and_again(
    refused: Callable[..., tuple[str, int]],
) -> None:
    uses = "".join(f'[bodies.x{i}]\nprefab = "big"\n' for i in range(1000))
    text, _ = refused(uses, big=_materials(1000))
    assert "error: prefabs bring more than 100,000 entries" in text


def test_files_that_are_large_together(refused: Callable[..., tuple[str, int]]) -> None:
    comment = "# " + "\n# ".join(["x" * 3000] * 1000)
    text, _ = refused(_include(["a", "b"]), a=comment, b=comment)
    assert "error: the files of the level have more than 4,000,000 bytes together" in text


def test_a_level_that_includes_itself(refused: Refuse) -> None:
    text, _ = refused(_include(["level"]))
    assert "the files include each other in a circle: level.toml → level.toml" in text


def test_links_to_themselves(tmp_path: Path, refused: Refuse) -> None:
    for a, b in (("a", "b"), ("b", "a"), ("self", "self")):
        (tmp_path / f"{a}.toml").symlink_to(tmp_path / f"{b}.toml")
    for name in ("a", "self"):
        text, _ = refused(_include([name]))
        assert f'error: there is no file "{name}.toml"' in text
        with pytest.raises(LevelError, match="there is no such file"):
            load(tmp_path / f"{name}.toml")


@pytest.mark.parametrize(
    "text",
    [
        "[" + "a." * 1900 + "a]\n",
        "a." * 1900 + "a = 1\n",
        '"a" . ' * 600 + "a = 1\n",
        "'a'." * 900 + "a = 1\n",
        "x = { " + "a." * 1000 + "a = 1 }\n",
        "x = { y = 1, " + "a." * 1000 + "a = 1 }\n",
        "\n".join("a." * 1900 + f"a{i} = 1" for i in range(1000)),
    ],
)
def test_deep_keys(text: str, refused: Refuse) -> None:
    assert "error: the key has more than 12 parts" in refused(text)[0]


def test_dots_in_texts_are_no_keys(tmp_path: Path) -> None:
    path = tmp_path / "level.toml"
    words = ".".join("abcdefghijklmnop")
    path.write_text(f'format = 1\ntitle = "{words}"\n# {words}\n{BALL}', encoding="utf-8")
    assert load(path).title == words


@pytest.mark.parametrize("deep", ["[\n" * 5000, "[" * 1500, "{ a = " * 600])
def test_nesting_without_end(deep: str, refused: Refuse) -> None:
    assert "lists or tables are nested too deeply" in refused(f"x = {deep}")[0]


def test_nesting_that_ends_too_late(refused: Refuse) -> None:
    assert "tables are nested more than 12 deep" in refused(f"x = {'[' * 100}{']' * 100}\n")[0]


_LONG = "a" * 3000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f'[bodies.{_LONG}]\nshape = "box"\n', '" cannot be a name|…'),
        (_include([_LONG]), 'there is no file "aaa'),
        (f'[bodies.x]\nprefab = "{_LONG}"\n', 'there is no file "aaa'),
        (f'[cloths.x]\nmesh = "{_LONG}.obj"\n', 'there is no file "aaa'),
        (f'[bodies.x]\nshape = "{_LONG}"\n', 'unknown shape "aaa'),
        (f"{_LONG} = 1\n", 'unknown key "aaa'),
        (f'{BALL}[[expect]]\nat = 1\ncheck = "{_LONG}"\n', '"check" has 3000 characters'),
        (f'{BALL}[joints.j]\nkind = "ball"\nbodies = ["{_LONG}"]\n', 'bodies'),
        (f'{BALL}color = "{_LONG}"\n', 'unknown colour "aaa'),
    ],
)  # fmt: skip
def test_long_names(text: str, says: str, refused: Refuse) -> None:
    """Said, but not repeated at length."""
    told, _ = refused(text)
    assert any(part in told for part in says.split("|"))
    assert max(map(len, told.split("\n"))) < 500


def test_a_million_entries(refused: Refuse) -> None:
    text, _ = refused(f"{BALL}position = [\n" + "0,\n" * 1_000_000 + "]\n")
    assert "the lists of the file have 1,000,000 entries; 200,000 are allowed" in text


def test_a_list_that_is_too_long(refused: Refuse) -> None:
    text, _ = refused(f"{BALL}position = [\n" + "0,\n" * 60_000 + "]\n")
    assert "level.toml:6:12: error: the list has 60,000 entries; 50,000 are allowed" in text


def _unknown_bodies(n: int) -> str:
    return "".join(
        f'[bodies.b{i}]\nshape = "sphere"\nradius = 1\nmass = 1\n'
        f'[joints.j{i}]\nkind = "ball"\nbodies = ["c{i}", "b{i}"]\n'
        for i in range(n)
    )


def _unknown_shapes(n: int) -> str:
    return "".join(f'[bodies.b{i}]\nshape = "spher{i}"\n' for i in range(n))


def _unknown_parameters(n: int) -> str:
    known = "[parameters]\n" + "".join(f"p{i} = {{ default = 1 }}\n" for i in range(n))
    return known + "".join(
        f'[bodies.b{i}]\nshape = "sphere"\nradius = "=q{i}"\nmass = 1\n' for i in range(n)
    )


def _unknown_keys(n: int) -> str:
    return BALL + "".join(f"key{i} = 1\n" for i in range(n))


def _unknown_ends(n: int) -> str:
    ropes = (f'[props.p{i}]\nkind = "rope"\nfrom = "c{i}"\nto = "ball"\n' for i in range(n))
    return BALL + "".join(ropes)


def _later_ends(n: int) -> str:
    return BALL + "".join(
        f'[props.p{i}]\nkind = "rope"\nfrom = "p{i + 1}"\nlength = 1\nsegments = 2\n'
        for i in range(n)
    )


def _unknown_removals(n: int) -> str:
    return "removed = [\n" + "".join(f'"x{i}",\n' for i in range(n)) + "]\n" + BALL


_MANY = [
    _unknown_bodies,
    _unknown_shapes,
    _unknown_parameters,
    _unknown_keys,
    _unknown_ends,
    _later_ends,
    _unknown_removals,
]


@pytest.mark.parametrize("level", _MANY)
def test_two_thousand_unknown_names(level: Callable[[int], str], refused: Refuse) -> None:
    """Four times the names are no more than some four times the work."""
    refused(level(50))  # what is made once is made
    _, few = refused(level(500))
    text, many = refused(level(2000))
    assert "error: " in text
    assert text.count("\n") < 100
    assert many < 6 * few


def test_many_mistakes_are_not_counted_to_the_end(refused: Refuse) -> None:
    assert refused(_unknown_shapes(2000))[0].endswith("\n… and more")
    assert refused(_unknown_shapes(30))[0].endswith("\n… and 10 more")


def test_control_characters_do_not_reach_the_terminal(refused: Refuse) -> None:
    """Written as escapes, in names, values, texts and files, or raw where TOML refuses them."""
    for text in (
        '[bodies."\\u001b[31mred\\u0007"]\nshape = "box"\n',
        '[bodies.b]\nshape = "\\u001b]0;title\\u0007\\u009b2J\\u202e"\n',
        'include = ["\\u001b[2J"]\n',
        'title = "\x1b[31m"\n',
        f"{BALL}[[expect]]\nat = 1\ncheck = \"y('\\u001b[31m') < 1\"\n",
        '"\\u001b[31m" = 1\n',
    ):
        told, _ = refused(text)
        assert all(c == "\n" or c.isprintable() for c in told), repr(told)
        assert "error: " in told
