"""The inverse of M̃ = M - h²K̃ by low-rank updates [Andrews17, §3].

K̃ of a row is a sum of products a bᵀ (constraints/rows/pairs.py). Corrected against the paper: the
Sherman-Morrison denominator is 1 - h² bᵀM⁻¹a.
"""

from physics.jit import kernel


@kernel
def sherman_morrison(inverse, a, b, scale, left, right):
    """inverse ← (inverse⁻¹ + scale·a bᵀ)⁻¹ for full-length a, b; writes inverse, left, right.

    Entries of a and b that are zero cost nothing. Returns the denominator 1 + scale·bᵀM⁻¹a.
    """
    n = len(a)
    for i in range(n):
        left[i] = 0.0
        right[i] = 0.0
    for j in range(n):
        if a[j] != 0.0:
            for i in range(n):
                left[i] += inverse[i, j] * a[j]
    for i in range(n):
        if b[i] != 0.0:
            for j in range(n):
                right[j] += b[i] * inverse[i, j]
    denominator = 1.0
    for i in range(n):
        denominator += scale * b[i] * left[i]
    factor = scale / denominator
    for i in range(n):
        if left[i] != 0.0:
            for j in range(n):
                inverse[i, j] -= factor * left[i] * right[j]
    return denominator
