"""Cylinders, cones and rounded boxes against dense references, in all pairs and on planes."""

import itertools

import numpy as np
import pytest

from physics.collision.queries import cast, overlap_ball, raycast, refresh
from physics.shapes import Box, Capsule, Cone, Cylinder, Plane, Shape, Sphere, TriangleMesh
from tests.physics.collision.scenes import (
    SHAPES,
    Scene,
    contacts_of,
    hull_depth,
    hull_distance,
    matrix,
    place,
    quaternion,
    rows,
)

NEW: dict[str, Shape] = {
    "cylinder": Cylinder(0.3, 0.7),
    "coin": Cylinder(0.4, 0.1),
    "cone": Cone(0.35, 0.8),
    "rounded": Box((0.5, 0.8, 0.4), rounding=0.08),
}
ALL = {**SHAPES, **NEW}
PAIRS = [pair for pair in itertools.combinations_with_replacement(ALL, 2) if set(pair) & set(NEW)]
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def dense(shape: Shape, sides: int = 180) -> tuple[np.ndarray, float]:
    """Core points with so many corners on a rim that its polygon is within 1e-4 of it."""
    if not hasattr(shape, "revolved"):
        return shape.core()
    low, high, bottom, top = shape.revolved()
    turn = np.arange(sides) * 2 * np.pi / sides
    ring = np.stack([np.cos(turn), np.zeros(sides), np.sin(turn)], 1)
    up = np.array([0.0, 1.0, 0.0])
    return np.concatenate([bottom * ring + low * up, top * ring + high * up]), 0.0


def reach(shape: Shape, at: np.ndarray, turned: np.ndarray, n: np.ndarray) -> float:
    """How far a shape reaches along n, exactly."""
    d = n @ matrix(turned)
    if hasattr(shape, "revolved"):
        low, high, bottom, top = shape.revolved()
        aside = np.hypot(d[0], d[2])
        return float(at @ n + max(low * d[1] + bottom * aside, high * d[1] + top * aside))
    points, radius = shape.core()
    return float(at @ n + (points @ d).max() + radius)


@pytest.mark.parametrize("names", PAIRS, ids="-".join)
def test_gap_is_the_distance_or_the_depth(names: tuple[str, str]) -> None:
    rng = np.random.default_rng(5)
    touching = 0
    for trial in range(24):
        bodies = place(rng, ALL[names[0]], ALL[names[1]], 0.4 + 0.5 * trial / 24)
        (points_p, r), (points_q, s) = (dense(shape, 60) for shape, _, _ in bodies)
        points_p = points_p @ matrix(bodies[0][2]).T + bodies[0][1]
        points_q = points_q @ matrix(bodies[1][2]).T
        exact = hull_distance(points_p, points_q) - r - s
        if exact < -r - s + 1e-5:
            exact = -hull_depth(points_p, points_q) - r - s
        gaps = rows(contacts_of(bodies), "gap")
        if exact > 0.025:  # the margin at this step is 0.026
            assert len(gaps) == 0 or gaps.min() > 0.0
        elif exact > -0.1:
            touching += 1
            assert len(gaps) > 0
            # The reference's polygon lies up to r (1 - cos(π/60)) = 0.5 mm inside of the rim. A
            # rim against an edge is met along a direction off by the inset over the radius (a
            # tenth): gaps are off by the square of that; an overlap may prefer a face (2 mm/m).
            # Deeper than the inset, polygons of 16 sides tell the way out: 11° off at most.
            assert gaps.min() == pytest.approx(exact, abs=4e-3 + max(-0.3 * exact - 5e-3, 0.0))
    assert touching > 1


@pytest.mark.parametrize("names", PAIRS, ids="-".join)
def test_points_lie_on_both_surfaces_along_the_normal(names: tuple[str, str]) -> None:
    rng = np.random.default_rng(6)
    for closeness in np.linspace(0.4, 0.9, 16):
        bodies = place(rng, ALL[names[0]], ALL[names[1]], closeness)
        found = contacts_of(bodies)
        n, gap = rows(found, "normal"), rows(found, "gap")
        on_a = rows(found, "anchor_a") + bodies[0][1]
        on_b = rows(found, "anchor_b") + bodies[1][1]
        np.testing.assert_allclose(np.einsum("ij,ij->i", n, on_a - on_b), gap, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(n, axis=1), 1.0, atol=1e-12)
        for k in range(len(gap)):
            # No point may lie outside of what the shapes reach along its normal.
            assert on_a[k] @ n[k] >= -reach(*bodies[0], -n[k]) - 1e-6
            assert on_b[k] @ n[k] <= reach(*bodies[1], n[k]) + 1e-6


