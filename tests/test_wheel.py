"""What is shipped works by itself: the wheel, in an empty environment, from another folder."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from physics.jit import prebuild

ROOT = Path(__file__).parents[1]
PACKAGES = ("physics", "levels", "sandbox", "shaders")
DATA = ("*.toml", "*.glsl", "*.md", "*.ttf", "*.json", "py.typed")

pytestmark = pytest.mark.slow


def run(*words: object, cwd: Path) -> str:
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=900,
        encoding="utf-8",
    )
    assert done.returncode == 0, f"{words}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that leftovers of earlier builds cannot slip in."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for package in PACKAGES:
        ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / package, source / package, ignore=ignore)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    run(*prebuild._pip(), "wheel", "--no-deps", "-w", folder, source, cwd=folder)
    (built,) = folder.glob("taut-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The programs of an environment that holds the wheel and what it depends on."""
    environment = wheel.parent / "environment"
    run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=wheel.parent)
    pip = (*prebuild._pip()[:3], "--python", environment)
    run(*pip, "install", "-q", wheel, cwd=wheel.parent)
    return environment / ("Scripts" if sys.platform == "win32" else "bin")


def test_every_file_is_inside(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    for package in PACKAGES:
        for pattern in ("*.py", *DATA):
            for path in (ROOT / package).rglob(pattern):
                assert path.relative_to(ROOT).as_posix() in inside


def test_types_are_told(wheel: Path) -> None:
    inside = zipfile.ZipFile(wheel).namelist()
    assert {f"{package}/py.typed" for package in ("physics", "levels", "sandbox")} <= set(inside)


def test_nothing_else_is_inside(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.startswith("taut-")} == set(PACKAGES)


def test_help(installed: Path, tmp_path: Path) -> None:
    assert "sandbox run" in run(installed / "sandbox", "--help", cwd=tmp_path)


def test_levels_are_found(installed: Path, tmp_path: Path) -> None:
    listed = run(installed / "sandbox", "list", cwd=tmp_path)
    for path in (ROOT / "levels").glob("*.toml"):
        assert path.stem in listed


def test_a_new_level_is_good(installed: Path, tmp_path: Path) -> None:
    run(installed / "sandbox", "new", "mine.toml", cwd=tmp_path)
    run(installed / "sandbox", "check", "mine.toml", cwd=tmp_path)


def test_shaders_are_found(installed: Path, tmp_path: Path) -> None:
    code = "from sandbox.render.programs import source; print(source('part.glsl'))"
    assert "main" in run(installed / "python", "-c", code, cwd=tmp_path)


# --- with kernels compiled beforehand -------------------------------------------------------------

_FIRST_STEP = """
from levels import load
from physics.jit import cache_folder
world = load("crane").build()
world.step(3)
print(world.hash(), len(list(cache_folder().iterdir())))
"""


def test_a_wheel_with_kernels_compiles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The documented command, an empty environment, an empty cache: the same bits at once."""
    from levels import load

    run(sys.executable, "-m", "physics.jit.prebuild", tmp_path, cwd=ROOT)
    (wheel,) = tmp_path.glob("taut-*.whl")
    environment = tmp_path / "environment"
    run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=tmp_path)
    run(*prebuild._pip()[:3], "--python", environment, "install", "-q", wheel, cwd=tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    told, kept = run(python, "-c", _FIRST_STEP, cwd=tmp_path).split()
    world = load("crane").build()
    world.step(3)
    assert (told, kept) == (world.hash(), "0")
