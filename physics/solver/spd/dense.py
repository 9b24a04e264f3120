"""Dense kernels on column-major panels: partial Cholesky and the trailing update.

A panel holds `rows` x `pivots` scalars (both multiples of 3) with room for one more vector of rows,
so tiles may run over the end: what they read there is zero and stays zero.
"""

from math import sqrt

from physics.jit import kernel
from physics.solver.spd.simd import tile

STRIP = 6  # columns factorised at once: two nodes, the width of a tile
BLOCK = 48  # pivots eliminated before the rest of the front is touched: a block stays in cache
PACKED = 96  # rows from which copying a block into contiguous slabs pays


@kernel
def _update_columns(A, a, lda, B, b, ldb, depth, rows, width, C, c, ldc):
    """C -= A Bᵀ for a strip of `width` = 3 or 6 columns and `rows` rows. Written: C."""
    i = 0
    if width == 6:
        while i + 4 < rows:
            tile(A, a + i, lda, B, b, ldb, 1, depth, C, c + i, ldc, 8, 6)
            i += 8
        if i < rows:
            tile(A, a + i, lda, B, b, ldb, 1, depth, C, c + i, ldc, 4, 6)
    else:
        while i + 4 < rows:
            tile(A, a + i, lda, B, b, ldb, 1, depth, C, c + i, ldc, 8, 3)
            i += 8
        if i < rows:
            tile(A, a + i, lda, B, b, ldb, 1, depth, C, c + i, ldc, 4, 3)


@kernel
def _factor_corner(X, x, ld, width):
    """Cholesky factor of the small block at x, the diagonal stored inverted.

    Returns the smallest pivot met; it is ≤ 0 if the matrix is not positive definite. Written: X.
    """
    smallest = 1e300
    for j in range(width):
        pivot = X[x + j + j * ld]
        for k in range(j):
            pivot -= X[x + j + k * ld] * X[x + j + k * ld]
        smallest = min(smallest, pivot)
        scale = 1.0 / sqrt(pivot) if pivot > 0.0 else 0.0
        X[x + j + j * ld] = scale
        for i in range(j + 1, width):
            total = X[x + i + j * ld]
            for k in range(j):
                total -= X[x + i + k * ld] * X[x + j + k * ld]
            X[x + i + j * ld] = total * scale
    return smallest


@kernel
def _divide_three(X, x, ld, begin, end):
    """Rows begin..end of three columns times the inverse transposed corner. Written: X."""
    d0, d1, d2 = X[x], X[x + 1 + ld], X[x + 2 + 2 * ld]
    l10, l20, l21 = X[x + 1], X[x + 2], X[x + 2 + ld]
    c0, c1, c2 = X[x : x + ld], X[x + ld : x + 2 * ld], X[x + 2 * ld : x + 3 * ld]
    for i in range(begin, end):
        y0 = c0[i] * d0
        y1 = (c1[i] - y0 * l10) * d1
        c0[i] = y0
        c1[i] = y1
        c2[i] = (c2[i] - y0 * l20 - y1 * l21) * d2


@kernel
def _factor_block(rows, pivots, X, x, ld):
    """Cholesky on a few pivot columns, all rows: [L₁₁; L₂₁]. Diagonal stored inverted.

    Returns the smallest pivot. Written: X.
    """
    smallest = 1e300
    for j in range(0, pivots, STRIP):
        width = min(STRIP, pivots - j)
        at = x + j + j * ld
        _update_columns(X, x + j, ld, X, x + j, ld, j, rows - j, width, X, at, ld)
        smallest = min(smallest, _factor_corner(X, at, ld, 3))
        _divide_three(X, at, ld, 3, rows - j)
        if width == STRIP:
            half = at + 3 + 3 * ld
            _update_columns(X, at + 3, ld, X, at + 3, ld, 3, rows - j - 3, 3, X, half, ld)
            smallest = min(smallest, _factor_corner(X, half, ld, 3))
            _divide_three(X, half, ld, 3, rows - j - 3)
    return smallest


@kernel
def _pack(X, x, ld, rows, depth, P):
    """Copy rows of a panel into slabs of eight rows, contiguous over the columns. Written: P."""
    for slab in range(0, rows, 8):
        height = min(8, (rows - slab + 3) // 4 * 4)
        for k in range(depth):
            to, at = slab * depth + 8 * k, x + slab + k * ld
            for i in range(height):
                P[to + i] = X[at + i]


@kernel
def _update_packed(X, x, ld, depth, rows, j, width, P, C, c, ldc):
    """Like `_update_columns` for strip j of X Xᵀ, from slabs; row 0 is at c. Written: C."""
    strip = P[: STRIP * depth]  # the strip's own rows, one after the other for each column
    for k in range(depth):
        for i in range(width):
            strip[k * STRIP + i] = X[x + j + i + k * ld]
    slabs = P[STRIP * depth :]
    for i in range(j // 8 * 8, rows, 8):
        a = i * depth
        if width == 6 and rows - i > 4:
            tile(slabs, a, 8, strip, 0, STRIP, 1, depth, C, c + i, ldc, 8, 6)
        elif width == 6:
            tile(slabs, a, 8, strip, 0, STRIP, 1, depth, C, c + i, ldc, 4, 6)
        elif rows - i > 4:
            tile(slabs, a, 8, strip, 0, STRIP, 1, depth, C, c + i, ldc, 8, 3)
        else:
            tile(slabs, a, 8, strip, 0, STRIP, 1, depth, C, c + i, ldc, 4, 3)


@kernel
def _subtract_square(X, x, ld, depth, rows, inside, D, d, ldd, C, c, ldc, P):
    """Subtract X Xᵀ (lower triangle, strips) from what remains of a front.

    Its first `inside` columns are pivots still to come, at D[d]; the others the update matrix at
    C[c], whose rows start at row `inside`. Entries just above the diagonal are touched too, nobody
    reads them. Written: D, C; P (workspace).
    """
    packed = rows >= PACKED
    if packed:
        _pack(X, x, ld, rows, depth, P[STRIP * depth :])
    j = 0
    while j < rows:
        if j < inside:
            width = min(STRIP, inside - j)
            if packed:
                _update_packed(X, x, ld, depth, rows, j, width, P, D, d + j * ldd, ldd)
            else:
                at = d + j + j * ldd
                _update_columns(X, x + j, ld, X, x + j, ld, depth, rows - j, width, D, at, ldd)
        else:
            width = min(STRIP, rows - j)
            at = c + (j - inside) * ldc - inside
            if packed and j // 8 * 8 >= inside:  # else its first slab starts before the matrix
                _update_packed(X, x, ld, depth, rows, j, width, P, C, at, ldc)
            else:
                at += j
                _update_columns(X, x + j, ld, X, x + j, ld, depth, rows - j, width, C, at, ldc)
        j += width


@kernel
def factor_front(rows, pivots, X, x, ld, C, c, ldc, P):
    """Eliminate the pivots of a front: panel X[x] (rows x pivots), update matrix C[c].

    Returns the smallest pivot. Written: X, C; P (workspace, BLOCK (rows + 2 STRIP) values).
    """
    smallest = 1e300
    for j in range(0, pivots, BLOCK):
        width = min(BLOCK, pivots - j)
        at = x + j + j * ld
        smallest = min(smallest, _factor_block(rows - j, width, X, at, ld))
        after, inside = at + width, pivots - j - width
        _subtract_square(
            X, after, ld, width, rows - j - width, inside, X, after + width * ld, ld, C, c, ldc, P
        )
    return smallest
