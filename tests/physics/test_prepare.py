"""Compiling the engine beforehand, in other processes."""

import time
from pathlib import Path
from queue import Queue
from types import SimpleNamespace

import numba
import pytest

from physics import Box, World, prepare
from physics.collision.arrays import Collider
from physics.islands.sleeping import SleepState
from physics.prepare import processes, soft_entries, tasks, warm_up_scenes
from physics.schema import numba_type
from physics.state import Scene, Settings

SOFT_ENTRIES = (
    soft_entries.elements,
    soft_entries.solve,
    soft_entries.corrections,
    soft_entries.motion,
    soft_entries.touching,
)


def test_types_from_declarations_are_those_of_a_world() -> None:
    world = World()
    world.add_body("a", Box((1, 1, 1)), mass=1.0, position=(0, 1, 0))
    world.add_body("b", Box((1, 1, 1)), position=(0, 0, 0), fixed=True)
    world.step()
    pairs = [
        (world._stores.stepping.ensure().scene, Scene),
        (world._contacts.shapes.collider(), Collider),
        (world._rest.ref, SleepState),
        (world._stores.settings.of_step(1.0), Settings),
    ]
    for value, group in pairs:
        assert numba.typeof(value) == numba_type(group), group


def test_every_entry_point_is_called_with_the_types_it_is_prepared_for() -> None:
    """A kernel compiled for other types would be compiled again in play."""
    world = World()
    world.add_body("ground", Box((4, 1, 4)), position=(0, -0.5, 0), fixed=True)
    world.add_body("box", Box((1, 1, 1)), mass=1.0, position=(0, 0.5, 0))
    world.step(3)
    needed = [entry for name in prepare.tasks_for() for entry in tasks.TASKS[name].entries()]  # type: ignore[misc]
    for kernel, kinds in needed:
        for used in kernel.overloads:
            assert used == kinds, kernel.__name__


def test_soft_entry_points_are_called_with_the_types_they_are_prepared_for() -> None:
    warm_up_scenes.soft()
    for kernel, kinds in (entry for make in SOFT_ENTRIES for entry in make()):
        assert kinds in kernel.overloads, kernel.__name__


def test_no_task_waits_for_ever() -> None:
    names = list(prepare.TASKS)
    for name, task in prepare.TASKS.items():
        assert all(names.index(other) < names.index(name) for other in task.after), name


def _names(monkeypatch: pytest.MonkeyPatch, **all_tasks: float) -> list[str]:
    """Tasks that only exist here, of the given weights."""
    monkeypatch.setattr(processes, "is_ready", lambda name: False)
    made = {name: tasks.Task(name.upper(), weight) for name, weight in all_tasks.items()}
    monkeypatch.setattr(processes, "TASKS", made)
    return list(all_tasks)


def test_progress_is_that_of_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    names = _names(monkeypatch, long=30.0, short=10.0)
    answers: list[str] = []
    monkeypatch.setattr(processes, "_start_worker", lambda nice: _silent_worker(answers))
    preparation = prepare.Preparation(names, workers=1)
    assert preparation.current == ["LONG"]
    assert preparation.share < 0.05
    assert preparation.seconds_left == pytest.approx(40.0, abs=2.0)
    preparation._answers.put((0, {"error": None}))
    preparation.poll()
    assert preparation.current == ["SHORT"]
    assert 0.74 < preparation.share < 1.0
    preparation._answers.put((0, {"error": "TypeError: no"}))
    assert preparation.done
    assert preparation.failed == "SHORT: TypeError: no"
    assert answers == ["long\n", "short\n"]


def test_what_calls_others_waits_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scene that is played at once would compile everything that another process compiles."""
    names = _names(monkeypatch, scene=30.0, parts=10.0)
    processes.TASKS["scene"] = processes.TASKS["scene"]._replace(after=("parts", "elsewhere"))
    written: list[str] = []
    monkeypatch.setattr(processes, "_start_worker", lambda nice: _silent_worker(written))
    preparation = prepare.Preparation(names, workers=2)
    assert written == ["parts\n"]
    assert not preparation.done
    preparation._answers.put((0, {"error": None}))
    preparation.poll()
    assert written == ["parts\n", "scene\n"]
    assert preparation.current == ["SCENE"]
    preparation._answers.put((next(iter(preparation._running)), {"error": None}))
    assert preparation.done


def test_a_slow_machine_is_told_so_and_the_share_never_falls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = _names(monkeypatch, long=30.0, short=10.0)
    monkeypatch.setattr(processes, "_start_worker", lambda nice: _silent_worker([]))
    now = [0.0]
    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: now[0]))
    preparation = prepare.Preparation(names, workers=1)
    shares, left = [], []
    for now[0] in (10.0, 29.0, 60.0, 120.0):  # what should take thirty seconds takes longer
        shares.append(preparation.share)
        left.append(preparation.seconds_left)
    assert shares == sorted(shares)
    assert left[-1] > 40.0  # the second task will take four times as long, too
    preparation._answers.put((0, {"error": None}))
    preparation.poll()
    assert preparation.share >= shares[-1]
    assert preparation.seconds_left == pytest.approx(40.0)


def _silent_worker(written: list[str]) -> SimpleNamespace:
    stdin = SimpleNamespace(write=written.append, flush=lambda: None, close=lambda: None)
    return SimpleNamespace(stdin=stdin, stdout=iter(Queue().get, None))


def test_a_worker_that_dies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "is_ready", lambda name: False)
    preparation = prepare.Preparation(["structures"], workers=1)
    preparation._workers[0].kill()
    while not preparation.done:
        time.sleep(0.01)
    preparation.close()
    assert preparation.failed == "arrays: the compiling process ended"


def test_what_is_compiled_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("physics.jit.cache.cache_folder", lambda: tmp_path)
    monkeypatch.setattr(tasks, "cache_folder", lambda: tmp_path)
    assert not prepare.is_ready("structures")
    assert not prepare.is_ready("hands")
    monkeypatch.setitem(tasks.TASKS, "hands", tasks.Task("hands", 1.0, scene=lambda: None))
    tasks.do("hands")
    assert prepare.is_ready("hands")
    assert prepare.later(prepare.tasks_for()) == [
        name for name in prepare.TASKS if name not in prepare.tasks_for()
    ]
