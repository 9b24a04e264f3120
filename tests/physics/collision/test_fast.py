"""Fast bodies: what they would hit in the step is reported, what they would miss is not."""

import numpy as np
import pytest

from physics.shapes import Box, Capsule, HeightField, Hull, Plane, Sphere, TriangleMesh
from tests.physics.collision.scenes import H, Scene, quaternion, rows

PLATE = Box((2.0, 0.05, 2.0))
SHEET = TriangleMesh([(-1, 0, -1), (-1, 0, 1), (1, 0, 1), (1, 0, -1)], [(0, 1, 2), (0, 2, 3)])
GROUND = HeightField(np.zeros((5, 5)), 0.5)
TARGETS = {
    "plate": (PLATE, 0.025),
    "hull": (Hull(PLATE.core()[0]), 0.025),
    "sheet": (SHEET, 0.0),
    "ground": (GROUND, 0.0),
    "plane": (Plane(), 0.0),
}
BULLETS = {
    "sphere": (Sphere(0.05), 0.05),
    "capsule": (Capsule(0.05, 0.1), 0.1),
    "box": (Box((0.1, 0.1, 0.1)), 0.05),
    "hull": (Hull(Box((0.1, 0.1, 0.1)).core()[0]), 0.05),
}


def shot(bullet, target, at, velocity, turned=(1, 0, 0, 0)) -> Scene:
    scene = Scene()
    scene.add(target, movable=False)
    scene.add(bullet, at, turned, velocity)
    return scene


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("bullet", BULLETS)
def test_a_bullet_is_told_how_far_it_may_go(bullet: str, target: str) -> None:
    """0.1 m at 100 m/s moves 1.67 m a step; the gap along the surface normal is the way left."""
    (shape, low), (solid, top) = BULLETS[bullet], TARGETS[target]
    for height in (0.2, 0.5, 1.0, 1.5):
        found = shot(shape, solid, (0.13, height, -0.21), (20, -100, 10)).detect()
        assert found.count[0] > 0, height
        np.testing.assert_allclose(rows(found, "normal"), [[0, -1, 0]] * found.count[0], atol=1e-6)
        assert rows(found, "gap").min() == pytest.approx(height - low - top, abs=2e-4)


@pytest.mark.parametrize("target", ["plate", "hull", "sheet"])
@pytest.mark.parametrize("bullet", BULLETS)
def test_nothing_passes_from_anywhere(bullet: str, target: str) -> None:
    """Stopped by its contact rows, a bullet aimed at the target stays in front of it."""
    rng = np.random.default_rng(1)
    shape, solid = BULLETS[bullet][0], TARGETS[target][0]
    for _ in range(60):
        at = np.array([*rng.uniform(-0.9, 0.9, size=2), rng.uniform(0.2, 1.5)])[[0, 2, 1]]
        aim = np.array([*rng.uniform(-0.8, 0.8, size=2), 0.0])[[0, 2, 1]]
        velocity = 110.0 * (aim - at) / np.linalg.norm(aim - at)
        found = shot(shape, solid, at, velocity, quaternion(rng)).detect()
        reach = np.linalg.norm(aim - at)
        if reach > 110.0 * H:
            continue
        assert found.count[0] > 0
        # Normals point from the target (a) down; -n is up. Project the velocity on all rows.
        n, gap = -rows(found, "normal"), rows(found, "gap")
        assert (n[:, 1] > 0.5).all()
        allowed = velocity.copy()
        for _ in range(50):
            for k in range(len(n)):
                allowed -= n[k] * min(0.0, n[k] @ allowed + gap[k] / H)
        end = at + H * allowed
        assert end[1] > 0.0 or abs(end[[0, 2]]).max() > 0.95


def test_a_near_miss_is_not_stopped() -> None:
    """Past the rim of the plate: the closest corner is near, but it will not be touched."""
    found = shot(Sphere(0.05), PLATE, (1.2, 0.6, 0), (0, -100, 0)).detect()
    assert found.count[0] == 0
    found = shot(Sphere(0.05), PLATE, (-1.5, 0.2, 0), (150, 0, 0)).detect()
    assert found.count[0] == 0
    found = shot(Sphere(0.05), SHEET, (1.2, 0.6, 0), (0, -100, 0)).detect()
    assert found.count[0] == 0


def test_bullets_meet_each_other() -> None:
    scene = Scene()
    scene.add(Sphere(0.05), (0, 0, 0), moving=(80, 0, 0))
    scene.add(Sphere(0.05), (2.0, 0.03, 0), moving=(-80, 0, 0))
    found = scene.detect()
    assert found.count[0] == 1
    assert found.gap[0] == pytest.approx(1.9 * abs(found.normal[0, 0]), rel=0.05)
    assert found.normal[0, 0] < -0.9


def test_a_falling_box_lands_on_four_corners() -> None:
    found = shot(Box((0.5, 0.5, 0.5)), PLATE, (0, 0.4, 0), (0, -10, 0)).detect()
    assert found.count[0] == 4
    np.testing.assert_allclose(rows(found, "gap"), 0.4 - 0.25 - 0.025, atol=1e-9)


def test_slow_bodies_out_of_reach_have_no_contact() -> None:
    assert shot(Sphere(0.05), PLATE, (0, 0.3, 0), (0, -1, 0)).detect().count[0] == 0
    assert shot(Sphere(0.05), PLATE, (0, 0.3, 0), (0, 100, 0)).detect().count[0] == 0
