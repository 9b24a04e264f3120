"""Files are whole or not there, and the old one is kept until the new one is whole."""

import os
from pathlib import Path

import pytest

from levels.files import replacing, write_atomically


def test_a_failure_keeps_the_old_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "level.toml"
    path.write_text("old", encoding="utf-8")

    def fail() -> None:
        with replacing(path) as partial:
            partial.write_text("half", encoding="utf-8")
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        fail()
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "level.toml"
    with replacing(path) as first, replacing(path) as second:
        assert first != second
        first.write_text("first", encoding="utf-8")
        second.write_text("second", encoding="utf-8")
    assert path.read_text(encoding="utf-8") == "first"  # the outer block ends last
    assert list(tmp_path.iterdir()) == [path]


def test_it_is_on_the_disk_before_the_old_one_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (order.append("sync"), fsync(handle)))
    monkeypatch.setattr(os, "replace", lambda a, b: (order.append("replace"), replace(a, b)))
    write_atomically(tmp_path / "a.toml", "grün")
    assert order == ["sync", "replace"]
    assert (tmp_path / "a.toml").read_bytes() == "grün".encode()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o600)
    write_atomically(path, "new")
    assert path.stat().st_mode & 0o777 == 0o600