@pytest.mark.parametrize("name", NEW)
def test_on_a_tilted_plane_the_lowest_point_is_exact(name: str) -> None:
    rng = np.random.default_rng(3)
    shape = NEW[name]
    normal = np.array([0.3, 0.9, -0.2])
    normal /= np.linalg.norm(normal)
    for _ in range(20):
        turned, at = quaternion(rng), normal * 0.6 + rng.normal(size=3) * 0.05
        scene = Scene()
        scene.add(Plane(tuple(normal), 0.5), movable=False)
        scene.add(shape, at, turned)
        low = -reach(shape, at, turned, -normal) - 0.5
        assert rows(scene.detect(), "gap").min() == pytest.approx(low, abs=1e-12)


FLOORS: dict[str, tuple[Shape, float]] = {
    "plane": (Plane(), 0.0),
    "box": (Box((4.0, 1.0, 4.0)), -0.5),
    "rounded": (Box((4.0, 1.0, 4.0), rounding=0.1), -0.5),
    "mesh": (
        TriangleMesh([(-2, 0, -2), (2, 0, -2), (2, 0, 2), (-2, 0, 2)], [(0, 2, 1), (0, 3, 2)]),
        0.0,
    ),
}


def on_floor(shape: Shape, floor: str, at, turned):
    ground, height = FLOORS[floor]
    scene = Scene()
    scene.add(ground, (0, height, 0), movable=False)
    scene.add(shape, at, turned)
    found = scene.detect()
    return -rows(found, "normal"), rows(found, "gap"), rows(found, "anchor_b") + np.array(at)


@pytest.mark.parametrize("floor", FLOORS)
def test_a_lying_cylinder_touches_along_one_line(floor: str) -> None:
    for spin in np.linspace(0.0, 2.0, 7):
        lying = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])  # y → -x
        about = np.array([np.cos(spin / 2), np.sin(spin / 2), 0.0, 0.0])
        turned = np.array(
            [
                about[0] * lying[0],
                about[1] * lying[0],
                -about[1] * lying[3],
                about[0] * lying[3],
            ]
        )
        n, gap, points = on_floor(Cylinder(0.3, 0.8), floor, (0.1, 0.2999, 0.2), turned)
        assert len(gap) == (4 if floor == "mesh" else 2)  # two triangles
        np.testing.assert_allclose(gap, -1e-4, atol=1e-9)
        np.testing.assert_allclose(n, np.tile([0, 1, 0], (len(gap), 1)), atol=1e-7)
        np.testing.assert_allclose([points[:, 0].min(), points[:, 0].max()], [-0.3, 0.5], atol=1e-6)
        np.testing.assert_allclose(points[:, 2], 0.2, atol=1e-6)


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize(
    "shape", [Cylinder(0.3, 0.8), Cone(0.3, 0.8), Box((0.6, 0.8, 0.6), rounding=0.05)]
)
def test_what_stands_has_four_points_far_apart(floor: str, shape: Shape) -> None:
    n, gap, points = on_floor(shape, floor, (0.1, 0.3999, -0.2), UPRIGHT)
    np.testing.assert_allclose(n, np.tile([0, 1, 0], (len(n), 1)), atol=1e-9)
    np.testing.assert_allclose(gap, -1e-4, atol=1e-9)
    level = points[:, [0, 2]] - np.array([0.1, -0.2])
    assert len(level) >= 4
    assert level.min() < -0.2
    assert level.max() > 0.2


@pytest.mark.parametrize("floor", FLOORS)
def test_a_tilted_rim_touches_where_it_is_lowest(floor: str) -> None:
    tilt, spin, r, half = 0.5, 1.1, 0.3, 0.4
    q = np.array(
        [np.cos(tilt / 2), np.sin(tilt / 2) * np.cos(spin), 0, np.sin(tilt / 2) * np.sin(spin)]
    )
    height = half * np.cos(tilt) + r * np.sin(tilt)
    _, gap, points = on_floor(Cylinder(r, 2 * half), floor, (0.0, height - 1e-4, 0.0), q)
    deepest = int(np.argmin(gap))
    assert gap[deepest] == pytest.approx(-1e-4, abs=1e-8)
    axis = matrix(q)[:, 1]
    down = np.array([0, -1, 0]) + axis[1] * axis
    lowest = np.array([0, height, 0]) - half * axis + r * down / np.linalg.norm(down)
    np.testing.assert_allclose(points[deepest][[0, 2]], lowest[[0, 2]], atol=1e-6)


