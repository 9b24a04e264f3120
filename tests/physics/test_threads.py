"""Two threads at one board: every task is done once, whoever does it, and nobody waits in vain."""

import threading
import time

import numpy as np
import pytest

from physics.jit import kernel_without_lock, threads
from physics.jit.threads import claim, finish, helped, index_of, is_open, kind_of, post, relax, wait


@kernel_without_lock
def square(board, kind, values, who, worker):
    """Square every value as tasks of a job; who[i] is the worker that did it."""
    post(board, kind, values.size)
    ticket = claim(board)
    while ticket >= 0:
        i = index_of(ticket)
        values[i] = values[i] * values[i] + kind_of(ticket)
        who[i] = worker
        finish(board)
        ticket = claim(board)
    wait(board, values.size)
    return values.sum()


@kernel_without_lock
def square_too(board, values, who):
    spins = 0
    while is_open(board):
        ticket = claim(board)
        if ticket < 0:
            relax(board, spins)
            spins += 1
            continue
        i = index_of(ticket)
        values[i] = values[i] * values[i] + kind_of(ticket)
        who[i] = 1
        finish(board)
    return spins


@pytest.fixture
def two_threads():
    before = threads._helper.wanted
    threads.use_threads(2)
    yield
    threads._helper.wanted = before


def shared_squares(count, kind=3):
    values, who = np.arange(float(count)), np.full(count, -1)
    with helped(square_too, values, who) as board:
        square(board, kind, values, who, 0)
    return values, who


def test_every_task_is_done_once(two_threads):
    expected = np.arange(2000.0) ** 2 + 3
    for _ in range(50):
        values, who = shared_squares(2000)
        assert np.array_equal(values, expected)
        assert set(who) <= {0, 1}


def test_the_helper_does_come(two_threads):
    """Given time it takes its share; on a busy machine it may miss many short jobs, not all."""
    deadline = time.monotonic() + 60.0
    while time.monotonic() < deadline:
        _, who = shared_squares(200_000)
        if (who == 1).any():
            return
    pytest.fail("the helper never took a task")


def test_one_thread_does_it_alone():
    before = threads._helper.wanted
    threads.use_threads(1)
    try:
        values, who = shared_squares(100)
    finally:
        threads._helper.wanted = before
    assert np.array_equal(values, np.arange(100.0) ** 2 + 3)
    assert not who.any()


def test_nobody_waits_for_a_helper_that_is_busy_elsewhere(two_threads):
    """The helper is held in another call; the job is done without it, and after it also."""
    release = threading.Event()
    threads._helper.call(release.wait, ())
    values, who = shared_squares(1000)
    assert not who.any()
    assert np.array_equal(values, np.arange(1000.0) ** 2 + 3)
    release.set()
    values, _ = shared_squares(1000)
    assert np.array_equal(values, np.arange(1000.0) ** 2 + 3)


def test_many_python_threads_may_ask_at_once(two_threads):
    wrong = []

    def work():
        for _ in range(30):
            values, _ = shared_squares(500)
            if not np.array_equal(values, np.arange(500.0) ** 2 + 3):
                wrong.append(values)

    callers = [threading.Thread(target=work) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong


def test_a_helper_that_failed_is_replaced(two_threads, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda _: None)

    def fail(board):
        raise RuntimeError

    with helped(fail):
        pass
    thread = threads._helper._thread
    assert thread is not None
    thread.join(10.0)
    assert not thread.is_alive()
    test_every_task_is_done_once(None)
    assert threads._helper._thread is not thread


def test_a_nonsense_number_of_threads_is_refused():
    with pytest.raises(ValueError, match="threads: 0"):
        threads.use_threads(0)


@pytest.mark.parametrize(("text", "count"), [("1", 1), ("2", 2)])
def test_the_environment_decides(monkeypatch, text, count):
    monkeypatch.setenv("TAUT_THREADS", text)
    assert threads.cores() == count


@pytest.mark.parametrize("text", ["", "0", "many"])
def test_a_nonsense_environment_is_ignored(monkeypatch, text):
    monkeypatch.setenv("TAUT_THREADS", text)
    assert threads.cores() >= 1
