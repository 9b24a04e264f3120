"""Triangle meshes and height fields: heights, inner edges, ridges, one-sidedness."""

import numpy as np
import pytest

from physics.collision.topology import felt_edges
from physics.shapes import Box, HeightField, Hull, TriangleMesh
from tests.physics.collision.scenes import SHAPES, Scene, core, quaternion, rows


def grid(n: int = 9, spacing: float = 0.25, height=lambda x, z: 0.0 * x) -> TriangleMesh:
    line = (np.arange(n) - (n - 1) / 2) * spacing
    x, z = np.meshgrid(line, line, indexing="ij")
    field = HeightField(height(x, z), spacing)
    return TriangleMesh(*field.surface())


def resting(surface, shape, at, turned=(1, 0, 0, 0)) -> Scene:
    scene = Scene()
    scene.add(surface, movable=False)
    scene.add(shape, at, turned)
    return scene


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("kind", ["mesh", "field"])
def test_a_flat_surface_acts_like_a_plane(name: str, kind: str) -> None:
    """Whatever edge is below: normals up, gap the height of the lowest point."""
    rng = np.random.default_rng(4)
    surface = grid() if kind == "mesh" else HeightField(np.zeros((9, 9)), 0.25)
    shape = SHAPES[name]
    for _ in range(30):
        turned = quaternion(rng)
        low = core(shape, np.zeros(3), turned)[:, 1].min() - shape.core()[1]
        at = np.array([*rng.uniform(-0.4, 0.4, size=2), -low - 5e-4])[[0, 2, 1]]
        found = resting(surface, shape, at, turned).detect()
        assert found.count[0] > 0
        np.testing.assert_allclose(rows(found, "normal"), [[0, -1, 0]] * found.count[0], atol=1e-6)
        assert rows(found, "gap").min() == pytest.approx(-5e-4, abs=2e-5)


def test_a_box_on_a_fine_mesh_has_one_manifold() -> None:
    found = resting(grid(), Box((0.9, 0.2, 0.9)), (0.03, 0.0999, 0.02)).detect()
    assert found.count[0] == 4
    assert np.ptp(rows(found, "point")[:, 0]) > 0.8
    assert np.ptp(rows(found, "point")[:, 2]) > 0.8


def test_ridges_are_felt_and_valleys_are_not() -> None:
    roof = grid(3, 1.0, lambda x, z: -np.abs(x))
    gutter = grid(3, 1.0, lambda x, z: np.abs(x))

    def ridge_felt(mesh: TriangleMesh) -> bool:
        flags = felt_edges(mesh.vertices, mesh.triangles)
        middle = np.abs(mesh.vertices[:, 0]) < 1e-9
        return any(
            (flags[t] >> k) & 1
            for t, corners in enumerate(mesh.triangles)
            for k in range(3)
            if middle[corners[k]] and middle[corners[(k + 1) % 3]]
        )

    assert ridge_felt(roof)
    assert not ridge_felt(gutter)


def test_a_ball_in_a_valley_touches_both_slopes() -> None:
    gutter = grid(5, 1.0, lambda x, z: np.abs(x))
    found = resting(gutter, SHAPES["sphere"], (0, 0.3 * np.sqrt(2) - 1e-3, 0.2)).detect()
    normals = -rows(found, "normal")
    assert {round(float(x), 3) for x in normals[:, 0]} == {-0.707, 0.707}
    np.testing.assert_allclose(rows(found, "gap"), -1e-3 * np.sqrt(0.5), atol=1e-9)


def test_a_ball_on_a_ridge_is_held_by_it() -> None:
    roof = grid(5, 1.0, lambda x, z: -np.abs(x))
    found = resting(roof, SHAPES["sphere"], (0, 0.299, 0.2)).detect()
    np.testing.assert_allclose(rows(found, "normal")[0], [0, -1, 0], atol=1e-6)
    assert rows(found, "gap")[0] == pytest.approx(-1e-3, abs=1e-9)


def test_meshes_act_from_the_front_and_fields_are_solid() -> None:
    below = (0.1, -0.5, 0.1)
    assert resting(grid(), SHAPES["sphere"], below).detect().count[0] == 0
    assert resting(grid(), SHAPES["box"], below).detect().count[0] == 0
    field = HeightField(np.zeros((9, 9)), 0.25)
    deep = resting(field, SHAPES["sphere"], (0.1, -0.1, 0.1)).detect()
    assert rows(deep, "gap").min() == pytest.approx(-0.4)
    np.testing.assert_allclose(rows(deep, "normal")[0], [0, -1, 0], atol=1e-9)


def test_a_moved_and_turned_mesh() -> None:
    half = np.sqrt(0.5)
    scene = Scene()
    scene.add(grid(), (1, 2, 3), (half, 0, 0, -half), movable=False)  # its up is world +x
    scene.add(SHAPES["sphere"], (1.299, 2.1, 3.05))
    found = scene.detect()
    np.testing.assert_allclose(rows(found, "normal")[0], [-1, 0, 0], atol=1e-9)
    assert rows(found, "gap")[0] == pytest.approx(-1e-3, abs=1e-9)


def test_a_closed_mesh_box_holds_what_stands_on_it() -> None:
    block = Hull(Box((1.0, 0.1, 1.0)).core()[0])
    mesh = TriangleMesh(block.vertices, block.triangles)
    for name, shape in SHAPES.items():
        low = core(shape, np.zeros(3), np.array([1.0, 0, 0, 0]))[:, 1].min() - shape.core()[1]
        found = resting(mesh, shape, (0.1, 0.05 - low - 1e-3, 0.05)).detect()
        assert found.count[0] > 0, name
        assert (-rows(found, "normal")[:, 1] > 0.99).all(), name
        assert rows(found, "gap").min() == pytest.approx(-1e-3, abs=1e-6)
