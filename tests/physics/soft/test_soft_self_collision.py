"""A cloth that touches itself: layers stay on their sides, as an option."""

import numpy as np
import pytest

from physics.soft.contact.node_triangle import LAYERS, near_pairs
from physics.soft.meshes import primitives
from tests.physics.soft.soft_scenes import folded_world


class Crossings:
    """Counts nodes that go through triangles from which they are far in the rest shape."""

    def __init__(self, n, triangles):
        rest = primitives.cloth(n, n, (1.0, 1.0)).position
        apart = np.linalg.norm(rest[:, None, None] - rest[triangles][None], axis=3).min(axis=2)
        self.triangles, self.far = triangles, apart > 2.1 * 1.0 / (n - 1)

    def sides(self, x):
        a, b, c = (x[self.triangles[:, k]] for k in range(3))
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        return np.einsum("td,itd->it", normal, x[:, None] - a[None])

    def count(self, before, after):
        """A change of side counts if it happens inside the triangle, on straight ways."""
        first, last = self.sides(before), self.sides(after)
        i, t = np.nonzero((first * last < 0.0) & self.far)
        share = (first[i, t] / (first[i, t] - last[i, t]))[:, None]
        p, a, b, c = (before[k] + share * (after[k] - before[k]) for k in (i, *self.triangles[t].T))
        u, v, q = b - a, c - a, p - a
        uu, vv, uv, qu, qv = (
            np.sum(f * g, axis=1) for f, g in ((u, u), (v, v), (u, v), (q, u), (q, v))
        )
        whole = uu * vv - uv**2
        w1, w2 = (vv * qu - uv * qv) / whole, (uu * qv - uv * qu) / whole
        return int(((w1 >= 0.0) & (w2 >= 0.0) & (w1 + w2 <= 1.0)).sum())


def fall(n, steps, self_collision):
    """Crossings, the lowest node and the largest gain of energy in a step."""
    world, cloth = folded_world(n, self_collision), "cloth"
    crossings = Crossings(n, world.triangles(cloth))
    found, gain, energy = 0, 0.0, world.energy().total
    for _ in range(steps):
        before = world.node_positions(cloth)
        world.step()
        found += crossings.count(before, world.node_positions(cloth))
        gain, energy = max(gain, world.energy().total - energy), world.energy().total
    return found, gain, world


def test_folded_sheet_does_not_fall_through_itself():
    found, gain, world = fall(12, 70, self_collision=True)
    assert found == 0
    assert world.stats.soft["self_contacts"] > 10
    assert world.node_positions("cloth")[:, 1].min() > -0.1  # its free edge may hang over
    assert gain < 0.003 * 9.81  # what one step may gain by the guard's own measure, m g size


def test_without_the_option_it_does():
    found, _, world = fall(12, 70, self_collision=False)
    assert found > 10
    assert world.node_positions("cloth")[:, 1].min() < -0.2
    assert world.stats.soft["self_contacts"] == 0


@pytest.mark.slow
def test_finer_folded_sheet_does_not_fall_through_itself():
    found, _, _ = fall(30, 180, self_collision=True)
    assert found == 0


def test_restored_world_goes_on_the_same_with_contacts_of_its_own():
    world = folded_world(10, self_collision=True)
    world.step(25)
    saved = world.snapshot()
    world.step(10)
    first = world.hash()
    assert world.stats.soft["self_contacts"] > 0
    world.restore(saved)
    world.step(10)
    assert world.hash() == first


def test_grid_finds_what_looking_at_all_pairs_finds():
    rng = np.random.default_rng(3)
    sheet = primitives.cloth(12, 12, (1.0, 1.0))
    n, triangles = len(sheet.position), sheet.triangles
    x = sheet.position @ np.diag([0.4, 0.4, 0.4]) + 0.05 * rng.normal(size=(n, 3))
    near, thickness, margin = 0.2, 0.03, 0.01
    low, size = x.min(axis=0), 0.07
    cells = ((x.max(axis=0) - low) / size).astype(np.int64) + 1
    found = np.empty((n, LAYERS), np.int64)
    best, normal = np.zeros((n, LAYERS)), np.zeros((n, LAYERS, 3))
    near_pairs(
        x, np.zeros_like(x), sheet.position, triangles, n, near, thickness, margin, 0.04, 0.01,
        low, size, cells, np.zeros(int(np.prod(cells)) + 1, np.int64), np.zeros(n, np.int64),
        np.zeros(n, np.int64), found, best, normal,
    )  # fmt: skip
    touching = 0
    for i in range(n):
        apart = np.linalg.norm(sheet.position[i] - sheet.position[triangles], axis=2).min(axis=1)
        # No triangle is nearer than its centre less the farthest corner from that.
        centres = x[triangles].mean(axis=1)
        reach = np.linalg.norm(x[triangles] - centres[:, None], axis=2).max(axis=1)
        may = np.linalg.norm(x[i] - centres, axis=1) - reach <= thickness + margin
        others = triangles[(apart >= near) & may]
        expected = min((_distance(x[i], x[corners]) for corners in others), default=np.inf)
        if expected <= thickness + margin:
            touching += 1
            assert best[i][found[i] >= 0].min() == pytest.approx(expected, abs=1e-12)
        else:
            assert (found[i] < 0).all()
    assert touching > 20


def _distance(p, corners):
    """From a point to a triangle: its plane if the foot lies inside, else the nearest edge."""
    a, b, c = corners
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal)
    foot = p - normal * (normal @ (p - a))
    inside = all(
        np.cross(end - start, foot - start) @ normal >= 0.0
        for start, end in ((a, b), (b, c), (c, a))
    )
    if inside:
        return abs(normal @ (p - a))
    shares = [
        np.clip((p - start) @ (end - start) / ((end - start) @ (end - start)), 0.0, 1.0)
        for start, end in ((a, b), (b, c), (c, a))
    ]
    ends = ((a, b), (b, c), (c, a))
    return min(
        float(np.linalg.norm(p - start - s * (end - start)))
        for s, (start, end) in zip(shares, ends, strict=True)
    )
