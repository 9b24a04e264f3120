"""The block solver against dense and sparse library solvers.

Tolerance: backward-stable solves have a relative forward error of about cond(A) ε; the matrices
here have cond ≤ 1e5, so 1e-10 leaves an order of magnitude and refinement brings it down further.
"""

import numpy as np
import pytest
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from physics.solver.spd.matrix import multiply
from tests.physics.spd.matrices import to_dense
from tests.physics.spd.spd_solver import SpdSolver


def spring_matrix(n, edges, rng, stiffness=100.0):
    """Identity plus random axial springs on the edges: definite, with generic 3x3 blocks."""
    direction = rng.normal(size=(len(edges), 3))
    blocks = stiffness * direction[:, :, None] * direction[:, None, :]
    diagonal = np.tile(np.eye(3), (n, 1, 1))
    np.add.at(diagonal, edges[:, 0], blocks)
    np.add.at(diagonal, edges[:, 1], blocks)
    skew = 0.1 * rng.normal(size=blocks.shape)  # off-diagonal blocks need not be symmetric
    return diagonal, -blocks + skew


def random_edges(n, count, rng):
    pairs = rng.integers(0, n, size=(count, 2))
    pairs = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
    edges = np.unique(pairs, axis=0)
    flip = rng.random(len(edges)) < 0.5  # either node of an edge may come first
    edges[flip] = edges[flip, ::-1]
    return edges


def grid(n):
    index = np.arange(n * n).reshape(n, n)
    pairs = [(index[:-1], index[1:]), (index[:, :-1], index[:, 1:])]
    pairs += [(index[:-1, :-1], index[1:, 1:]), (index[:-1, 1:], index[1:, :-1])]
    pairs += [(index[:-2], index[2:]), (index[:, :-2], index[:, 2:])]
    edges = np.concatenate([np.stack([a.ravel(), b.ravel()], axis=1) for a, b in pairs])
    x, y = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    return edges, np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1).astype(float)


def relative(a, b):
    return np.abs(a - b).max() / np.abs(b).max()


@pytest.mark.parametrize("seed", range(12))
def test_random_graphs_match_dense_solves(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 70))
    edges = random_edges(n, int(rng.integers(0, 4 * n)), rng)
    diagonal, off = spring_matrix(n, edges, rng)
    solver = SpdSolver(n, edges)
    assert solver.factorise(diagonal, off) > 0.0
    b = rng.normal(size=(n, 3, 5))
    exact = np.linalg.solve(to_dense(edges, diagonal, off), b.reshape(3 * n, 5))
    assert relative(solver.solve(b[:, :, 0].copy()).ravel(), exact[:, 0]) < 1e-10
    assert relative(solver.solve_many(b).reshape(3 * n, 5), exact) < 1e-10


@pytest.mark.parametrize("positions", [True, False])
@pytest.mark.parametrize("size", [2, 3, 10, 21])
def test_cloth_matches_sparse_lu(size, positions):
    rng = np.random.default_rng(size)
    edges, where = grid(size)
    n = size * size
    diagonal, off = spring_matrix(n, edges, rng)
    solver = SpdSolver(n, edges, where if positions else None)
    assert solver.factorise(diagonal, off) > 0.0
    b = rng.normal(size=(n, 3))
    lu = splu(sparse.csc_matrix(to_dense(edges, diagonal, off)))
    assert relative(solver.solve(b).ravel(), lu.solve(b.ravel())) < 1e-10


def test_one_node():
    solver = SpdSolver(1, np.zeros((0, 2), np.int64))
    diagonal = np.array([[[4.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 2.0]]])
    assert solver.factorise(diagonal, np.zeros((0, 3, 3))) > 0.0
    b = np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_allclose(
        solver.solve(b), np.linalg.solve(diagonal[0], b[0])[None], rtol=1e-14
    )


def test_disconnected_pieces_do_not_mix():
    rng = np.random.default_rng(5)
    edges, where = grid(6)
    far = where + np.array([100.0, 0.0, 0.0])
    both = np.concatenate([edges, edges + 36])
    diagonal, off = spring_matrix(72, both, rng)
    solver = SpdSolver(72, both, np.concatenate([where, far]))
    solver.factorise(diagonal, off)
    b = np.zeros((72, 3))
    b[:36] = rng.normal(size=(36, 3))
    y = solver.solve(b)
    assert np.all(y[36:] == 0.0)
    exact = np.linalg.solve(to_dense(both, diagonal, off), b.ravel())
    assert relative(y.ravel(), exact) < 1e-10


def test_refinement_reduces_the_residual_of_a_stiff_system():
    """Links a million times stiffer than the masses: cond ≈ 1e9, so one solve keeps 7 digits."""
    rng = np.random.default_rng(1)
    edges, where = grid(12)
    direction = where[edges[:, 0]] - where[edges[:, 1]] + 0.1 * rng.normal(size=(len(edges), 3))
    blocks = 1e6 * direction[:, :, None] * direction[:, None, :]
    diagonal = np.tile(np.eye(3), (144, 1, 1))
    np.add.at(diagonal, edges[:, 0], blocks)
    np.add.at(diagonal, edges[:, 1], blocks)
    solver = SpdSolver(144, edges, where)
    solver.factorise(diagonal, -blocks)
    b = rng.normal(size=(144, 3))
    residual = np.empty_like(b)
    sizes = []
    for refinements in (0, 1):
        multiply(edges, diagonal, -blocks, solver.solve(b, refinements), residual)
        sizes.append(np.abs(b - residual).max())
    assert sizes[1] < 1e-7
    assert sizes[1] <= sizes[0]


def test_indefinite_matrices_are_reported():
    edges, where = grid(5)
    diagonal, off = spring_matrix(25, edges, np.random.default_rng(0))
    diagonal[7] = -np.eye(3)
    assert SpdSolver(25, edges, where).factorise(diagonal, off) <= 0.0


def test_factorisation_is_reproducible_bit_for_bit():
    edges, where = grid(9)
    diagonal, off = spring_matrix(81, edges, np.random.default_rng(3))
    factors = []
    for _ in range(2):
        solver = SpdSolver(81, edges, where)
        solver.factorise(diagonal, off)
        solver.factorise(diagonal, off)
        factors.append(solver.factor.tobytes())
    assert factors[0] == factors[1]
