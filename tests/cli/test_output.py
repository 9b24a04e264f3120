"""What the command line leaves behind: bars on terminals, videos, tables, advice."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from levels import load
from levels.commands import Restart, SetOption
from sandbox.cli import main
from sandbox.commands import doctor
from sandbox.replay_file import Recorder

_LEVEL = """\
format = 1
[parameters]
height = { default = 10, min = 1, max = 90 }
[bodies.ball]
shape = "sphere"
radius = 0.5
position = [0, "=height", 0]
mass = 1
[props.line]
kind = "rope"
from = [3, 9, 0]
length = 6
segments = 12
winch = { keys = "w/s", speed = 4, min = 1 }
[[input]]
at = 0
hold = "w"
for = 2
"""


@pytest.fixture
def level(tmp_path: Path) -> Path:
    path = tmp_path / "fall.toml"
    path.write_text(_LEVEL, encoding="utf-8")
    return path


# --- progress ------------------------------------------------------------------------------------


def test_no_progress_bar_in_a_pipe(level: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(level), "--seconds", "1"]) == 0
    assert "█" not in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_progress_bar_on_a_terminal(level: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "sandbox.cli", "run", str(level), "--seconds", "5", "--json"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=theirs, text=True, check=False, encoding="utf-8"
    )
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "█" in shown
    assert "100 %" in shown
    assert shown.endswith("\r")  # wiped, so that results stand alone
    assert json.loads(done.stdout)["exit_code"] == 0


# --- pictures ------------------------------------------------------------------------------------


def test_video_shows_the_values_that_were_set(
    level: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def render(session: Any, seconds: float, out: Path, size: Any, quality: str) -> Path:
        seen.append((session.values["height"], session.scripted, seconds, out.name))
        return out

    monkeypatch.setattr("sandbox.record.render_video", render)
    video = str(tmp_path / "fall.mp4")
    assert main(["run", str(level), "--set", "height=50", "--seconds", "1", "--video", video]) == 0
    command = ["render", str(level), "--set", "height=60", "--seconds", "2", "--out", video]
    assert main(command) == 0
    assert seen == [(50.0, True, 1.0, "fall.mp4"), (60.0, True, 2.0, "fall.mp4")]


def test_video_is_a_video(level: Path, tmp_path: Path) -> None:
    from sandbox.messages import MachineProblem
    from sandbox.render.context import offscreen_context

    try:
        offscreen_context().release()
    except MachineProblem as problem:
        assert main(["run", str(level), "--seconds", "0.2", "--video", "x.mp4"]) == 4
        pytest.skip(f"nothing can be drawn here: {problem}")
    video = tmp_path / "fall.mp4"
    assert main(["run", str(level), "--seconds", "0.2", "--video", str(video)]) == 0
    assert video.read_bytes()[4:8] == b"ftyp"
    picture = tmp_path / "fall.png"
    command = ["render", str(level), "--seconds", "0.2", "--size", "64x48", "--out", str(picture)]
    assert main(command) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_video_ends_where_the_world_comes_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without an end of its own it would go back and blow up again for ever."""
    video = tmp_path / "apart.gif"
    command = ["render", "crane", "--set", "stabilization=none", "--seconds", "6"]
    assert main([*command, "--size", "64x36", "--quality", "low", "--out", str(video)]) == 3
    assert "diverged at" in capsys.readouterr().err
    with Image.open(video) as film:
        assert 2 <= film.n_frames < 6 * 30


def test_a_game_is_rendered_at_any_size(tmp_path: Path) -> None:
    """Of a second half of which was played at another rate, after a restart."""
    game, video = tmp_path / "game.replay", tmp_path / "game.gif"
    session = load("million").session()
    recorder = Recorder(session, game)
    for command in (None, Restart(), SetOption("rate", 120)):
        if command is not None:
            session.issue(command)
        for _ in range(30):
            session.step()
            recorder.after_step()
    recorder.close()
    command_line = ["replay", str(game), "--video", str(video), "--size", "96x64"]
    assert main([*command_line, "--quality", "low"]) == 0
    with Image.open(video) as film:
        assert film.size == (96, 64)
        shown = 0.0
        for i in range(film.n_frames):
            film.seek(i)
            shown += film.info["duration"] / 1000
    assert shown == pytest.approx(30 / 60 + 30 / 60 + 30 / 120, abs=0.15)


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--video", "no/such/folder/x.mp4", "--seconds", "0.1"],
        ["run", "--video", "x.txt", "--seconds", "0.1"],
        ["render", "--out", "x.txt"],
        ["render", "--set", "height=1000"],
        ["render", "--size", "big"],
        ["render", "--seconds", "-1"],
    ],
)
def test_pictures_that_cannot_be(
    arguments: list[str], level: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(level.parent)
    verb, *rest = arguments
    assert main([verb, str(level), *rest]) == 2


# --- the doctor ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("apt-get", "apt-get install libegl1 libgl1-mesa-dri"),
        ("dnf", "dnf install mesa-libEGL mesa-dri-drivers"),
        ("pacman", "pacman -S mesa"),
        ("apk", "apk add mesa-egl mesa-dri-gallium"),
    ],
)
def test_doctor_names_the_command_of_this_machine(
    manager: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor.shutil, "which", lambda name: name if name == manager else None)
    monkeypatch.setattr(doctor, "_WINDOWLESS", "raise SystemExit('no driver{options:.0}')")
    monkeypatch.setattr(doctor.sys, "platform", "linux")
    finding = doctor._egl()
    assert not finding.works
    assert finding.detail == "no driver"
    assert finding.cure.removeprefix("sudo ") == command


def test_doctor_mends_a_missing_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "_PACKAGES", ("numpy", "no-such-package"))
    monkeypatch.setattr(doctor, "_CHECKS", (doctor._packages,))
    assert main(["doctor"]) == 4
    assert f"→ {sys.executable} -m pip install no-such-package" in capsys.readouterr().out


def test_doctor_survives_a_driver_that_crashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_WINDOWLESS", "import os; os.kill(os.getpid(), 9)  # {options}")
    finding = doctor._gl("OpenGL", "", "cure")
    assert (finding.works, finding.cure) == (False, "cure")
    assert "exit code" in finding.detail


def test_doctor_finds_a_cache_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("physics.jit.cache_folder", lambda: None)
    finding = doctor._kernel_cache()
    assert (finding.works, finding.cure) == (False, 'export XDG_CACHE_HOME="$(mktemp -d)"')
