"""Direct solution of the block system by L D U without pivoting, on a fixed pattern.

    A = [[ M̃, -J₀ᵀ ], [ -J, -Σ ]]      unknowns (v, μ) in elimination order, 3x3 blocks

For J = J₀ the matrix is symmetric quasi-definite and only the lower half is updated; otherwise it
is structurally symmetric and both halves are. Right-looking: column k scales its lower blocks by
the inverse pivot and subtracts every product of a lower and an upper block from the block where
they meet; `pair_target` names that block, so the numeric phase searches nothing.

Where an element has one row only, as a rod, the other two of its block are nothing in all of L and
U, and left out: the same numbers, of a net in a third of the time.
"""

from physics.jit import kernel
from physics.linalg import invert_block, multiply_block, subtract_product


@kernel
def factorise(system, symmetric):
    """Factors system.diagonal/below/above in place.

    Writes below (L), above (U, unscaled), inverse (of the pivots). Returns how many pivots were
    singular or had the wrong sign (positive for nodes, negative for elements): zero for a system
    that is quasi-definite.
    """
    wrong = 0
    start, unknown, lone = system.column_start, system.unknown, system.lone
    for at in range(0, len(system.ranges), 2):
        for k in range(system.ranges[at], system.ranges[at + 1]):
            det = invert_block(system.diagonal, k, system.inverse, k)
            expected = 1.0 if unknown[k] >= 0 else -1.0
            if not det * expected > 0.0:
                wrong += 1
            if start[k] < start[k + 1]:
                if lone[k]:
                    _eliminate_row(system, k, symmetric)
                else:
                    _eliminate(system, k, symmetric)
    return wrong


@kernel
def _eliminate(system, k, symmetric):
    """Column k: scales its lower blocks, and takes their products off what follows."""
    rows, narrow, target = system.row_index, system.narrow, system.pair_target
    below, above, diagonal = system.below, system.above, system.diagonal
    first, stop, pair = system.column_start[k], system.column_start[k + 1], system.pair_start[k]
    for p in range(first, stop):
        if symmetric:
            for r in range(3):
                for c in range(3):
                    above[p, r, c] = below[p, c, r]
        multiply_block(below, p, system.inverse, k, below, p)
    for p in range(first, stop):
        if narrow[p]:
            diagonal[rows[p], 0, 0] -= _product(below, p, 0, above, p, 0)
        else:
            subtract_product(below, p, above, p, diagonal, rows[p])
        for q in range(first, p):
            t = target[pair]
            pair += 1
            if not (narrow[p] or narrow[q]):
                subtract_product(below, p, above, q, below, t)
                if not symmetric:
                    subtract_product(below, q, above, p, above, t)
            elif narrow[p]:
                below[t, 0, 0] -= _product(below, p, 0, above, q, 0)
                if not symmetric:
                    above[t, 0, 0] -= _product(below, q, 0, above, p, 0)
                if narrow[q]:
                    continue
                for c in range(1, 3):
                    below[t, 0, c] -= _product(below, p, 0, above, q, c)
                    if not symmetric:
                        above[t, c, 0] -= _product(below, q, c, above, p, 0)
            else:
                for r in range(3):
                    below[t, r, 0] -= _product(below, p, r, above, q, 0)
                    if not symmetric:
                        above[t, 0, r] -= _product(below, q, 0, above, p, r)


@kernel
def _product(A, i, r, B, j, c):
    """Row r of A[i] times column c of B[j]."""
    return A[i, r, 0] * B[j, 0, c] + A[i, r, 1] * B[j, 1, c] + A[i, r, 2] * B[j, 2, c]


@kernel
def _eliminate_row(system, k, symmetric):
    """The same for the column of a lone row: its blocks have but a first column, or row."""
    rows, narrow, target = system.row_index, system.narrow, system.pair_target
    below, above, diagonal = system.below, system.above, system.diagonal
    first, stop, pair = system.column_start[k], system.column_start[k + 1], system.pair_start[k]
    scale = system.inverse[k, 0, 0]
    for p in range(first, stop):
        for r in range(3):
            if symmetric:
                above[p, 0, r] = below[p, r, 0]
            below[p, r, 0] *= scale
    for p in range(first, stop):
        if narrow[p]:
            diagonal[rows[p], 0, 0] -= below[p, 0, 0] * above[p, 0, 0]
        else:
            _subtract_outer(below, p, above, p, diagonal, rows[p])
        for q in range(first, p):
            t = target[pair]
            pair += 1
            if not (narrow[p] or narrow[q]):
                _subtract_outer(below, p, above, q, below, t)
                if not symmetric:
                    _subtract_outer(below, q, above, p, above, t)
            elif narrow[p]:
                below[t, 0, 0] -= below[p, 0, 0] * above[q, 0, 0]
                if not symmetric:
                    above[t, 0, 0] -= below[q, 0, 0] * above[p, 0, 0]
                if narrow[q]:
                    continue
                for c in range(1, 3):
                    below[t, 0, c] -= below[p, 0, 0] * above[q, 0, c]
                    if not symmetric:
                        above[t, c, 0] -= below[q, c, 0] * above[p, 0, 0]
            else:
                for r in range(3):
                    below[t, r, 0] -= below[p, r, 0] * above[q, 0, 0]
                    if not symmetric:
                        above[t, 0, r] -= below[q, 0, 0] * above[p, 0, r]


