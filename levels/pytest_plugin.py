"""pytest collects level files: `pytest my_levels/` runs every `[[expect]]` as a test.

Installed through the entry point `pytest11`, so it works in other projects, too. Which `.toml`
files are levels is decided by `levels.library.is_level_file`, as for `sandbox test`. Nothing heavy
is imported until a level is really collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from levels.headless import Result


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "taut_allow_frozen",
        "let levels pass in which the guard held something still",
        type="bool",
        default=False,
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> LevelFile | None:
    if file_path.suffix != ".toml":
        return None
    from levels.library import is_level_file

    return LevelFile.from_parent(parent, path=file_path) if is_level_file(file_path) else None


class LevelFile(pytest.File):
    """One level; it runs once, when the first of its tests asks for the result."""

    _result: Result | None = None

    def collect(self) -> Iterator[pytest.Item]:
        from levels import LevelError, load
        from levels.text import printable

        try:
            level = load(self.path)
        except LevelError as error:
            raise self.CollectError(str(error)) from None
        yield RunItem.from_parent(self, name="stays finite")
        for i, expected in enumerate(level.default.rules.expectations):
            yield ExpectationItem.from_parent(self, name=printable(expected.name), index=i)

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
            from levels.text import printable

            return printable(str(excinfo.value))
        return super().repr_failure(excinfo, style)


class RunItem(_LevelItem):
    """The level runs to its end without leaving the finite numbers, and nothing is held still."""

    def runtest(self) -> None:
        from levels.headless import frozen_sentence

        result = self.parent.result()
        if result.diverged_at is not None:
            raise LevelFailure(f"{self.path.name}: diverged at {result.diverged_at:.3f} s")
        if result.frozen_steps and not self.config.getini("taut_allow_frozen"):
            raise LevelFailure(
                f"{self.path.name}: {frozen_sentence(result.frozen_steps)} "
                "(`taut_allow_frozen = true` in the settings of pytest allows it)"
            )

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
