"""Portable products are the products: compared with numpy's own, to rounding."""

import numpy as np
import pytest

from physics import portable
from physics.soft.solve import condense

RNG = np.random.default_rng(4)
A, B = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3))
POINTS = RNG.normal(size=(7, 3))


def test_products() -> None:
    assert portable.dot(A[0], B[0]) == pytest.approx(A[0] @ B[0])
    assert portable.dot(POINTS, A[0]) == pytest.approx(POINTS @ A[0])
    assert portable.norm(POINTS) == pytest.approx(np.linalg.norm(POINTS, axis=1))
    assert portable.norm((3.0, 4.0)) == 5.0
    assert portable.weighted_sum(range(7), POINTS) == pytest.approx(np.arange(7.0) @ POINTS)
    assert portable.matmul(A, B) == pytest.approx(A @ B)
    assert portable.matmul(POINTS, B) == pytest.approx(POINTS @ B)


def test_transform_of_one_many_and_with_many() -> None:
    many = RNG.normal(size=(7, 3, 3))
    assert portable.transform(A, B[0]) == pytest.approx(A @ B[0])
    assert portable.transform(A, POINTS) == pytest.approx(POINTS @ A.T)
    assert portable.transform(many, POINTS) == pytest.approx(np.einsum("nij,nj->ni", many, POINTS))


@pytest.mark.parametrize("size", [2, 3])
def test_inverse_of_one_and_of_many(size: int) -> None:
    many = RNG.normal(size=(5, size, size))
    assert portable.inverse(many) == pytest.approx(np.linalg.inv(many))
    assert portable.inverse(many[0]) == pytest.approx(np.linalg.inv(many[0]))
    assert not np.isfinite(portable.inverse(np.zeros((size, size)))).any()


def test_determinant() -> None:
    many = RNG.normal(size=(5, 3, 3))
    assert portable.determinant(many) == pytest.approx(np.linalg.det(many))
    assert portable.determinant(np.eye(3)) == 1.0


@pytest.mark.parametrize("count", [1, 2, 3])
def test_least_squares(count: int) -> None:
    columns, wanted = RNG.normal(size=(count, 3)), RNG.normal(size=3)
    expected = np.linalg.lstsq(columns.T, wanted, rcond=None)[0]
    assert portable.least_squares(columns, wanted) == pytest.approx(expected)


def test_least_squares_gives_a_repeated_or_missing_column_nothing() -> None:
    columns = np.array([[0.0, 0, 0], [1, 2, 0], [2, 4, 0]])
    assert portable.least_squares(columns, np.array([3.0, 6, 5])).tolist() == [0, 3, 0]


def test_eigenvalues_of_symmetric_matrices() -> None:
    for _ in range(20):
        half = RNG.normal(size=(3, 3)) * RNG.choice([1e-6, 1.0, 1e6], size=3)
        matrix = half @ half.T
        expected = np.linalg.eigvalsh(matrix)
        found = portable.symmetric_eigenvalues(matrix)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-13 * expected[-1])


def test_eigenvalues_of_a_diagonal_matrix_are_its_entries() -> None:
    assert portable.symmetric_eigenvalues(np.diag([3.0, 0.1, 2.0])).tolist() == [0.1, 2.0, 3.0]
    assert portable.symmetric_eigenvalues(np.zeros((3, 3))).tolist() == [0, 0, 0]


def test_exponentials() -> None:
    assert portable.exp(POINTS[:, 0]) == pytest.approx(np.exp(POINTS[:, 0]))


@pytest.mark.parametrize("size", [0, 1, 6, 30])
def test_dense_product_and_solve(size: int) -> None:
    matrix, x = RNG.normal(size=(size, size)), RNG.normal(size=size)
    b = condense.multiply(matrix, x)
    assert b == pytest.approx(matrix @ x)
    condense.solve(matrix.copy(), b)
    assert b == pytest.approx(x, rel=1e-9)


def test_dense_solve_exchanges_rows() -> None:
    b = np.array([2.0, 3.0])
    condense.solve(np.array([[0.0, 1.0], [1.0, 1.0]]), b)
    assert b.tolist() == [1.0, 2.0]
