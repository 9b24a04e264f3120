"""The dense algebra of touching bodies, against numpy's."""

import numpy as np
import pytest

from physics.soft.solve.condense import condense, coupling, unfold


@pytest.mark.parametrize("size", [6, 30])
def test_as_numpy(size: int) -> None:
    rng = np.random.default_rng(size)
    T, X = rng.normal(size=(2, 40, 3, size))
    T[rng.random(40) < 0.7] = 0.0  # most nodes touch nothing
    y, f, S, C = (rng.normal(size=s) for s in ((40, 3), size, (size, size), (size, size)))
    change, matrix = rng.normal(size=size), np.empty((size, size))
    flat = T.reshape(-1, size)
    want_S = S - flat.T @ X.reshape(-1, size)
    want_f = f + flat.T @ y.reshape(-1)
    condense(T, X, y, S, f)
    np.testing.assert_allclose(S, want_S, atol=1e-12)  # sums of 120 numbers of size 1
    np.testing.assert_allclose(f, want_f, atol=1e-12)
    coupling(C, S, matrix)
    np.testing.assert_allclose(matrix, np.eye(size) + C @ S, atol=1e-12)
    want_y = y + X @ change
    unfold(X, change, y)
    np.testing.assert_allclose(y, want_y, atol=1e-12)
