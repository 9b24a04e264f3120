"""Triangular solves with a factor of `factorise`, for one and for several right-hand sides.

One: columns are streamed once forward (axpy) and once backward (dot products); the time is that of
reading the factor twice. Several: the right-hand sides are the vector lanes and the register tile
does the work, so eight cost little more than one.

Both go over the parts of the elimination tree with two threads, if there are two: forward the parts
and then the top, backward the top and then the parts.
"""

from physics.jit import kernel, kernel_without_lock
from physics.jit.threads import claim, finish, index_of, post, wait
from physics.solver.spd.simd import LANES, dots, tile

FORWARD, BACKWARD, BACKWARD_MANY = 2, 3, 4  # kinds of jobs


@kernel
def _forward_three(X, at, ld, length, y):
    """Solve a 3x3 corner and subtract its columns from the rest of y. Written: y."""
    y0 = y[0] * X[at]
    y1 = (y[1] - X[at + 1] * y0) * X[at + 1 + ld]
    y2 = (y[2] - X[at + 2] * y0 - X[at + 2 + ld] * y1) * X[at + 2 + 2 * ld]
    y[0], y[1], y[2] = y0, y1, y2
    c0, c1, c2 = X[at : at + length], X[at + ld : at + ld + length], X[at + 2 * ld :]
    for i in range(3, length):
        y[i] -= c0[i] * y0 + c1[i] * y1 + c2[i] * y2


@kernel
def _backward_three(X, at, ld, length, w, k):
    """Solve the transposed corner at w[k] against the rows after it. Written: w."""
    dots(X, at + 3, ld, w, k + 3, length - 3, w, k, 3)
    y2 = w[k + 2] * X[at + 2 + 2 * ld]
    y1 = (w[k + 1] - X[at + 2 + ld] * y2) * X[at + 1 + ld]
    w[k] = (w[k] - X[at + 1] * y1 - X[at + 2] * y2) * X[at]
    w[k + 1], w[k + 2] = y1, y2


@kernel
def forward_part(symbolic, X, part, worker, w):
    """Solve with L over the supernodes of one part.

    What a part gives to the rows above it waits in a vector of its own, for the top to add up: the
    order of additions does not depend on who is first. Written: w.
    """
    first, row_start, rows = symbolic.first, symbolic.row_start, symbolic.rows
    n, parts = symbolic.order.size, symbolic.part_start.size - 2
    z, above = w[: 3 * n], w[3 * n * (1 + part) :]
    front = w[3 * n * (1 + parts) + worker * (3 * n + 2 * LANES) :]
    root = symbolic.sequence[symbolic.part_start[part + 1] - 1]
    inside = first[root + 1]
    for r in range(row_start[root], row_start[root + 1]):
        for d in range(3):
            above[3 * rows[r] + d] = 0.0
    for k in range(symbolic.part_start[part], symbolic.part_start[part + 1]):
        s = symbolic.sequence[k]
        pivots, begin, end = 3 * (first[s + 1] - first[s]), row_start[s], row_start[s + 1]
        x, ld, at = symbolic.panel[s], symbolic.stride[s], 3 * first[s]
        size = pivots + 3 * (end - begin)
        front[:pivots] = z[at : at + pivots]
        front[pivots:size] = 0.0
        for p in range(0, pivots, 3):
            _forward_three(X, x + p + p * ld, ld, size - p, front[p:size])
        z[at : at + pivots] = front[:pivots]
        for r in range(begin, end):
            i, j = 3 * rows[r], pivots + 3 * (r - begin)
            to = z if rows[r] < inside else above
            for d in range(3):
                to[i + d] += front[j + d]


@kernel
def backward_part(symbolic, X, part, worker, w):
    """Solve with Lᵀ over the supernodes of one part, those above it are done. Written: w."""
    first, row_start, rows = symbolic.first, symbolic.row_start, symbolic.rows
    n, parts = symbolic.order.size, symbolic.part_start.size - 2
    z, front = w[: 3 * n], w[3 * n * (1 + parts) + worker * (3 * n + 2 * LANES) :]
    for k in range(symbolic.part_start[part + 1] - 1, symbolic.part_start[part] - 1, -1):
        s = symbolic.sequence[k]
        pivots, begin, end = 3 * (first[s + 1] - first[s]), row_start[s], row_start[s + 1]
        x, ld, at = symbolic.panel[s], symbolic.stride[s], 3 * first[s]
        size = pivots + 3 * (end - begin)
        front[:pivots] = z[at : at + pivots]
        for r in range(begin, end):
            i, j = 3 * rows[r], pivots + 3 * (r - begin)
            for d in range(3):
                front[j + d] = z[i + d]
        front[size : size + LANES] = 0.0
        for p in range(pivots - 3, -1, -3):
            _backward_three(X, x + p + p * ld, ld, size - p, front, p)
        z[at : at + pivots] = front[:pivots]


