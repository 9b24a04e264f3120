"""The site: every code block of its pages runs, every lesson holds, every page is in the index."""

import ast
import re
import shlex
import shutil
from pathlib import Path

import pytest

from sandbox.cli import main

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(path.stem for path in DOCS.glob("*.md"))
FENCE = re.compile(r"^```(\S+?)( [^\n]*)?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
EXECUTED = {"python", "console", "toml"}
SHOWN = {"text", ""}  # commands that need another machine, diagrams


def blocks(page: str) -> list[tuple[str, str, str]]:
    """Language, what stands after it, and text of every block."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return [(match[1], match[2] or "", match[3]) for match in FENCE.finditer(text)]


def test_there_are_pages() -> None:
    wanted = {"index", "tutorial", "physics", "architecture", "adding_a_joint", "teachers", "api"}
    assert wanted | {"sweeps", "learning", "import_export", "data"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_blocks_are_of_kinds_that_are_executed(page: str) -> None:
    for language, _, _ in blocks(page):
        assert language in EXECUTED | SHOWN or language.startswith("{"), language


@pytest.mark.parametrize("page", [p for p in PAGES if {b[0] for b in blocks(p)} & EXECUTED])
def test_every_block_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the page, in one namespace and one empty folder with the lessons in it."""
    monkeypatch.chdir(tmp_path)
    for lesson in (DOCS / "lessons").glob("*.toml"):
        shutil.copy(lesson, tmp_path)
    names: dict[str, object] = {}
    for language, info, text in blocks(page):
        if language == "python":
            tree = ast.parse(text)
            exec(compile(tree, f"{page}.md", "exec"), names)
        elif language == "toml":
            name = re.search(r"file=(\S+)", info)
            assert name, "a level of a page has a name: ```toml file=swing.toml"
            (tmp_path / name[1]).write_text(text, encoding="utf-8")
        elif language == "console":
            for command in re.findall(r"^\$ sandbox (.*)$", text, re.MULTILINE):
                assert main(_words(command)) == 0, command


def _words(command: str) -> list[str]:
    """As a shell would; quotes within expressions are kept."""
    return [word.replace("\0", "'") for word in shlex.split(command.replace("'", "\0"))]


def test_lessons_hold(capsys: pytest.CaptureFixture[str]) -> None:
    lessons = sorted(DOCS.glob("lessons/*.toml"))
    assert len(lessons) == 6
    assert main(["test", *map(str, lessons)]) == 0, capsys.readouterr().out
    text = (DOCS / "teachers.md").read_text(encoding="utf-8")
    assert all(f"lessons/{lesson.name}" in text for lesson in lessons)


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    for page in set(PAGES) - {"index"}:
        assert re.search(rf"^{page}$", index, re.MULTILINE), page


def test_links_between_pages_lead_somewhere() -> None:
    made = {f"pages/{name}" for name in re.findall(r'": "(\w+\.md)"', _conf())}
    for page in PAGES:
        text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if not target.startswith(("https:", "../")):
                assert target in made or (DOCS / target).is_file(), f"{page}: {target}"


def _conf() -> str:
    return (DOCS / "conf.py").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_site_is_built_without_warnings(tmp_path: Path) -> None:
    build = pytest.importorskip("sphinx.cmd.build")
    assert build.main(["-W", "--keep-going", "-q", str(DOCS), str(tmp_path)]) == 0
    assert (tmp_path / "teachers.html").is_file()
