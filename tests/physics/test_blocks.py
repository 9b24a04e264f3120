"""Inverses of blocks of three, also where cofactors cancel."""

import numpy as np
import pytest

from physics.linalg import invert_block


@pytest.mark.parametrize("small", [1.0, 1e-3, 1e-7, 1e-10])
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("seed", range(20))
def test_the_inverse_is_right_in_every_eigenvalue(small: float, sign: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    values = sign * np.array([1.0, small, 2.0 * small])
    blocks = np.array([turn @ np.diag(values) @ turn.T, np.zeros((3, 3))])
    given = blocks[0].copy()
    det = invert_block(blocks, 0, blocks, 1)
    rounding = 1e-14 / small  # of the block itself
    assert det == pytest.approx(np.prod(values), rel=max(rounding, 1e-12))
    assert np.allclose(blocks[1] @ given, np.eye(3), atol=10 * rounding)
    assert np.array_equal(blocks[0], given)
