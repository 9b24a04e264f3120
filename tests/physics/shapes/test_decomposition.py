"""Convex pieces of a mesh that is not convex: an L, as a body that moves."""

import numpy as np
import pytest

from physics import Plane, World
from physics.shapes.decomposition import decompose

pytest.importorskip("coacd")


def angle_iron() -> tuple[np.ndarray, np.ndarray]:
    """An L of two arms 1 m long, 0.2 m thick and wide: volume 0.2·0.2·1.8 m³."""
    outline = np.array([(0, 0), (1, 0), (1, 0.2), (0.2, 0.2), (0.2, 1), (0, 1)], float)
    n = len(outline)
    vertices = np.concatenate([np.column_stack([outline, np.full(n, z)]) for z in (-0.1, 0.1)])
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    triangles = [(a, c, b) for a, b, c in caps] + [(a + n, b + n, c + n) for a, b, c in caps]
    for k in range(n):
        m = (k + 1) % n
        triangles += [(k, m, m + n), (k, m + n, k + n)]
    return vertices, np.array(triangles)


def test_pieces_have_the_volume_of_the_mesh_and_leave_its_hollow_free() -> None:
    shape = decompose(*angle_iron())
    assert 2 <= len(shape.parts) <= 6
    found = shape.mass_properties(1.0)
    assert found.mass == pytest.approx(0.2 * 0.2 * 1.8, rel=0.05)
    np.testing.assert_allclose(found.center, [0.3222, 0.3222, 0.0], atol=0.02)
    world = World()
    world.add_body("iron", shape, density=1000.0, origin=(0, 0, 0), fixed=False)
    hit = world.raycast((0.6, 3.0, 0.0), (0, -1, 0))  # down into the hollow
    assert hit is not None
    assert hit.point[1] == pytest.approx(0.2, abs=0.02)


def test_the_same_mesh_gives_the_same_pieces_and_they_rest() -> None:
    first, second = decompose(*angle_iron()), decompose(*angle_iron())
    for one, other in zip(first.parts, second.parts, strict=True):
        assert np.array_equal(one.shape.vertices, other.shape.vertices)
    world = World()
    world.add_body("floor", Plane(), fixed=True)
    world.add_body("iron", first, density=1000.0, origin=(0, 0.01, 0))
    world.step(180)
    assert world.origin("iron")[1] == pytest.approx(0.0, abs=5e-3)


def test_bad_requests_are_told() -> None:
    with pytest.raises(ValueError, match="concavity"):
        decompose(*angle_iron(), concavity=5.0)
    with pytest.raises(ValueError, match="most_parts"):
        decompose(*angle_iron(), most_parts=0)
    with pytest.raises(ValueError, match="indices"):
        decompose([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 7)])
