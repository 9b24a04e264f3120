"""Documents name what there is: files, functions, commands; the diagrams follow the code."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("docs/architecture.md", "CONTRIBUTING.md", "README.md")
PLACE = re.compile(r"([\w/]+\.py): (\w+)")
NAMED = re.compile(r"`([\w/.]*/[\w.]*\w/?)`")  # paths have a slash


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def section(document: str, heading: str) -> str:
    return text_of(document).split(f"\n## {heading}\n")[1].split("\n## ")[0]


def path_of(written: str) -> Path:
    """Paths of the diagram of a step are those within physics/."""
    return ROOT / written if (ROOT / written).exists() else ROOT / "physics" / written


def defined(path: Path) -> set[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_named_functions_exist(document: str) -> None:
    for written, name in PLACE.findall(text_of(document)):
        path = path_of(written)
        assert path.is_file(), f"{document} names {written}"
        assert name in defined(path), f"{document}: {written} has no {name}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_named_files_exist(document: str) -> None:
    wrong = []
    for written in NAMED.findall(text_of(document)):
        own = next((p for p in (written, f"physics/{written}") if (ROOT / p).exists()), None)
        if own is None and not written.startswith((".venv", "dist")):
            wrong.append(written)
    assert not wrong, f"{document} names {wrong}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", text_of(document)):
        place = (ROOT / document).parent / target
        assert target.startswith("https://") or place.exists(), target


def test_every_fault_has_a_test_that_exists() -> None:
    rows = [line for line in text_of("docs/faults.md").splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 30
    for row in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", row)
        assert named, row
        for path, name in named:
            assert f"def {name}(" in text_of(path), f"{path}::{name}"


@pytest.mark.parametrize("document", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_lines_are_short_enough_to_read(document: str) -> None:
    for line in text_of(document).splitlines():
        assert len(line) <= 120 or line.startswith("|"), line


def test_the_diagram_of_a_step_is_the_docstring_of_the_loop() -> None:
    """The same stages in the same order, though each says it in its own words."""
    story = ast.get_docstring(ast.parse(text_of("physics/step.py"))) or ""
    told = re.findall(r"^ {4,8}(\w+) {3,}\S", story, re.MULTILINE)
    drawn = re.findall(
        r"^  (?:│ )?(\w+) {3,}\S", section("docs/architecture.md", "One step"), re.MULTILINE
    )
    assert len(told) > 10
    assert drawn == told


def test_every_paper_that_the_engine_names_is_in_its_list() -> None:
    listed = set(re.findall(r"^\| \[(\w+)\]", text_of("physics/NOTATION.md"), re.MULTILINE))
    for path in sorted((ROOT / "physics").rglob("*.py")):
        named = set(re.findall(r"\[([A-Z][a-zA-Z]+\d\d)\b", path.read_text(encoding="utf-8")))
        assert named <= listed, f"{path} names {named - listed}"


def test_every_file_at_the_top_of_physics_is_told_once() -> None:
    told = re.findall(
        r"`(\w+\.py)`", section("docs/architecture.md", "The files at the top of `physics/`")
    )
    there = [path.name for path in (ROOT / "physics").glob("*.py") if path.name != "__init__.py"]
    assert sorted(told) == sorted(there)


def test_the_diagram_of_a_frame_follows_the_loop() -> None:
    """In the order in which the game's frame calls them."""
    drawn = re.findall(r"^(\w+) {2,}", section("docs/architecture.md", "One frame"), re.MULTILINE)
    stages = "events commands accumulator steps snapshots renderer interface"
    assert drawn == stages.split()
    session = ast.parse(text_of("levels/runtime.py"))
    (step,) = [
        node
        for node in ast.walk(session)
        if isinstance(node, ast.FunctionDef) and node.name == "_step"
    ]
    calls = [
        node.func.attr
        for node in ast.walk(ast.Module(step.body, []))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    wanted = ["due", "play", "steer", "step", "judge"]
    lines = {name: step_line(step, name) for name in wanted}
    assert set(wanted) <= set(calls)
    assert sorted(wanted, key=lines.__getitem__) == wanted


def step_line(function: ast.FunctionDef, name: str) -> int:
    return next(
        node.lineno
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and node.attr == name
    )


def test_every_part_of_a_session_is_told() -> None:
    """Each saves and restores itself."""
    parts = re.findall(r"`([\w/]+\.py): (\w+)` \|$", section_of_parts(), re.MULTILINE)
    assert len(parts) >= 7
    for path, name in parts:
        tree = ast.parse(text_of(path))
        (part,) = [
            node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name
        ]
        methods = {node.name for node in part.body if isinstance(node, ast.FunctionDef)}
        assert "restore" in methods, f"{path}: {name}"


def section_of_parts() -> str:
    return section("docs/architecture.md", "A session and its parts")


def test_contributing_names_modules_that_run() -> None:
    for name in re.findall(r"python -m ([\w.]+)", text_of("CONTRIBUTING.md")):
        path = ROOT / name.replace(".", "/")
        if (ROOT / name.split(".")[0]).is_dir():
            assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), name


def test_the_changelog_is_kept_by_version() -> None:
    """Versions newest first; under each Added, Changed, Fixed in that order; one line each."""
    text = text_of("CHANGELOG.md")
    versions = re.findall(r"^## (\S+)", text, re.MULTILINE)
    assert versions == sorted(versions, key=lambda v: [int(n) for n in v.split(".")], reverse=True)
    for version in text.split("\n## ")[1:]:
        headings = re.findall(r"^### (\w+)$", version, re.MULTILINE)
        assert headings == [h for h in ("Added", "Changed", "Fixed") if h in headings]
        assert headings, version.split("\n")[0]
        for line in version.split("\n")[1:]:
            assert not line or line.startswith(("### ", "- ")), f"one line each: {line}"
