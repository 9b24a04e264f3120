"""Groups of contacts on two threads: the same bits as on one, and the second one does take part."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from physics import Box, World
from physics.contact.solver import parallel
from physics.jit import threads
from physics.state import Floats
from tests.physics.contact.scenes import on_ground


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = threads._helper.wanted
    yield
    threads._helper.wanted = before


def stacks(count: int = 24) -> World:
    """Leaning stacks that fall over, each for itself, and one pair that hangs together."""
    world = on_ground(sleeping=False)
    for k in range(count):
        for level in range(5):
            world.add_body(
                f"box {k} {level}",
                Box((0.4, 0.2, 0.4)),
                mass=1.0 + level,
                position=(0.02 * k * level, 0.1 + 0.2 * level, 2.0 * k),
            )
    world.add_joint("ball", "box 0 4", "box 1 4", at=(0, 0.9, 1.0))
    return world


def run(count: int, steps: int) -> tuple[Floats, Floats, Any]:
    threads.use_threads(count)
    world = stacks()
    world.step()
    for _ in range(steps):
        world.step()
    return *world.poses()[:2], world.stats


def test_two_threads_come_to_the_same_bits() -> None:
    alone, together = run(1, 40), run(2, 40)
    assert np.array_equal(alone[0], together[0])
    assert np.array_equal(alone[1], together[1])
    assert alone[2].sweeps == together[2].sweeps
    assert alone[2].residual == together[2].residual


def test_the_second_thread_takes_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    original = parallel.assist
    monkeypatch.setattr(
        parallel, "assist", lambda board, scene: taken.append(int(original(board, scene)))
    )
    deadline = time.monotonic() + 60.0  # a busy machine may keep the second thread waiting
    while sum(taken) == 0 and time.monotonic() < deadline:
        run(2, 10)
    assert sum(taken) > 0


def test_nobody_is_asked_to_help_with_one_pile(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(parallel, "helped", lambda *_: asked.append(1))
    threads.use_threads(2)
    world = on_ground(sleeping=False)
    for k in range(12):
        for level in range(8):
            at = (0.5 * k + 0.25 * (level % 2), 0.25 + 0.5 * level, 0)
            world.add_body(f"box {k} {level}", Box((0.5, 0.5, 0.5)), mass=1.0, position=at)
    for _ in range(5):
        world.step()
    assert world.stats.contacts > 256
    assert not asked
