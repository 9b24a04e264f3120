"""Orbit, pan, zoom to the pointer, framing, dragging."""

import numpy as np
import pytest

from sandbox.app.camera import Camera, Pose


def settled(**options: object) -> Camera:
    camera = Camera(**options)  # type: ignore[arg-type]
    camera.jump()
    return camera


@pytest.mark.parametrize("flat", [False, True])
def test_zoom_keeps_what_is_under_the_pointer(flat: bool) -> None:
    camera = settled(flat=flat)
    x, y = 0.7, 0.3
    before = camera._under(x, y)
    camera.zoom(4, x, y)
    camera.jump()
    seen = camera.view().project(before)[0]
    assert seen[:2] == pytest.approx((x, y), abs=1e-6)
    assert camera.goal.distance < 30.0


@pytest.mark.parametrize("flat", [False, True])
def test_pan_moves_the_pivot_with_the_pointer(flat: bool) -> None:
    camera = settled(flat=flat)
    point = np.array(camera.pose.pivot)
    camera.pan(0.1, -0.05)
    camera.jump()
    assert camera.view().project(point)[0, :2] == pytest.approx((0.6, 0.45), abs=1e-6)


def test_orbit_keeps_the_distance_and_never_flips() -> None:
    camera = settled(floor=None)
    for _ in range(50):
        camera.orbit(0.1, 0.2)
    camera.jump()
    view = camera.view()
    assert np.linalg.norm(np.subtract(view.eye, view.target)) == pytest.approx(30.0)
    assert view.axes()[1][1] > 0


def test_the_eye_stays_above_the_ground() -> None:
    camera = settled(floor=0.0)
    camera.orbit(0.0, -5.0)
    camera.jump()
    assert camera.view().eye[1] > 0.0


def test_easing_does_not_depend_on_the_frame_rate() -> None:
    fast, slow = Camera(), Camera()
    for camera in (fast, slow):
        camera.frame(np.array((10.0, 2.0, 0.0)), 4.0)
    for _ in range(30):
        fast.update(0.01)
    for _ in range(10):
        slow.update(0.03)
    assert fast.pose.pivot == pytest.approx(slow.pose.pivot)
    assert fast.pose.distance == pytest.approx(slow.pose.distance)


@pytest.mark.parametrize("flat", [False, True])
def test_framing_shows_the_whole_ball(flat: bool) -> None:
    camera = settled(flat=flat)
    center = np.array((3.0, 2.0, -1.0))
    camera.frame(center, 5.0)
    camera.jump()
    view = camera.view()
    right, up, _ = view.axes()
    edge = np.array([center + 5.0 * s * axis for s in (-1, 1) for axis in (right, up)])
    seen = view.project(edge)[:, :2]
    assert seen.min() > -0.03
    assert seen.max() < 1.03


def test_a_camera_placed_by_eye_and_target_is_there() -> None:
    camera = settled()
    camera.look_from(np.array((12.0, 8.0, 20.0)), np.array((1.0, 4.0, 0.0)))
    camera.jump()
    assert camera.view().eye == pytest.approx((12.0, 8.0, 20.0))


def test_a_dragged_point_stays_under_the_pointer_at_its_depth() -> None:
    camera = settled()
    through = np.array((2.0, 5.0, 3.0))
    point = camera.drag_plane_point(0.4, 0.6, through)
    view = camera.view()
    seen = view.project(np.vstack((point, through)))
    assert seen[0, :2] == pytest.approx((0.4, 0.6))
    assert seen[0, 2] == pytest.approx(seen[1, 2])


def test_the_camera_arrives_and_then_stands_exactly() -> None:
    camera = Camera()
    camera.goal = Pose((1.0, 2.0, 3.0), 0.7, 0.3, 12.0)
    for _ in range(90):
        camera.update(1 / 60)
    assert camera.pose == camera.goal
    seen = camera.view()
    camera.update(1 / 60)
    assert camera.view() is seen
    camera.aspect = 1.0
    assert camera.view() is not seen
