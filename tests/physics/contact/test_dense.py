"""Heaps that begin in each other come apart without speed, whatever holds them together."""

import numpy as np
import pytest

from physics import Sphere, World
from tests.physics.contact.dense import outcome


@pytest.mark.parametrize("seed", [*range(4), 18, 108, 162, 178, 203, 246, 378, 386, 406, 485])
def test_a_heap_neither_gains_nor_stands_still(seed: int) -> None:
    found = outcome(seed, 1.0)
    assert not found.explodes
    assert found.still == 0


@pytest.mark.slow
def test_four_hundred_heaps() -> None:
    found = [outcome(seed) for seed in range(400)]
    assert not any(heap.explodes for heap in found)
    assert sum(heap.still for heap in found) < 1e-3 * sum(heap.steps for heap in found)


@pytest.mark.parametrize("kinds", ["fixed fixed", "fixed ball hinge", "prismatic ball universal"])
def test_two_bodies_held_many_times_move_as_one(kinds: str) -> None:
    """Rows that repeat what others hold bear nothing: forces stay those of one joint."""
    world = World(rate=120, gravity=(0, 0, 0))
    a = world.add_body("a", Sphere(0.1), mass=2.0, velocity=(0, 1, 0))
    b = world.add_body("b", Sphere(0.05), mass=0.3, position=(0.4, 0.1, -0.2), velocity=(1, 0, 3))
    for k, kind in enumerate(kinds.split()):
        axis = {} if kind in ("fixed", "ball") else {"axis": (0.36, 0.48, 0.8)}
        world.add_joint(kind, a, b, at=(0.1 * k, 0.03, -0.1), **axis)
    world.step()
    begins = world.energy().kinetic
    for _ in range(240):
        world.step()
        assert world.energy().kinetic == pytest.approx(begins, rel=1e-2)
        for joint in world.handles("joint"):
            assert np.abs(world.joint_force(joint)).max() < 100.0
    assert world.stats.guard["frozen"] == 0
