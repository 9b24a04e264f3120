"""First impacts on the way that bodies really took, by turning and by joints."""

import math

import numpy as np
import pytest

from physics import Box, Capsule, Plane, Sphere, TriangleMesh
from physics.collision.impact import Path, first_impact
from tests.physics.collision.scenes import H, Scene, product, quaternion

QUAD = ([(-2, 0, -2), (2, 0, -2), (2, 0, 2), (-2, 0, 2)], [(0, 2, 1), (0, 3, 2)])


def turned_by(axis, angle: float) -> np.ndarray:
    return np.array([math.cos(angle / 2), *(math.sin(angle / 2) * np.array(axis, float))])


def impact(scene: Scene, ends: dict[int, tuple]) -> tuple[float, int, int, np.ndarray]:
    """The first impact when bodies end elsewhere than detection, with its velocities, looked."""
    scene.detect()
    position, orientation, _ = scene.state()
    end_position, end_orientation = position.copy(), orientation.copy()
    for body, (at, turned) in ends.items():
        end_position[body], end_orientation[body] = at, turned
    path = Path(position, orientation, end_position, end_orientation)
    time, shape, other, n = first_impact(path, scene.store.collider(), H, 1e-3)
    return time, shape, other, np.array(n)


@pytest.mark.parametrize("plate", ["box", "mesh", "plane", "moving"])
def test_a_ball_driven_through_a_plate_meets_it_in_time(plate: str) -> None:
    scene = Scene()
    ball = scene.add(Sphere(0.1), (0.2, 1.0, 0.1))
    if plate == "mesh":
        scene.add(TriangleMesh(*QUAD), movable=False)
    elif plate == "plane":
        scene.add(Plane(), movable=False)
    else:
        scene.add(Box((4, 0.02, 4)), (0, -0.01, 0), movable=plate == "moving")
    time, shape, _, n = impact(scene, {ball: ((0.2, -2.0, 0.1), (1, 0, 0, 0))})
    assert shape == ball
    assert time == pytest.approx(0.9 / 3.0, abs=1e-4)
    np.testing.assert_allclose(n, [0, 1, 0], atol=1e-6)
    # What ends on the surface, or beside it, has hit nothing.
    assert impact(scene, {ball: ((0.2, 0.1, 0.1), (1, 0, 0, 0))})[1] == -1


def test_a_rod_that_turns_meets_a_post_where_geometry_says() -> None:
    """A rod along x, turning about z by 1 rad, meets a thin post at the angle of its edge."""
    scene = Scene()
    rod = scene.add(Capsule(0.01, 1.0), (0, 0, 0), turned_by((0, 0, 1), math.pi / 2))
    scene.add(Box((0.01, 0.2, 1.0)), (0.4, -0.3, 0), movable=False)  # its top at y = -0.2
    ends = {rod: ((0, 0, 0), turned_by((0, 0, 1), math.pi / 2 - 1.0))}
    time, shape, other, _ = impact(scene, ends)
    # The edge at (0.395, -0.2) comes within the radius of the axis at this angle below x:
    edge = math.hypot(0.395, 0.2)
    angle = math.atan2(0.2, 0.395) - math.asin(0.01 / edge)
    far = math.hypot(0.405, 0.2)
    other_angle = math.atan2(0.2, 0.405) - math.asin(0.01 / far)
    assert (shape, other) == (0, 1)
    assert time == pytest.approx(min(angle, other_angle), abs=2e-3)
    short = {rod: ((0, 0, 0), turned_by((0, 0, 1), math.pi / 2 - 0.3))}
    assert impact(scene, short)[1] == -1


def pose(t: float, way, q: np.ndarray, axis: np.ndarray, angle: float):
    """Where a body is at time t that flies along `way` and turns by an angle about an axis."""
    return way[0] + t * (way[1] - way[0]), product(turned_by(axis, t * angle), q)


def overlaps(bodies) -> bool:
    trial = Scene()
    for shape, (at, turned), movable in bodies:
        trial.add(shape, at, turned, movable=movable)
    contacts = trial.detect(1e-3)
    return bool(contacts.count[0] > 0 and contacts.gap[: contacts.count[0]].min() < 0.0)


def test_times_against_many_small_moves() -> None:
    """Random flights and turns of a bar past a block: the touch is where small moves find it."""
    rng = np.random.default_rng(3)
    bar, block = Box((0.6, 0.1, 0.1)), (Box((0.3, 0.3, 0.3)), ((0, 0, 0), (1, 0, 0, 0)), False)
    found = 0
    for _ in range(40):
        axis = rng.normal(size=3)
        flight = (
            rng.normal(size=(2, 3)) * 0.8, quaternion(rng), axis / np.linalg.norm(axis),
            rng.uniform(0, 2.5),
        )  # fmt: skip
        if overlaps([(bar, pose(0.0, *flight), True), block]):
            continue
        scene = Scene()
        scene.add(bar, *pose(0.0, *flight))
        scene.add(block[0], movable=False)
        time, shape, _, _ = impact(scene, {0: pose(1.0, *flight)})
        if shape < 0:
            continue  # it missed, came out again, or went in by less than counts
        found += 1
        moments = [(bar, pose(t, *flight), True) for t in np.linspace(0, 1, 201)]
        first = next(k for k, moment in enumerate(moments) if overlaps([moment, block]))
        assert time == pytest.approx(first / 200, abs=0.006)
    assert found > 8
