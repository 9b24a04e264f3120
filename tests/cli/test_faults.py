"""When something goes wrong: which exit code, which sentence, what is kept."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from levels import Session, headless, load
from sandbox import messages
from sandbox.cli import main
from sandbox.interrupt import asked_to_stop
from sandbox.settings import load_settings

_LEVEL = """\
format = 1
[bodies.ball]
shape = "sphere"
radius = 0.5
position = [0, 10, 0]
mass = 2
[[expect]]
name = "it falls"
at = 0.2
check = "y('ball') < {height}"
"""
_ESCAPES = "\\u001b]0;pwned\\u0007\\u001b[31m\\u009b2J\\u0008\\u202e"


def _write(path: Path, height: float = 10.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_LEVEL.format(height=height), encoding="utf-8")
    return path


@pytest.fixture
def level(tmp_path: Path) -> Path:
    return _write(tmp_path / "fall.toml")


def _raising(problem: BaseException) -> Callable[..., Any]:
    def call(*_: object, **__: object) -> Any:
        raise problem

    return call


# --- exit codes ----------------------------------------------------------------------------------


def test_a_mistake_of_ours_is_a_line_and_a_code_of_its_own(
    level: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("levels.headless.run", _raising(KeyError("slot")))
    assert main(["run", str(level)]) == 5
    told = capsys.readouterr().err  # before it, how preparing went, if nothing was compiled yet
    assert "\nsandbox: internal error: KeyError: 'slot' (test_faults.py:" in f"\n{told}"
    assert "please report" in told
    assert "Traceback" not in told
    monkeypatch.setenv("TAUT_DEBUG", "1")
    assert main(["run", str(level)]) == 5
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_one_level_that_breaks_us_does_not_end_the_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(tmp_path / "a.toml")
    _write(tmp_path / "b.toml")
    real = headless.run

    def run(session: Session, *arguments: Any, **named: Any) -> headless.Result:
        if session.level.name == "a":
            raise KeyError("slot")
        return real(session, *arguments, **named)

    monkeypatch.setattr("levels.headless.run", run)
    assert main(["test", str(tmp_path)]) == 5
    told = capsys.readouterr().out
    assert "FAIL a: runs" in told
    assert "ok   b: it falls" in told


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (OSError(28, "No space left on device", "/x"), "/x: No space left on device"),
        (MemoryError(), "not enough memory"),
    ],
)
def test_what_the_machine_lacks_is_no_mistake_of_ours(
    problem: Exception,
    sentence: str,
    level: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("levels.headless.run", _raising(problem))
    assert main(["run", str(level)]) == 4
    assert sentence in capsys.readouterr().err


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run has three steps in which the guard held something still."""
    real = headless._finished

    def finished(result: headless.Result, session: Session) -> headless.Result:
        real(result, session).guard["frozen"] = 3
        return result

    monkeypatch.setattr(headless, "_finished", finished)


@pytest.mark.usefixtures("frozen")
def test_a_run_that_froze_something_says_so_and_fails(
    level: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(level)]) == 6
    told = capsys.readouterr()
    assert "the guard held something still in 3 steps" in told.err
    assert "frozen 3" in told.out
    assert main(["run", str(level), "--json"]) == 6
    result = json.loads(capsys.readouterr().out)
    assert (result["frozen_steps"], result["exit_code"]) == (3, 6)
    assert main(["run", str(level), "--quiet"]) == 6
    assert "the guard held something still in 3 steps" in capsys.readouterr().err
    assert main(["run", str(level), "--allow-frozen"]) == 0
    assert "the guard held something still in 3 steps" in capsys.readouterr().err
    _write(level, height=0.0)
    assert main(["run", str(level)]) == 1  # a failed expectation says more


