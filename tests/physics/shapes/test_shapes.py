"""Mass properties against closed forms, validation messages, and the polyhedron topology."""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from physics.shapes import (
    SHAPES,
    Box,
    Capsule,
    HeightField,
    Hull,
    Plane,
    Sphere,
    TriangleMesh,
)
from physics.shapes.polyhedron import polyhedron, surface_mass_properties

SIZE = (0.4, 1.0, 2.5)


def rotation(rng: np.random.Generator) -> np.ndarray:
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q *= np.sign(np.diag(r))
    return q * np.linalg.det(q)


def test_sphere_and_box_closed_forms() -> None:
    ball = Sphere(0.5).mass_properties(2.0)
    assert ball.mass == pytest.approx(2.0 * np.pi / 6.0)
    assert ball.inertia[0, 0] == pytest.approx(0.4 * ball.mass * 0.25)
    block = Box(SIZE).mass_properties(3.0)
    assert block.mass == pytest.approx(3.0)
    np.testing.assert_allclose(np.diag(block.inertia), 3 / 12 * np.array([7.25, 6.41, 1.16]))


def test_capsule_is_the_integral_of_its_slices() -> None:
    """Slices across the axis: area π ρ², each with the inertia of a disk about its diameter."""
    radius, length = 0.3, 0.8
    nodes, weights = np.polynomial.legendre.leggauss(40)
    mass = axial = across = 0.0
    for low, high in ((-0.7, -0.4), (-0.4, 0.4), (0.4, 0.7)):
        y = 0.5 * (high - low) * nodes + 0.5 * (high + low)
        area = np.pi * (radius**2 - np.maximum(np.abs(y) - length / 2, 0.0) ** 2)
        w = 0.5 * (high - low) * weights * area
        mass += w.sum()
        axial += (w * area / np.pi / 2).sum()
        across += (w * (area / np.pi / 4 + y**2)).sum()
    found = Capsule(radius, length).mass_properties(1.0)
    assert found.mass == pytest.approx(mass, rel=1e-12)
    np.testing.assert_allclose(np.diag(found.inertia), [across, axial, across], rtol=1e-12)


def test_hull_of_a_moved_box_is_the_box() -> None:
    rng = np.random.default_rng(1)
    turn, shift = rotation(rng), np.array([3.0, -2.0, 5.0])
    corners = Box(SIZE).core()[0] @ turn.T + shift
    inside = shift + 0.1 * rng.normal(size=(20, 3)) * 0.1
    hull = Hull(np.vstack([inside, corners]))
    expected = Box(SIZE).mass_properties(7.0)
    found = hull.mass_properties(7.0)
    assert len(hull.core()[0]) == 8
    assert found.mass == pytest.approx(expected.mass, rel=1e-12)
    np.testing.assert_allclose(found.center, shift, atol=1e-12)
    np.testing.assert_allclose(found.inertia, turn @ expected.inertia @ turn.T, atol=1e-10)
    np.testing.assert_array_equal(hull.points[:20], inside)


def test_tetrahedron_closed_form() -> None:
    """Corner tetrahedron with unit legs: V = 1/6, centre 1/4, ∫x² = 1/60, ∫xy = 1/120."""
    found = Hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]).mass_properties(1.0)
    second = np.full((3, 3), 1 / 120) + np.eye(3) / 120 - np.full((3, 3), 1 / 16) / 6
    assert found.mass == pytest.approx(1 / 6)
    np.testing.assert_allclose(found.center, [0.25] * 3)
    np.testing.assert_allclose(found.inertia, np.trace(second) * np.eye(3) - second, atol=1e-15)


def test_inertia_of_a_finely_faceted_ball_tends_to_the_ball() -> None:
    k = np.arange(3000) + 0.5
    y, angle = 1 - 2 * k / 3000, np.pi * (1 + 5**0.5) * k
    ring = np.sqrt(1 - y**2)
    hull = Hull(np.stack([ring * np.cos(angle), y, ring * np.sin(angle)], axis=1))
    found = hull.mass_properties(1.0)
    assert found.inertia[0, 0] / found.mass == pytest.approx(0.4, rel=3e-3)


def test_surface_mass_does_not_depend_on_the_origin() -> None:
    hull = Hull(np.random.default_rng(3).normal(size=(30, 3)))
    near = surface_mass_properties(hull.vertices, hull.triangles, 1.0)
    far = surface_mass_properties(hull.vertices + 1e3, hull.triangles, 1.0)
    np.testing.assert_allclose(near.inertia, far.inertia, rtol=1e-9, atol=1e-9)


