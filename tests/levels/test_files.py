"""Files that take the place of older ones: whole, under the same name, with the same rights."""

import os
import stat
import sys
from pathlib import Path

import pytest

from levels.files import Aside, write_atomically


def test_the_old_file_is_there_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    with Aside(path) as aside:
        aside.path.write_text("new", encoding="utf-8")
        assert path.read_text(encoding="utf-8") == "old"
        assert aside.path.parent == tmp_path
        assert aside.path.suffix == ".txt"  # writers go by it
    assert path.read_text(encoding="utf-8") == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "half of it \ud800")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    first, second = Aside(tmp_path / "a.txt"), Aside(tmp_path / "a.txt")
    assert first.path != second.path
    first.drop()
    second.drop()


def test_it_is_on_the_disk_before_it_is_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    flush, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda file: (order.append("flush"), flush(file)))
    monkeypatch.setattr(os, "replace", lambda a, b: (order.append("replace"), replace(a, b)))
    write_atomically(tmp_path / "a.txt", "text")
    assert order == ["flush", "replace"]


@pytest.mark.skipif(sys.platform == "win32", reason="rights are not modes there")
def test_rights_are_those_of_other_files_or_of_the_old_one(tmp_path: Path) -> None:
    plain, new, old = tmp_path / "plain", tmp_path / "new", tmp_path / "old"
    plain.touch()
    old.touch()
    old.chmod(0o640)
    write_atomically(new, "text")
    write_atomically(old, "text")
    assert new.stat().st_mode == plain.stat().st_mode
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "there" / "a.txt", tmp_path / "link.txt"
    target.parent.mkdir()
    target.touch()
    link.symlink_to(target)
    write_atomically(link, "text")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "text"


def test_what_is_not_a_file_is_not_replaced(tmp_path: Path) -> None:
    for path in (tmp_path, Path(os.devnull)):
        with pytest.raises(OSError, match="not a file"):
            Aside(path)
    assert not list(tmp_path.iterdir())


def test_long_names(tmp_path: Path) -> None:
    path = tmp_path / ("坂" * 80)
    write_atomically(path, "text")
    assert path.read_text(encoding="utf-8") == "text"