def test_parallel_cylinders_touch_in_two_points_and_crossed_ones_in_one() -> None:
    bar = Cylinder(0.2, 1.0)
    along = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
    bodies = [(bar, np.array([0.3, 0.24, 0.32]), along), (bar, np.zeros(3), along)]
    found = contacts_of(bodies)
    n = np.array([0.0, 0.6, 0.8])
    np.testing.assert_allclose(rows(found, "normal"), np.tile(n, (2, 1)), atol=1e-6)
    np.testing.assert_allclose(rows(found, "gap"), 0.0, atol=1e-9)
    np.testing.assert_allclose(np.sort(rows(found, "point")[:, 0]), [-0.2, 0.5], atol=1e-6)
    crossed = np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])
    found = contacts_of([(bar, np.array([0, 0.3999, 0]), crossed), (bar, np.zeros(3), along)])
    assert rows(found, "gap") == pytest.approx([-1e-4], abs=1e-7)
    np.testing.assert_allclose(rows(found, "point"), [[0.0, 0.2, 0.0]], atol=1e-4)


@pytest.mark.parametrize("name", NEW)
def test_rays_meet_the_surface(name: str) -> None:
    rng, shape = np.random.default_rng(4), NEW[name]
    at, turned = np.array([0.3, -0.2, 0.5]), quaternion(rng)
    scene = Scene()
    scene.add(shape, at, turned)
    refresh(scene.store, *scene.state()[:2])
    points, radius = dense(shape)
    points = points @ matrix(turned).T + at
    hits = 0
    for _ in range(60):
        origin = at + rng.normal(size=3) * 1.5
        direction = at + 0.3 * rng.normal(size=3) - origin
        direction /= np.linalg.norm(direction)
        if hull_distance(origin[None], points) < radius + 1e-3:
            continue
        hit = raycast(scene.store, origin, direction, 20.0)
        end = origin + direction * (20.0 if hit is None else hit.distance - 2e-4)
        assert hull_distance(np.array([origin, end]), points) > radius - 1e-6
        if hit is not None:
            hits += 1
            assert hull_distance(hit.point[None], points) == pytest.approx(radius, abs=2e-4)
            assert hit.normal @ direction < 0.0
            assert hit.normal @ hit.point == pytest.approx(
                reach(shape, at, turned, hit.normal), abs=1e-9
            )
    assert hits > 20


@pytest.mark.parametrize("name", NEW)
def test_casts_and_overlaps(name: str) -> None:
    rng, shape = np.random.default_rng(9), NEW[name]
    scene = Scene()
    turned = quaternion(rng)
    scene.add(shape, (0, 0, 0), turned)
    scene.add(Box((8.0, 1.0, 8.0)), (0, -3.0, 0), movable=False)
    refresh(scene.store, *scene.state()[:2])
    points, radius = dense(shape)
    own = points @ matrix(turned).T
    for _ in range(20):
        center, size = rng.normal(size=3) * 0.5, rng.uniform(0.05, 0.4)
        gap = hull_distance(center[None], own) - radius - size
        if abs(gap) > 1e-3:
            assert (0 in overlap_ball(scene.store, center, size)) == (gap < 0.0)
    hit = cast(scene.store, shape, (3.0, 0.0, 0.0), matrix(turned), (0.0, -5.0, 0.0))
    assert hit is not None
    low = -reach(shape, np.zeros(3), turned, np.array([0.0, -1.0, 0.0]))
    assert hit.point[1] == pytest.approx(-2.5 - low, abs=3e-4)
    ball = cast(scene.store, Sphere(0.1), (0.0, 3.0, 0.0), np.eye(3), (0.0, -5.0, 0.0))
    assert ball is not None
    assert ball.shape == 0


def test_capsules_meet_rounded_boxes_at_their_radius() -> None:
    box, bar = Box((1.0, 1.0, 1.0), rounding=0.2), Capsule(0.1, 0.6)
    along = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
    found = contacts_of([(bar, np.array([0.0, 0.6001, 0.0]), along), (box, np.zeros(3), UPRIGHT)])
    np.testing.assert_allclose(rows(found, "gap"), 1e-4, atol=1e-9)
    found = contacts_of(
        [(Sphere(0.1), np.array([0.0, 0.6001, 0.0]), UPRIGHT), (box, np.zeros(3), UPRIGHT)]
    )
    np.testing.assert_allclose(rows(found, "gap"), 1e-4, atol=1e-9)
