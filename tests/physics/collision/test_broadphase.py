"""Pairs equal brute force, whatever the mixture; groups, masks, exclusions; slots come and go."""

import numpy as np
import pytest

from physics.collision import ShapeStore
from physics.shapes import Box, Capsule, Hull, Plane, Sphere, TriangleMesh
from tests.physics.collision.scenes import SHAPES, Scene, quaternion, rows


def crowd(rng: np.random.Generator, count: int, spread: float) -> Scene:
    scene = Scene()
    scene.add(Plane(), movable=False)
    scene.add(Box((3 * spread, 0.2, 3 * spread)), (0, -0.1, 0), movable=False)
    shapes = list(SHAPES.values())
    for k in range(count):
        at, speed = rng.uniform(-spread, spread, size=3), 4.0 * rng.normal(size=3)
        scene.add(shapes[k % 4], at, quaternion(rng), speed, movable=bool(k % 7))
    return scene


def brute_force(store: ShapeStore) -> list[tuple[int, int]]:
    s = store.shapes[: store.space.span[0]]
    pairs = []
    for a in range(len(s)):
        for b in range(a + 1, len(s)):
            if not (s["movable"][a] or s["movable"][b]):
                continue
            if a == 0:  # the plane y = 0
                meet = s["box"][b][1] <= 0.0
            else:
                p, q = s["box"][a], s["box"][b]
                meet = bool((p[:3] <= q[3:]).all() and (q[:3] <= p[3:]).all())
            if meet:
                pairs.append((a, b))
    return pairs


@pytest.mark.parametrize(("count", "spread"), [(1, 1.0), (2, 0.1), (40, 1.0), (300, 3.0)])
def test_pairs_equal_brute_force_in_sorted_order(count: int, spread: float) -> None:
    for seed in range(3):
        scene = crowd(np.random.default_rng(seed), count, spread)
        scene.detect()
        space = scene.store.space
        found = [tuple(pair) for pair in space.pairs[0, : space.pair_count[0]].tolist()]
        assert found == brute_force(scene.store)


def two_spheres(**how) -> Scene:
    scene = Scene()
    scene.add(Sphere(0.5), (0, 0, 0), group=1, mask=0xFFFF)
    scene.add(Sphere(0.5), (0.9, 0, 0), **how)
    return scene


def test_groups_and_masks_must_agree_both_ways() -> None:
    assert two_spheres(group=1, mask=1).detect().count[0] == 1
    assert two_spheres(group=2, mask=2).detect().count[0] == 0
    assert two_spheres(group=1 << 20, mask=1).detect().count[0] == 0


def test_excluded_bodies_are_counted() -> None:
    scene = two_spheres()
    scene.store.exclude(1, 0)
    scene.store.exclude(0, 1)
    assert scene.detect().count[0] == 0
    scene.store.include(0, 1)
    assert scene.detect().count[0] == 0
    scene.store.include(0, 1)
    assert scene.detect().count[0] == 1
    with pytest.raises(ValueError, match="not excluded"):
        scene.store.include(0, 1)


def test_points_without_size_pass_each_other_but_not_the_ground() -> None:
    scene = Scene()
    scene.add(Plane(), movable=False)
    for _ in range(2):
        scene.store.add_particle(len(scene.position), 0.0)
        scene.position.append(np.array([0.0, -1e-4, 0.0]))
        scene.orientation.append(np.array([1.0, 0, 0, 0]))
        scene.velocity.append(np.zeros(6))
    found = scene.detect()
    assert rows(found, "shape_a").tolist() == [0, 0]
    np.testing.assert_allclose(rows(found, "gap"), -1e-4)


def test_removed_slots_are_reused_and_pools_compacted() -> None:
    rng = np.random.default_rng(0)
    store = ShapeStore()
    hulls = [Hull(rng.normal(size=(12, 3))) for _ in range(8)]
    for round_ in range(40):
        slots = [store.add(hull, k, offset=(round_, 0, 0)) for k, hull in enumerate(hulls)]
        assert slots == list(range(8))
        for slot in slots[:7] if round_ < 39 else []:
            store.remove(slot)
        if round_ < 39:
            store.remove(slots[7])
    assert len(store.pool.vertices) < 4000
    for slot, hull in enumerate(hulls):
        s = store.shapes[slot]
        found = store.pool.vertices[s["vertex"] : s["vertex"] + s["vertices"]]
        np.testing.assert_allclose(found + s["offset"] - [39, 0, 0], hull.vertices, atol=1e-12)
    with pytest.raises(ValueError, match="not in use"):
        store.remove(500)


def test_removing_a_shape_forgets_its_contacts() -> None:
    scene = Scene()
    scene.add(Plane(), movable=False)
    first = scene.add(Sphere(0.5), (0, 0.49, 0))
    scene.add(Sphere(0.5), (5, 0.49, 0))
    found = scene.detect()
    found.impulse[:2, 0] = 7.0, 8.0
    scene.store.remove(first)
    scene.store.add(Sphere(0.5), 1)
    found = scene.detect()
    assert rows(found, "impulse")[:, 0].tolist() == [0.0, 8.0]


def test_a_shape_away_from_its_body_turns_with_it() -> None:
    scene = Scene()
    scene.add(Plane(), movable=False)
    half = np.sqrt(0.5)
    quarter_turn = (half, 0, 0, -half)  # about z: body x axis points down
    scene.add(Capsule(0.1, 1.0), (0, 1, 0), quarter_turn, offset=(0.8, 0, 0))
    found = scene.detect()
    # The capsule lies level at height 0.2, so it is 0.1 above the plane, and out of margin.
    assert found.count[0] == 0
    scene.position[1] = np.array([0, 0.9, 0])
    assert scene.detect().count[0] == 2


def test_too_large_hulls_are_refused() -> None:
    points = np.random.default_rng(0).normal(size=(400, 3))
    with pytest.raises(ValueError, match="at most 256"):
        ShapeStore().add(Hull(points / np.linalg.norm(points, axis=1, keepdims=True)), 0)


def test_empty_world_and_meshes_alone() -> None:
    scene = Scene()
    scene.position, scene.orientation = [np.zeros(3)], [np.array([1.0, 0, 0, 0])]
    scene.velocity = [np.zeros(6)]
    assert scene.detect().count[0] == 0
    scene.store.add(TriangleMesh(np.eye(3), [(0, 1, 2)]), 0, movable=False)
    assert scene.detect().count[0] == 0
