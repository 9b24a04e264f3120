"""A session is composed: its parts have their own state, and nobody reaches into another's."""

import ast
from collections import Counter
from pathlib import Path

from tests.test_architecture import _foreign_privates, modules

ROOT = Path(__file__).parents[2]
OF_TOMLKIT = "document._insert_after"  # it has no public way to insert before the first table


def test_nobody_in_levels_reaches_into_another_object() -> None:
    for path in modules("levels"):
        found = _foreign_privates(ast.parse(path.read_text(encoding="utf-8")))
        wrong = [(line, name) for line, name in found if name != OF_TOMLKIT]
        assert not wrong, f"{path}: {wrong}"


def test_a_session_is_composed_not_inherited() -> None:
    tree = ast.parse((ROOT / "levels/runtime.py").read_text(encoding="utf-8"))
    (session,) = (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Session")
    assert [ast.unparse(base) for base in session.bases] == ["Guarded"]  # refuses misspelt names


def test_modules_of_levels_have_names_of_their_own() -> None:
    """One can say or search for a module by its name alone."""
    packages = ("physics", "levels", "sandbox")
    names = Counter(path.stem for package in packages for path in modules(package))
    shared = {
        path.stem
        for path in modules("levels")
        if names[path.stem] > 1 and not path.stem.startswith("_")
    }
    assert not shared


def test_numbers_are_added_one_after_the_other() -> None:
    """As every Python does it, so that a level gives the same bits on all of them."""
    from levels.frames import added

    assert added([1e16, 1.0, -1e16]) == 0.0
    assert added([0.1] * 10) == 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 != 1.0
