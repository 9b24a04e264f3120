"""Kernels are compiled before they are needed, by other processes, and it is said how long."""

from collections.abc import Callable
from pathlib import Path

import pytest

from levels import load
from sandbox import preparing
from sandbox.messages import Progress
from tests.app.fakes import FakeKernels


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "_LOOK_EVERY", 0.05)
    monkeypatch.setattr(Progress, "_LINE_EVERY", 0.01)


@pytest.mark.usefixtures("at_once")
def test_without_a_terminal_there_are_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kernels = FakeKernels(looks=4).install(monkeypatch)
    preparing.prepare_level(load("crane"))
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert "only this once" in lines[0]
    assert "preparing: 25 % after 0 s, detection, first forces, about 30 s left" in lines
    assert kernels.started[0].closed


def test_what_is_compiled_needs_no_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    FakeKernels(missing=[]).install(monkeypatch)
    preparing.prepare_level(load("crane"))
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("at_once")
def test_processes_end_with_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = FakeKernels(looks=1000).install(monkeypatch)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(preparing.time, "sleep", interrupt)
    with pytest.raises(KeyboardInterrupt):
        preparing.prepare_level(load("crane"))
    assert kernels.started[0].closed


@pytest.mark.usefixtures("at_once")
def test_a_failure_is_one_line_and_no_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    FakeKernels(looks=1, failed="the disk is full").install(monkeypatch)
    preparing.prepare_level(load("crane"))
    assert capsys.readouterr().err.splitlines()[-1] == "sandbox: the disk is full"


def test_the_headless_run_prepares_first_and_counts_only_steps(
    monkeypatch: pytest.MonkeyPatch, run_without_opengl: Callable[[], list[str]]
) -> None:
    assert run_without_opengl() == ["prepare", "one step", "measure"]


@pytest.mark.parametrize("verb", ["run", "render"])
def test_runs_without_a_window_prepare_before_they_step(
    verb: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from levels import Session
    from sandbox.cli import main

    kernels = FakeKernels(looks=1).install(monkeypatch)
    prepared: list[bool] = []
    step = Session.step

    def watched(session: Session, count: int = 1) -> object:
        prepared.append(bool(kernels.started) and kernels.started[0].closed)
        return step(session, count)

    monkeypatch.setattr(Session, "step", watched)
    level = tmp_path / "fall.toml"
    level.write_text(
        'format = 1\n[bodies.ball]\nshape = "sphere"\nradius = 1\nmass = 1\n', encoding="utf-8"
    )
    where = [] if verb == "run" else ["--out", str(tmp_path / "fall.png"), "--size", "64x64"]
    assert main([verb, str(level), "--seconds", "0.1", *where]) == 0
    assert prepared
    assert all(prepared)
    assert "only this once" in capsys.readouterr().err


def test_quiet_runs_prepare_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from sandbox.messages import without_progress

    kernels = FakeKernels(looks=1).install(monkeypatch)
    with without_progress():
        preparing.prepare_level(load("crane"))
    assert kernels.started
    assert capsys.readouterr().err == ""


@pytest.fixture
def run_without_opengl(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> Callable[[], list[str]]:
    """The order of things in a run that leaves numbers and a plot."""
    from types import SimpleNamespace

    from sandbox.messages import MachineProblem
    from sandbox.window import fallback

    done: list[str] = []

    def no_video(*_: object) -> None:
        raise MachineProblem("no OpenGL")

    class Session:
        def __init__(self, level: object, **_: object) -> None:
            pass

        def step(self) -> None:
            done.append("one step")

    def measure(*_: object, **__: object) -> object:
        done.append("measure")
        return SimpleNamespace(exit_code=0)

    monkeypatch.setattr(fallback, "prepare_level", lambda level: done.append("prepare"))
    monkeypatch.setattr("sandbox.record.render_video", no_video)
    monkeypatch.setattr("levels.Session", Session, raising=False)
    monkeypatch.setattr("levels.headless.run", measure)
    monkeypatch.setattr("sandbox.summary.print_summary", lambda *_, **__: None)
    monkeypatch.setattr("sandbox.record.line_graph.save_graph", lambda *_: "plot")
    return lambda: (fallback.run_headless("crane", "for a test"), done)[1]


def test_a_run_compiles_before_it_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Building a world calls kernels: what is not prepared by then is compiled by one process."""
    from levels.exit_codes import ExitCode
    from sandbox.cli import main
    from sandbox.commands import run
    from sandbox.messages import UsageProblem

    done = []

    def build(*_: object, **__: object) -> None:
        done.append("build")
        raise UsageProblem("that is enough")

    monkeypatch.setattr(run, "prepare_level", lambda level: done.append("prepare"))
    monkeypatch.setattr("levels.Session", build)
    assert main(["run", "press"]) == ExitCode.BAD_LEVEL
    assert done == ["prepare", "build"]


def test_what_is_kept_is_read_once_before_anything_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scenes call every kernel of their kind: none is left to be read at the first touch."""
    from physics import prepare

    played: list[str] = []
    scenes = {
        name: task._replace(scene=lambda name=name: played.append(name))
        for name, task in prepare.TASKS.items()
        if task.scene
    }
    monkeypatch.setattr(prepare, "TASKS", prepare.TASKS | scenes)
    monkeypatch.setattr(preparing, "_read", set())
    missing = ["soft"]
    monkeypatch.setattr(preparing, "unready", lambda names: [n for n in names if n in missing])
    preparing.read_kept(load("hammock"))
    assert played == []  # a scene would compile what is missing while the window waits
    missing.clear()
    preparing.read_kept(load("hammock"))
    preparing.read_kept(load("hammock"))
    assert played == ["soft", "hands"]
