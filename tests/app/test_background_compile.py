"""What the present level does not need is compiled while it is played."""

from types import SimpleNamespace

import pytest

from sandbox.window import background_compile
from sandbox.window.background_compile import BackgroundCompiler
from tests.app.fakes import FakeKernels

LEVEL = SimpleNamespace(name="toy")


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> FakeKernels:
    monkeypatch.setattr(background_compile, "_QUIET", 0.0)
    monkeypatch.setattr(background_compile, "_LOOK_EVERY", 0.0)
    return FakeKernels(missing=["meshes", "soft"], looks=3).install(monkeypatch)


def test_one_follows_the_other_until_all_are_done(kernels: FakeKernels) -> None:
    background = BackgroundCompiler()
    assert background.idle
    background.resume(LEVEL)
    assert not background.idle
    for _ in range(10):
        background.poll()
    assert [preparation.names for preparation in kernels.started] == [["meshes"], ["soft"]]
    assert all(preparation.closed for preparation in kernels.started)
    assert background.idle


def test_what_fails_does_not_keep_the_others(kernels: FakeKernels) -> None:
    kernels.failed = "the process ended"
    background = BackgroundCompiler()
    background.resume(LEVEL)
    for _ in range(10):
        background.poll()
    assert len(kernels.started) == 2
    assert background.idle


def test_what_somebody_asks_for_comes_next(kernels: FakeKernels) -> None:
    kernels.missing = ["meshes", "soft", "linear"]
    background = BackgroundCompiler()
    background.resume(LEVEL)
    background.poll()
    background.first(["linear"])
    for _ in range(12):
        background.poll()
    names = [preparation.names[0] for preparation in kernels.started]
    assert names == ["meshes", "linear", "soft"]


def test_a_level_that_is_waited_for_comes_first(kernels: FakeKernels) -> None:
    background = BackgroundCompiler()
    background.resume(LEVEL)
    background.poll()
    background.pause()
    assert kernels.started[0].closed
    background.poll()
    assert len(kernels.started) == 1
    background.resume(LEVEL)
    background.poll()
    assert len(kernels.started) == 2


def test_nothing_begins_where_nothing_is_missing(kernels: FakeKernels) -> None:
    kernels.missing = []
    background = BackgroundCompiler()
    background.resume(LEVEL)
    background.poll()
    assert not kernels.started
    assert background.idle


def test_the_wait_counts_what_comes_before(kernels: FakeKernels) -> None:
    background = BackgroundCompiler()
    assert background.seconds_until(["soft"]) == 20.0
    background.resume(LEVEL)
    background.poll()
    (meshes,) = kernels.started
    assert background.seconds_until(["meshes"]) == meshes.seconds_left
    assert background.seconds_until(["soft"]) == meshes.seconds_left + 20.0
    background.close()
