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


_CLOTH = """\
format = 1
[simulation]
seconds = 0.1
[cloths.flag]
size = [1, 1]
rows = 3
columns = 3
pins = ["top"]
"""


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    # where the project is installed its entry point would load the plugin a second time
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    if _KERNELS is not None:  # else every run would compile the physics anew
        monkeypatch.setenv("XDG_CACHE_HOME", str(_KERNELS.parents[1]))


def test_the_levels_of_a_folder_are_tests(pytester: pytest.Pytester) -> None:
    """A good level, one that fails, a wrong one, a cloth alone, and somebody else's file."""
    pytester.makefile(".toml", good=_LEVEL.format(height=10), bad=_LEVEL.format(height=5))
    pytester.makefile(".toml", wrong='format = 1\n[bodies.b]\nshape = "bax"\n', cloth=_CLOTH)
    pytester.makefile(".toml", other="[tool.x]\nformat = 1\n")
    result = pytester.runpytest_subprocess(
        "-p", "levels.pytest_plugin", "-v", "--continue-on-collection-errors", "."
    )
    result.assert_outcomes(passed=4, failed=1, errors=1)  # the cloth has no expectations
    told = result.stdout
    told.fnmatch_lines(["good.toml::it falls PASSED*"])
    told.fnmatch_lines(["cloth.toml::stays finite PASSED*"])
    told.fnmatch_lines(['*wrong.toml:3:9: error: unknown shape "bax"*'])
    told.fnmatch_lines(["bad.toml:7: it falls", "failed at 0.200 s: y('ball') = 9.*"])
    assert "other.toml" not in told.str()


_FROZEN = """
import levels.headless
real = levels.headless._finished
def finished(result, session):
    real(result, session).guard["frozen"] = 2
    return result
levels.headless._finished = finished
"""


def test_a_level_in_which_something_was_held_still_fails(pytester: pytest.Pytester) -> None:
    pytester.makefile(".toml", good=_LEVEL.format(height=10))
    pytester.makeconftest(_FROZEN)
    arguments = ("-p", "levels.pytest_plugin", "good.toml")
    result = pytester.runpytest_subprocess(*arguments)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["good.toml: the guard held something still in 2 steps *"])
    result = pytester.runpytest_subprocess(*arguments, "-o", "taut_allow_frozen=true")
    result.assert_outcomes(passed=2)


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
