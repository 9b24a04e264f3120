"""Kernels that came with the wheel: used where they fit, else compiled as usual."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from physics.jit import cache, kernel, prebuild, prebuilt
from physics.jit.cache import cache_folder, target
from physics.jit.prebuilt import prebuilt_target

ROOT = Path(__file__).parents[3]


def tripled(x: Any) -> Any:
    return 3.0 * x


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Path]]:
    """shipped(note): a wheel's folder with one kernel and that note, beside an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "prebuilt"
    folder.mkdir()
    monkeypatch.setattr(prebuilt, "FOLDER", folder)
    monkeypatch.setattr(cache, "PREBUILT", folder)

    def ship(note: str) -> Path:
        for memory in (cache_folder, prebuilt_target):
            memory.cache_clear()
        kernel(tripled)(1.5)
        (made,) = (tmp_path / "taut" / "kernels").glob("*.kernel")
        made.rename(folder / made.name)
        (folder / "target.json").write_text(note, encoding="utf-8")
        prebuilt_target.cache_clear()
        return folder / made.name

    yield ship
    for memory in (cache_folder, prebuilt_target):
        memory.cache_clear()


def note(*needs: str) -> str:
    return json.dumps({"target": target(), "needs": needs})


def compilations() -> int:
    """Of the kernel as a new process would find it."""
    found = kernel(tripled)
    assert found(1.5) == 4.5
    return sum(found.stats.cache_misses.values())


def test_a_kernel_of_the_wheel_is_used(shipped: Callable[[str], Path], tmp_path: Path) -> None:
    shipped(note())
    assert compilations() == 0
    assert not list((tmp_path / "taut" / "kernels").iterdir())


def test_a_processor_without_the_instructions_compiles(shipped: Callable[[str], Path]) -> None:
    shipped(note("avx2", "an instruction that no processor has"))
    assert prebuilt_target() is None
    assert compilations() == 1


@pytest.mark.parametrize(
    "bad", ["", "{", "[]", "{}", '{"target": "x"}', '{"target": 1, "needs": 2}']
)
def test_a_damaged_note_is_no_note(bad: str, shipped: Callable[[str], Path]) -> None:
    shipped(bad)
    assert prebuilt_target() is None
    assert compilations() == 1


def test_kernels_for_another_processor_are_not_used(shipped: Callable[[str], Path]) -> None:
    shipped(json.dumps({"target": "another", "needs": []}))
    assert compilations() == 1


def test_a_damaged_kernel_of_the_wheel_is_compiled_anew(shipped: Callable[[str], Path]) -> None:
    path = shipped(note())
    path.write_bytes(path.read_bytes()[:-9])
    assert compilations() == 1


def test_the_wheel_pins_what_compiled_it() -> None:
    import numba

    pinned = prebuild._pinned('dependencies = [\n    "numba>=0.60",\n]')
    assert f'"numba=={numba.__version__}"' in pinned
    assert '"llvmlite==' in pinned
    with pytest.raises(SystemExit):
        prebuild._pinned("dependencies = []")


def test_an_environment_without_pip_borrows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prebuild, "find_spec", lambda name: None)
    assert prebuild._pip()[-2:] == ["--python", sys.executable]


def test_the_command_is_no_module_that_is_loaded_before_it() -> None:
    """Python warns of one that runs a second time."""
    words = [sys.executable, "-W", "error", "-m", "physics.jit.prebuild", "--help"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
