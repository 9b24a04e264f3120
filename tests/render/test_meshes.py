"""Unit meshes: closed, wound outwards, unit normals."""

import numpy as np
import pytest

from sandbox.render.meshes import Mesh, convex_hull, cylinder, rod, rounded_box

CLOSED = {
    "box1": rounded_box(1),
    "box6": rounded_box(6),
    "cylinder": cylinder(16, 2),
    "hull": convex_hull(np.random.default_rng(1).normal(size=(20, 3))),
}


def shape(mesh: Mesh, half: tuple[float, float, float], radius: float) -> np.ndarray:
    return mesh.corner * (np.array(half) - radius) + mesh.normal * radius


def volume(points: np.ndarray, triangles: np.ndarray) -> float:
    a, b, c = (points[triangles[:, i]] for i in range(3))
    return float(np.sum(a * np.cross(b, c)) / 6)


@pytest.mark.parametrize("name", sorted(CLOSED))
def test_normals_have_unit_length(name: str) -> None:
    assert np.allclose(np.linalg.norm(CLOSED[name].normal, axis=1), 1.0, atol=1e-5)


def test_a_sphere_has_the_volume_of_a_sphere() -> None:
    mesh = rounded_box(12)
    points = shape(mesh, (1, 1, 1), 1.0)
    assert volume(points, mesh.triangles) == pytest.approx(4 / 3 * np.pi, rel=0.01)


def test_a_sharp_box_has_the_volume_of_a_box() -> None:
    mesh = rounded_box(3)
    points = shape(mesh, (1, 2, 3), 0.0)
    assert volume(points, mesh.triangles) == pytest.approx(48.0, rel=1e-5)


def test_a_capsule_reaches_its_half_extents() -> None:
    points = shape(rounded_box(4), (0.5, 2.0, 0.5), 0.5)
    assert np.allclose(points.max(axis=0), (0.5, 2.0, 0.5), atol=1e-6)


def test_a_cylinder_has_the_volume_of_a_prism() -> None:
    mesh = cylinder(48, 1)
    points = shape(mesh, (1.0, 1.5, 1.0), 0.0)
    assert volume(points, mesh.triangles) == pytest.approx(3 * np.pi, rel=0.01)


def test_a_hull_is_wound_outwards() -> None:
    mesh = CLOSED["hull"]
    assert volume(mesh.corner, mesh.triangles) > 0


def test_rods_are_cheap() -> None:
    assert len(rod(6).triangles) == 12
