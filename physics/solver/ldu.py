"""Direct solution of the block system by L D U without pivoting, on a fixed pattern.

    A = [[ M̃, -J₀ᵀ ], [ -J, -Σ ]]      unknowns (v, μ) in elimination order, 3x3 blocks

For J = J₀ the matrix is symmetric quasi-definite and only the lower half is updated; otherwise it
is structurally symmetric and both halves are. Right-looking: column k scales its lower blocks by
the inverse pivot and subtracts every product of a lower and an upper block from the block where
they meet; `pair_target` names that block, so the numeric phase searches nothing.
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
    start, rows, unknown = system.column_start, system.row_index, system.unknown
    below, above, inverse = system.below, system.above, system.inverse
    diagonal, target, pair_start = system.diagonal, system.pair_target, system.pair_start
    for at in range(0, len(system.ranges), 2):
        for k in range(system.ranges[at], system.ranges[at + 1]):
            det = invert_block(diagonal, k, inverse, k)
            expected = 1.0 if unknown[k] >= 0 else -1.0
            if not det * expected > 0.0:
                wrong += 1
            first, stop = start[k], start[k + 1]
            for p in range(first, stop):
                if symmetric:
                    for r in range(3):
                        for c in range(3):
                            above[p, r, c] = below[p, c, r]
                multiply_block(below, p, inverse, k, below, p)
            pair = pair_start[k]
            for p in range(first, stop):
                subtract_product(below, p, above, p, diagonal, rows[p])
                for q in range(first, p):
                    t = target[pair]
                    pair += 1
                    subtract_product(below, p, above, q, below, t)
                    if not symmetric:
                        subtract_product(below, q, above, p, above, t)
    return wrong


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
