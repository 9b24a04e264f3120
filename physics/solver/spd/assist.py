"""What the second thread does in a factorisation or a solve: parts of the elimination tree."""

from physics.jit import kernel_without_lock
from physics.jit.threads import claim, finish, index_of, is_open, kind_of, relax
from physics.solver.spd.factor import FACTOR, eliminate_part
from physics.solver.spd.triangular import (
    BACKWARD,
    BACKWARD_MANY,
    FORWARD,
    backward_part,
    backward_part_many,
    forward_part,
)


@kernel_without_lock
def assist(board, symbolic, diagonal, off, X, W, w, lanes, Z, F):
    """Take parts of whatever job is posted until the board is closed. Written: X, W, w, Z, F."""
    spins = 0
    while is_open(board):
        ticket = claim(board)
        if ticket < 0:
            relax(board, spins)
            spins += 1
            continue
        spins = 0
        job, part = kind_of(ticket), index_of(ticket)
        if job == FACTOR:
            eliminate_part(symbolic, diagonal, off, part, 1, X, W)
        elif job == FORWARD:
            forward_part(symbolic, X, part, 1, w)
        elif job == BACKWARD:
            backward_part(symbolic, X, part, 1, w)
        elif job == BACKWARD_MANY:
            backward_part_many(symbolic, X, part, 1, lanes, Z, F)
        finish(board)
