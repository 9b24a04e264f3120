"""A kernel's stamp must know every file the kernel is made of."""

import ast
from collections.abc import Callable
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


def stamp_with(
    monkeypatch: pytest.MonkeyPatch, file: Path, edit: Callable[[str], str], kernel: Path
) -> str:
    """The stamp of a kernel's file if another file were edited."""
    read = Path.read_text
    caches = (
        sources._content,
        sources._imports,
        sources._names_from_params,
        sources._constants,
        sources.stamp,
    )

    def edited(path: Path, *given: str, **options: str) -> str:
        text = read(path, *given, **options)
        return edit(text) if path == file else text

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", edited)
        for each in caches:
            each.cache_clear()
        found = sources.stamp(kernel)
    for each in caches:
        each.cache_clear()
    return found


STEP, LINALG = PACKAGE / "step.py", PACKAGE / "linalg.py"


def test_a_change_below_changes_the_stamp(monkeypatch: pytest.MonkeyPatch) -> None:
    assert LINALG in sources.files_behind(STEP)
    before = sources.stamp(STEP)

    def edit(text: str) -> str:
        return text.replace("return ", "return  1.0 * ", 1)

    assert stamp_with(monkeypatch, LINALG, edit, STEP) != before


def test_words_leave_the_stamp(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sources.stamp(STEP)

    def edit(text: str) -> str:
        return text.replace('"""', '"""Other words: # and "quotes".\n\n', 1) + "\n# a remark\n"

    assert stamp_with(monkeypatch, LINALG, edit, STEP) == before


def test_of_the_constants_those_count_that_are_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sources.stamp(LINALG), sources.stamp(STEP)
    used = sorted({name for file in sources.files_behind(STEP) for name in constants(file)})

    def with_another(text: str) -> str:
        return text + "\n# Share of what nobody asks for.\nUNHEARD_OF = 0.5\n"

    assert stamp_with(monkeypatch, sources.PARAMS, with_another, STEP) == before[1]
    for name in used[::12]:

        def with_other_value(text: str, name: str = name) -> str:
            return text.replace(f"\n{name} = ", f"\n{name} = 7.0 * ")

        assert stamp_with(monkeypatch, sources.PARAMS, with_other_value, STEP) != before[1]


def constants(path: Path) -> set[str]:
    """What a file imports from params.py, by its syntax tree."""
    return {
        alias.name
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom) and node.module == "physics.params"
        for alias in node.names
    }


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_code_is_all_but_words(path: Path) -> None:
    assert sources._names_from_params(path) == constants(path)
    text = path.read_text(encoding="utf-8")
    assert without_words(sources.code(text)) == without_words(text)


def without_words(text: str) -> str:
    """The syntax tree without docstrings; a body of nothing else is `pass`."""
    lines = ast.parse(complete(text))
    for node in ast.walk(lines):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [part for part in body if not is_word(part)]  # type: ignore[attr-defined]
    return ast.dump(lines)


def is_word(part: ast.stmt) -> bool:
    said = isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
    return said or isinstance(part, ast.Pass)


def complete(text: str) -> str:
    """The source with `pass` where a body is left without a line."""
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        before = lines[-1] if lines else ""
        opens = before.rstrip().endswith(":") and before.lstrip().startswith(("def ", "class "))
        inside = len(line) - len(line.lstrip()) > len(before) - len(before.lstrip())
        if opens and line.strip() and not inside:
            lines.append(" " * (len(before) - len(before.lstrip()) + 4) + "pass")
        lines.append(line)
    return "\n".join(lines)
