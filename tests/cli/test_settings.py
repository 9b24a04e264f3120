"""Settings: atomic, forgiving, never lost."""

from pathlib import Path

import pytest

from levels.files import write_atomically
from sandbox.cli import main
from sandbox.settings import Settings, load_settings, save_settings, settings_path


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")


def test_defaults_without_a_file() -> None:
    assert load_settings() == Settings()
    assert not settings_path().exists()


def test_round_trip_keeps_comments() -> None:
    path = settings_path()
    path.parent.mkdir()
    path.write_text("# mine\nvolume = 0.2  # quiet\n", encoding="utf-8")
    settings = load_settings()
    settings.ui_scale = 2.0
    save_settings(settings)
    assert path.read_text(encoding="utf-8") == "# mine\nvolume = 0.2  # quiet\nui_scale = 2.0\n"


@pytest.mark.parametrize(
    "text", ["volume = ", "volume = 9", 'nonsense = "x"', "volume = 'loud'", "\xff\x00"]
)
def test_broken_file_is_set_aside(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = settings_path()
    path.parent.mkdir()
    path.write_bytes(text.encode("latin-1"))
    assert load_settings() == Settings()
    assert not path.exists()
    (aside,) = path.parent.glob("settings.broken-*.toml")
    assert aside.read_bytes() == text.encode("latin-1")
    assert "could not be used" in capsys.readouterr().err


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file.toml"
    path.write_text("old", encoding="utf-8")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_config_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "path"]) == 0
    assert capsys.readouterr().out.strip() == str(settings_path())
    assert main(["config", "set", "volume", "0.3"]) == 0
    assert load_settings().volume == 0.3
    assert main(["config", "set", "quality", "high"]) == 0
    assert load_settings().quality == "high"
    assert main(["config", "reset", "volume"]) == 0
    assert load_settings().volume == 0.6
    assert main(["config"]) == 0
    assert 'quality        = "high"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["volum", "1"], 'no setting "volum"; did you mean "volume"?'),
        (["volume", "7"], "less than or equal to 1"),
        (["quality", "best"], "'auto', 'lowest', 'low', 'medium' or 'high'"),
    ],
)
def test_config_refuses(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", "set", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_save_keys() -> None:
    load_settings().save_keys({"pause": "P"})
    assert load_settings().keys == {"pause": "P"}
