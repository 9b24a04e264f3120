"""Kernels on disk: damaged, foreign, crowded out."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

from physics.jit import cache, kernel
from physics.jit.cache import cache_folder, read_kernel, write_kernel


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own, chosen the usual way."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    cache_folder.cache_clear()
    cache._told.clear()
    yield tmp_path / "taut" / "kernels"
    cache_folder.cache_clear()


def doubled(x: Any) -> Any:
    return 2.0 * x


def compiled() -> Any:
    """A kernel as another process would find it: nothing in memory."""
    return kernel(doubled)


def kept(folder: Path) -> Path:
    (path,) = folder.glob("*.kernel")
    return path


def compilations(function: Any) -> int:
    return sum(function.stats.cache_misses.values())


def test_a_kept_kernel_is_not_compiled_again(folder: Path) -> None:
    assert compiled()(1.5) == 3.0
    again = compiled()
    assert again(1.5) == 3.0
    assert compilations(again) == 0


@pytest.mark.parametrize("damage", ["truncated", "flipped", "empty", "foreign", "other pickle"])
def test_a_damaged_file_is_compiled_anew(folder: Path, damage: str) -> None:
    compiled()(1.5)
    path = kept(folder)
    content = path.read_bytes()
    middle = len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    bad = {
        "truncated": content[:-10],
        "flipped": flipped,
        "empty": b"",
        "foreign": b"#!/bin/sh\n",
        "other pickle": b"",
    }
    if damage == "other pickle":  # whole by its checksum, but no kernel
        write_kernel(path, b"\x80\x04]\x94.")
    else:
        path.write_bytes(bad[damage])
    again = compiled()
    assert again(1.5) == 3.0
    assert compilations(again) == 1
    healed = compiled()
    assert healed(1.5) == 3.0
    assert compilations(healed) == 0


def test_what_another_user_owns_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled()(1.5)
    path = kept(folder)
    assert read_kernel(path) is not None
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert read_kernel(path) is None


def test_what_others_may_write_is_not_read(folder: Path) -> None:
    compiled()(1.5)
    path = kept(folder)
    path.chmod(0o666)
    assert read_kernel(path) is None


def test_a_folder_that_others_may_write_is_not_used(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    chosen = cache_folder()
    assert chosen is not None
    assert chosen != folder
    assert chosen.stat().st_mode & 0o077 == 0


def test_a_planted_temporary_folder_is_not_used(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """Neither the home nor the temporary folder can be trusted: compile, and say so once."""
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    planted = tmp_path / "temporary" / f"taut-{os.geteuid()}"
    planted.mkdir()
    planted.chmod(0o777)
    assert cache_folder() is None
    assert compiled()(1.5) == 3.0
    assert [record.getMessage() for record in caplog.records] == [
        "compiled physics cannot be kept: no private, writable cache folder was found"
    ]


def test_a_full_disk_costs_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    for value in (1.5, 2):  # two signatures, two files that cannot be written
        assert compiled()(value) == 2.0 * value
    assert [record.getMessage() for record in caplog.records] == [
        f"compiled physics cannot be kept in {folder}: No space left on device"
    ]
    assert not list(folder.iterdir())


def test_old_versions_are_dropped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in range(cache._KEPT_VERSIONS + 3):
        monkeypatch.setattr(numba, "__version__", f"0.{version}")
        compiled()(1.5)
    assert len(list(folder.glob("*.kernel"))) == cache._KEPT_VERSIONS


def test_two_processes_at_once(folder: Path) -> None:
    code = "from physics.structs import unilateral_ref as f; from physics.schema import *; "
    code += "from physics.state import Unilateral as U; f(allocate(U, u=1, r=1))"
    environment = os.environ | {"XDG_CACHE_HOME": str(folder.parent.parent)}
    running = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in running:
        _, errors = process.communicate()
        assert process.returncode == 0, errors.decode()
    assert read_kernel(kept(folder)) is not None
