"""Every script of examples/ is short, says what it does, and runs."""

import ast
import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.py"))


def test_there_is_a_gallery() -> None:
    assert len(EXAMPLES) >= 8


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_is_short_and_says_what_it_does(name: str) -> None:
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 40
    assert ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_runs(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A few steps of it, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(FOLDER / f"{name}.py"))["main"](steps=4)
    assert "nan" not in capsys.readouterr().out


def test_each_is_in_the_readme() -> None:
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    missing = [name for name in EXAMPLES if f"`{name}`" not in readme]
    assert not missing, missing
