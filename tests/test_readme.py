"""The README is true: its commands are those CI runs, its map is the tree, its examples work."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAPPED = ("physics", "levels", "sandbox", "tests")  # their folders must all be in the map


def section(heading: str) -> str:
    found = re.search(
        rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", README, re.DOTALL | re.MULTILINE
    )
    assert found, f"the README has no section {heading}"
    return found[1]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def folder_map() -> dict[str, str]:
    """Path → description of every line of the map; nesting is two blanks."""
    (text,) = blocks(section("Where things are"), "")
    entries: dict[str, str] = {}
    parent = ""
    for line in text.splitlines():
        name, _, description = line.strip().partition(" ")
        nested = line.startswith("  ")
        parent = parent if nested else name
        entries[parent + name if nested else name] = description.strip()
    return entries


def folders(parent: Path) -> set[str]:
    """Folders with sources in them, as the map writes them."""
    found = set()
    for path in parent.iterdir():
        hidden = path.name.startswith((".", "_")) and path.name != ".ci"
        kinds = (
            {file.suffix for file in path.rglob("*") if file.is_file()} if path.is_dir() else set()
        )
        if (
            path.is_dir()
            and not hidden
            and (kinds & {".py", ".toml", ".glsl"} or path.name == ".ci")
        ):
            found.add(path.relative_to(ROOT).as_posix() + "/")
    return found


def test_everything_in_the_map_exists() -> None:
    for name, description in folder_map().items():
        path = ROOT / name
        assert path.is_dir() if name.endswith("/") else path.is_file(), name
        assert description, f"{name} has no description"


@pytest.mark.parametrize("parent", MAPPED)
def test_every_folder_is_in_the_map(parent: str) -> None:
    assert folders(ROOT / parent) <= folder_map().keys()


def test_every_top_folder_is_in_the_map() -> None:
    built = {"build/", "dist/", "out/"}
    assert folders(ROOT) - built <= folder_map().keys()


def test_ci_runs_the_commands_word_for_word() -> None:
    written = [blocks(section(name), "sh") for name in ("Play", "Test")]
    assert [len(found) for found in written] == [1, 1], "one command each"
    told = subprocess.run(
        [ROOT / ".ci/run", "commands"], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert told.stdout == written[0][0] + written[1][0]
    assert len(told.stdout.splitlines()) == 2, "one line each"


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_named_modules_exist() -> None:
    table = section("Where the numbers come from")
    for name, benchmark in re.findall(r"python -m ([\w.]+)(?: (\w+))?", table):
        folder = ROOT / name.replace(".", "/")
        program = folder / f"{benchmark}.py" if folder.is_dir() else folder.with_suffix(".py")
        assert program.is_file(), program
    for name in re.findall(r"pytest -s (\S+)`", section("Where the numbers come from")):
        assert list((ROOT / name).glob("test_*.py")), name


def test_console_commands_exist() -> None:
    from levels.library import is_shipped

    for verb, level in re.findall(r"^\$ sandbox (\w+) ?(\w*)", README, re.MULTILINE):
        assert (ROOT / f"sandbox/commands/{verb}.py").is_file(), verb
        assert not level or is_shipped(level), level


def test_python_example_runs() -> None:
    (code,) = blocks(README, "python")
    exec(compile(code.replace("600", "6"), "README.md", "exec"), {})


@pytest.mark.parametrize("path", ["README.md", "CHANGELOG.md", "physics/NOTATION.md"])
def test_lines_are_short_enough_to_read(path: str) -> None:
    for line in (ROOT / path).read_text(encoding="utf-8").splitlines():
        assert len(line) <= 120 or line.startswith(("|", "python3")), line


def test_the_glossary_names_what_there_is() -> None:
    """Every `file.py`: `name` of the glossary is defined there."""
    text = (ROOT / "physics/NOTATION.md").read_text(encoding="utf-8")
    glossary = text.split("## Glossary")[1].split("\n## ")[0]
    places = re.findall(r"`([\w/]+\.py)`: `(\w+)`", glossary)
    assert len(places) > 20
    for path, name in places:
        source = (ROOT / "physics" / path).read_text(encoding="utf-8")
        assert re.search(rf"^\s*(def|class) {name}\b", source, re.MULTILINE), f"{path}: {name}"
