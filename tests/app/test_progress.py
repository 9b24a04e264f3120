"""Progress is kept, never lost, and never made worse."""

from pathlib import Path

from sandbox.catalogue import CHAPTERS, chapters, ordered
from sandbox.progress import load_progress


def test_a_win_is_kept_and_a_worse_one_takes_nothing_away(tmp_path: Path) -> None:
    path = tmp_path / "taut" / "progress.json"
    progress = load_progress(path)
    assert progress.won("crane", 2, 20.0)
    assert not progress.won("crane", 1, 30.0)
    assert progress.won("crane", 1, 15.0)  # fewer stars, but quicker
    progress.played("crane")
    progress.played("liana")
    again = load_progress(path)
    assert (again.of("crane").stars, again.of("crane").seconds) == (2, 15.0)
    assert again.recent == ["liana", "crane"]
    assert again.of("liana").stars == 0


def test_a_broken_file_is_set_aside(tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "progress.json"
    for text in ("{", "[]", '{"taut-progress": 2}', '{"taut-progress": 1, "levels": {"a": {}}}'):
        path.write_text(text, encoding="utf-8")
        progress = load_progress(path)
        assert progress.levels == {}
        assert "could not be used" in capsys.readouterr().err
        assert not path.exists()
    kept = [file.read_text(encoding="utf-8") for file in tmp_path.glob("*.broken-*")]
    assert kept


def test_no_level_is_missing_from_the_wall() -> None:
    names = ["zebra", "crane", "million", "liana"]
    assert sorted(ordered(names)) == sorted(names)
    assert ordered(names)[-1] == "zebra"  # in no chapter: last, but there
    assert [chapter.title for chapter, _ in chapters(names)] == ["Play", "Physics", "More"]
    listed = [name for chapter in CHAPTERS for name in chapter.levels]
    assert len(listed) == len(set(listed))
