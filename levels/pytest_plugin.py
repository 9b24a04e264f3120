"""pytest collects level files: `pytest my_levels/` runs every `[[expect]]` as a test.

Installed through the entry point `pytest11`, so it works in other projects, too. A `.toml` file is
taken for a level when it begins like one (a `format = 1` line before the first heading); all other
TOML files are left alone. Nothing heavy is imported until a level is really collected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from levels.headless import Result

_HEADING = re.compile(r"^\s*\[", re.MULTILINE)
_FORMAT = re.compile(r"^\s*format\s*=\s*1\s*(#.*)?$", re.MULTILINE)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> LevelFile | None:
    if file_path.suffix != ".toml" or not _is_level(file_path):
        return None
    return LevelFile.from_parent(parent, path=file_path)


def _is_level(path: Path) -> bool:
    try:
        text = path.read_text(encoding="utf-8")[:20_000]
    except (OSError, UnicodeDecodeError):
        return False
    top = _HEADING.split(text, maxsplit=1)[0]
    return bool(_FORMAT.search(top))


class LevelFile(pytest.File):
    """One level; it runs once, when the first of its tests asks for the result."""

    _result: Result | None = None

    def collect(self) -> Iterator[pytest.Item]:
        from levels import LevelError, load

        try:
            level = load(self.path)
        except LevelError as error:
            raise self.CollectError(str(error)) from None
        if not level.default.plan.known_bodies():
            return
        yield RunItem.from_parent(self, name="stays finite")
        for i, expected in enumerate(level.default.rules.expectations):
            yield ExpectationItem.from_parent(self, name=expected.name, index=i)

    def result(self) -> Result:
        if self._result is None:
            from levels import Session, load
            from levels.headless import run

            level = load(self.path)
            self._result = run(Session(level, scripted=True), level.seconds())
        return self._result


class LevelFailure(Exception):
    """An expectation did not hold."""


class _LevelItem(pytest.Item):
    parent: LevelFile

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, LevelFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


class RunItem(_LevelItem):
    """The level runs to its end without leaving the finite numbers."""

    def runtest(self) -> None:
        result = self.parent.result()
        if result.diverged_at is not None:
            raise LevelFailure(f"{self.path.name}: diverged at {result.diverged_at:.3f} s")

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.stem}: {self.name}"


class ExpectationItem(_LevelItem):
    """One `[[expect]]` of the level."""

    def __init__(self, *, index: int, **options: Any) -> None:
        super().__init__(**options)
        self.index = index

    def runtest(self) -> None:
        outcome = self.parent.result().outcomes[self.index]
        if outcome.state == "failed":
            line = outcome.expected.place.span().line
            raise LevelFailure(
                f"{self.path.name}:{line}: {outcome.name}\n"
                f"failed at {outcome.when or 0.0:.3f} s: {outcome.values}"
            )

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.stem}: {self.name}"
