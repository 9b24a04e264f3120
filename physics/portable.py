"""Products whose bits do not depend on the processor.

`@`, np.dot and np.linalg hand the work to a BLAS that picks other kernels, and so another order of
the same sums, on every kind of processor; np.exp, np.sin and their like are other code where there
is AVX-512. Nothing that feeds a state may go through either (tests/test_architecture.py): it uses
this module, which adds up in one fixed order, the scalar functions of `math`, or a kernel.

Vectors are along the last axis, so that one call serves a single vector and a list of them.
Matrices here are small; products of large ones are kernels (physics/soft/solve/condense.py).
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
_SWEEPS = 30  # of Jacobi's rotations; three or four suffice


def dot(a: ArrayLike, b: ArrayLike) -> Any:
    """a·b along the last axis: a number for two vectors."""
    return np.multiply(a, b).sum(axis=-1)


def norm(a: ArrayLike) -> Any:
    """Length along the last axis: a number for one vector."""
    return np.sqrt(dot(a, a))


def weighted_sum(weights: ArrayLike, rows: Floats) -> Floats:
    """Σ wᵢ rowᵢ of a list of vectors (n, k)."""
    total: Floats = (np.asarray(weights)[:, None] * rows).sum(axis=0)
    return total


def transform(matrix: Floats, vectors: Floats) -> Floats:
    """A v for every vector v along the last axis, with one matrix or one for each."""
    moved: Floats = (matrix * vectors[..., None, :]).sum(axis=-1)
    return moved


def matmul(a: Floats, b: Floats) -> Floats:
    """A B of two small matrices."""
    return transform(b.T, a)


def determinant(matrix: Floats) -> Any:
    """Of a 3x3 matrix, or of each in a list."""
    return dot(matrix[..., 0, :], np.cross(matrix[..., 1, :], matrix[..., 2, :]))


def inverse(matrix: Floats) -> Floats:
    """Of a 2x2 or 3x3 matrix, or of each in a list, by cofactors; not finite if there is none."""
    if matrix.shape[-1] == 2:
        a, b, c, d = matrix[..., 0, 0], matrix[..., 0, 1], matrix[..., 1, 0], matrix[..., 1, 1]
        cofactors = np.stack([np.stack([d, -b], -1), np.stack([-c, a], -1)], -2)
        size = a * d - b * c
    else:
        x, y, z = (matrix[..., k, :] for k in range(3))
        cofactors = np.stack([np.cross(y, z), np.cross(z, x), np.cross(x, y)], -1)
        size = dot(x, cofactors[..., 0])
    with np.errstate(divide="ignore", invalid="ignore"):
        result: Floats = cofactors / size[..., None, None]
    return result


def least_squares(columns: Floats, wanted: Floats) -> Floats:
    """x with |Σ xᵢ columnᵢ - wanted| least; columns that repeat those before them get none.

    `columns` (k, n) holds them as rows. Orthogonalised one after the other [Gram, Schmidt].
    """
    count = len(columns)
    basis, factor = np.zeros_like(columns), np.eye(count)
    share = np.zeros(count)
    for i in range(count):
        rest = columns[i]
        for j in range(i):
            size = dot(basis[j], basis[j])
            factor[j, i] = dot(basis[j], rest) / size if size > 0.0 else 0.0
            rest = rest - factor[j, i] * basis[j]
        if norm(rest) > 1e-12 * norm(columns[i]):
            basis[i] = rest
            share[i] = dot(rest, wanted) / dot(rest, rest)
            wanted = wanted - share[i] * rest
    for i in reversed(range(count)):
        if basis[i].any():
            share[i] -= dot(factor[i, i + 1 :], share[i + 1 :])
    return share


def semidefinite_solution(matrix: Floats, wanted: Floats, first: int) -> tuple[Floats, Floats]:
    """x with A x = wanted for a symmetric positive semi-definite A, and what is left of `wanted`.

    Elimination with the largest pivot, among the first `first` rows before any other. Rows that
    follow from those before them get x = 0.
    """
    A, right = matrix.copy(), np.array(wanted, float)
    scale = np.diagonal(matrix).copy()
    x, order = np.zeros(len(right)), []
    pending = np.ones(len(right), bool)
    for stage in (np.arange(len(right)) < first, np.ones(len(right), bool)):
        while True:
            share = np.where(pending & stage & (scale > 0.0), np.diagonal(A), 0.0)
            share = np.divide(share, scale, out=np.zeros_like(share), where=scale > 0.0)
            k = int(np.argmax(share)) if len(share) else 0
            if len(share) == 0 or share[k] <= 1e-12:
                break
            pending[k] = False
            order.append(k)
            column = A[:, k] / A[k, k]
            right -= np.where(pending, column * right[k], 0.0)
            A -= np.where(pending[:, None], np.multiply.outer(column, A[k]), 0.0)
    for k in reversed(order):
        later = order[order.index(k) + 1 :]
        x[k] = (right[k] - dot(A[k, later], x[later])) / A[k, k]
    return x, np.where(pending, right, 0.0)


def symmetric_eigenvalues(matrix: Floats) -> Floats:
    """Of a symmetric 3x3 matrix, ascending, by Jacobi's rotations."""
    A = np.array(matrix, float)
    for _ in range(_SWEEPS):
        turned = [_turn_away(A, p, q) for p, q in ((0, 1), (0, 2), (1, 2))]
        if not any(turned):
            break
    return np.sort(np.diagonal(A))


def _turn_away(A: Floats, p: int, q: int) -> bool:
    """One rotation that makes A[p, q] zero; whether it was more than rounding."""
    if abs(A[p, q]) <= 1e-17 * (abs(A[p, p]) + abs(A[q, q])):
        return False
    theta = float(A[q, q] - A[p, p]) / (2.0 * float(A[p, q]))
    t = math.copysign(1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0)), theta)
    c = 1.0 / math.sqrt(t * t + 1.0)
    turn = np.eye(3)
    turn[p, p] = turn[q, q] = c
    turn[p, q], turn[q, p] = t * c, -t * c
    A[...] = matmul(matmul(turn.T, A), turn)
    A[p, q] = A[q, p] = 0.0
    return True


def exp(values: Floats) -> Floats:
    """eˣ of each number in a row."""
    return np.array([math.exp(value) for value in values.tolist()])
