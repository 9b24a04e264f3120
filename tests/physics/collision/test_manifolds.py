"""Manifolds: four points where faces meet, ids that live, impulses that carry over."""

import numpy as np
import pytest

from physics.shapes import Box, Capsule, Hull, Plane, Sphere
from tests.physics.collision.scenes import Scene, quaternion, rows

CUBE = Box((0.5, 0.5, 0.5))


def stack(bottom, top, shift=(0.0, 0.0, 0.0), turned=(1, 0, 0, 0)) -> Scene:
    scene = Scene()
    scene.add(bottom, (0, 0, 0), movable=False)
    scene.add(top, np.array([0, 0.4999, 0]) + shift, turned)
    return scene


@pytest.mark.parametrize("bottom", [CUBE, Hull(CUBE.core()[0])])
@pytest.mark.parametrize("top", [CUBE, Hull(CUBE.core()[0])])
def test_stacked_boxes_have_four_points_with_lasting_ids(bottom, top) -> None:
    rng = np.random.default_rng(2)
    first = stack(bottom, top).detect()
    assert first.count[0] == 4
    np.testing.assert_allclose(rows(first, "gap"), -1e-4, atol=1e-9)
    np.testing.assert_allclose(rows(first, "normal"), [[0, -1, 0]] * 4, atol=1e-12)
    expected = set(rows(first, "feature").tolist())
    for _ in range(20):
        half_angle = 1e-4 * rng.normal(size=3)
        turned = np.array([1.0, *half_angle])
        turned /= np.linalg.norm(turned)
        found = stack(bottom, top, 2e-4 * rng.normal(size=3), turned).detect()
        assert set(rows(found, "feature").tolist()) == expected


def test_turned_box_on_a_box_keeps_the_area_of_the_octagon() -> None:
    angle = np.pi / 4
    found = stack(CUBE, CUBE, turned=(np.cos(angle / 2), 0, np.sin(angle / 2), 0)).detect()
    points = rows(found, "point")[:, [0, 2]]
    assert len(points) == 4
    order = np.argsort(np.arctan2(points[:, 1], points[:, 0]))
    x, z = points[order].T
    area = 0.5 * abs(x @ np.roll(z, -1) - z @ np.roll(x, -1))
    octagon = 2 * (np.sqrt(2) - 1) * 0.25  # of the square's 0.25: area 2(√2-1) a²
    assert area > 0.7 * octagon


def test_crossed_edges_give_one_point() -> None:
    """Two boxes on edge, crossing at right angles."""
    c, s = np.cos(np.pi / 8), np.sin(np.pi / 8)
    scene = Scene()
    scene.add(CUBE, (0, 0, 0), (c, s, 0, 0))
    scene.add(CUBE, (0, 0.5 * np.sqrt(2) - 0.001, 0), (c, 0, 0, s))
    found = scene.detect()
    assert found.count[0] == 1
    np.testing.assert_allclose(rows(found, "normal"), [[0, -1, 0]], atol=1e-9)
    assert rows(found, "gap")[0] == pytest.approx(-0.001, abs=1e-9)
    np.testing.assert_allclose(
        rows(found, "point")[0], [0, 0.5 * np.sqrt(0.5) - 0.0005, 0], atol=1e-9
    )


def test_lying_capsules_have_two_points() -> None:
    flat = (np.sqrt(0.5), 0, 0, np.sqrt(0.5))
    scene = Scene()
    scene.add(Box((4, 1, 4)), (0, -0.5, 0), movable=False)
    scene.add(Capsule(0.1, 1.0), (0, 0.0999, 0), flat)
    scene.add(Capsule(0.1, 1.0), (0.2, 0.2998, 0), flat)
    found = scene.detect()
    pairs = list(zip(rows(found, "shape_a").tolist(), rows(found, "shape_b").tolist(), strict=True))
    assert pairs == [(0, 1)] * 2 + [(1, 2)] * 2
    np.testing.assert_allclose(rows(found, "gap"), -1e-4, atol=1e-9)
    assert np.ptp(rows(found, "point")[:2, 0]) == pytest.approx(1.0)
    assert np.ptp(rows(found, "point")[2:, 0]) == pytest.approx(0.8)


def test_impulses_follow_their_features() -> None:
    scene = stack(CUBE, CUBE)
    found = scene.detect()
    found.impulse[:4] = np.arange(12).reshape(4, 3)
    before = dict(zip(rows(found, "feature").tolist(), rows(found, "impulse"), strict=True))
    scene.position[1] = scene.position[1] + [5e-4, 0, 0]
    found = scene.detect()
    for feature, impulse in zip(
        rows(found, "feature").tolist(), rows(found, "impulse"), strict=True
    ):
        np.testing.assert_allclose(impulse, before[feature], atol=1e-12)
    scene.position[1] = scene.position[1] + [0, 1, 0]
    assert scene.detect().count[0] == 0
    scene.position[1] = scene.position[1] - [0, 1, 0]
    found = scene.detect()
    assert not rows(found, "impulse").any()


def test_renumbered_contact_takes_over_from_its_neighbour() -> None:
    scene = Scene()
    scene.add(Plane(), movable=False)
    scene.add(Sphere(0.5), (0, 0.4999, 0))
    found = scene.detect()
    found.impulse[0] = 3.0, 0.5, -0.25
    found.feature[0] ^= np.uint64(5)
    found = scene.detect()
    np.testing.assert_allclose(found.impulse[0], [3.0, 0.5, -0.25])


def test_materials_are_combined() -> None:
    scene = Scene()
    scene.add(Plane(), movable=False, friction=0.9, restitution=0.1)
    scene.add(Sphere(0.5), (0, 0.4999, 0), friction=0.4, restitution=0.3)
    found = scene.detect()
    assert found.friction[0] == pytest.approx(0.6)
    assert found.restitution[0] == pytest.approx(0.3)


def test_capacity_grows_without_losing_impulses() -> None:
    scene = Scene()
    scene.add(Plane(), movable=False)
    scene.add(CUBE, (0, 0.2499, 0))
    found = scene.detect()
    found.impulse[:4] = 1.0
    for k in range(200):
        scene.add(CUBE, (0.6 * (k % 20) + 1.0, 0.2499, 0.6 * (k // 20)))
    found = scene.detect()
    assert found.count[0] == 4 * 201
    assert (rows(found, "impulse")[:4] == 1.0).all()
    assert not rows(found, "impulse")[4:].any()


def test_same_scene_same_bits() -> None:
    def contacts() -> list[bytes]:
        rng = np.random.default_rng(11)
        scene = Scene()
        scene.add(Plane(), movable=False)
        for _ in range(60):
            scene.add(CUBE, rng.uniform(-1, 1, size=3), quaternion(rng))
        found = scene.detect()
        return [rows(found, name).tobytes() for name in ("feature", "gap", "normal", "point")]

    assert contacts() == contacts()