@pytest.mark.usefixtures("frozen")
def test_a_level_that_froze_something_fails_its_test(
    level: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test", str(level)]) == 6
    assert "FAIL fall: nothing is held still" in capsys.readouterr().out
    assert main(["test", str(level), "--allow-frozen"]) == 0


def test_ctrl_c_says_that_nothing_was_changed(
    level: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("levels.load", _raising(KeyboardInterrupt()))
    assert main(["run", str(level)]) == 130
    assert "sandbox: interrupted; nothing was changed" in capsys.readouterr().err


def test_ctrl_c_waits_for_the_step_but_not_for_the_preparation() -> None:
    prepared = False
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job may ignore it
    before = signal.getsignal(signal.SIGINT)
    with asked_to_stop(at_once=lambda: not prepared) as stop:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert not stop()
        prepared = True
        signal.raise_signal(signal.SIGINT)
        assert stop()
        with pytest.raises(KeyboardInterrupt):  # twice means now
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
    signal.signal(signal.SIGINT, usual)


def test_ctrl_c_in_tests_says_how_far_they_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "abc":
        _write(tmp_path / f"{name}.toml")
    real = headless.run

    def run(session: Session, *arguments: Any, **named: Any) -> headless.Result:
        if session.level.name == "b":
            raise KeyboardInterrupt
        return real(session, *arguments, **named)

    monkeypatch.setattr("levels.headless.run", run)
    report = tmp_path / "report.xml"
    assert main(["test", str(tmp_path), "--junit", str(report)]) == 130
    told = capsys.readouterr()
    assert f"1 of 3 levels were tested; {report} has them" in told.err
    assert "1 passed, 0 failed" in told.out
    assert 'name="a"' in report.read_text(encoding="utf-8")


# --- what is printed -----------------------------------------------------------------------------


def test_quiet_prints_nothing_but_errors(level: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(level), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    _write(level, height=0.0)
    assert main(["run", str(level), "--quiet"]) == 1
    assert main(["run", str(level), "--quiet", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["exit_code"] == 1


def test_what_came_apart_is_json_all_the_same() -> None:
    result = headless.Result("x", "", {}, {}, energy_end=float("nan"), energy_gain=float("inf"))
    written = json.loads(json.dumps(result.as_json(), allow_nan=False))
    assert written["energy"] == {"start": 0.0, "end": None, "gain": None}


def test_check_in_json(level: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = level.with_name("wrong.toml")
    wrong.write_text('format = 1\n[bodies.b]\nshape = "bax"\n', encoding="utf-8")
    assert main(["check", "--json", str(level), str(wrong)]) == 2
    told = capsys.readouterr()
    assert told.err == ""
    good, bad = json.loads(told.out)["levels"]
    assert "60" in good.pop("resolves")  # what steps of that rate can follow
    (oddity,) = good.pop("problems")
    assert oddity["severity"] == "warning"
    assert "falls for ever" in oddity["message"]
    assert good == {
        "level": str(level), "ok": True,
        "bodies": 1, "particles": 0, "joints": 0, "expectations": 1,
    }  # fmt: skip
    (problem,) = bad["problems"]
    assert problem["message"] == 'unknown shape "bax"'
    assert (problem["file"], problem["line"], problem["column"]) == ("wrong.toml", 3, 9)
    assert (problem["severity"], problem["hint"]) == ("error", 'did you mean "box"?')


def test_test_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path / "good.toml")
    _write(tmp_path / "bad.toml", height=0.0)
    (tmp_path / "worse.toml").write_text("format = 1\n", encoding="utf-8")
    assert main(["test", str(tmp_path), "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    states = {case["level"]: case["state"] for case in found["cases"]}
    assert states == {"good": "passed", "bad": "failed", "worse": "error"}
    assert (found["passed"], found["failed"], found["exit_code"]) == (1, 2, 2)


def test_bench_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level = _write(tmp_path / "good.toml")
    assert main(["bench", "--json", "--seconds", "0.01", str(level)]) == 0
    found = json.loads(capsys.readouterr().out)
    (row,) = found["levels"]
    assert row["level"] == str(level)
    assert 0.0 < row["milliseconds"] <= row["longest"]
    assert row["of_real_time"] == pytest.approx(row["milliseconds"] * 60 / 1000)


def test_bench_of_frames_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even what the game writes beside its settings."""
    from sandbox.settings import settings_path
    from sandbox.window import frame_budget as bench

    def frame_table(*_: object, **__: object) -> list[bench.Row]:
        Path("log.txt").write_text("diverged", encoding="utf-8")
        settings_path().parent.mkdir(parents=True)
        settings_path().write_text("volume = 1", encoding="utf-8")
        return []

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(bench, "frame_table", frame_table)
    assert main(["bench", "--render", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["frames"] == []
    assert list(tmp_path.iterdir()) == []
    assert os.environ["XDG_CONFIG_HOME"] == str(tmp_path)


def test_progress_is_told_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(messages.Progress, "_LINE_EVERY", 0.01)
    with messages.Progress("crane") as progress:
        _until(lambda: "preparing" in capsys.readouterr().err)
        progress(0.5)
        _until(lambda: "crane: 50 % after" in capsys.readouterr().err)
    with messages.without_progress(), messages.Progress("crane") as progress:
        progress(0.5)
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def _until(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.005)


def test_preparation_is_not_simulation(level: Path) -> None:
    """Whatever is compiled on the way counts as preparation."""
    import numba

    @numba.njit
    def kernel(x: float) -> float:
        return x + 1.0

    result = headless.run(Session(load(level)), 0.1, observe=lambda _: kernel(1.0) and None)
    assert result.prepare_seconds > 0
    again = headless.run(Session(load(level)), 0.1, observe=lambda _: kernel(1.0) and None)
    assert again.prepare_seconds < result.prepare_seconds


# --- what counts as a level ----------------------------------------------------------------------


def test_folders_are_searched_by_the_rule_of_pytest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nested levels are found, files of other people are left alone, by both."""
    _write(tmp_path / "top.toml")
    _write(tmp_path / "deep" / "deeper" / "top.toml")
    _write(tmp_path / ".hidden" / "no.toml")
    _write(tmp_path / "venv" / "no.toml")
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    (tmp_path / "deep" / "other.toml").write_text("[tool.x]\nformat = 1\n", encoding="utf-8")
    (tmp_path / "deep" / "odd.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "a_folder.toml").mkdir()
    assert main(["test", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["cases"]
    assert [case["level"] for case in found] == ["top", "deep/deeper/top"]
    collected = subprocess.run(
        [sys.executable, "-m", "pytest", "--co", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False,
    ).stdout  # fmt: skip
    assert {line.partition("::")[0] for line in collected.split("\n") if "::" in line} == {
        "top.toml",
        "deep/deeper/top.toml",
    }


def test_a_folder_without_levels_is_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.toml").write_text("[tool.x]\n", encoding="utf-8")
    assert main(["test", str(tmp_path)]) == 2
    assert "no levels" in capsys.readouterr().err


# --- what comes from files -----------------------------------------------------------------------


def test_no_file_steers_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names, texts and values with escape sequences, in everything the commands print."""
    level = tmp_path / "fall.toml"
    text = _LEVEL.format(height=10).replace("it falls", f"it falls{_ESCAPES}")
    level.write_text(text.replace("format = 1", f'format = 1\ntitle = "{_ESCAPES}"'), "utf-8")
    replay = tmp_path / "fall.replay"
    codes = [
        main(["run", str(level), "--record", str(replay)]),
        main(["check", str(level), f"{level}\x1b[31m"]),
        main(["test", str(level)]),
    ]
    lines = replay.read_text(encoding="utf-8").replace('"fall"', f'"{_ESCAPES}"')
    replay.write_text(lines.replace('"given":{}', f'"given":{{"{_ESCAPES}":1}}'), encoding="utf-8")
    codes.append(main(["replay", str(replay), "--level", str(level)]))
    codes.append(main(["run", str(level), "--set", "x\x1b[31m=1"]))
    assert codes == [0, 2, 0, 2, 2]
    told = capsys.readouterr()
    for printed in (told.out, told.err):
        assert all(c in "\n\t" or c.isprintable() for c in printed), repr(printed)
    assert "it falls\ufffd]0;pwned" in told.out


@pytest.mark.parametrize(
    "text",
    [
        "keys = " + "[" * 20_000,
        "volume = " + "9" * 5_000,
        "volume = 1e999",
        'volume = "\\u001b[31mloud"',
        "volume = { a = 1 }",
        "a." * 20_000 + "b = 1",
        "[keys]\n" + "\n".join(f"k{i} = {i}" for i in range(1000)),
    ],
)
def test_settings_of_any_kind_are_set_aside_with_a_sentence(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    assert load_settings(path).volume == 0.6
    told = capsys.readouterr().err
    assert told.startswith("sandbox: the settings file could not be used (")
    assert len(told) < 1_200
    assert all(c == "\n" or c.isprintable() for c in told)
    (aside,) = tmp_path.glob("settings.broken-*.toml")
    assert aside.read_text(encoding="utf-8") == text