@kernel
def _add_parts(symbolic, w):
    """What the parts gave to the rows above them. Written: w."""
    n, row_start, rows = symbolic.order.size, symbolic.row_start, symbolic.rows
    for part in range(symbolic.part_start.size - 2):
        above = w[3 * n * (1 + part) :]
        root = symbolic.sequence[symbolic.part_start[part + 1] - 1]
        for r in range(row_start[root], row_start[root + 1]):
            for i in range(3 * rows[r], 3 * rows[r] + 3):
                w[i] += above[i]


@kernel
def solve_one(board, symbolic, X, b, w, y):
    """y = A⁻¹ b for nodal vectors (n, 3); b and y may be the same. Written: y, w (workspace).

    w needs `Symbolic.vector_size` values.
    """
    order, parts = symbolic.order, symbolic.part_start.size - 2
    for k in range(order.size):
        for d in range(3):
            w[3 * k + d] = b[order[k], d]
    if parts > 0:
        post(board, FORWARD, parts)
    part = -1
    while part != parts:
        ticket = claim(board) if parts > 0 else -1
        if ticket < 0 and parts > 0:
            wait(board, parts)
            _add_parts(symbolic, w)
        part = index_of(ticket) if ticket >= 0 else parts
        forward_part(symbolic, X, part, 0, w)
        if ticket >= 0:
            finish(board)
    part, ticket = parts, -1
    while part >= 0:
        backward_part(symbolic, X, part, 0, w)
        if ticket >= 0:
            finish(board)
        if part == parts and parts > 0:
            post(board, BACKWARD, parts)
        ticket = claim(board) if parts > 0 else -1
        part = index_of(ticket) if ticket >= 0 else -1
    if parts > 0:
        wait(board, parts)
    for k in range(order.size):
        for d in range(3):
            y[order[k], d] = w[3 * k + d]


@kernel
def _tiles(A, a, lda, B, b, ldb, step, depth, lanes, width, C, c, ldc):
    """C -= A Bᵀ for `lanes` right-hand sides and any multiple of 3 columns. Written: C."""
    j = 0
    while j < width:
        wide = 6 if width - j >= 6 else 3
        i = 0
        while i < lanes:
            if lanes - i >= 8 and wide == 6:
                tile(
                    A, a + i, lda, B, b + j * step, ldb, step, depth, C, c + i + j * ldc, ldc, 8, 6
                )
                i += 8
            elif wide == 6:
                tile(
                    A, a + i, lda, B, b + j * step, ldb, step, depth, C, c + i + j * ldc, ldc, 4, 6
                )
                i += 4
            else:
                tile(
                    A, a + i, lda, B, b + j * step, ldb, step, depth, C, c + i + j * ldc, ldc, 4, 3
                )
                i += 4
        j += wide


@kernel
def _corners(X, at, ld, lanes, transposed, f, F):
    """Solve one 3x3 corner (or its transpose) for all right-hand sides at F[f]. Written: F."""
    d0, d1, d2 = X[at], X[at + 1 + ld], X[at + 2 + 2 * ld]
    l10, l20, l21 = X[at + 1], X[at + 2], X[at + 2 + ld]
    for r in range(f, f + lanes):
        if transposed:
            y2 = F[r + 2 * lanes] * d2
            y1 = (F[r + lanes] - l21 * y2) * d1
            y0 = (F[r] - l10 * y1 - l20 * y2) * d0
        else:
            y0 = F[r] * d0
            y1 = (F[r + lanes] - l10 * y0) * d1
            y2 = (F[r + 2 * lanes] - l20 * y0 - l21 * y1) * d2
        F[r], F[r + lanes], F[r + 2 * lanes] = y0, y1, y2


@kernel
def _is_zero(z, begin, end):
    for i in range(begin, end):
        if z[i] != 0.0:
            return False
    return True


