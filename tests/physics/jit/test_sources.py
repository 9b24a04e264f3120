"""A kernel's stamp must know every file the kernel is made of."""

import ast
from pathlib import Path

import pytest

from physics.jit import sources

PACKAGE = sources.PACKAGE
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> set[Path]:
    """What a file imports at its top level, by its syntax tree."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        assert not isinstance(node, ast.Import) or not any(
            alias.name.startswith("physics") for alias in node.names
        ), f"{path}: write `from physics… import …`, which the stamp understands"
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "physics":
            base = PACKAGE.joinpath(*str(node.module).split(".")[1:])
            names = [base / f"{alias.name}.py" for alias in node.names]
            found |= {base.with_suffix(".py"), base / "__init__.py", *names}
    return {file for file in found if file.is_file()}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_are_seen(path: Path) -> None:
    door = {PACKAGE / "__init__.py"}
    assert set(sources._imports(path)) == imported(path) - door - sources._KEEPERS


def test_a_change_below_changes_the_stamp(monkeypatch: pytest.MonkeyPatch) -> None:
    step, linalg = PACKAGE / "step.py", PACKAGE / "linalg.py"
    assert linalg in sources.files_behind(step)
    before = sources.stamp(step)
    content = sources._content

    def edited(path: Path) -> bytes:
        return content(path) + b"\n" if path == linalg else content(path)

    monkeypatch.setattr(sources, "_content", edited)
    sources.stamp.cache_clear()
    try:
        assert sources.stamp(step) != before
    finally:
        monkeypatch.undo()
        sources.stamp.cache_clear()
