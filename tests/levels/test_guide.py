"""The level author's guide is executed: files load, commands succeed, messages are as shown."""

import re
import shlex
from pathlib import Path

import pytest

import levels
from levels import LevelError, load
from levels.headless import run
from levels.reference_page import reference
from sandbox.cli import main

_FOLDER = Path(levels.__file__).parent
_GUIDE = (_FOLDER / "GUIDE.md").read_text(encoding="utf-8")
_WARNED = ("jack.toml",)  # its motor may use any force
_BLOCKS = re.findall(r"```(\w+)([^\n]*)\n(.*?)```", _GUIDE, re.DOTALL)


def _files(folder: Path) -> None:
    for language, info, text in _BLOCKS:
        match = re.search(r"file=(\S+)", info)
        if language == "toml" and match:
            (folder / match[1]).write_text(text, encoding="utf-8")


def _named(wanted: str) -> list[str]:
    infos = [info for language, info, _ in _BLOCKS if language == "toml"]
    chosen = [info for info in infos if ("bad" in info) == (wanted == "bad")]
    return [match[1] for info in chosen if (match := re.search(r"file=(\S+)", info))]


def test_every_toml_block_has_a_file() -> None:
    assert all("file=" in info for language, info, _ in _BLOCKS if language == "toml")


@pytest.mark.parametrize("name", _named("good"))
def test_level_loads(name: str, tmp_path: Path) -> None:
    _files(tmp_path)
    load(tmp_path / name).build()


@pytest.mark.parametrize("name", _named("good"))
def test_expectations_hold(name: str, tmp_path: Path) -> None:
    """Every level of the page does what it promises."""
    _files(tmp_path)
    level = load(tmp_path / name)
    assert not level.warnings or name in _WARNED, level.warnings
    if level.default.rules.expectations:
        result = run(level.session(scripted=True), level.seconds())
        assert [o.name for o in result.outcomes if o.state != "passed"] == []


def test_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _files(tmp_path)
    monkeypatch.chdir(tmp_path)
    scripts = [text for language, _, text in _BLOCKS if language == "python"]
    assert scripts
    for script in scripts:
        exec(compile(script, "GUIDE.md", "exec"), {})


def test_bad_level_says_what_the_guide_says(tmp_path: Path) -> None:
    _files(tmp_path)
    (expected,) = [text for language, _, text in _BLOCKS if language == "text"]
    with pytest.raises(LevelError) as caught:
        load(tmp_path / _named("bad")[0])
    assert f"{caught.value}\n" == expected


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _files(tmp_path)
    monkeypatch.chdir(tmp_path)
    text = "".join(text for language, _, text in _BLOCKS if language == "console")
    commands = re.findall(r"^\$ sandbox (.*)$", text, re.MULTILINE)
    assert len(commands) >= 6
    for command in commands:
        assert main(shlex.split(command)) == 0, command


def test_reference_is_up_to_date() -> None:
    written = (_FOLDER / "REFERENCE.md").read_text(encoding="utf-8")
    assert written == reference(), "run `sandbox schema --reference --write levels/REFERENCE.md`"
