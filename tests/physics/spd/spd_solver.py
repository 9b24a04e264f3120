"""The factorisation as an object: owns the index maps, the factor and the workspaces.

Compiled steppers use the kernels and the arrays directly; this is for tests and
benchmarks.
"""

from contextlib import AbstractContextManager

import numpy as np
from numpy.typing import NDArray

from physics.jit import kernel, kernel_without_lock
from physics.jit.threads import WORKERS, Board, helped
from physics.solver.spd.analysis import Symbolic, analyse
from physics.solver.spd.assist import assist
from physics.solver.spd.factor import factorise
from physics.solver.spd.matrix import multiply
from physics.solver.spd.simd import LANES
from physics.solver.spd.triangular import solve_many, solve_one

Array = NDArray[np.float64]
NOTHING: Array = np.zeros(0)


@kernel
def _refine(board, symbolic, edges, diagonal, off, X, b, w, residual, y):
    """One step of iterative refinement of y ≈ A⁻¹ b. Written: y; w, residual (workspaces)."""
    multiply(edges, diagonal, off, y, residual)
    for i in range(b.shape[0]):
        for d in range(3):
            residual[i, d] = b[i, d] - residual[i, d]
    solve_one(board, symbolic, X, residual, w, residual)
    for i in range(b.shape[0]):
        for d in range(3):
            y[i, d] += residual[i, d]


@kernel_without_lock
def _factorise(board, symbolic, diagonal, off, X, W):
    return factorise(board, symbolic, diagonal, off, X, W)


@kernel_without_lock
def _solve(board, symbolic, edges, diagonal, off, X, b, refinements, w, residual, y):
    """y = A⁻¹ b, refined so many times. Written: y; w, residual (workspaces)."""
    solve_one(board, symbolic, X, b, w, y)
    for _ in range(refinements):
        _refine(board, symbolic, edges, diagonal, off, X, b, w, residual, y)


class SpdSolver:
    """A = L Lᵀ over a fixed graph; refactor as often as the values change."""

    def __init__(
        self, n: int, edges: NDArray[np.int64], position: Array | None = None, leaf: int = 12
    ) -> None:
        self.edges = np.ascontiguousarray(edges, dtype=np.int64).reshape(-1, 2)
        self.symbolic: Symbolic = analyse(n, self.edges, position, leaf)
        self.factor = np.zeros(int(self.symbolic.panel[-1]) + 2 * LANES)
        self.workspace = np.zeros(int(self.symbolic.workspace[0]))
        self._vector = np.zeros(self.symbolic.vector_size)
        self._residual = np.zeros((n, 3))
        self._diagonal = np.zeros((0, 3, 3))
        self._off = np.zeros((0, 3, 3))

    def _helped(
        self, lanes: int = 0, Z: Array = NOTHING, F: Array = NOTHING
    ) -> AbstractContextManager[Board]:
        return helped(
            assist if self.symbolic.parts else None, self.symbolic, self._diagonal, self._off,
            self.factor, self.workspace, self._vector, lanes, Z, F,
        )  # fmt: skip

    def factorise(self, diagonal: Array, off: Array) -> float:
        """Factor; returns the smallest pivot, which is positive iff the matrix is definite."""
        self._diagonal, self._off = diagonal, off
        with self._helped() as board:
            pivot = _factorise(board, self.symbolic, diagonal, off, self.factor, self.workspace)
        return float(pivot)

    def solve(self, b: Array, refinements: int = 1) -> Array:
        """A⁻¹ b for a nodal vector (n, 3)."""
        y = np.empty_like(b)
        with self._helped() as board:
            _solve(
                board, self.symbolic, self.edges, self._diagonal, self._off, self.factor,
                b, refinements, self._vector, self._residual, y,
            )  # fmt: skip
        return y

    def solve_many(self, B: Array) -> Array:
        """A⁻¹ B for R right-hand sides at once, B (n, 3, R)."""
        count = B.shape[2]
        padded = np.zeros((*B.shape[:2], -(-count // LANES) * LANES))
        padded[:, :, :count] = B
        Z, F = np.empty(padded.size), np.empty(WORKERS * padded.size)
        with self._helped(padded.shape[2], Z, F) as board:
            solve_many(board, self.symbolic, self.factor, padded, Z, F, padded)
        return padded[:, :, :count].copy()

    @property
    def flops(self) -> float:
        """Multiply-adds of one factorisation, counted as two operations each."""
        s = self.symbolic
        pivots, below = 3.0 * np.diff(s.first), 3.0 * np.diff(s.row_start)
        m = pivots + below  # Σ_j (m - j)² over the pivots
        return float(np.sum(pivots * m * m - pivots**2 * m + pivots**3 / 3.0))
