"""Numeric multifrontal Cholesky factorisation over a `Symbolic`.

For each supernode in postorder: its panel is filled with the matrix blocks, the children's update
matrices are added into panel and own update matrix, the panel is factorised, and its trailing
product subtracted from the update matrix, which waits for the parent.
"""

from physics.compiled import kernel
from physics.solver.spd.dense import factor_front


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
def _add_runs(local, run, begin, skipped, source, target):
    """Add one column of an update matrix, run by run of consecutive rows. Written: target."""
    i = begin
    while i < local.size:
        length, a, b = 3 * (run[i] - i), 3 * (local[i] - skipped), 3 * i
        to, values = target[a : a + length], source[b : b + length]
        for k in range(length):
            to[k] += values[k]
        i = run[i]


@kernel
def _add_child(local, run, W, w, ldw, pivots, X, x, ld, C, c, ldc):
    """Add a child's update matrix (at W[w]) into the parent's panel X and update C. Writes both."""
    count = local.size
    for cj in range(count):
        column = local[cj]
        for j in range(3):
            source = W[w + (3 * cj + j) * ldw :]
            if column < pivots:
                _add_runs(local, run, cj, 0, source, X[x + (3 * column + j) * ld :])
            else:  # rows of the update matrix start after the pivots
                target = C[c + (3 * (column - pivots) + j) * ldc :]
                _add_runs(local, run, cj, pivots, source, target)


@kernel
def factorise(symbolic, diagonal, off, X, W):
    """Factor the matrix of 3x3 blocks diagonal[node], off[edge] = A[edge 0, edge 1].

    Returns the smallest pivot: > 0 iff the matrix is positive definite. Written: X (the factor),
    W (workspace).
    """
    smallest = 1e300
    P = W[symbolic.workspace[0] - symbolic.workspace[1] :]
    first, row_start = symbolic.first, symbolic.row_start
    for s in range(first.size - 1):
        pivots, count = first[s + 1] - first[s], row_start[s + 1] - row_start[s]
        x, ld = symbolic.panel[s], symbolic.stride[s]
        c, ldc = symbolic.update[s], symbolic.update_stride[s]
        X[x : symbolic.panel[s + 1]] = 0.0
        W[c : c + 3 * count * ldc] = 0.0
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
                pivots, X, x, ld, W, c, ldc,
            )  # fmt: skip
            child = symbolic.sibling[child]
        rows = 3 * (pivots + count)
        smallest = min(smallest, factor_front(rows, 3 * pivots, X, x, ld, W, c, ldc, P))
    return smallest
