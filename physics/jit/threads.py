"""A second thread for compiled work, and how two threads share it.

A *board* is a small array that both look at. The caller posts a job of so many independent tasks;
whoever is free claims the next one until none is left, then the caller waits for those that are
still being worked on. Nobody waits for a helper that has not come: where there is one core, or
where the helper is late, the caller does all tasks itself. What a task computes does not depend on
who does it, so results are the same bit for bit.

    with helped(assist, *arguments) as board:   # `assist` serves jobs until the board is closed
        work(board, *arguments)                 # posts jobs; both are `@kernel_without_lock`

In compiled code the caller does `post(board, kind, count)`, then tasks while `claim(board) >= 0`,
each followed by `finish(board)`, then `wait(board, count)`. The helper's kernel is a loop of claims
for as long as `is_open(board)`, with `relax` where there is nothing to claim.

Waiting is busy for microseconds, then gives the core away: parts of a step are shorter than a wake
up by the operating system. A helper is called once for a whole piece of a step, not for every job.
"""

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from physics.jit import kernel

Board = NDArray[np.int64]

WORKERS = 2  # the caller is number 0, the helper number 1
TICKET, DONE, CLOSED, YIELD, PLACES = 0, 8, 16, 24, 32  # a cache line apart
INDEX = (1 << 24) - 1  # a ticket is kind << 48 | count << 24 | index
SPINS = 64  # looks at the board before the core is given away


def _place(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Pointer to board[place]."""
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.gep(data, [arguments[1]])


@intrinsic
def _load(typing_context: Any, board: Any, place: Any) -> Any:
    """board[place], after whatever was written before it was."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _place(context, builder, signature, arguments)
        return builder.load_atomic(pointer, "acquire", 8)

    return types.int64(board, types.intp), generate


@intrinsic
def _store(typing_context: Any, board: Any, place: Any, value: Any) -> Any:
    """board[place] = value, seen only with all that was written before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _place(context, builder, signature, arguments)
        builder.store_atomic(arguments[2], pointer, "release", 8)
        return context.get_dummy_value()

    return types.void(board, types.intp, types.int64), generate


@intrinsic
def _add(typing_context: Any, board: Any, place: Any, value: Any) -> Any:
    """board[place] += value as one operation; returns what was there."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _place(context, builder, signature, arguments)
        return builder.atomic_rmw("add", pointer, arguments[2], "acq_rel")

    return types.int64(board, types.intp, types.int64), generate


@intrinsic
def _pause(typing_context: Any) -> Any:
    """Tells the processor that this is a waiting loop, where it has an instruction for that."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if builder.module.triple.startswith(("x86_64", "i686", "amd64")):
            kind = ir.FunctionType(ir.VoidType(), [])
            pause = builder.module.globals.get("llvm.x86.sse2.pause")
            builder.call(pause or ir.Function(builder.module, kind, "llvm.x86.sse2.pause"), [])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def _call(typing_context: Any, address: Any) -> Any:
    """Calls the C function without arguments at an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [])
        return context.get_dummy_value()

    return types.void(types.int64), generate


@kernel
def post(board, kind, count):
    """Offer `count` tasks of a kind. Those of the job before must all be finished."""
    _store(board, DONE, 0)
    _store(board, TICKET, (kind << 48) | (count << 24))


@kernel
def claim(board):
    """A ticket for one task, to be asked `kind_of` and `index_of`; -1 if there is none."""
    seen = _load(board, TICKET)
    if (seen & INDEX) >= ((seen >> 24) & INDEX):
        return -1
    ticket = _add(board, TICKET, 1)  # of whatever job is there by now
    return ticket if (ticket & INDEX) < ((ticket >> 24) & INDEX) else -1


@kernel
def kind_of(ticket):
    return ticket >> 48


@kernel
def index_of(ticket):
    return ticket & INDEX


@kernel
def finish(board):
    """One claimed task is done."""
    _add(board, DONE, 1)


@kernel
def relax(board, spins):
    """What a waiting loop does in its turn number `spins`."""
    _pause()
    if spins % SPINS == SPINS - 1 and board[YIELD] != 0:
        _call(board[YIELD])


@kernel
def wait(board, count):
    """Until all tasks of the job are done."""
    spins = 0
    while _load(board, DONE) < count:
        relax(board, spins)
        spins += 1


@kernel
def is_open(board):
    """Whether more jobs may come."""
    return _load(board, CLOSED) == 0


@kernel
def _close(board):
    _store(board, CLOSED, 1)


def _yield_address() -> int:
    """The operating system's function that gives the core to another thread, 0 if unknown."""
    try:
        if sys.platform == "win32":
            function = ctypes.WinDLL("kernel32").SwitchToThread
        else:
            function = ctypes.CDLL(None).sched_yield
    except (OSError, AttributeError):
        return 0
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def cores() -> int:
    """How many this process may use; TAUT_THREADS=1 means one."""
    wanted = os.environ.get("TAUT_THREADS", "")
    if wanted.isdigit() and int(wanted) > 0:
        return int(wanted)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Helper:
    """The one thread that helps whoever asks, one after the other."""

    def __init__(self) -> None:
        self.wanted = cores() > 1
        self.address = _yield_address()
        self._calls: SimpleQueue[tuple[Callable[..., object], tuple[object, ...]]] = SimpleQueue()
        self._thread: Thread | None = None
        self._starting = Lock()

    def call(self, function: Callable[..., object], arguments: tuple[object, ...]) -> None:
        if self._thread is None or not self._thread.is_alive():  # never started, or forked away
            self._start()
        self._calls.put((function, arguments))

    def _start(self) -> None:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._calls = SimpleQueue()
                self._thread = Thread(target=self._serve, name="taut-helper", daemon=True)
                self._thread.start()

    def _serve(self) -> None:
        while True:
            function, arguments = self._calls.get()
            function(*arguments)


_helper = _Helper()


def use_threads(count: int) -> None:
    """1: everything in the caller's thread; more: with a helper. For tests and measurements."""
    if count < 1:
        raise ValueError(f"threads: {count}, expected 1 or more")
    _helper.wanted = count > 1


def new_board() -> Board:
    """An empty board."""
    board = np.zeros(PLACES, np.int64)
    board[YIELD] = _helper.address
    return board


@contextmanager
def helped(assist: Callable[..., object] | None, *arguments: object) -> Iterator[Board]:
    """A board, served by `assist(board, *arguments)` in the helper until the block is left.

    `assist` None, or one core: nobody comes. A helper that is late finds the board closed.
    """
    board = new_board()
    if assist is None or not _helper.wanted:
        yield board
        return
    _helper.call(assist, (board, *arguments))
    try:
        yield board
    finally:
        _close(board)
