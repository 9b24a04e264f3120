"""Numeric multifrontal Cholesky factorisation over a `Symbolic`.

For each supernode in postorder: its panel is filled with the matrix blocks, the children's update
matrices are added into panel and own update matrix, the panel is factorised, and its trailing
product subtracted from the update matrix, which waits for the parent. Parts of the tree
(physics/solver/spd/subtrees.py) are eliminated by two threads, if there are two.
"""

from physics.jit import kernel
from physics.jit.threads import claim, finish, index_of, post, wait
from physics.solver.spd.dense import factor_front
from physics.solver.spd.simd import add_three

FACTOR = 1  # kind of job


@kernel
def _scatter(diagonal, off, source, target, transposed, begin, end, stride, X):
    """Copy matrix blocks (lower triangle of diagonal ones) into a zeroed panel. Written: X."""
    for e in range(begin, end):
        at = target[e]
        if source[e] < 0:
            block = diagonal[-1 - source[e]]
            for j in range(3):
                for i in range(j, 3):
                    X[at + i + j * stride] = block[i, j]
        else:
            block = off[source[e]]
            if transposed[e]:
                for j in range(3):
                    for i in range(3):
                        X[at + i + j * stride] = block[j, i]
            else:
                for j in range(3):
                    for i in range(3):
                        X[at + i + j * stride] = block[i, j]


@kernel
def _zero_lower(W, c, ld, columns):
    """Zero an update matrix from its diagonal blocks on, with the room below. Written: W.

    What is above is never read; it may hold anything.
    """
    for j in range(columns):
        column = W[c + j * ld + j // 3 * 3 : c + (j + 1) * ld]
        for i in range(column.size):
            column[i] = 0.0


@kernel
def _add_child(local, run, W, w, ldw, pivots, X, x, ld, c, ldc):
    """Add a child's update matrix (at W[w]) into the parent's panel X[x] and update W[c].

    Three columns at a time, run by run of rows that are consecutive in both. Writes X, W.
    """
    count = local.size
    for cj in range(count):
        column, source = local[cj], w + 3 * cj * ldw
        i = cj
        if column < pivots:
            to = x + 3 * column * ld
            while i < count:
                add_three(W, source + 3 * i, ldw, 3 * (run[i] - i), X, to + 3 * local[i], ld)
                i = run[i]
        else:  # rows of the update matrix start after the pivots
            to = c + 3 * (column - pivots) * ldc - 3 * pivots
            while i < count:
                add_three(W, source + 3 * i, ldw, 3 * (run[i] - i), W, to + 3 * local[i], ldc)
                i = run[i]


@kernel
def eliminate_part(symbolic, diagonal, off, part, worker, X, W):
    """Eliminate the supernodes of one part; its smallest pivot goes into W. Written: X, W."""
    smallest = 1e300
    P = W[symbolic.workspace[2] + worker * symbolic.workspace[1] :]
    first, row_start, sequence = symbolic.first, symbolic.row_start, symbolic.sequence
    for k in range(symbolic.part_start[part], symbolic.part_start[part + 1]):
        s = sequence[k]
        pivots, count = first[s + 1] - first[s], row_start[s + 1] - row_start[s]
        x, ld = symbolic.panel[s], symbolic.stride[s]
        c, ldc = symbolic.update[s], symbolic.update_stride[s]
        X[x : symbolic.panel[s + 1]] = 0.0
        _zero_lower(W, c, ldc, 3 * count)
        _scatter(
            diagonal, off, symbolic.entry_source, symbolic.entry_target, symbolic.entry_transposed,
            symbolic.entry_start[s], symbolic.entry_start[s + 1], ld, X,
        )  # fmt: skip
        child = symbolic.child[s]
        while child != -1:
            begin, end = row_start[child], row_start[child + 1]
            _add_child(
                symbolic.local[begin:end], symbolic.run[begin:end],
                W, symbolic.update[child], symbolic.update_stride[child],
                pivots, X, x, ld, c, ldc,
            )  # fmt: skip
            child = symbolic.sibling[child]
        rows = 3 * (pivots + count)
        smallest = min(smallest, factor_front(rows, 3 * pivots, X, x, ld, W, c, ldc, P))
    W[symbolic.workspace[3] + part] = smallest


@kernel
def factorise(board, symbolic, diagonal, off, X, W):
    """Factor the matrix of 3x3 blocks diagonal[node], off[edge] = A[edge 0, edge 1].

    Returns the smallest pivot: > 0 iff the matrix is positive definite. Written: X (the factor),
    W (workspace).
    """
    parts = symbolic.part_start.size - 2
    if parts > 0:
        post(board, FACTOR, parts)
    part = -1
    while part != parts:
        ticket = claim(board) if parts > 0 else -1
        if ticket < 0 and parts > 0:
            wait(board, parts)
        part = index_of(ticket) if ticket >= 0 else parts
        eliminate_part(symbolic, diagonal, off, part, 0, X, W)
        if ticket >= 0:
            finish(board)
    smallest = 1e300
    for part in range(parts + 1):
        smallest = min(smallest, W[symbolic.workspace[3] + part])
    return smallest
