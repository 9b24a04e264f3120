"""Ray cast, shape cast and overlap against dense or analytic references."""

import numpy as np
import pytest

from physics.collision.queries import cast, overlap_ball, raycast, refresh
from physics.shapes import Box, HeightField, Plane, Sphere
from tests.physics.collision.scenes import SHAPES, Scene, core, hull_distance, quaternion


def crowd(count: int = 40) -> Scene:
    rng = np.random.default_rng(2)
    scene = Scene()
    shapes = list(SHAPES.values())
    for k in range(count):
        scene.add(shapes[k % 4], rng.uniform(-3, 3, size=3), quaternion(rng), group=1 << (k % 3))
    scene.add(Plane((0, 1, 0), -4.0), movable=False)
    scene.add(HeightField(np.zeros((9, 9)), 1.0), (0, 5, 0), movable=False)
    refresh(scene.store, *scene.state()[:2])
    return scene


def distance_to(scene: Scene, slot: int, points: np.ndarray) -> float:
    """Distance of the hull of points from the surface of a convex shape of the crowd."""
    shape = list(SHAPES.values())[slot % 4]
    own = core(shape, scene.position[slot], scene.orientation[slot])
    return hull_distance(points, own) - shape.core()[1]


@pytest.mark.parametrize("seed", range(3))
def test_rays_stop_at_the_first_surface(seed: int) -> None:
    scene = crowd()
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(80):
        origin, aim = rng.uniform(-3.5, 3.5, size=3), scene.position[rng.integers(40)]
        direction = aim + 0.2 * rng.normal(size=3) - origin
        direction /= np.linalg.norm(direction)
        hit = raycast(scene.store, origin, direction, 20.0)
        end = 20.0 if hit is None else hit.distance
        if hit is not None and hit.shape < 40:
            hits += 1
            assert distance_to(scene, hit.shape, hit.point[None]) == pytest.approx(0.0, abs=1e-6)
            assert hit.normal @ direction < 0.0
        segment = np.array([origin, origin + direction * (end - 1e-3)])
        for slot in range(40):
            inside = distance_to(scene, slot, origin[None]) <= 1e-6
            assert inside or distance_to(scene, slot, segment) > -1e-6
    assert hits > 20


def test_rays_on_infinite_and_flat_things() -> None:
    scene = crowd(0)
    down = raycast(scene.store, (0.2, 0, 0.3), (0, -2, 0))
    assert down is not None
    assert down.distance == pytest.approx(4.0)
    np.testing.assert_allclose(down.normal, [0, 1, 0])
    up = raycast(scene.store, (0.2, 0, 0.3), (0, 1, 0))
    assert up is not None
    assert up.distance == pytest.approx(5.0)
    np.testing.assert_allclose(up.normal, [0, -1, 0], atol=1e-12)
    assert raycast(scene.store, (0, 0, 0), (0, -1, 0), max_distance=3.0) is None
    assert raycast(scene.store, (9, 0, 0), (0, 1, 0)) is None
    with pytest.raises(ValueError, match="finite"):
        raycast(scene.store, (0, 0, 0), (0, 0, 0))


def test_masks_choose() -> None:
    scene = Scene()
    scene.add(Sphere(0.5), (2, 0, 0), group=1)
    scene.add(Sphere(0.5), (4, 0, 0), group=2)
    refresh(scene.store, *scene.state()[:2])
    hit = raycast(scene.store, (0, 0, 0), (1, 0, 0), mask=2)
    assert hit is not None
    assert (hit.body, hit.distance) == (1, pytest.approx(3.5))


@pytest.mark.parametrize("name", SHAPES)
def test_cast_shapes_stop_where_they_touch(name: str) -> None:
    scene = crowd()
    rng = np.random.default_rng(8)
    shape = SHAPES[name]
    points, radius = shape.core()
    for _ in range(25):
        origin, motion = rng.uniform(-3, 3, size=3), rng.normal(size=3) * 2
        hit = cast(scene.store, shape, origin, np.eye(3), motion)
        if min(distance_to(scene, k, points + origin) for k in range(40)) < radius + 1e-3:
            assert hit is not None
            continue
        end = motion if hit is None else hit.point - origin
        gaps = [distance_to(scene, k, points + origin + end) - radius for k in range(40)]
        assert min(gaps) > -1e-5
        if hit is not None and hit.shape < 40:
            assert gaps[hit.shape] == pytest.approx(0.0, abs=2e-4)
            assert hit.normal @ motion < 0.0


def test_cast_on_plane_and_field() -> None:
    scene = crowd(0)
    down = cast(scene.store, Box((1, 1, 1)), (0, 0, 0), np.eye(3), (0, -10, 0))
    assert down is not None
    assert down.point[1] == pytest.approx(-3.5)
    up = cast(scene.store, Sphere(0.25), (0, 0, 0), np.eye(3), (0, 10, 0))
    assert up is not None
    assert up.point[1] == pytest.approx(4.75, abs=2e-4)
    assert cast(scene.store, Sphere(0.25), (0, 0, 0), np.eye(3), (3, 0, 0)) is None


def test_overlap_equals_brute_force() -> None:
    scene = crowd()
    rng = np.random.default_rng(9)
    for _ in range(30):
        center, radius = rng.uniform(-3, 3, size=3), rng.uniform(0.05, 1.5)
        expected = [k for k in range(40) if distance_to(scene, k, center[None]) <= radius]
        if center[1] - radius <= -4.0:
            expected.append(40)
        assert overlap_ball(scene.store, center, radius).tolist() == expected
    assert overlap_ball(scene.store, (0, 4.9, 0), 0.2).tolist() == [41]
    assert overlap_ball(scene.store, (0, -3.9, 0), 0.2, mask=1).tolist() == [40]
