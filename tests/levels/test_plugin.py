"""The pytest plugin: levels of any folder become tests."""

from pathlib import Path

import pytest

import levels.level  # noqa: F401  numpy must be loaded before pytester forgets new modules

pytest_plugins = ["pytester"]

_LEVEL = """\
format = 1
[bodies.ball]
shape = "sphere"
radius = 0.5
position = [0, 10, 0]
mass = 1
[[expect]]
name = "it falls"
at = 0.2
check = "y('ball') < {height}"
"""


@pytest.fixture
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    # where the project is installed its entry point would load the plugin a second time
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makefile(".toml", good=_LEVEL.format(height=10))
    pytester.makefile(".toml", bad=_LEVEL.format(height=5))
    pytester.makefile(".toml", other="[tool.x]\nformat = 1\n")
    pytester.makefile(".toml", wrong='format = 1\n[bodies.b]\nshape = "bax"\n')
    return pytester.path


@pytest.mark.usefixtures("folder")
def test_levels_are_collected(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("-p", "levels.pytest_plugin", "good.toml", "bad.toml")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["bad.toml:7: it falls", "failed at 0.200 s: y('ball') = 9.*"])


@pytest.mark.usefixtures("folder")
def test_bad_level_is_an_error_with_its_message(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("-p", "levels.pytest_plugin", "wrong.toml")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(['*wrong.toml:3:9: error: unknown shape "bax"*'])


@pytest.mark.usefixtures("folder")
def test_other_files_are_left_alone(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("-p", "levels.pytest_plugin", "--co", ".")
    assert "other.toml" not in result.stdout.str()
