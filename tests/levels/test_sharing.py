"""Levels as text: the same level comes out, and a stranger's text can do no more than a file."""

import base64
import hashlib
import json
import os
import random
import zlib
from pathlib import Path

import pytest

from levels import LevelError, load, shipped
from levels.caps import MAX_FILE_BYTES, MAX_SHARED_CHARACTERS
from levels.sharing import open_shared, share, unpacked
from sandbox.cli import main
from tests.levels.work import CallCounter


def _text(files: object, *, raw: bytes | None = None) -> str:
    packed = zlib.compress(json.dumps(files).encode() if raw is None else raw, 9)
    body = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"taut:1:{hashlib.sha256(packed).hexdigest()[:8]}:{body}"


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_level_goes_there_and_back(name: str, tmp_path: Path) -> None:
    text = share(load(name))
    assert len(text) < 20_000
    path = open_shared(text, tmp_path)
    assert path.read_text(encoding="utf-8") == load(name).path.read_text(encoding="utf-8")
    assert load(path).default.plan.bodies.keys() == load(name).default.plan.bodies.keys()


def test_own_prefabs_and_includes_come_along(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "cart.toml").write_text(
        'format = 1\n[bodies.box]\nshape = "box"\nsize = [1, 1, 1]\n', encoding="utf-8"
    )
    (tmp_path / "air.toml").write_text(
        "format = 1\n[simulation]\ngravity = [0, -1, 0]\n", encoding="utf-8"
    )
    level = tmp_path / "my level.toml"
    level.write_text(
        'format = 1\ninclude = ["air"]\n[bodies.a]\nprefab = "parts/cart"\n'
        '[bodies.t]\nprefab = "vehicles/truck"\nposition = [9, 9, 9]\n',
        encoding="utf-8",
    )
    text = share(load(level))
    assert set(unpacked(text)) == {"my_level.toml", "air.toml", "parts/cart.toml"}
    again = load(open_shared("\n ".join((text[:30], text[30:])), tmp_path / "there"))
    assert again.default.plan.bodies.keys() == load(level).default.plan.bodies.keys()
    assert again.build().gravity[1] == -1


def test_a_meshed_level_says_that_it_cannot(tmp_path: Path) -> None:
    pytest.importorskip("meshio")
    (tmp_path / "tri.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", encoding="utf-8")
    level = tmp_path / "m.toml"
    level.write_text('format = 1\n[cloths.c]\nmesh = "tri.obj"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="meshes cannot be shared"):
        share(load(level))


_GOOD = {"a.toml": "format = 1\n"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("taut:", "not whole"),
        ("taut:1:abc", "not whole"),
        ("taut:9:00000000:AAAA", "another version"),
        ("taut:1:00000000:****", "damaged"),
        (_text(_GOOD)[:-3], "damaged"),
        (_text(_GOOD, raw=b"[" * 100_000), "damaged"),
        (_text({}), "1 to 64 files"),
        (_text([1]), "1 to 64 files"),
        (_text({f"f{i}.toml": "" for i in range(65)}), "1 to 64 files"),
        (_text({"../a.toml": ""}), "leaves the folder"),
        (_text({"/etc/a.toml": ""}), "leaves the folder"),
        (_text({"a/../../b.toml": ""}), "leaves the folder"),
        (_text({"C:\\\\a.toml": ""}), "leaves the folder"),
        (_text({".bashrc": ""}), "leaves the folder"),
        (_text({".hidden/a.toml": ""}), "leaves the folder"),
        (_text({"nul.toml": ""}), "leaves the folder"),
        (_text({"a.py": ""}), "leaves the folder"),
        (_text({"a.toml": 3}), "damaged"),
        ("taut:1:" + "A" * MAX_SHARED_CHARACTERS, "characters"),
    ],
)
def test_bad_texts_say_so_and_write_nothing(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(LevelError) as caught:
        open_shared(text, tmp_path / "shared")
    assert says in str(caught.value)
    assert not (tmp_path / "shared").exists()


def test_a_bomb_is_stopped_before_it_grows(tmp_path: Path) -> None:
    """A kilobyte that would unpack to a hundred megabytes."""
    bomb = _text(None, raw=b'{"a.toml": "' + b"#" * 100_000_000)
    assert len(bomb) < MAX_SHARED_CHARACTERS
    with CallCounter(), pytest.raises(LevelError, match="more than"):
        open_shared(bomb, tmp_path)
    large = _text({"a.toml": "#" * (MAX_FILE_BYTES + 1)})
    with pytest.raises(LevelError, match="bytes together"):
        open_shared(large, tmp_path)


def test_mutated_texts_never_end_in_a_traceback(tmp_path: Path) -> None:
    rng, text = random.Random(3), share(load("million"))
    for _ in range(300):
        broken = list(text)
        for _ in range(rng.randint(1, 5)):
            broken[rng.randrange(5, len(broken))] = rng.choice("AZaz09-_:=\n é")
        if "".join("".join(broken).split()) == text:
            continue
        with pytest.raises(LevelError):
            unpacked("".join(broken))


def test_a_link_in_the_folder_is_not_followed(tmp_path: Path) -> None:
    text, outside = _text({"in/a.toml": "format = 1\n"}), tmp_path / "outside"
    outside.mkdir()
    home = open_shared(text, tmp_path / "s").parent
    (home / "a.toml").unlink()
    home.rmdir()
    os.symlink(outside, home)
    with pytest.raises(LevelError, match="leaves the folder"):
        open_shared(text, tmp_path / "s")
    assert not list(outside.iterdir())


def test_what_was_changed_is_kept(tmp_path: Path) -> None:
    text = share(load("million"))
    path = open_shared(text, tmp_path)
    path.write_text("format = 1\n# mine\n", encoding="utf-8")
    assert open_shared(text, tmp_path) == path
    assert "mine" in path.read_text(encoding="utf-8")


def test_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("sandbox.settings.settings_path", lambda: tmp_path / "settings.toml")
    assert main(["share", "million"]) == 0
    text = capsys.readouterr().out.strip()
    assert text.startswith("taut:1:")
    assert main(["check", text]) == 0
    assert main(["run", text, "--seconds", "0.1", "--quiet"]) == 0
    assert main(["check", text[:-4]]) == 2
    assert "was all of it copied?" in capsys.readouterr().err
