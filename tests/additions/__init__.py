"""What it takes to add one more: a new one of each noun, really added to a copy of the tree.

    python -m tests.additions              adds all in turn and prints the table of docs/house.md
    python -m tests.additions shape prop   these alone

An addition is what somebody would write: new files, and lines in the files that are there. A check
then asks the program for it: levels, help, lists and generic tests must know it without more. What
is generated (reference, gallery) and the changelog are not counted.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("physics", "levels", "sandbox", "shaders", "tests")
Insertions = list[tuple[str, str]]  # a line that is there, and what follows it from now on


@dataclass(frozen=True)
class Addition:
    """One more of a noun."""

    noun: str
    example: str
    check: str  # Python, run in the changed tree
    new: dict[str, str] = field(default_factory=dict)  # path → text
    changed: dict[str, Insertions] = field(default_factory=dict)
    remark: str = ""
    tests: tuple[str, ...] = ()  # files of generic tests that must find it
    tests_named: str = ""  # those of them, as for -k; all if left out by every addition
    copy: str = "game"  # of the tree, which it is tried in with others; "kernels": no step there
    slow: bool = False  # compiles kernels, by itself

    @property
    def files(self) -> list[str]:
        return [*self.new, *self.changed]


def copy_tree(to: Path) -> None:
    """The sources, without pictures of tests and what was compiled."""
    left_out = shutil.ignore_patterns("__pycache__", "golden", "*.jpg", "*.png")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, to / folder, ignore=left_out)
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, to / name)


def add(addition: Addition, tree: Path) -> None:
    """Write the new files, and each insertion after the one line that it names."""
    for path, text in addition.new.items():
        assert not (tree / path).exists(), f"{path} is there already"
        (tree / path).write_text(text, encoding="utf-8")
    for path, insertions in addition.changed.items():
        text = (tree / path).read_text(encoding="utf-8")
        for line, following in insertions:
            assert text.count(f"{line}\n") == 1, f"{path} has not one line {line!r}"
            text = text.replace(f"{line}\n", f"{line}\n{following}")
        (tree / path).write_text(text, encoding="utf-8")


def run(tree: Path, *arguments: str) -> None:
    """Python in a tree of its own, with the libraries of this one."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, f"{arguments}: {done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def check(additions: Iterable[Addition], tree: Path) -> None:
    """The program knows them all, and so do the generic tests: two processes, however many."""
    for addition in additions:
        add(addition, tree)
    run(tree, "-c", "\n".join(f"print({one.noun!r})\n{one.check}" for one in additions))
    tests = dict.fromkeys(test for one in additions for test in one.tests)
    named = " or ".join(one.tests_named for one in additions if one.tests_named)
    if tests:
        chosen = ["-k", named] if named else []
        run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests, *chosen)
