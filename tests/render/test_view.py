"""Projection, rays and the sun's matrix."""

import numpy as np
import pytest

from sandbox.render.view import View, light_matrix

PERSPECTIVE = View(eye=(3.0, 4.0, 20.0), target=(1.0, 2.0, 0.0))
FLAT = View(eye=(0.0, 2.0, 60.0), target=(0.0, 2.0, 0.0), height=12.0)


@pytest.mark.parametrize("view", [PERSPECTIVE, FLAT])
def test_the_target_is_in_the_middle(view: View) -> None:
    x, y, depth = view.project(np.array(view.target))[0]
    assert (x, y) == pytest.approx((0.5, 0.5))
    assert depth > 0


@pytest.mark.parametrize("view", [PERSPECTIVE, FLAT])
def test_a_ray_goes_through_the_point_it_was_shot_at(view: View) -> None:
    point = np.array((2.0, 5.0, -1.0))
    x, y, _ = view.project(point)[0]
    origin, direction = view.ray(x, y)
    off = point - origin
    assert np.linalg.norm(off - direction * (off @ direction)) < 1e-9


def test_what_is_behind_has_negative_depth() -> None:
    assert PERSPECTIVE.project(np.array((3.0, 4.0, 40.0)))[0, 2] < 0


def test_the_sun_sees_the_whole_ball() -> None:
    center, radius = (3.0, 1.0, -2.0), 10.0
    matrix = light_matrix((0.5, 0.7, 0.4), center, radius, 1024)
    rng = np.random.default_rng(0)
    points = rng.normal(size=(200, 3))
    points = np.array(center) + 0.99 * radius * points / np.linalg.norm(
        points, axis=1, keepdims=True
    )
    clip = np.hstack((points, np.ones((200, 1)))) @ matrix.T
    assert np.abs(clip[:, :3]).max() < 1.01


def test_the_shadow_map_moves_in_whole_texels() -> None:
    texels, radius = 512, 8.0
    a = light_matrix((0.3, 0.8, 0.4), (0.0, 0.0, 0.0), radius, texels)
    b = light_matrix((0.3, 0.8, 0.4), (0.013, 0.0, 0.021), radius, texels)
    shift = (b - a)[:2, 3] * texels / 2
    assert np.allclose(shift, np.round(shift), atol=1e-6)
