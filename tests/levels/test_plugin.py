"""The pytest plugin: levels of any folder become tests."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import levels.level
from physics.jit import cache_folder

pytest_plugins = ["pytester"]
_KERNELS = cache_folder()  # asked now: pytester moves the home folder

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
    if _KERNELS is not None:  # else every run would compile the physics anew
        monkeypatch.setenv("XDG_CACHE_HOME", str(_KERNELS.parents[1]))
    pytester.makefile(".toml", good=_LEVEL.format(height=10))
    pytester.makefile(".toml", bad=_LEVEL.format(height=5))
    pytester.makefile(".toml", other="[tool.x]\nformat = 1\n")
    pytester.makefile(".toml", wrong='format = 1\n[bodies.b]\nshape = "bax"\n')
    return pytester.path


@pytest.mark.usefixtures("folder")
def test_levels_are_collected(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("-p", "levels.pytest_plugin", "good.toml", "bad.toml")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["bad.toml:7: it falls", "failed at 0.200 s: y('ball') = 9.*"])


@pytest.mark.usefixtures("folder")
def test_bad_level_is_an_error_with_its_message(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("-p", "levels.pytest_plugin", "wrong.toml")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(['*wrong.toml:3:9: error: unknown shape "bax"*'])


_FROZEN = """
import levels.headless
real = levels.headless._finished
def finished(result, session):
    real(result, session).guard["frozen"] = 2
    return result
levels.headless._finished = finished
"""


@pytest.mark.usefixtures("folder")
def test_a_level_in_which_something_was_held_still_fails(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(_FROZEN)
    arguments = ("-p", "levels.pytest_plugin", "good.toml")
    result = pytester.runpytest_subprocess(*arguments)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["good.toml: the guard held something still in 2 steps *"])
    result = pytester.runpytest_subprocess(*arguments, "-o", "taut_allow_frozen=true")
    result.assert_outcomes(passed=2)


def test_a_cloth_alone_is_a_level(folder: Path, pytester: pytest.Pytester) -> None:
    (folder / "cloth.toml").write_text(
        "format = 1\n[simulation]\nseconds = 0.1\n[cloths.flag]\nsize = [1, 1]\n"
        'rows = 3\ncolumns = 3\npins = ["top"]\n',
        encoding="utf-8",
    )
    result = pytester.runpytest_subprocess("-p", "levels.pytest_plugin", "cloth.toml")
    result.assert_outcomes(passed=1)


@pytest.mark.usefixtures("folder")
def test_other_files_are_left_alone(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("-p", "levels.pytest_plugin", "--co", ".")
    assert "other.toml" not in result.stdout.str()


def test_another_project_gets_the_plugin_by_installing_taut(tmp_path: Path) -> None:
    """Found through the entry point alone, as an installed package has it: no conftest, no -p."""
    root = Path(levels.__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"]["pytest11"]
    installed = tmp_path / "installed" / "taut-0.dist-info"
    installed.mkdir(parents=True)
    lines = [f"{name} = {module}" for name, module in points.items()]
    (installed / "entry_points.txt").write_text("\n".join(["[pytest11]", *lines]), encoding="utf-8")
    (installed / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: taut\nVersion: 0\n", encoding="utf-8"
    )
    folder = tmp_path / "their project" / "scenes"
    folder.mkdir(parents=True)
    (folder / "good.toml").write_text(_LEVEL.format(height=10), encoding="utf-8")
    (folder / "bad.toml").write_text(_LEVEL.format(height=5), encoding="utf-8")
    (folder.parent / "pyproject.toml").write_text("[tool.pytest.ini_options]\n", encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if k != "PYTEST_DISABLE_PLUGIN_AUTOLOAD"}
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(installed.parent), str(root), environment.get("PYTHONPATH", "")]
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "scenes", "-q", "--junitxml=report.xml"],
        cwd=folder.parent, env=environment, capture_output=True, text=True, check=False,
        encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 3 passed" in done.stdout
    assert "bad.toml:7: it falls" in done.stdout
    assert (folder.parent / "report.xml").is_file()
