"""The inverse of M̃ = M - h²K̃ by low-rank updates [Andrews17, §3], on sparse support.

K̃ of an element is a sum of r products a bᵀ of 12-vectors over its four nodes
(constraints/rows/pairs.py). With A and B holding them side by side, [Sherman, Morrison, Woodbury]

    (N + s A Bᵀ)⁻¹ = N⁻¹ - N⁻¹A (1/s + BᵀN⁻¹A)⁻¹ BᵀN⁻¹

N⁻¹A and BᵀN⁻¹ are zero but for the nodes that earlier updates have coupled with those of the
element: only that group is visited. Corrected against the paper: with s = -h² and r = 1 the
denominator is 1 - h² bᵀM⁻¹a.
"""

from physics.jit import kernel


@kernel
def update_node(inverse, node, a, b, first, scale):
    """The update by one product that lies in one node, coupled with no other; writes inverse.

    The node's parts of a and b begin at `first`.
    """
    n = 3 * node
    ax, ay, az = a[first], a[first + 1], a[first + 2]
    bx, by, bz = b[first], b[first + 1], b[first + 2]
    lx = inverse[n, n] * ax + inverse[n, n + 1] * ay + inverse[n, n + 2] * az
    ly = inverse[n + 1, n] * ax + inverse[n + 1, n + 1] * ay + inverse[n + 1, n + 2] * az
    lz = inverse[n + 2, n] * ax + inverse[n + 2, n + 1] * ay + inverse[n + 2, n + 2] * az
    factor = scale / (1.0 + scale * (bx * lx + by * ly + bz * lz))
    for c in range(n, n + 3):
        right = factor * (bx * inverse[n, c] + by * inverse[n + 1, c] + bz * inverse[n + 2, c])
        inverse[n, c] -= lx * right
        inverse[n + 1, c] -= ly * right
        inverse[n + 2, c] -= lz * right


@kernel
def update_group(inverse, nodes, count, slots, A, B, rank, scale, left, right, small):
    """inverse ← (inverse⁻¹ + scale·Σ A[q] B[q]ᵀ)⁻¹ within a group of coupled nodes.

    nodes[:count] is the group, slots[:4] the nodes that the four parts of A[q] and B[q] belong to
    (-1: none). Writes inverse, and left (·, rank), right (rank, ·) and small as scratch.
    """
    for g in range(count):
        for c in range(3):
            row = 3 * nodes[g] + c
            for q in range(rank):
                forward, back = 0.0, 0.0
                for s in range(4):
                    if slots[s] >= 0:
                        at = 3 * slots[s]
                        for k in range(3):
                            forward += inverse[row, at + k] * A[q, 3 * s + k]
                            back += B[q, 3 * s + k] * inverse[at + k, row]
                left[row, q] = forward
                right[q, row] = back
    for p in range(rank):
        for q in range(rank):
            total = 1.0 / scale if p == q else 0.0
            for s in range(4):
                if slots[s] >= 0:
                    for k in range(3):
                        total += B[p, 3 * s + k] * left[3 * slots[s] + k, q]
            small[p, q] = total
    _eliminate(small, rank, nodes, count, right)
    for g in range(count):
        for i in range(3 * nodes[g], 3 * nodes[g] + 3):
            for f in range(count):
                j = 3 * nodes[f]
                x, y, z = 0.0, 0.0, 0.0
                for q in range(rank):
                    share = left[i, q]
                    x += share * right[q, j]
                    y += share * right[q, j + 1]
                    z += share * right[q, j + 2]
                inverse[i, j] -= x
                inverse[i, j + 1] -= y
                inverse[i, j + 2] -= z


@kernel
def _eliminate(small, rank, nodes, count, right):
    """right ← small⁻¹ right over the group, with row pivoting; writes small and right."""
    for p in range(rank):
        best = p
        for q in range(p + 1, rank):
            if abs(small[q, p]) > abs(small[best, p]):
                best = q
        if best != p:
            for c in range(p, rank):
                small[p, c], small[best, c] = small[best, c], small[p, c]
            _swap(right, p, best, nodes, count)
        pivot = 1.0 / small[p, p]
        for q in range(p + 1, rank):
            factor = small[q, p] * pivot
            if factor != 0.0:
                for c in range(p, rank):
                    small[q, c] -= factor * small[p, c]
                _subtract(right, q, p, factor, nodes, count)
    for p in range(rank - 1, -1, -1):
        for q in range(p + 1, rank):
            _subtract(right, p, q, small[p, q], nodes, count)
        pivot = 1.0 / small[p, p]
        for g in range(count):
            for c in range(3 * nodes[g], 3 * nodes[g] + 3):
                right[p, c] *= pivot


@kernel
def _swap(right, p, q, nodes, count):
    for g in range(count):
        for c in range(3 * nodes[g], 3 * nodes[g] + 3):
            right[p, c], right[q, c] = right[q, c], right[p, c]


@kernel
def _subtract(right, p, q, factor, nodes, count):
    for g in range(count):
        for c in range(3 * nodes[g], 3 * nodes[g] + 3):
            right[p, c] -= factor * right[q, c]