@kernel
def _forward_front(X, x, ld, pivots, size, lanes, F):
    """Pivot part of F solved, the rest reduced by it. Written: F (size, lanes)."""
    for k in range(0, pivots, 3):
        _tiles(F, 0, lanes, X, x + k, ld, 1, k, lanes, 3, F, k * lanes, lanes)
        _corners(X, x + k + k * ld, ld, lanes, False, k * lanes, F)
    _tiles(
        F, 0, lanes, X, x + pivots, ld, 1, pivots, lanes, size - pivots, F, pivots * lanes, lanes
    )


@kernel
def _backward_front(X, x, ld, pivots, size, lanes, F):
    """Pivot part of F solved against the transposed factor. Written: F (size, lanes)."""
    _tiles(
        F, pivots * lanes, lanes, X, x + pivots, 1, ld, size - pivots, lanes, pivots, F, 0, lanes
    )
    for k in range(pivots - 3, -1, -3):
        after = k + 3
        _tiles(
            F, after * lanes, lanes, X, x + after + k * ld, 1, ld, pivots - after, lanes, 3,
            F, k * lanes, lanes,
        )  # fmt: skip
        _corners(X, x + k + k * ld, ld, lanes, True, k * lanes, F)


@kernel
def backward_part_many(symbolic, X, part, worker, lanes, Z, F):
    """Solve with Lᵀ over the supernodes of one part for all right-hand sides. Written: Z, F."""
    first, row_start, rows = symbolic.first, symbolic.row_start, symbolic.rows
    front = F[worker * 3 * symbolic.order.size * lanes :]
    for k in range(symbolic.part_start[part + 1] - 1, symbolic.part_start[part] - 1, -1):
        s = symbolic.sequence[k]
        pivots, begin, end = 3 * (first[s + 1] - first[s]), row_start[s], row_start[s + 1]
        at, size = 3 * first[s] * lanes, pivots + 3 * (end - begin)
        front[: pivots * lanes] = Z[at : at + pivots * lanes]
        for r in range(begin, end):
            i, j = 3 * rows[r] * lanes, (pivots + 3 * (r - begin)) * lanes
            for d in range(3 * lanes):
                front[j + d] = Z[i + d]
        _backward_front(X, symbolic.panel[s], symbolic.stride[s], pivots, size, lanes, front)
        Z[at : at + pivots * lanes] = front[: pivots * lanes]


@kernel
def _forward_many(symbolic, X, lanes, Z, F):
    """Solve with L for all right-hand sides; where they are zero nothing is done. Written: Z, F."""
    first, row_start, rows = symbolic.first, symbolic.row_start, symbolic.rows
    for s in range(first.size - 1):
        pivots, begin, end = 3 * (first[s + 1] - first[s]), row_start[s], row_start[s + 1]
        at, size = 3 * first[s] * lanes, pivots + 3 * (end - begin)
        if _is_zero(Z, at, at + pivots * lanes):
            continue
        F[: pivots * lanes] = Z[at : at + pivots * lanes]
        F[pivots * lanes : size * lanes] = 0.0
        _forward_front(X, symbolic.panel[s], symbolic.stride[s], pivots, size, lanes, F)
        Z[at : at + pivots * lanes] = F[: pivots * lanes]
        for r in range(begin, end):
            i, j = 3 * rows[r] * lanes, (pivots + 3 * (r - begin)) * lanes
            for d in range(3 * lanes):
                Z[i + d] += F[j + d]


@kernel_without_lock
def solve_many(board, symbolic, X, B, Z, F, Y):
    """Y = A⁻¹ B for B (n, 3, R), R a multiple of LANES. Sparse B is cheap going forward.

    Written: Y; workspaces Z with 3 n R values and F with as many for every worker.
    """
    order, lanes, parts = symbolic.order, B.shape[2], symbolic.part_start.size - 2
    for k in range(order.size):
        for d in range(3):
            for r in range(lanes):
                Z[(3 * k + d) * lanes + r] = B[order[k], d, r]
    _forward_many(symbolic, X, lanes, Z, F)
    part, ticket = parts, -1
    while part >= 0:
        backward_part_many(symbolic, X, part, 0, lanes, Z, F)
        if ticket >= 0:
            finish(board)
        if part == parts and parts > 0:
            post(board, BACKWARD_MANY, parts)
        ticket = claim(board) if parts > 0 else -1
        part = index_of(ticket) if ticket >= 0 else -1
    if parts > 0:
        wait(board, parts)
    for k in range(order.size):
        for d in range(3):
            for r in range(lanes):
                Y[order[k], d, r] = Z[(3 * k + d) * lanes + r]