def test_box_polyhedron_has_six_quads_and_twelve_edges() -> None:
    hull = Hull(Box(SIZE).core()[0])
    solid = polyhedron(hull.vertices, hull.triangles)
    assert len(solid.normals) == 6
    assert len(solid.edges) == 12
    assert np.all(np.diff(solid.start) == 4)
    for face in range(6):
        loop = solid.vertices[solid.loop[solid.start[face] : solid.start[face + 1]]]
        turn = np.cross(loop[1] - loop[0], loop[2] - loop[1])
        assert turn @ solid.normals[face] > 0
        np.testing.assert_allclose(loop @ solid.normals[face], solid.offsets[face])


@pytest.mark.parametrize("seed", range(5))
def test_polyhedron_obeys_euler_and_contains_its_vertices(seed: int) -> None:
    hull = Hull(np.random.default_rng(seed).normal(size=(25, 3)))
    solid = polyhedron(hull.vertices, hull.triangles)
    assert len(solid.vertices) - len(solid.edges) + len(solid.normals) == 2
    assert (solid.vertices @ solid.normals.T <= solid.offsets + 1e-9).all()


def test_height_field_surface_faces_up() -> None:
    field = HeightField(np.random.default_rng(0).uniform(size=(4, 6)), 0.5)
    vertices, triangles = field.surface()
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    assert len(triangles) == 2 * 3 * 5
    assert (np.cross(b - a, c - a)[:, 1] > 0).all()
    assert vertices[:, 0].max() == pytest.approx(0.75)
    np.testing.assert_array_equal(vertices[:, 1].reshape(4, 6), field.heights)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sphere(0.0), "Sphere.radius is 0.0; it must be a finite number > 0"),
        (lambda: Sphere(float("nan")), "Sphere.radius is nan"),
        (lambda: Sphere("big"), "must be a number"),
        (lambda: Box((1, -2, 1)), "Box.size.y is -2.0"),
        (lambda: Box((1, 2)), "rows of three"),
        (lambda: Capsule(0.1, 0.0), "Capsule.length is 0.0"),
        (lambda: Hull([(0, 0, 0)] * 3), "at least 4"),
        (lambda: Hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]), "must span a volume"),
        (lambda: Hull([(0, 0, 0)] * 5), "must span a volume"),
        (lambda: Hull([(0, 0, 0), (1, 0, 0), (0, 1, float("inf")), (1, 1, 0)]), r"points\[2\]"),
        (lambda: Plane((0, 0, 0)), "must not be"),
        (lambda: Plane((0, 1, 0), float("inf")), "Plane.offset is inf"),
        (lambda: TriangleMesh(np.eye(3), [(0, 1, 3)]), r"must lie in 0 … 2"),
        (lambda: TriangleMesh(np.eye(3), [(0, 1, 1)]), "has no area"),
        (lambda: HeightField([[1.0]], 1.0), "at least 2 x 2"),
        (lambda: HeightField([[1.0, 1.0], [np.nan, 1.0]], 1.0), r"heights\[1\]\[0\] is nan"),
        (lambda: Sphere(1.0).mass_properties(-1.0), "density is -1.0"),
        (lambda: Plane().mass_properties(1.0), "infinite"),
    ],
)
def test_wrong_values_are_explained(make, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_registry_describes_every_field() -> None:
    for name, kind in SHAPES.items():
        assert kind.name == name
        given = [f.name for f in dataclasses.fields(kind) if f.init]
        assert [f.name for f in kind.fields] == given
        assert all(f.doc for f in kind.fields)


def test_cores_fill_the_bounding_ball() -> None:
    for shape in (Sphere(0.3), Box(SIZE), Capsule(0.2, 1.0), Hull(Box(SIZE).core()[0])):
        points, radius = shape.core()
        reach = np.linalg.norm(points, axis=1).max() + radius
        assert shape.bounding_radius == pytest.approx(reach)


@pytest.mark.parametrize("seed", [107, 108, *range(20)])
def test_nearly_flat_faces_are_discs(seed: int) -> None:
    """A ring that is flat to about the tolerance: some of its triangles count as of one plane and
    touch in a corner only, or not at all. Every face is one outline, and Euler's formula holds."""
    draw = np.random.default_rng(seed)
    angle = np.sort(draw.uniform(0.0, math.tau, 24))
    ring = np.column_stack([np.cos(angle), np.sin(angle), 2e-7 * draw.random(24)])
    hull = Hull(np.vstack([ring, [(0.0, 0.0, -1.0)]]))
    solid = polyhedron(hull.vertices, hull.triangles)
    for first, last in itertools.pairwise(solid.start):
        assert len(set(solid.loop[first:last].tolist())) == last - first >= 3
    assert len(solid.vertices) - len(solid.edges) + len(solid.normals) == 2