@kernel
def _subtract_outer(A, i, B, j, out, k):
    """out[k] -= first column of A[i] times first row of B[j]; writes out."""
    x, y, z = B[j, 0, 0], B[j, 0, 1], B[j, 0, 2]
    for r in range(3):
        factor = A[i, r, 0]
        out[k, r, 0] -= factor * x
        out[k, r, 1] -= factor * y
        out[k, r, 2] -= factor * z


@kernel
def solve_all(system, x):
    """x ← A⁻¹ x for all places of the lists; writes x."""
    for at in range(0, len(system.ranges), 2):
        solve(system, x, system.ranges[at], system.ranges[at + 1])


@kernel
def solve(system, x, low, high):
    """x ← A⁻¹ x for the places low … high - 1, which must hold whole components; writes x."""
    start, rows = system.column_start, system.row_index
    below, above, inverse = system.below, system.above, system.inverse
    for k in range(low, high):
        a, b, c = x[k, 0], x[k, 1], x[k, 2]
        for p in range(start[k], start[k + 1]):
            i = rows[p]
            x[i, 0] -= below[p, 0, 0] * a + below[p, 0, 1] * b + below[p, 0, 2] * c
            x[i, 1] -= below[p, 1, 0] * a + below[p, 1, 1] * b + below[p, 1, 2] * c
            x[i, 2] -= below[p, 2, 0] * a + below[p, 2, 1] * b + below[p, 2, 2] * c
    for k in range(high - 1, low - 1, -1):
        a, b, c = x[k, 0], x[k, 1], x[k, 2]
        for p in range(start[k], start[k + 1]):
            i = rows[p]
            u, v, w = x[i, 0], x[i, 1], x[i, 2]
            a -= above[p, 0, 0] * u + above[p, 0, 1] * v + above[p, 0, 2] * w
            b -= above[p, 1, 0] * u + above[p, 1, 1] * v + above[p, 1, 2] * w
            c -= above[p, 2, 0] * u + above[p, 2, 1] * v + above[p, 2, 2] * w
        x[k, 0] = inverse[k, 0, 0] * a + inverse[k, 0, 1] * b + inverse[k, 0, 2] * c
        x[k, 1] = inverse[k, 1, 0] * a + inverse[k, 1, 1] * b + inverse[k, 1, 2] * c
        x[k, 2] = inverse[k, 2, 0] * a + inverse[k, 2, 1] * b + inverse[k, 2, 2] * c


@kernel
def solve_three(system, X, shift, low, high):
    """X ← A⁻¹ X for three right sides at once: X[shift + k] is the block of place k; writes X.

    Leading blocks that are nothing are passed over: a point touches few of many nodes.
    """
    start, rows, lone, narrow = system.column_start, system.row_index, system.lone, system.narrow
    below, above = system.below, system.above
    for k in range(low, high):
        if _is_nothing(X, shift + k):
            continue
        for p in range(start[k], start[k + 1]):
            if lone[k]:
                _subtract_outer(below, p, X, shift + k, X, shift + rows[p])
            else:
                subtract_product(below, p, X, shift + k, X, shift + rows[p])
    for k in range(high - 1, low - 1, -1):
        for p in range(start[k], start[k + 1]):
            if narrow[p]:
                _subtract_outer(above, p, X, shift + rows[p], X, shift + k)
            else:
                subtract_product(above, p, X, shift + rows[p], X, shift + k)
        multiply_block(system.inverse, k, X, shift + k, X, shift + k)


@kernel
def _is_nothing(X, k):
    for r in range(3):
        for c in range(3):
            if X[k, r, c] != 0.0:
                return False
    return True
