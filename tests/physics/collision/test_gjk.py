"""Distance of point sets against a non-negative least-squares reference."""

import numpy as np
import pytest

from physics.collision.arrays import make_work
from physics.collision.gjk import distance
from physics.collision.polytope import plain_core
from tests.physics.collision.scenes import hull_distance

WORK = make_work()[0]


def gjk(a: np.ndarray, b: np.ndarray):
    gap, apart, on_a = distance(plain_core(a), plain_core(b), WORK)
    return gap, np.array(apart), np.array(on_a)


@pytest.mark.parametrize("sizes", [(1, 1), (1, 8), (2, 2), (2, 9), (3, 8), (8, 8), (30, 40)])
def test_distance_equals_the_reference(sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(sum(sizes))
    for _ in range(60):
        a = rng.normal(size=(sizes[0], 3)) + rng.normal(size=3) * 2
        b = rng.normal(size=(sizes[1], 3))
        gap, apart, on_a = gjk(a, b)
        exact = hull_distance(a, b)
        assert gap == pytest.approx(exact, abs=2e-6, rel=2e-6)
        if gap > 0.0:
            # The plane across `apart` separates the sets: a certificate, whatever the reference.
            n = apart / gap
            assert (a @ n).min() - (b @ n).max() == pytest.approx(gap, abs=1e-8)
            assert (a @ n).min() == pytest.approx(on_a @ n, abs=1e-8)


def test_parallel_faces_and_shared_corners_are_exact() -> None:
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    for shift in (1e-6, 1e-3, 1.0, 1e3):
        gap, apart, _ = gjk(cube + np.array([0, 1 + shift, 0]), cube)
        assert gap == pytest.approx(shift, rel=1e-6)
        np.testing.assert_allclose(apart / gap, [0, 1, 0], atol=1e-9)
    assert gjk(cube + 1.0, cube)[0] == 0.0
    assert gjk(cube * 0.5 + 0.2, cube)[0] == 0.0


def test_flat_and_needle_shapes_do_not_stall() -> None:
    rng = np.random.default_rng(4)
    scale = np.array([10.0, 1e-3, 1.0])
    for _ in range(100):
        a, b = rng.normal(size=(12, 3)) * scale, rng.normal(size=(12, 3)) * scale + [0, 5, 0]
        gap, apart, _ = gjk(a, b)
        n = apart / gap
        assert (a @ n).min() - (b @ n).max() == pytest.approx(gap, abs=1e-6)
