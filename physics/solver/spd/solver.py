"""The factorisation as an object: owns the index maps, the factor and the workspaces.

Compiled steppers use the kernels and the arrays directly; this is for Python callers, tests and
benchmarks.
"""

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.solver.spd.factor import factorise
from physics.solver.spd.matrix import multiply
from physics.solver.spd.simd import LANES
from physics.solver.spd.solve import solve_many, solve_one
from physics.solver.spd.symbolic import Symbolic, analyse

Array = NDArray[np.float64]


@kernel
def refine(symbolic, edges, diagonal, off, X, b, w, residual, y):
    """One step of iterative refinement of y ≈ A⁻¹ b. Written: y; w, residual (workspaces)."""
    multiply(edges, diagonal, off, y, residual)
    for i in range(b.shape[0]):
        for d in range(3):
            residual[i, d] = b[i, d] - residual[i, d]
    solve_one(symbolic, X, residual, w, residual)
    for i in range(b.shape[0]):
        for d in range(3):
            y[i, d] += residual[i, d]


class SpdSolver:
    """A = L Lᵀ over a fixed graph; refactor as often as the values change."""

    def __init__(
        self, n: int, edges: NDArray[np.int64], position: Array | None = None, leaf: int = 12
    ) -> None:
        self.edges = np.ascontiguousarray(edges, dtype=np.int64).reshape(-1, 2)
        self.symbolic: Symbolic = analyse(n, self.edges, position, leaf)
        self.factor = np.zeros(int(self.symbolic.panel[-1]) + 2 * LANES)
        self.workspace = np.zeros(int(self.symbolic.workspace[0]))
        self._vector = np.zeros(6 * n + 4 * LANES)
        self._residual = np.zeros((n, 3))
        self._diagonal = np.zeros((0, 3, 3))
        self._off = np.zeros((0, 3, 3))

    def factorise(self, diagonal: Array, off: Array) -> float:
        """Factor; returns the smallest pivot, which is positive iff the matrix is definite."""
        self._diagonal, self._off = diagonal, off
        return float(factorise(self.symbolic, diagonal, off, self.factor, self.workspace))

    def solve(self, b: Array, refinements: int = 1) -> Array:
        """A⁻¹ b for a nodal vector (n, 3)."""
        y = np.empty_like(b)
        solve_one(self.symbolic, self.factor, b, self._vector, y)
        for _ in range(refinements):
            refine(
                self.symbolic, self.edges, self._diagonal, self._off, self.factor,
                b, self._vector, self._residual, y,
            )  # fmt: skip
        return y

    def solve_many(self, B: Array) -> Array:
        """A⁻¹ B for R right-hand sides at once, B (n, 3, R)."""
        count = B.shape[2]
        padded = np.zeros((*B.shape[:2], -(-count // LANES) * LANES))
        padded[:, :, :count] = B
        space = np.empty((2, padded.size))
        solve_many(self.symbolic, self.factor, padded, space[0], space[1], padded)
        return padded[:, :, :count].copy()

    @property
    def flops(self) -> float:
        """Multiply-adds of one factorisation, counted as two operations each."""
        s = self.symbolic
        pivots, below = 3.0 * np.diff(s.first), 3.0 * np.diff(s.row_start)
        m = pivots + below  # Σ_j (m - j)² over the pivots
        return float(np.sum(pivots * m * m - pivots**2 * m + pivots**3 / 3.0))
