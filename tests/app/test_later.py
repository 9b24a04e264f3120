"""What the present level does not need is compiled while it is played."""

from types import SimpleNamespace

import pytest

from sandbox.app import later
from sandbox.app.later import Later
from tests.app.fakes import FakeKernels

LEVEL = SimpleNamespace(name="toy")


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> FakeKernels:
    monkeypatch.setattr(later, "_QUIET", 0.0)
    monkeypatch.setattr(later, "_LOOK_EVERY", 0.0)
    return FakeKernels(missing=["meshes", "soft"], looks=3).install(monkeypatch)


def test_it_begins_by_itself_and_ends_when_done(kernels: FakeKernels) -> None:
    background = Later()
    assert background.idle
    background.resume(LEVEL)
    for _ in range(5):
        background.poll()
    (preparation,) = kernels.started
    assert preparation.names == ["meshes", "soft"]
    assert preparation.closed
    assert background.idle


def test_a_level_that_is_waited_for_comes_first(kernels: FakeKernels) -> None:
    background = Later()
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
    background = Later()
    background.resume(LEVEL)
    background.poll()
    assert not kernels.started
    assert background.idle


def test_the_wait_counts_what_comes_before_in_the_queue(kernels: FakeKernels) -> None:
    background = Later()
    background.resume(LEVEL)
    background.poll()
    assert background.seconds_until(["meshes"]) == 20.0
    assert background.seconds_until(["soft"]) == 40.0
    kernels.missing = ["soft"]
    assert background.seconds_until(["soft"]) == 20.0
    background.close()
