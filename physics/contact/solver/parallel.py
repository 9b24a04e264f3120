"""Groups of contacts solved by two threads at once.

Groups share no body and use scratch of their own, so their impulses are the same bit for bit
whoever solves them and in whatever order. The helper stays for one call of the compiled loop. It is
asked only where the groups beside the largest are worth it; otherwise one thread does it all.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from physics.jit import kernel, kernel_without_lock
from physics.jit.address import call
from physics.jit.threads import claim, finish, helped, index_of, is_open, kind_of, relax
from physics.params import SHARED_CONTACTS
from physics.state import SOLVE_GROUP, ContactRows


@kernel_without_lock
def assist(board, scene):
    """Takes groups of whatever sweep is posted until the board is closed; returns how many."""
    address = scene.addresses[SOLVE_GROUP]
    spins, taken = 0, 0
    while is_open(board):
        ticket = claim(board)
        if ticket < 0:
            relax(board, spins)
            spins += 1
            continue
        spins = 0
        call(address, (scene, index_of(ticket), kind_of(ticket), np.int64(1)))
        finish(board)
        taken += 1
    return taken


@kernel
def use_board(scene, board):
    rows = scene.contacts
    rows.board = board


def is_worth_sharing(rows: ContactRows) -> bool:
    """Whether the groups of the last step were worth two threads."""
    count, groups = int(rows.count[0]), int(rows.groups[0])
    if count <= SHARED_CONTACTS or groups < 2:
        return False
    sizes = np.diff(rows.group[: groups + 1])
    return count - int(sizes.max()) >= SHARED_CONTACTS


@contextmanager
def shared(rows: ContactRows, scene: Any) -> Iterator[None]:
    """Within it a second thread takes part in the sweeps of the scene, if that pays."""
    if not is_worth_sharing(rows):
        yield
        return
    with helped(assist, scene) as board:
        use_board(scene, board)
        try:
            yield
        finally:
            use_board(scene, rows.board)
